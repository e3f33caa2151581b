// HOT.
#include "load/template_filler.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/check.h"
#include "base/clock.h"
#include "base/text.h"

namespace carronade::load {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kHexUpper = "0123456789ABCDEF";

constexpr size_t kIdDigits = 10;
constexpr uint64_t kIdsPerPrefix = 10'000'000'000;

// pchar, "/" and "?" (RFC 3986 3.3, 3.4), without the "%" of an escape.
constexpr std::array<bool, 256> kTargetBytes = [] {
  std::array<bool, 256> allowed{};
  for (int c = '0'; c <= '9'; ++c) allowed[static_cast<size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) {
    const int capital = c - 'a' + 'A';
    allowed[static_cast<size_t>(c)] = allowed[static_cast<size_t>(capital)] = true;
  }
  for (const unsigned char c : std::string_view("-._~!$&'()*+,;=:@/?")) allowed[c] = true;
  return allowed;
}();

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

template <class Integer>
void append_number(Integer value, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

}  // namespace

void append_to_target(std::string_view value, std::string& out) {
  for (size_t i = 0; i < value.size(); ++i) {
    const auto byte = static_cast<unsigned char>(value[i]);
    const bool escape =
        byte == '%' && i + 2 < value.size() && is_hex(value[i + 1]) && is_hex(value[i + 2]);
    if (kTargetBytes[byte] || escape) {
      out += value[i];
    } else {
      const char encoded[] = {'%', kHexUpper[byte >> 4], kHexUpper[byte & 15]};
      out.append(encoded, sizeof encoded);
    }
  }
}

void append_to_header(std::string_view value, std::string& out) {
  const auto breaks = [](char c) { return c == '\r' || c == '\n' || c == '\0'; };
  const size_t begin = out.size();
  out += value;
  std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), breaks, ' ');
}

SystemRandom::Block SystemRandom::draw() {
  while (used_ == pool_.size()) {
    const ssize_t n = getrandom(pool_.data(), pool_.size(), 0);
    CHECK(n == static_cast<ssize_t>(pool_.size()) || (n < 0 && errno == EINTR));
    if (n > 0) used_ = 0;
  }
  Block block;
  std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(used_), block.size(), block.begin());
  used_ += block.size();
  return block;
}

void SystemRandom::append_uuid(std::string& out) {
  Block block = draw();
  block[6] = static_cast<unsigned char>((block[6] & 0x0f) | 0x40);
  block[8] = static_cast<unsigned char>((block[8] & 0x3f) | 0x80);
  for (size_t i = 0; i < block.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += kHex[block[i] >> 4];
    out += kHex[block[i] & 15];
  }
}

std::array<char, 22> SystemRandom::prefix() {
  const Block block = draw();
  const std::string text =
      base::base64({reinterpret_cast<const char*>(block.data()), block.size()});
  std::array<char, 22> result;
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i];
  }
  return result;
}

bool TemplateFiller::fill(const TemplateText& text, std::string& out) {
  if (text.uses(Fill::kColumn) && (shared_.data == nullptr || !shared_.data->take(row_))) {
    return false;
  }
  begin_request(text);
  // All values first: the length of the body stands in front of it.
  values_.clear();
  ends_.clear();
  size_t body_bytes = text.body_text_bytes;
  for (const TemplatePiece& piece : text.pieces) {
    const size_t begin = values_.size();
    append_value(piece);
    ends_.push_back(values_.size());
    if (piece.place == Place::kBody) body_bytes += values_.size() - begin;
  }
  size_t from = 0;
  size_t value_from = 0;
  for (size_t i = 0; i < text.pieces.size(); ++i) {
    const TemplatePiece& piece = text.pieces[i];
    out.append(text.text, from, piece.text_end - from);
    from = piece.text_end;
    if (piece.fill == Fill::kBodyLength) append_number(body_bytes, out);
    out.append(values_, value_from, ends_[i] - value_from);
    value_from = ends_[i];
  }
  out.append(text.text, from);
  return true;
}

void TemplateFiller::begin_request(const TemplateText& text) {
  if (text.uses(Fill::kCounter)) count_ = shared_.counted.fetch_add(1) + 1;
  if (text.uses(Fill::kTimestamp)) unix_ms_ = base::unix_now_ns() / 1'000'000;
  if (text.uses(Fill::kUuid)) {
    uuid_.clear();
    system_.append_uuid(uuid_);
  }
  if (text.uses(Fill::kId) && ++ids_ > kIdsPerPrefix) {
    prefix_ = system_.prefix();
    ids_ = 1;
  }
}

void TemplateFiller::append_value(const TemplatePiece& piece) {
  switch (piece.fill) {
    case Fill::kId:
      append_id();
      break;
    case Fill::kUuid:
      values_ += uuid_;
      break;
    case Fill::kCounter:
      append_number(count_, values_);
      break;
    case Fill::kRandom:
      append_number(
          static_cast<int64_t>(static_cast<uint64_t>(piece.low) + draws_.below(piece.count)),
          values_);
      break;
    case Fill::kTimestamp:
      append_number(unix_ms_, values_);
      break;
    case Fill::kColumn:
      append_column(piece);
      break;
    case Fill::kBodyLength:
      break;  // not known yet
  }
}

// The first id of a prefix has the number 0.
void TemplateFiller::append_id() {
  std::array<char, kIdDigits> digits;
  uint64_t number = ids_ - 1;
  for (size_t i = digits.size(); i-- > 0; number /= 10) {
    digits[i] = static_cast<char>('0' + number % 10);
  }
  values_.append(prefix_.data(), prefix_.size());
  values_ += '-';
  values_.append(digits.data(), digits.size());
}

void TemplateFiller::append_column(const TemplatePiece& piece) {
  const std::string_view value = row_[piece.column];
  switch (piece.place) {
    case Place::kTarget:
      append_to_target(value, values_);
      break;
    case Place::kHeader:
      append_to_header(value, values_);
      break;
    case Place::kBody:
      values_ += value;
      break;
  }
}

}  // namespace carronade::load
