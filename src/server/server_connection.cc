// HOT.
#include "server/server_connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "server/echo_handshake.h"

namespace carronade::server {
namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view kUnknownType = "application/octet-stream";
constexpr int kLingerReadsPerTurn = 16;

}  // namespace

ServerConnection::ServerConnection(base::UniqueFd fd, uint64_t token, bool tls)
    : token_(token), established_(!tls) {
  stream_.fd = std::move(fd);
}

ServerConnection::Verdict ServerConnection::on_event(const net::Loop::Event& event,
                                                     WorkerKit& kit) {
  hung_up_ = hung_up_ || event.hung_up();
  return advance(event.readable(), event.writable(), kit);
}

ServerConnection::Verdict ServerConnection::on_turn(WorkerKit& kit) {
  return advance(false, yielded_, kit);
}

ServerConnection::Verdict ServerConnection::on_wake(int64_t now_ns, WorkerKit& kit) {
  if (lingering_) return now_ns >= linger_until_ns_ ? Verdict::kClose : Verdict::kKeep;
  pump(kit);
  return verdict(kit);
}

int64_t ServerConnection::wake_at_ns() const {
  return lingering_ ? linger_until_ns_ : sender_.due_ns();
}

void ServerConnection::close(WorkerKit& kit) {
  (lingering_ ? kit.raw : kit.transport).close(stream_);
}

ServerConnection::Verdict ServerConnection::advance(bool readable, bool writable, WorkerKit& kit) {
  if (lingering_) return linger(kit);
  if (!established_) {
    if (!shake_hands(kit)) return failed_ ? Verdict::kClose : Verdict::kKeep;
    readable = true;  // the first request may have come with the handshake's end
  }
  if (writable && sender_.blocked()) pump(kit);
  if (readable || input_pending_) read_once(kit);
  return verdict(kit);
}

bool ServerConnection::shake_hands(WorkerKit& kit) {
  const net::IoResult result = kit.transport.handshake(stream_);
  established_ = result.status == net::IoStatus::kOk;
  failed_ = result.status == net::IoStatus::kFail;
  if (failed_) kit.stats.tls_failures.add(1);
  return established_;
}

void ServerConnection::read_once(WorkerKit& kit) {
  if (closing_ || input_ended_ || failed_ || sender_.congested()) {
    input_pending_ = true;
    wants_linger_ = wants_linger_ || closing_;
    return;
  }
  std::copy(split_.begin(), split_.end(), kit.input.begin());
  const size_t kept = split_.size();
  const net::IoResult result =
      kit.transport.read(stream_, kit.input.data() + kept, kit.input.size() - kept);
  kit.read_ns = kit.station != nullptr ? base::now_ns() : 0;
  if (result.status != net::IoStatus::kOk) {
    // TLS may have no more for us while the end of the stream waits behind it: one more read.
    input_pending_ = std::exchange(hung_up_, false);
    failed_ = result.status == net::IoStatus::kFail;
    return;
  }
  input_ended_ = result.bytes == 0;
  input_pending_ = (hung_up_ || !result.drained) && !input_ended_;
  if (input_ended_) return;
  kit.stats.bytes_in.add(result.bytes);
  const std::string_view rest = take_requests({kit.input.data(), kept + result.bytes}, kit);
  split_.assign(rest);
  pump(kit);
}

void ServerConnection::pump(WorkerKit& kit) {
  const AnswerSender::Outcome outcome = sender_.pump(kit, stream_);
  yielded_ = outcome == AnswerSender::Outcome::kYielded;
  failed_ = failed_ || outcome == AnswerSender::Outcome::kFailed;
}

ServerConnection::Verdict ServerConnection::verdict(WorkerKit& kit) {
  if (failed_) return Verdict::kClose;
  if (sender_.idle()) {
    if (closing_) return wants_linger_ ? start_lingering(kit) : Verdict::kClose;
    if (input_ended_) return Verdict::kClose;
  }
  const bool may_read = input_pending_ && !closing_ && !input_ended_ && !sender_.congested();
  return yielded_ || may_read ? Verdict::kAgain : Verdict::kKeep;
}

// A second descriptor lets the transport say its own goodbye and still leaves a socket to wait
// on.
ServerConnection::Verdict ServerConnection::start_lingering(WorkerKit& kit) {
  base::UniqueFd socket(fcntl(stream_.fd.get(), F_DUPFD_CLOEXEC, 0));
  if (!socket.valid()) return Verdict::kClose;
  kit.loop.remove(stream_.fd.get());
  kit.transport.close(stream_);
  stream_ = net::Stream();
  stream_.fd = std::move(socket);
  lingering_ = true;
  linger_until_ns_ = base::now_ns() + kLingerNs;
  if (shutdown(stream_.fd.get(), SHUT_WR) != 0) return Verdict::kClose;
  if (!kit.loop.add(stream_.fd.get(), token_)) return Verdict::kClose;
  return Verdict::kAgain;
}

ServerConnection::Verdict ServerConnection::linger(WorkerKit& kit) {
  for (int i = 0; i < kLingerReadsPerTurn; ++i) {
    const net::IoResult result = kit.raw.read(stream_, kit.input.data(), kit.input.size());
    if (result.status == net::IoStatus::kRetry) return Verdict::kKeep;
    if (result.status == net::IoStatus::kFail || result.bytes == 0) return Verdict::kClose;
  }
  return base::now_ns() >= linger_until_ns_ ? Verdict::kClose : Verdict::kAgain;
}

std::string_view ServerConnection::take_requests(std::string_view bytes, WorkerKit& kit) {
  while (!closing_ && !failed_) {
    if (echo_) {
      if (!echo_->take_one(bytes, sender_, kit)) return bytes;
      closing_ = echo_->ended();
      wants_linger_ = echo_->ended_first();
      if (kit.out.size() >= AnswerSender::kFlushBytes) pump(kit);
      continue;
    }
    if (parser_.at_start()) {
      bytes = take_repeats(bytes, kit);
      if (bytes.empty()) return bytes;
    }
    const ParseStep step = parser_.step(bytes);
    const std::string_view taken = bytes.substr(0, step.consumed);
    bytes.remove_prefix(step.consumed);
    switch (step.kind) {
      case ParseStep::Kind::kNeedMore:
        return bytes;
      case ParseStep::Kind::kHead:
        on_head(taken, kit);
        break;
      case ParseStep::Kind::kBody:
        on_body(step.body, kit);
        break;
      case ParseStep::Kind::kEnd:
        answer({}, kit);
        break;
      case ParseStep::Kind::kError:
        refuse(step.status, step.reason, kit);
        break;
    }
    if (kit.out.size() >= AnswerSender::kFlushBytes) pump(kit);
  }
  wants_linger_ = wants_linger_ || !bytes.empty();
  return {};
}

std::string_view ServerConnection::take_repeats(std::string_view bytes, WorkerKit& kit) {
  const RequestMemo& memo = kit.memo;
  const size_t size = memo.head.size();
  if (size == 0 || !sender_.idle() || wants_sample(kit)) return bytes;
  // The last request of a connection has an answer of its own.
  const uint64_t limit =
      kit.spec.close_after == 0 ? UINT64_MAX : kit.spec.close_after - requests_ - 1;
  uint64_t count = 0;
  while (count < limit && bytes.size() >= size && kit.out.size() < AnswerSender::kFlushBytes &&
         std::memcmp(bytes.data(), memo.head.data(), size) == 0) {
    kit.out += memo.answer;
    bytes.remove_prefix(size);
    ++count;
  }
  if (count == 0) return bytes;
  requests_ += count;
  kit.stats.received.add(count);
  kit.stats.served.add(count);
  kit.stats.by_status[static_cast<size_t>(memo.status)].add(count);
  kit.stats.bytes_out.add(count * memo.answer.size());
  if (kit.station != nullptr) kit.station->note_arrivals(arrival_ns(kit), count);
  return bytes;
}

void ServerConnection::on_head(std::string_view bytes, WorkerKit& kit) {
  if (kit.spec.log_headers) kit.spec.log_headers(bytes);
  const RequestHead& head = parser_.head();
  pending_.route = kit.spec.page ? Route() : parse_route(head.target);
  pending_.head_only = head.method == "HEAD";
  pending_.keep_alive = head.keep_alive;
  pending_.http_1_0 = head.minor_version == 0;
  if (pending_.route.is_stats()) {
    kit.stats.bytes_in.subtract(bytes.size());
  } else if (!head.websocket && wants_sample(kit) && kit.sampler->claim()) {
    sample_ = std::make_unique<RequestSample>(RequestSample{std::string(bytes), {}});
  }
  if (pending_.route.kind == Route::Kind::kEcho) {
    content_type_ = head.content_type;
    body_.clear();
    if (head.content_length > kEchoBytesMax) {
      refuse(413, "/echo takes 64 MiB at most", kit);
      return;
    }
  }
  if (head.websocket) {
    open_echo(bytes, kit);
    return;
  }
  if (!head.has_body) {
    answer(bytes, kit);
    return;
  }
  if (head.expect_continue) {
    Answer interim;
    interim.kind = Answer::Kind::kAside;
    interim.bytes = kContinue;
    sender_.push(std::move(interim));
  }
}

// A handshake is no request of its own: it is counted by its answer's status and as opened or
// refused, and its messages are the requests.
void ServerConnection::open_echo(std::string_view head, WorkerKit& kit) {
  Expected<std::string> opening = answer_handshake(parser_.head(), head);
  if (!opening) {
    refuse(400, opening.error().text, kit);
    return;
  }
  const Route& route = pending_.route;
  const int status = kit.behaviour.next_status(route);
  if (status == 200 && route.status == 0) {
    kit.stats.ws_opened.add(1);
    AnswerShape shape;
    shape.status = 101;
    sender_.push({Answer::Kind::kOpening, 0, shape, std::move(*opening)});
    echo_ = std::make_unique<EchoSession>(route, last_due_ns_);
    return;
  }
  kit.stats.ws_refused.add(1);
  const AnswerShape shape = next_shape(status, kit);
  const std::string_view body = route.kind == Route::Kind::kBad
                                    ? route.problem
                                    : kit.bodies.of(AnswerShape::Body::kErrorPage);
  sender_.push(
      {Answer::Kind::kOpening, 0, shape, text_answer(shape, kit.bodies.content_type(), body)});
}

void ServerConnection::on_body(std::string_view piece, WorkerKit& kit) {
  kit.stats.body_bytes_in.add(piece.size());
  if (sample_)
    sample_->body += piece.substr(0, RequestSample::kBodyBytesMax - sample_->body.size());
  if (pending_.route.kind != Route::Kind::kEcho) return;
  if (body_.size() + piece.size() > kEchoBytesMax) {
    refuse(413, "/echo takes 64 MiB at most", kit);
    return;
  }
  body_ += piece;
}

void ServerConnection::answer(std::string_view head, WorkerKit& kit) {
  const Route& route = pending_.route;
  if (route.is_stats()) {
    const bool arrivals = route.kind == Route::Kind::kArrivals;
    kit.stats.stats_requests.add(1);
    sender_.push(
        {arrivals ? Answer::Kind::kArrivals : Answer::Kind::kStats, 0, next_shape(200, kit), {}});
    return;
  }
  kit.stats.received.add(1);
  if (sample_) kit.sampler->give(std::move(*sample_));
  sample_.reset();
  const AnswerShape shape = next_shape(kit.behaviour.next_status(route), kit);
  const int64_t due = next_due_ns(route, last_due_ns_, kit);
  if (route.kind == Route::Kind::kEcho) {
    const std::string_view type = content_type_.empty() ? kUnknownType : content_type_;
    sender_.push({Answer::Kind::kBytes, due, shape, text_answer(shape, type, body_)});
    body_ = std::string();
  } else if (route.kind == Route::Kind::kBad) {
    sender_.push(
        {Answer::Kind::kBytes, due, shape, text_answer(shape, "text/plain", route.problem)});
  } else if (due == 0 && sender_.idle() && AnswerSender::is_small(shape)) {
    AnswerSender::append_now(shape, kit);
    if (!closing_ && kit.behaviour.repeatable(route)) remember(head, shape, kit);
  } else {
    sender_.push({Answer::Kind::kShaped, due, shape, {}});
  }
}

// Also decides whether the connection ends with this answer.
AnswerShape ServerConnection::next_shape(int status, WorkerKit& kit) {
  const Route& route = pending_.route;
  AnswerShape shape;
  shape.status = status;
  shape.head_only = pending_.head_only;
  const int64_t bytes = route.body_bytes >= 0 ? route.body_bytes : kit.spec.body_bytes;
  if (bytes >= 0) {
    shape.body = AnswerShape::Body::kPattern;
    shape.body_bytes = static_cast<uint64_t>(bytes);
  } else {
    if (status != 200) shape.body = AnswerShape::Body::kErrorPage;
    shape.body_bytes = kit.bodies.of(shape.body).size();
  }
  const bool chunked = route.kind == Route::Kind::kPage && (route.chunked || kit.spec.chunked);
  if (chunked && pending_.http_1_0) shape.framing = AnswerShape::Framing::kUntilClose;
  if (chunked && !pending_.http_1_0) shape.framing = AnswerShape::Framing::kChunked;

  ++requests_;
  const bool ours = route.close || requests_ == kit.spec.close_after ||
                    shape.framing == AnswerShape::Framing::kUntilClose;
  closing_ = ours || !pending_.keep_alive;
  wants_linger_ = ours;
  if (closing_) {
    shape.persistence = AnswerShape::Persistence::kClose;
  } else if (pending_.http_1_0) {
    shape.persistence = AnswerShape::Persistence::kKeepAlive;
  }
  return shape;
}

void ServerConnection::remember(std::string_view head, const AnswerShape& shape, WorkerKit& kit) {
  if (head.empty() || head.size() > RequestMemo::kHeadBytesMax || kit.spec.log_headers) return;
  RequestMemo& memo = kit.memo;
  memo.head = head;
  memo.status = shape.status;
  memo.answer.clear();
  AnswerSender::append_small(shape, kit.bodies, memo.answer);
}

void ServerConnection::refuse(int status, std::string_view reason, WorkerKit& kit) {
  kit.stats.malformed.add(1);
  AnswerShape shape;
  shape.status = status;
  shape.persistence = AnswerShape::Persistence::kClose;
  std::string bytes = text_answer(shape, "text/plain", fmt::format("{}\n", reason));
  sender_.push({Answer::Kind::kRefusal, 0, shape, std::move(bytes)});
  closing_ = true;
  wants_linger_ = true;
}

}  // namespace carronade::server
