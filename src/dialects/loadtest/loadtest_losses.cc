#include "dialects/loadtest/loadtest_losses.h"

namespace carronade::dialects::loadtest {
namespace {

// Kinds of a connection that was there, and may have had nothing in flight.
bool may_end_none(ErrorKind kind) {
  return kind == ErrorKind::kExcessBytes || kind == ErrorKind::kTimeout ||
         kind == ErrorKind::kMalformedFrame;
}

}  // namespace

uint64_t lost_requests(const RunResult& result) {
  uint64_t sum = 0;
  for (const ErrorCount& row : result.errors) {
    // Before the first message a broken frame is as good as a refusal.
    const bool refusal = row.kind == ErrorKind::kMalformedFrame && result.answered == 0;
    sum += may_end_none(row.kind) && !refusal ? row.requests : row.count;
  }
  return sum;
}

uint32_t lost_requests(const Loss& loss) {
  if (loss.requests > 0) return loss.requests;
  return may_end_none(loss.kind) && loss.due_ns == 0 ? 0 : 1;
}

}  // namespace carronade::dialects::loadtest
