// Whole runs against a ScriptedPeer that speaks WebSocket.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "carronade/run.h"
#include "scripted_peer.h"

namespace carronade::test {

// One connection that sends "hello", with a timeout of five seconds.
inline RunSpec ws_spec(const ScriptedPeer& peer, uint64_t amount, const std::string& path = "/") {
  RunSpec spec;
  const std::string url = "ws://127.0.0.1:" + std::to_string(peer.port()) + path;
  spec.targets.push_back({*parse_url(url, Schemes::kHttpAndWebSocket), {}});
  spec.targets[0].request.body = "hello";
  spec.connections = 1;
  spec.amount = amount;
  spec.timeout_ns = 5'000'000'000;
  return spec;
}

// Every request of the run is accounted for, or the test fails.
inline RunResult run_conserved(const RunSpec& spec) {
  auto made = Run::create(spec, nullptr);
  EXPECT_TRUE(made) << made.error().text;
  RunResult result = (*made)->execute();
  EXPECT_TRUE(result.conserved());
  return result;
}

inline RunResult run_ws(const RunSpec& spec) {
  RunResult result = run_conserved(spec);
  EXPECT_TRUE(result.websocket);
  return result;
}

}  // namespace carronade::test
