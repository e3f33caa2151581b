// Against libwslay as a client: of a server's bytes both must find the same messages, answer the
// same pings, and end for the same reason: a close frame with the same code, a fault, or not at
// all.
//
// wslay cannot tell what it has not read yet, we look at each byte as it comes: where it waits for
// the rest of a frame, a fault of ours in that frame is none of disagreement. The deliberate
// differences:
//  - A close frame with one byte of payload: wslay takes it for one without a code, we refuse it.
//  - The reason in a close frame: wslay looks at it before it is whole, and passes over two bytes
//  of
//    each piece that it reads, not only over the code. Such an end is not compared.
//  - Close codes 1012 to 1014, registered since: wslay refuses them, we take them.
#include <wslay/wslay.h>

#include <algorithm>
#include <cstring>

#include "fuzz_input.h"
#include "http/ws_event_log.h"
#include "http/ws_session.h"

namespace {

using carronade::fuzz::disagree;
using carronade::fuzz::FuzzInput;
using carronade::http::BodySink;
using carronade::http::H1Feed;
using carronade::http::WsOpcode;
using carronade::http::WsSession;

enum class End { kWaiting, kClosed, kFault };

struct Found {
  std::string log;  // a line a message, ping or pong
  End end = End::kWaiting;
  uint16_t code = 0;
  bool exempt = false;  // a deliberate difference was met
};

struct Peer {
  std::string_view in;
  Found found;
  std::string message;      // so far
  bool in_control = false;  // the present frame is one of control
};

Peer& peer_of(void* user) { return *static_cast<Peer*>(user); }

ssize_t give(wslay_event_context_ptr context, uint8_t* to, size_t size, int, void* user) {
  std::string_view& in = peer_of(user).in;
  const size_t given = std::min(size, in.size());
  if (given == 0) {
    wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
    return -1;
  }
  std::memcpy(to, in.data(), given);
  in.remove_prefix(given);
  return static_cast<ssize_t>(given);
}

void on_frame(wslay_event_context_ptr, const wslay_event_on_frame_recv_start_arg* frame,
              void* user) {
  constexpr uint64_t kCodeBytes = 2;
  Peer& peer = peer_of(user);
  peer.in_control = wslay_is_ctrl_frame(frame->opcode) != 0;
  if (frame->opcode == WSLAY_CONNECTION_CLOSE && frame->payload_length > kCodeBytes) {
    peer.found.exempt = true;
  }
}

void on_payload(wslay_event_context_ptr, const wslay_event_on_frame_recv_chunk_arg* chunk,
                void* user) {
  if (peer_of(user).in_control) return;
  peer_of(user).message.append(reinterpret_cast<const char*>(chunk->data), chunk->data_length);
}

void on_message(wslay_event_context_ptr, const wslay_event_on_msg_recv_arg* message, void* user) {
  Found& found = peer_of(user).found;
  // Of control frames only.
  const std::string payload(reinterpret_cast<const char*>(message->msg), message->msg_length);
  if (message->opcode == WSLAY_CONNECTION_CLOSE) {
    found.end = End::kClosed;
    constexpr uint16_t kNoCode = 1005;
    found.code = message->status_code == 0 ? kNoCode : message->status_code;
    found.exempt = found.exempt || payload.size() == 1;
  } else if (message->opcode == WSLAY_PING) {
    found.log += "ping " + payload + "\n";
  } else if (message->opcode != WSLAY_PONG) {
    found.log += "message " + peer_of(user).message + "\n";
    peer_of(user).message.clear();
  }
}

Found by_wslay(std::string_view text) {
  wslay_event_callbacks callbacks{};
  callbacks.recv_callback = give;
  callbacks.on_frame_recv_start_callback = on_frame;
  callbacks.on_frame_recv_chunk_callback = on_payload;
  callbacks.on_msg_recv_callback = on_message;
  Peer peer;
  peer.in = text;
  wslay_event_context_ptr context = nullptr;
  wslay_event_context_client_init(&context, &callbacks, &peer);
  // Or it would allocate what a header announces.
  wslay_event_config_set_no_buffering(context, 1);
  wslay_event_config_set_max_recv_msg_length(context, UINT64_MAX);
  const int result = wslay_event_recv(context);
  if (peer.found.end != End::kClosed &&
      (result != 0 || wslay_event_get_read_enabled(context) == 0)) {
    peer.found.end = End::kFault;
  }
  wslay_event_context_free(context);
  return peer.found;
}

class Collector : public BodySink {
 public:
  explicit Collector(std::string& log) : log_(log) {}
  void on_body(std::string_view piece) override { body_ += piece; }
  void on_response_end() override {
    log_ += "message " + body_ + "\n";
    body_.clear();
  }

 private:
  std::string& log_;
  std::string body_;
};

// Byte by byte, so that pings keep their place among the messages.
Found by_session(std::string_view text) {
  WsSession session;
  H1Feed out;
  Found found;
  Collector collector(found.log);
  for (const char& c : text) {
    std::string answers;
    session.feed({&c, 1}, 1, &collector, answers, out);
    std::string_view rest = answers;
    const auto answer = carronade::http::take_client_frame(rest);
    if (answer && answer->opcode == WsOpcode::kPong) found.log += "ping " + answer->payload + "\n";
    if (out.fault) {
      found.end = End::kFault;
      return found;
    }
    if (const auto code = session.closed()) {
      found.end = End::kClosed;
      found.code = *code;
      found.exempt = *code >= 1012 && *code <= 1014;
      return found;
    }
  }
  return found;
}

std::string text_of(const Found& found) {
  return found.log + (found.end == End::kClosed  ? "closed " + std::to_string(found.code)
                      : found.end == End::kFault ? "fault"
                                                 : "waiting");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const FuzzInput input(data, size);
  const Found theirs = by_wslay(input.text());
  const Found ours = by_session(input.text());
  // Lines of payload are compared, which differ when the payload does.
  if (ours.log != theirs.log) disagree("messages", text_of(ours), text_of(theirs));
  if (ours.exempt || theirs.exempt) return 0;
  const bool early = ours.end == End::kFault && theirs.end == End::kWaiting;
  if (!early && (ours.end != theirs.end || ours.code != theirs.code)) {
    disagree("the end", text_of(ours), text_of(theirs));
  }
  return 0;
}
