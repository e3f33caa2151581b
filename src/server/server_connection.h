// HOT. One accepted connection of the test server: bytes in, requests, answers out. Owned and
// driven by one worker.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/loop.h"
#include "net/transport.h"
#include "server/answer_sender.h"
#include "server/echo_session.h"
#include "server/request_parser.h"
#include "server/routes.h"
#include "server/worker_kit.h"

namespace carronade::server {

class ServerConnection {
 public:
  // The longest body that /echo sends back; a longer one is refused with 413.
  static constexpr uint64_t kEchoBytesMax = 64 * 1024 * 1024;
  // How long a connection that the server closes waits for the client's end, so that answers
  // are not lost to a reset when more requests are under way.
  static constexpr int64_t kLingerNs = 1'000'000'000;

  enum class Verdict : uint8_t {
    kKeep,   // wait for an event, or for wake_at_ns()
    kAgain,  // call on_turn() in the next turn, without an event
    kClose   // call close()
  };

  // `token` is what the loop knows the socket by.
  ServerConnection(base::UniqueFd fd, uint64_t token, bool tls);

  Verdict on_event(const net::Loop::Event& event, WorkerKit& kit);
  Verdict on_turn(WorkerKit& kit);
  Verdict on_wake(int64_t now_ns, WorkerKit& kit);
  // When on_wake() must be called; 0: never.
  int64_t wake_at_ns() const;
  void close(WorkerKit& kit);

 private:
  // What an answer needs to know of its request once the head's bytes are gone.
  struct Pending {
    Route route;
    bool head_only = false;
    bool keep_alive = true;
    bool http_1_0 = false;
  };

  Verdict advance(bool readable, bool writable, WorkerKit& kit);
  bool shake_hands(WorkerKit& kit);
  void read_once(WorkerKit& kit);
  void pump(WorkerKit& kit);
  Verdict verdict(WorkerKit& kit);
  Verdict start_lingering(WorkerKit& kit);
  Verdict linger(WorkerKit& kit);

  // Handles all complete requests; gives the bytes that must be seen again with more behind.
  std::string_view take_requests(std::string_view bytes, WorkerKit& kit);
  std::string_view take_repeats(std::string_view bytes, WorkerKit& kit);
  void open_echo(std::string_view head, WorkerKit& kit);
  void on_head(std::string_view bytes, WorkerKit& kit);
  void on_body(std::string_view piece, WorkerKit& kit);
  // `head`: the request's bytes, "" when a body came with them.
  void answer(std::string_view head, WorkerKit& kit);
  AnswerShape next_shape(int status, WorkerKit& kit);
  void remember(std::string_view head, const AnswerShape& shape, WorkerKit& kit);
  void refuse(int status, std::string_view reason, WorkerKit& kit);

  net::Stream stream_;
  uint64_t token_;
  AnswerSender sender_;
  RequestParser parser_;
  Pending pending_;
  std::unique_ptr<RequestSample> sample_;  // the request at hand, when it is the one wanted
  std::unique_ptr<EchoSession> echo_;      // null until a handshake has made a WebSocket of it
  std::string content_type_;               // of the request being echoed
  std::string body_;                       // likewise
  std::string split_;                      // the beginning of a request, until the rest comes
  uint64_t requests_ = 0;
  int64_t last_due_ns_ = 0;  // of the last answer that had to wait
  int64_t linger_until_ns_ = 0;
  bool established_;            // the TLS handshake is done
  bool input_pending_ = false;  // the socket may have bytes for which no event will come
  bool hung_up_ = false;        // the peer has sent its last byte: read on until the end
  bool input_ended_ = false;
  bool yielded_ = false;
  bool closing_ = false;  // the last answer is queued: no request is looked at any more
  bool wants_linger_ = false;
  bool lingering_ = false;
  bool failed_ = false;
};

}  // namespace carronade::server
