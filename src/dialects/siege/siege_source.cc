#include "dialects/siege/siege_source.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/inflate.h"
#include "http/head_fields.h"

namespace carronade::dialects::siege {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

int64_t unix_now_s() { return base::unix_now_ns() / kSecondNs; }

std::string_view head_of(std::string_view request) {
  const size_t end = request.find("\r\n\r\n");
  return request.substr(0, end == std::string_view::npos ? end : end + 4);
}

}  // namespace

SiegeShared::SiegeShared(const SiegePlan& plan) : plan_(plan) {
  users_.reserve(plan.users);
  for (uint32_t i = 0; i < plan.users; ++i) users_.push_back(std::make_unique<SiegeUser>(plan, i));
  tallies_.resize(plan.users);  // there are never more workers
}

SiegeTally SiegeShared::total() const {
  SiegeTally total;
  for (const OwnLine& line : tallies_) total.merge(line.tally);
  return total;
}

bool SiegeShared::is_news(const std::string& text) {
  const std::lock_guard lock(mutex_);
  return told_.insert(text).second;
}

SiegeSource::SiegeSource(SiegeShared& shared, uint32_t worker, cli::RecordQueue* lines)
    : shared_(shared),
      settings_(shared.plan().settings),
      tally_(shared.tally(worker)),
      lines_(lines),
      hit_lines_(lines != nullptr && settings_.verbose && !settings_.quiet && !settings_.get &&
                 !settings_.print),
      shows_(lines != nullptr && (settings_.get || settings_.print)) {}

SourceWants SiegeSource::wants() const {
  return {.requests = true,
          .responses = true,
          .heads = true,
          .bodies = settings_.parser || settings_.print,
          .losses = true,
          .targets = true,
          .pauses = true};
}

int64_t SiegeSource::pause_ns(uint32_t connection) {
  SiegeUser& user = shared_.user(connection);
  return user.finished() ? 0 : user.pause_ns();
}

NextRequest SiegeSource::next(uint32_t connection, std::string& out) {
  SiegeUser& user = shared_.user(connection);
  if (user.finished()) return NextRequest::kNoneHere;
  const SiegeRequest* const request = user.next(unix_now_s(), out);
  if (request == nullptr) return NextRequest::kNone;
  target_ = request->target;
  return settings_.keep_alive ? NextRequest::kGiven : NextRequest::kLastOnSocket;
}

bool SiegeSource::on_response(const Response& response) {
  SiegeUser& user = shared_.user(response.connection);
  const SiegeRequest* const request = user.current();
  const int64_t time_ns = response.latency_ns + response.connect_ns;
  const int64_t now_s = unix_now_s();
  tally_.answer(time_ns, response.body_bytes);
  Outcome outcome = user.answered(response, now_s);
  if (outcome.hit) ++tally_.hits;
  if (!outcome.hit) ++tally_.failed;
  if (outcome.successful) ++tally_.successful;
  if (request != nullptr) {
    if (hit_lines_) push_line(response, *request, time_ns, now_s);
    if (shows_) show(response, *request);
  }
  if (!outcome.notice.empty() && shared_.is_news(outcome.notice)) tell("alert", outcome.notice);
  return true;
}

void SiegeSource::push_line(const Response& response, const SiegeRequest& request, int64_t time_ns,
                            int64_t now_s) {
  const HitRecord record{.time_ns = time_ns,
                         .unix_s = now_s,
                         .bytes = response.body_bytes,
                         .line = request.line,
                         .user = response.connection,
                         .status = response.status,
                         .method_size = static_cast<uint8_t>(request.method.size()),
                         .http_1_0 = response.head.starts_with("HTTP/1.0"),
                         .unchanged = settings_.cache && response.status == 304};
  lines_->push({kHitMark, bytes_of(record), request.method, request.shown});
}

// -g shows both heads, -p the request's and the page; beside a JSON report only the page.
void SiegeSource::show(const Response& response, const SiegeRequest& request) {
  std::string text;
  if (!settings_.quiet) text = std::string(head_of(request.head + request.tail)) + "\n";
  if (settings_.print) {
    std::string plain;
    const bool packed = http::find_field(response.head, "content-encoding").has_value();
    const bool unpacked = packed && base::inflate(response.body, plain).has_value();
    text += unpacked ? std::string_view(plain) : response.body;
    text += "\n";
  } else if (!settings_.quiet) {
    text += std::string(response.head);
    if (!response.head.ends_with("\r\n\r\n")) text += "\r\n";
    text += "\n";
  }
  lines_->push({kShownMark, text});
}

void SiegeSource::on_loss(const Loss& loss) {
  SiegeUser& user = shared_.user(loss.connection);
  // A request that was to be sent again on a connection that cannot be made is told of twice.
  if (user.awaiting()) ++tally_.failed;
  user.lost();
  const bool late = loss.kind == ErrorKind::kTimeout || loss.kind == ErrorKind::kConnectTimeout;
  tell(late ? "alert" : "error", fmt::format("socket: {}", loss.text));
}

void SiegeSource::tell(std::string_view level, std::string_view text) {
  if (lines_ != nullptr) lines_->push({kErrorMark, notice(level, text)});
}

}  // namespace carronade::dialects::siege
