// How requests of a RequestSource end: destroyed connections, early answers, refused connections.
#include <gtest/gtest.h>
#include <poll.h>

#include <optional>

#include "numbering_source.h"

namespace carronade {
namespace {

using test::echo_path;
using test::even;
using test::execute;
using test::get;
using test::kOk;
using test::kSecond;
using test::Notes;
using test::NumberingSource;
using test::ScriptedPeer;
using test::spec_for;

// Driven by a host, as the Node addon does.
TEST(RunSourceEndings, AConnectionMayBeDestroyedFromWithin) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.connections = 2;
  spec.duration_ns = 60 * kSecond;
  carronade::Run* handle = nullptr;
  spec.make_source = [&](uint32_t, uint32_t) {
    auto source = std::make_unique<NumberingSource>(SourceWants{.responses = true}, notes, get);
    source->act = [&](const Response& response) {
      if (notes.answers.size() >= 10) handle->destroy(response.connection);
      return true;
    };
    return source;
  };
  auto run = carronade::Run::create(spec, nullptr);
  ASSERT_TRUE(run);
  handle = run->get();
  handle->resolve();
  handle->open();
  for (int turns = 0; turns < 100'000 && !handle->finished(); ++turns) {
    pollfd ready{handle->poll_fd(), POLLIN, 0};
    (void)poll(&ready, 1, 1000);
    handle->turn();
  }
  ASSERT_TRUE(handle->finished());
  const RunResult result = handle->result();
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(result.answered, notes.answers.size());
  EXPECT_LE(notes.answers.size(), 12u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunSourceEndings, ADestroyedConnectionLosesWhatIsInFlightWithoutAnError) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.read_request();
    talk.send(kOk);
    talk.wait_for_close();
  });
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.pipelining = 3;
  spec.duration_ns = 60 * kSecond;
  carronade::Run* handle = nullptr;
  spec.make_source = [&](uint32_t, uint32_t) {
    auto source = std::make_unique<NumberingSource>(SourceWants{.responses = true}, notes, get);
    source->act = [&](const Response&) {
      handle->destroy(0);
      return true;
    };
    return source;
  };
  auto run = carronade::Run::create(spec, nullptr);
  handle = run->get();
  handle->open();
  for (int turns = 0; turns < 100'000 && !handle->finished(); ++turns) {
    pollfd ready{handle->poll_fd(), POLLIN, 0};
    (void)poll(&ready, 1, 1000);
    handle->turn();
  }
  const RunResult result = handle->result();
  EXPECT_EQ(result.answered, 1u);
  EXPECT_EQ(result.in_flight, 2u);
  EXPECT_EQ(result.error_total(), 0u);
}

// A server that says no before it has read the body, and reads it all the same.
void answer_early(ScriptedPeer::Talk& talk) {
  while (talk.wait_for_bytes()) {
    talk.send(kOk);
    if (talk.read_request().empty()) return;
  }
}

TEST(RunSourceEndings, AnAnswerBeforeTheBodyHasLeftIsAnAnswer) {
  const std::string body(4'000'000, 'x');
  for (const bool sourced : {false, true}) {
    ScriptedPeer peer(answer_early);
    Notes notes;
    RunSpec spec = spec_for(peer);
    spec.amount = 6;
    spec.connections = 2;
    spec.duration_ns = 20 * kSecond;
    spec.targets[0].request = {.method = "POST", .headers = {}, .body = body};
    const auto post = [&body](int) {
      return "POST / HTTP/1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
             body;
    };
    if (sourced) {
      spec.make_source = [&](uint32_t, uint32_t) {
        return std::make_unique<NumberingSource>(SourceWants{}, notes, post);
      };
    }
    const RunResult result = execute(spec);
    EXPECT_EQ(result.answered, 6u) << sourced;
    EXPECT_EQ(result.error_total(), 0u) << sourced;
    EXPECT_EQ(result.stopped_by, StoppedBy::kAmount) << sourced;
  }
}

TEST(RunSourceEndings, AFailedConnectLosesNoRequestThatWasMade) {
  // The port is taken and refuses for a while: each attempt uses up one of the amount.
  std::optional<ScriptedPeer> peer;
  peer.emplace(echo_path);
  const uint16_t port = peer->port();
  RunSpec spec = spec_for(*peer);
  peer.reset();
  Notes notes;
  spec.targets[0].url = *parse_url("http://127.0.0.1:" + std::to_string(port) + "/");
  spec.amount = 3;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.losses = true}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.sent, 0u);
  EXPECT_EQ(notes.connections.size(), 1u);  // made once, and kept
  EXPECT_EQ(notes.losses.size(), 3u);
}

TEST(RunSourceEndings, AnOpenLoopAsksWhenARequestIsDue) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.connections = 2;
  spec.rate.emplace();
  spec.rate->stages.push_back(even(200, kSecond / 2));
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.bodies = true}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.planned, 100u);
  EXPECT_EQ(result.answered, 100u);
  EXPECT_EQ(notes.connections.size(), 100u);
  EXPECT_EQ(notes.answers.size(), 100u);
}

}  // namespace
}  // namespace carronade
