#include "dialects/vegeta/vegeta_attack_records.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/inflate.h"
#include "base/text.h"
#include "http/head_fields.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr size_t kWriteBytes = size_t{64} * 1024;

// The fixed part of a message; the texts follow in this order.
struct MessageHead {
  uint64_t seq;
  int64_t timestamp_unix_ns;
  int64_t latency_ns;
  uint64_t bytes_out;
  uint64_t bytes_in;
  uint32_t method_bytes;
  uint32_t url_bytes;
  uint32_t error_bytes;
  uint32_t head_bytes;  // the rest is the body
  uint16_t code;
  bool may_inflate;
  bool has_body;
};

// As Go writes a field's name: a capital letter at the start of each word, small ones elsewhere.
std::string canonical(std::string_view name) {
  std::string out(name);
  if (!base::is_token(name)) return out;
  bool first = true;
  for (char& c : out) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) c = static_cast<char>(first ? c & ~0x20 : c | 0x20);
    first = c == '-';
  }
  return out;
}

// "404 Not Found" of "HTTP/1.1 404 Not Found"; a blank at the end stays.
std::string status_of(std::string_view line) {
  const size_t begin = line.find_first_not_of(' ', std::min(line.find(' '), line.size()));
  return begin == std::string_view::npos ? "" : std::string(line.substr(begin));
}

bool says_close(std::string_view connection) {
  const std::vector<std::string_view> tokens = base::split(connection, ',');
  return std::any_of(tokens.begin(), tokens.end(), [](std::string_view token) {
    return base::iequals(base::trim(token), "close");
  });
}

// zlib's words as Go's.
std::string inflate_fault(const std::string& fault) {
  if (fault == "cut short") return "unexpected EOF";
  if (fault == "incorrect header check") return "gzip: invalid header";
  return "gzip: invalid checksum";
}

}  // namespace

void push_outcome(const Outcome& outcome, cli::RecordQueue& queue, RecordLosses& losses) {
  MessageHead fixed{.seq = outcome.seq,
                    .timestamp_unix_ns = outcome.timestamp_unix_ns,
                    .latency_ns = outcome.latency_ns,
                    .bytes_out = outcome.bytes_out,
                    .bytes_in = outcome.bytes_in,
                    .method_bytes = static_cast<uint32_t>(outcome.method.size()),
                    .url_bytes = static_cast<uint32_t>(outcome.url.size()),
                    .error_bytes = static_cast<uint32_t>(outcome.error.size()),
                    .head_bytes = static_cast<uint32_t>(outcome.head.size()),
                    .code = outcome.code,
                    .may_inflate = outcome.may_inflate,
                    .has_body = outcome.has_body};
  const std::string_view head(reinterpret_cast<const char*>(&fixed), sizeof fixed);
  if (queue.push({head, outcome.method, outcome.url, outcome.error, outcome.head, outcome.body}) ||
      outcome.body.empty()) {
    return;
  }
  fixed.has_body = fixed.may_inflate = false;
  losses.tried_twice.fetch_add(1, std::memory_order_relaxed);
  if (queue.push({head, outcome.method, outcome.url, outcome.error, outcome.head})) {
    losses.without_body.fetch_add(1, std::memory_order_relaxed);
  }
}

ResultStream::ResultStream(ResultOutput output, Facts facts)
    : output_(std::move(output)), facts_(std::move(facts)), encoder_(make_encoder(Encoding::kGob)) {
  result_.attack = facts_.attack_name;
  result_.zone_minutes = facts_.zone_minutes;
}

Expected<void> ResultStream::consume(std::string_view message) {
  decode(message);
  encoder_->encode(result_, buffer_);
  return buffer_.size() < kWriteBytes ? Expected<void>() : flush();
}

Expected<void> ResultStream::flush() {
  if (buffer_.empty()) return {};
  Expected<void> written = output_.write(buffer_);
  buffer_.clear();
  if (!written) failed_.store(true);
  return written;
}

void ResultStream::decode(std::string_view message) {
  MessageHead fixed;
  CHECK(message.size() >= sizeof fixed);
  std::memcpy(&fixed, message.data(), sizeof fixed);
  message.remove_prefix(sizeof fixed);
  const auto take = [&message](size_t bytes) {
    const std::string_view part = message.substr(0, bytes);
    message.remove_prefix(bytes);
    return part;
  };
  result_.seq = fixed.seq;
  result_.code = fixed.code;
  result_.timestamp_unix_ns = fixed.timestamp_unix_ns;
  result_.latency_ns = fixed.latency_ns;
  result_.bytes_out = fixed.bytes_out;
  result_.bytes_in = fixed.bytes_in;
  result_.method = take(fixed.method_bytes);
  result_.url = take(fixed.url_bytes);
  result_.error = take(fixed.error_bytes);
  const std::string_view head = take(fixed.head_bytes);
  result_.headers.clear();
  result_.body.clear();
  result_.has_body = fixed.has_body;
  result_.has_headers = fixed.code != 0;
  if (fixed.code == 0) return;
  take_head(head);
  if (fixed.code < 200 || fixed.code >= 400) {
    result_.error = status_of(http::status_line(head));
  }
  take_body(message, fixed.may_inflate);
}

void ResultStream::take_head(std::string_view head) {
  for (http::FieldCursor cursor(head); const auto field = cursor.next();) {
    std::string name = canonical(field->name);
    // Go's client keeps these for itself.
    const bool own = name == "Transfer-Encoding" || name == "Trailer" ||
                     (name == "Connection" && says_close(field->value));
    if (!own) result_.headers.push_back({std::move(name), std::string(field->value)});
  }
}

// Go's client asks for gzip by itself, and shows the answer as if it had not.
void ResultStream::take_body(std::string_view body, bool may_inflate) {
  const size_t most = facts_.max_body < 0 ? SIZE_MAX : static_cast<size_t>(facts_.max_body);
  const auto coded = [](const Header& header) {
    return header.name == "Content-Encoding" && base::iequals(header.value, "gzip");
  };
  const bool gzip = may_inflate && !body.empty() &&
                    std::any_of(result_.headers.begin(), result_.headers.end(), coded);
  if (!gzip) {
    result_.body = body.substr(0, most);
    return;
  }
  const Expected<uint64_t> size = base::inflate(body, inflated_, most);
  if (!size) {
    result_.code = 0;
    result_.body = inflated_;
    result_.bytes_in = result_.bytes_out = 0;
    result_.error = inflate_fault(size.error().text);
    result_.has_headers = false;
    result_.headers.clear();
    return;
  }
  result_.body = inflated_;
  result_.bytes_in = *size;
  std::erase_if(result_.headers, [](const Header& header) {
    return header.name == "Content-Encoding" || header.name == "Content-Length";
  });
}

}  // namespace carronade::dialects::vegeta
