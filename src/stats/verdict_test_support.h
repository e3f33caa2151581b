// Runs with nothing to say against them, and what judge() says of runs.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "carronade/verdict.h"

namespace carronade::stats {

inline constexpr int64_t kMs = 1'000'000;
inline constexpr int64_t kSecond = 1'000'000'000;

// A closed loop with nothing to say against it: 10 s, 1,000 answers a second of about 1 ms.
inline RunResult clean_run() {
  RunResult result;
  result.elapsed_ns = 10 * kSecond;
  result.addresses = {"10.0.0.1:80"};
  result.connections_asked = result.connections_peak = result.connections_opened = 10;
  result.sent = result.answered = result.by_status[200] = 10'000;
  result.latency.record_many(kMs, 9800);
  result.latency.record_many(2 * kMs, 200);
  for (int i = 0; i < 10; ++i) {
    Window window;
    window.start_ns = i * kSecond;
    window.width_ns = kSecond;
    window.answered = 1000;
    window.connections = 10;
    window.p50_ns = kMs;
    result.series.push_back(window);
  }
  WorkerHealth worker;
  worker.wall_ns = 10 * kSecond;
  worker.cpu_ns = 3 * kSecond;
  worker.run_delay_ns = 100 * kMs;
  worker.involuntary_switches = 12;
  worker.turns.record_many(20'000, 50'000);
  result.workers = {worker, worker};
  result.host = {0, 0, 0, 100'000, 2, 40, 1024, 28'000};
  return result;
}

// An open loop at 1,000/s that was kept.
inline RunResult clean_open_loop() {
  RunResult result = clean_run();
  RateResult& rate = result.rate.emplace();
  result.planned = rate.planned = rate.sent_in_time = 10'000;
  rate.load_ns = 10 * kSecond;
  rate.generator_late.record_many(10'000, 10'000);
  rate.no_connection.record_many(0, 10'000);
  rate.planned_gaps.record_many(kMs, 9999);
  rate.sent_gaps.record_many(kMs + 10'000, 9999);
  rate.service_time = result.latency;
  for (Window& window : result.series) window.planned = window.sent = 1000;
  return result;
}

inline std::string codes(const RunResult& result) {
  std::string all;
  for (const VerdictReason& reason : judge(result).reasons) {
    EXPECT_EQ(reason.text.find('\n'), std::string::npos);
    EXPECT_GE(reason.text.size(), 40u);
    if (!all.empty()) all += ' ';
    all += reason.weight == VerdictState::kInvalid ? "!" + reason.code : reason.code;
  }
  return all;
}

inline std::string first_text(const RunResult& result) { return judge(result).reasons.at(0).text; }

}  // namespace carronade::stats
