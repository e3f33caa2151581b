#include "load/head_exchange.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace carronade::load {
namespace {

constexpr size_t kMostHeadBytes = 64 * 1024;
constexpr std::string_view kEmptyLine = "\r\n\r\n";

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
    const size_t from = received_.size() - std::min(received_.size(), kEmptyLine.size() - 1);
    received_.append(buffer.data(), result.bytes);
    unread_ = !result.drained;
    if (const size_t end = received_.find(kEmptyLine, from); end != std::string::npos) {
      head_bytes_ = end + kEmptyLine.size();
      return Step::kDone;
    }
    if (received_.size() > kMostHeadBytes) return fail("more than 64 KiB of header");
    // Not before it says so: an end of file may have come with these bytes, and no event will.
  }
}

HeadExchange::Step HeadExchange::fail(std::string error) {
  error_ = std::move(error);
  return Step::kFailed;
}

}  // namespace carronade::load
