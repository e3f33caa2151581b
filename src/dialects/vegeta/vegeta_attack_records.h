// The results of an attack on their way from the workers to the output: what a worker knows of one
// as a message of a record queue, and the writer's side, which makes a Result of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "carronade/expected.h"
#include "cli/record_queue.h"
#include "dialects/vegeta/vegeta_encoders.h"
#include "dialects/vegeta/vegeta_output.h"
#include "dialects/vegeta/vegeta_result.h"

namespace carronade::dialects::vegeta {

struct Outcome {
  uint64_t seq = 0;
  int64_t timestamp_unix_ns = 0;
  int64_t latency_ns = 0;
  uint64_t bytes_out = 0;
  uint64_t bytes_in = 0;
  uint16_t code = 0;  // 0: no answer; then head and body are not used
  bool may_inflate = false;
  std::string_view method{};
  std::string_view url{};
  std::string_view error{};
  std::string_view head{};  // of the answer
  std::string_view body{};
  bool has_body = false;
};

// What one worker could not hand over whole. Any thread.
struct RecordLosses {
  std::atomic<uint64_t> without_body{0};  // written without the body of the answer
  std::atomic<uint64_t> tried_twice{0};   // each of them is counted once too often by the queue
};

// The worker's side: never waits. An outcome that finds no room with its body goes without it.
void push_outcome(const Outcome& outcome, cli::RecordQueue& queue, RecordLosses& losses);

// The writer's side; on its thread.
class ResultStream {
 public:
  struct Facts {
    std::string attack_name;    // of each result
    int64_t max_body = -1;      // as in AttackOptions
    int16_t zone_minutes = -1;  // of each timestamp
  };
  ResultStream(ResultOutput output, Facts facts);

  Expected<void> consume(std::string_view message);
  Expected<void> flush();
  // The first error of writing stops the attack: asked by other threads.
  bool failed() const { return failed_.load(); }

 private:
  void decode(std::string_view message);
  void take_head(std::string_view head);
  void take_body(std::string_view body, bool may_inflate);

  ResultOutput output_;
  Facts facts_;
  std::unique_ptr<ResultEncoder> encoder_;
  Result result_;
  std::string inflated_;
  std::string buffer_;
  std::atomic<bool> failed_{false};
};

}  // namespace carronade::dialects::vegeta
