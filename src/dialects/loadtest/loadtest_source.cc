// HOT.
#include "dialects/loadtest/loadtest_source.h"

#include "carronade/websocket_frame.h"

namespace carronade::dialects::loadtest {

NextRequest LoadtestSource::next(uint32_t, std::string& out) {
  const uint64_t number = last_index_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (!index_->websocket) {
    index_->append(number, out);
    return index_->last_on_socket ? NextRequest::kLastOnSocket : NextRequest::kGiven;
  }
  message_.clear();
  index_->append(number, message_);
  // One step of splitmix64: another mask for each message.
  mask_ += 0x9E3779B97F4A7C15;
  const uint64_t mixed = (mask_ ^ (mask_ >> 30)) * 0xBF58476D1CE4E5B9;
  append_websocket_message(out, message_, false, static_cast<uint32_t>(mixed >> 32));
  return NextRequest::kGiven;
}

}  // namespace carronade::dialects::loadtest
