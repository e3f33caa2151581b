// Whatever the peer sends: the events do not depend on how the bytes are split, nor on whether
// bodies are heard, parsed or discarded; and the session does not contradict itself (`BUG`).
#include "fuzz_input.h"
#include "http/h1_event_log.h"

namespace {

using carronade::fuzz::disagree;
using carronade::fuzz::FuzzInput;
using carronade::http::H1Events;
using carronade::http::H1Scenario;
using carronade::http::run_h1;

H1Scenario scenario_of(uint8_t number) {
  H1Scenario scenario;
  scenario.eof = (number & 1) != 0;
  scenario.expects.clear();
  scenario.expects.push_back({.count = 1U + (number >> 1 & 3U), .head = (number & 8) != 0});
  scenario.expects.push_back({.count = 1U + (number >> 4 & 7U), .head = (number & 128) != 0});
  scenario.expects.push_back({.count = 300, .head = false});
  return scenario;
}

void check(const char* what, const H1Events& one, const H1Events& other) {
  if (one.log != other.log) disagree(what, one.log, other.log);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  H1Scenario scenario = scenario_of(input.number());
  const uint8_t seed = input.number();
  const std::vector<std::string_view> split = input.pieces(seed);
  const std::string_view text = input.text();

  const H1Events whole = run_h1({&text, 1}, scenario);
  if (whole.log.find("BUG") != std::string::npos) disagree("contradiction", whole.log, "");
  const H1Events in_pieces = run_h1(split, scenario);
  check("whole and split differ", whole, in_pieces);
  if (whole.bodies != in_pieces.bodies) disagree("bodies differ", whole.log, in_pieces.log);

  scenario.with_sink = false;
  check("heard and unheard bodies differ", whole, run_h1(split, scenario));
  scenario.use_discard = true;
  check("parsed and discarded bodies differ", whole, run_h1(split, scenario));
  return 0;
}
