#include "http/ws_event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "http/ws_session.h"

namespace carronade::http {

namespace {

class MessageCollector : public BodySink {
 public:
  void on_body(std::string_view piece) override { body_ += piece; }
  void on_response_end() override { bodies_.push_back(std::exchange(body_, "")); }
  const std::vector<std::string>& bodies() const { return bodies_; }

 private:
  std::string body_;
  std::vector<std::string> bodies_;
};

class WsDriver {
 public:
  WsDriver(uint32_t limit, bool with_sink) : limit_(limit), with_sink_(with_sink) {}

  WsEvents run(std::span<const std::string_view> pieces) {
    uint64_t total = 0;
    for (const std::string_view piece : pieces) total += piece.size();
    for (std::string_view piece : pieces) {
      while (!piece.empty() && !stopped_) piece.remove_prefix(step(piece));
    }
    end(total);
    return {std::move(log_), collector_.bodies()};
  }

 private:
  size_t step(std::string_view bytes) {
    const bool mid_before = session_.mid_message();
    BodySink* sink = with_sink_ ? &collector_ : nullptr;
    const size_t used = session_.feed(bytes, limit_, sink, answers_, feed_);
    consumed_ += used;
    bool earlier = mid_before;
    for (const H1Response& message : feed_.finished()) {
      line(fmt::format("message body={} wire={}", message.body_bytes, message.wire_bytes));
      if (message.status != 0 || message.close_after) line("BUG status");
      if (message.began_earlier != std::exchange(earlier, false)) line("BUG began_earlier");
      wire_ += message.wire_bytes;
      sizes_.push_back(message.body_bytes);
    }
    if (feed_.count > limit_) line("BUG more messages than allowed");
    if (session_.mid_message() && feed_.began_here == earlier) line("BUG began_here");
    stopped_ = feed_.fault || session_.closed();
    if (used == 0 && !stopped_) {
      line("BUG no progress");
      stopped_ = true;
    }
    return used;
  }

  void end(uint64_t total) {
    const uint64_t partial = session_.partial_wire_bytes();
    if (feed_.fault) {
      line(fmt::format("fault {} {}", error_kind_name(feed_.fault->kind), feed_.fault->detail));
    } else if (session_.closed()) {
      line(fmt::format("closed {}", *session_.closed()));
      if (total > consumed_) line(fmt::format("left {}", total - consumed_));
    } else if (session_.mid_message()) {
      line(fmt::format("waiting {}", partial));
    } else if (partial > 0) {
      line(fmt::format("unfinished {}", partial));
    }
    log_answers();
    const WsSession::Counts& counts = session_.counts();
    line(fmt::format("counts text={} binary={} pings={} pongs={}", counts.text_messages,
                     counts.binary_messages, counts.pings, counts.pongs));
    if (counts.text_messages + counts.binary_messages != sizes_.size()) line("BUG counts");
    if (!feed_.fault) {
      line(fmt::format("consumed {}", consumed_));
      if (wire_ + partial != consumed_) line("BUG wire bytes");
    }
    const std::vector<std::string>& bodies = collector_.bodies();
    const bool same =
        std::equal(bodies.begin(), bodies.end(), sizes_.begin(), sizes_.end(),
                   [](const std::string& body, uint64_t size) { return body.size() == size; });
    if (with_sink_ && !same) line("BUG bodies");
  }

  void log_answers() {
    for (std::string_view rest = answers_; !rest.empty();) {
      const std::optional<WsClientFrame> frame = take_client_frame(rest);
      if (!frame) return line("BUG answer");
      const std::string& payload = frame->payload;
      if (frame->opcode == WsOpcode::kPong) {
        line(fmt::format("answer pong \"{}\"", base::printable(payload)));
      } else if (payload.empty()) {
        line("answer close");
      } else {
        line(fmt::format("answer close {}", static_cast<uint8_t>(payload[0]) * 256 +
                                                static_cast<uint8_t>(payload[1])));
      }
    }
  }

  void line(std::string_view text) { log_.append(text).append("\n"); }

  const uint32_t limit_;
  const bool with_sink_;
  WsSession session_;
  MessageCollector collector_;
  H1Feed feed_;
  std::string answers_;
  std::string log_;
  std::vector<uint64_t> sizes_;
  uint64_t consumed_ = 0;
  uint64_t wire_ = 0;
  bool stopped_ = false;
};

// The first `size` bytes as a number, cut off; the caller knows that they are there.
uint64_t take_number(std::string_view& bytes, size_t size) {
  uint64_t number = 0;
  for (const char c : bytes.substr(0, size)) number = number << 8 | static_cast<uint8_t>(c);
  bytes.remove_prefix(size);
  return number;
}

}  // namespace

WsEvents run_ws(std::span<const std::string_view> pieces, uint32_t limit, bool with_sink) {
  return WsDriver(limit, with_sink).run(pieces);
}

std::optional<WsClientFrame> take_client_frame(std::string_view& bytes) {
  constexpr size_t kMaskBytes = 4;
  std::string_view rest = bytes;
  if (rest.size() < 2 + kMaskBytes) return {};
  const uint64_t first = take_number(rest, 1);
  const uint64_t second = take_number(rest, 1);
  if ((first & 0xF0) != 0x80 || (second & 0x80) == 0) return {};
  uint64_t length = second & 0x7F;
  const size_t more = length < 126 ? 0 : length == 126 ? 2 : 8;
  if (rest.size() < more + kMaskBytes) return {};
  if (more > 0) length = take_number(rest, more);
  const std::string_view mask = rest.substr(0, kMaskBytes);
  rest.remove_prefix(kMaskBytes);
  if (rest.size() < length) return {};
  WsClientFrame frame{static_cast<WsOpcode>(first & 0x0F), std::string(rest.substr(0, length))};
  for (size_t i = 0; i < frame.payload.size(); ++i) {
    frame.payload[i] = static_cast<char>(frame.payload[i] ^ mask[i % kMaskBytes]);
  }
  rest.remove_prefix(length);
  bytes = rest;
  return frame;
}

std::string server_frame(uint8_t first, std::string_view payload) {
  const size_t size = payload.size();
  std::string out(1, static_cast<char>(first));
  const size_t more = size < 126 ? 0 : size <= 0xFFFF ? 2 : 8;
  out += static_cast<char>(more == 0 ? size : more == 2 ? 126 : 127);
  for (size_t i = more; i-- > 0;) out += static_cast<char>(size >> (8 * i) & 0xFF);
  return out.append(payload);
}

}  // namespace carronade::http
