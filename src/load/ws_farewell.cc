#include "load/ws_farewell.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace carronade::load {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kLongestNs = 500 * kMillisecond;
constexpr uint16_t kNormalClosure = 1000;
// Any: what a close frame says is no secret, and no cache may take it for something else.
constexpr uint32_t kMask = 0x5A17C3E9;

}  // namespace

void WsFarewell::hang_up(Connection& c, net::Transport& transport) {
  if (c.ws != nullptr) part(c, transport);
  if (c.stream.fd.valid()) transport.close(c.stream);
  c.ws.reset();
  c.opening.reset();
}

void WsFarewell::part(Connection& c, net::Transport& transport) {
  WebSocket& ws = *c.ws;
  if (!c.between_messages() || ws.session.closed() || ws.close_sent || c.hung_up) return;
  http::append_ws_close(ws.control_out, kNormalClosure, kMask);
  const net::IoResult sent =
      transport.write(c.stream, ws.control_out.data(), ws.control_out.size());
  if (sent.status != net::IoStatus::kOk) return;
  if (recorder_ != nullptr) recorder_->bytes_sent(sent.bytes);
  if (sent.bytes < ws.control_out.size()) return;
  ws.control_out.clear();
  // Those that were answered have room for this one; without any the oldest makes it.
  bool first = true;
  while (!partings_.empty() && (read(partings_.front()) || (first && partings_.size() >= most_))) {
    close(partings_.front());
    partings_.pop_front();
    first = false;
  }
  partings_.push_back({std::move(c.stream), std::move(c.ws), &transport, base::now_ns()});
}

void WsFarewell::collect(int64_t now_ns) {
  std::erase_if(partings_, [&](Parting& parting) {
    if (!read(parting) && now_ns - parting.since_ns < kLongestNs) return false;
    close(parting);
    return true;
  });
}

bool WsFarewell::read(Parting& parting) {
  std::array<char, 16 * 1024> buffer;
  http::H1Feed feed;
  constexpr int kMostReads = 64;  // a server that never stops sending is not waited for
  for (int i = 0; i < kMostReads; ++i) {
    const net::IoResult result =
        parting.transport->read(parting.stream, buffer.data(), buffer.size());
    if (result.status == net::IoStatus::kRetry) return false;
    if (result.status == net::IoStatus::kFail || result.bytes == 0) return true;
    if (recorder_ != nullptr) recorder_->bytes_received(result.bytes);
    std::string_view bytes(buffer.data(), result.bytes);
    while (!bytes.empty()) {
      const size_t used =
          parting.ws->session.feed(bytes, 1, nullptr, parting.ws->control_out, feed);
      if (const auto code = parting.ws->session.closed()) {
        ++result_.closes_by_code[*code];
        return true;
      }
      if (feed.fault) return true;
      bytes.remove_prefix(used);
    }
    if (result.drained) return false;
  }
  return true;
}

void WsFarewell::finish(int64_t wait_ns) {
  const int64_t end_ns = base::now_ns() + std::min(wait_ns, kLongestNs);
  for (;;) {
    std::erase_if(partings_, [this](Parting& parting) {
      if (!read(parting)) return false;
      close(parting);
      return true;
    });
    const int64_t left_ns = end_ns - base::now_ns();
    if (partings_.empty() || left_ns <= 0) break;
    std::vector<pollfd> waiting;
    waiting.reserve(partings_.size());
    for (const Parting& parting : partings_) {
      waiting.push_back({parting.stream.fd.get(), POLLIN, 0});
    }
    (void)poll(waiting.data(), waiting.size(), static_cast<int>(left_ns / kMillisecond + 1));
  }
  for (Parting& parting : partings_) close(parting);
  partings_.clear();
}

}  // namespace carronade::load
