// HOT.
#include "server/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace carronade::server {
namespace {

constexpr size_t kSourceBytes = 1024 * 1024;
constexpr size_t kCompactAt = 64;  // answers already sent, before the queue moves up

std::string_view reason_phrase(int status) {
  switch (status) {
    // clang-format off
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Status";
      // clang-format on
  }
}

void append_number(uint64_t number, int base, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, base).ptr;
  out.append(digits, end);
}

}  // namespace

BodySource::BodySource(const std::optional<FixedPage>& page)
    : page_(page ? page->body : kDefaultBody),
      error_page_(page ? page->error_body : kDefaultBody),
      content_type_(page ? "" : "text/plain") {
  constexpr std::string_view kLine =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-\n";
  static_assert(kLine.size() == kPatternBytes && kChunkBytes % kPatternBytes == 0);
  plain_.reserve(kSourceBytes);
  while (plain_.size() < kSourceBytes) plain_ += kLine;
  while (framed_.size() < kSourceBytes) {
    append_number(kChunkBytes, 16, framed_);
    framed_ += "\r\n";
    framed_.append(plain_, 0, kChunkBytes);
    framed_ += "\r\n";
    if (framed_chunk_bytes_ == 0) framed_chunk_bytes_ = framed_.size();
  }
}

void append_head(const AnswerShape& shape, std::string_view content_type, std::string& out) {
  out += "HTTP/1.1 ";
  append_number(static_cast<uint64_t>(shape.status), 10, out);
  out += ' ';
  out += reason_phrase(shape.status);
  if (shape.status != 204) {
    if (!content_type.empty()) {
      out += "\r\nContent-Type: ";
      out += content_type;
    }
    if (shape.framing == AnswerShape::Framing::kLength) {
      out += "\r\nContent-Length: ";
      append_number(shape.body_bytes, 10, out);
    } else if (shape.framing == AnswerShape::Framing::kChunked) {
      out += "\r\nTransfer-Encoding: chunked";
    }
  }
  if (shape.persistence == AnswerShape::Persistence::kClose) out += "\r\nConnection: close";
  if (shape.persistence == AnswerShape::Persistence::kKeepAlive) {
    out += "\r\nConnection: keep-alive";
  }
  out += "\r\n\r\n";
}

void append_chunked(std::string_view bytes, std::string& out) {
  const size_t piece = std::max<size_t>(1, (bytes.size() + 3) / 4);
  while (!bytes.empty()) {
    const std::string_view chunk = bytes.substr(0, piece);
    bytes.remove_prefix(chunk.size());
    append_number(chunk.size(), 16, out);
    out += "\r\n";
    out += chunk;
    out += "\r\n";
  }
  out += "0\r\n\r\n";
}

std::string text_answer(AnswerShape shape, std::string_view content_type, std::string_view body) {
  shape.framing = AnswerShape::Framing::kLength;
  shape.body_bytes = body.size();
  std::string bytes;
  append_head(shape, content_type, bytes);
  if (shape.has_body()) bytes += body;
  return bytes;
}

void AnswerQueue::push(Answer answer) {
  bytes_ += answer.bytes.size();
  answers_.push_back(std::move(answer));
}

void AnswerQueue::pop() {
  bytes_ -= answers_[first_].bytes.size();
  answers_[first_].bytes = std::string();
  ++first_;
  if (empty()) {
    answers_.clear();
    first_ = 0;
  } else if (first_ >= kCompactAt && first_ * 2 >= answers_.size()) {
    answers_.erase(answers_.begin(), answers_.begin() + static_cast<ptrdiff_t>(first_));
    first_ = 0;
  }
}

}  // namespace carronade::server
