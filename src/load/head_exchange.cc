#include "load/head_exchange.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "http/head_fields.h"

namespace carronade::load {
namespace {

constexpr size_t kMostHeadBytes = 64 * 1024;
// Of an empty line, and the end of the line before it: what may lie before the next read.
constexpr size_t kMostOfEnd = 3;
constexpr uint16_t kSwitchingProtocols = 101;

std::string reason_of(const net::IoResult& result, const net::Transport& transport) {
  return result.error != 0 ? base::errno_text(result.error) : transport.failure_text();
}

}  // namespace

HeadExchange::Step HeadExchange::drive(net::Transport& transport, net::Stream& stream) {
  while (!unsent_.empty()) {
    const net::IoResult result = transport.write(stream, unsent_.data(), unsent_.size());
    if (result.status == net::IoStatus::kFail) return fail(reason_of(result, transport));
    if (result.status == net::IoStatus::kRetry) break;
    unsent_.remove_prefix(result.bytes);
    sent_ += result.bytes;
  }
  // An answer may come, and be a refusal, before all of the request has left.
  return read(transport, stream);
}

HeadExchange::Step HeadExchange::read(net::Transport& transport, net::Stream& stream) {
  std::array<char, 4096> buffer;
  for (;;) {
    const net::IoResult result = transport.read(stream, buffer.data(), buffer.size());
    if (result.status == net::IoStatus::kRetry) return Step::kPending;
    if (result.status == net::IoStatus::kFail) return fail(reason_of(result, transport));
    if (result.bytes == 0) {
      return fail(received_.empty() ? "closed before an answer" : "closed in the middle of a head");
    }
    const size_t from = received_.size() - std::min(received_.size(), kMostOfEnd);
    received_.append(buffer.data(), result.bytes);
    received_in_all_ += result.bytes;
    unread_ = !result.drained;
    if (find_head(from)) return Step::kDone;
    if (received_in_all_ > kMostHeadBytes) return fail("more than 64 KiB of header");
    // Not before it says so: an end of file may have come with these bytes, and no event will.
  }
}

// Looks for the end of a head behind `from`; drops interim answers.
bool HeadExchange::find_head(size_t from) {
  for (;;) {
    head_bytes_ = http::head_end(received_, from);
    if (head_bytes_ == 0) return false;
    const uint16_t status = http::status_of(http::status_line(received_));
    if (status < 100 || status > 199 || status == kSwitchingProtocols) return true;
    received_.erase(0, head_bytes_);
    from = 0;
  }
}

HeadExchange::Step HeadExchange::fail(std::string error) {
  error_ = std::move(error);
  return Step::kFailed;
}

}  // namespace carronade::load
