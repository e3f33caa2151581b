#include "http/transcript.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace carronade::http {
namespace {

std::vector<std::string> transcript_files() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("test/transcripts")) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path().string());
  }
  return paths;
}

std::vector<Transcript> all_transcripts() {
  std::vector<Transcript> all;
  for (const std::string& path : transcript_files()) {
    Expected<std::vector<Transcript>> cases = read_transcripts(path);
    if (!cases) {
      ADD_FAILURE() << cases.error().text;
      continue;
    }
    for (Transcript& transcript : *cases) all.push_back(std::move(transcript));
  }
  return all;
}

// In long inputs splits are only tried where something may depend on them: near both ends, near
// the header limit, and here and there between.
bool worth_a_split(size_t at, size_t size) {
  if (size <= 3000 || at <= 40 || at + 10 >= size || at % 9973 == 0) return true;
  return at + 3 >= kMaxHeaderBytes && at <= kMaxHeaderBytes + 60;
}

H1Events run_whole(const Transcript& transcript, H1Scenario scenario) {
  const std::string_view bytes = transcript.bytes;
  return run_h1({&bytes, 1}, scenario);
}

H1Events run_split(const Transcript& transcript, size_t at, const H1Scenario& scenario) {
  const std::string_view bytes = transcript.bytes;
  const std::string_view pieces[] = {bytes.substr(0, at), bytes.substr(at)};
  return run_h1(pieces, scenario);
}

H1Events run_bytewise(const Transcript& transcript, const H1Scenario& scenario) {
  std::vector<std::string_view> pieces;
  for (const char& c : transcript.bytes) pieces.emplace_back(&c, 1);
  return run_h1(pieces, scenario);
}

TEST(Transcripts, Exist) { EXPECT_GE(all_transcripts().size(), 100U); }

TEST(Transcripts, Whole) {
  for (const Transcript& transcript : all_transcripts()) {
    EXPECT_EQ(run_whole(transcript, transcript.scenario).log, transcript.log) << transcript.name;
  }
}

TEST(Transcripts, ByteByByte) {
  for (const Transcript& transcript : all_transcripts()) {
    const H1Events events = run_bytewise(transcript, transcript.scenario);
    EXPECT_EQ(events.log, transcript.log) << transcript.name;
    EXPECT_EQ(events.bodies, run_whole(transcript, transcript.scenario).bodies) << transcript.name;
  }
}

TEST(Transcripts, EverySplitInTwo) {
  for (const Transcript& transcript : all_transcripts()) {
    const H1Events whole = run_whole(transcript, transcript.scenario);
    for (size_t at = 0; at <= transcript.bytes.size(); ++at) {
      if (!worth_a_split(at, transcript.bytes.size())) continue;
      const H1Events events = run_split(transcript, at, transcript.scenario);
      ASSERT_EQ(events.log, transcript.log) << transcript.name << ", split at " << at;
      ASSERT_EQ(events.bodies, whole.bodies) << transcript.name << ", split at " << at;
    }
  }
}

TEST(Transcripts, WithoutSinkAndWithDiscarding) {
  for (const Transcript& transcript : all_transcripts()) {
    H1Scenario scenario = transcript.scenario;
    scenario.with_sink = false;
    EXPECT_EQ(run_whole(transcript, scenario).log, transcript.log) << transcript.name;
    scenario.use_discard = true;
    EXPECT_EQ(run_bytewise(transcript, scenario).log, transcript.log) << transcript.name;
    for (size_t at = 0; at <= transcript.bytes.size(); ++at) {
      if (!worth_a_split(at, transcript.bytes.size())) continue;
      ASSERT_EQ(run_split(transcript, at, scenario).log, transcript.log)
          << transcript.name << ", split at " << at;
    }
  }
}

TEST(Transcripts, FaultsOfTheFilesThemselvesAreFound) {
  EXPECT_FALSE(read_transcripts("test/transcripts/no_such_file.txt"));
}

}  // namespace
}  // namespace carronade::http
