// HOT.
//
//   kSizeStart -digit-> kSize -blank-> kSizeBlank -';'-> kExtension
//                         | CR, LF        | CR, LF         | CR, LF
//                         +-> (kSizeLf) -> size > 0: kData -> kDataEnd -> (kDataLf) -> kSizeStart
//                                          size = 0: last chunk
#include "http/h1_chunked.h"

namespace carronade::http {

namespace {

constexpr ErrorKind kMalformed = ErrorKind::kMalformedChunk;

constexpr H1Fault kNoSize{kMalformed, "chunk size is not a hexadecimal number"};
constexpr H1Fault kSizeTooLarge{kMalformed, "chunk size is not below 2^63"};
constexpr H1Fault kBadSizeLine{kMalformed, "chunk size is not followed by ';' or a line end"};
constexpr H1Fault kUncleanLine{kMalformed, "NUL or bare CR in a chunk's size line"};
constexpr H1Fault kNoDataEnd{kMalformed, "chunk data is not followed by a line end"};
constexpr H1Fault kLineTooLong{ErrorKind::kHeadersTooLarge, "more than 64 KiB of chunk extension"};

// -1: not a hexadecimal digit.
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return lower - 'a' + 10;
  return -1;
}

}  // namespace

ChunkReader::Step ChunkReader::step(std::string_view bytes) {
  Step step;
  if (state_ == State::kData) {
    step.used = left_ < bytes.size() ? static_cast<size_t>(left_) : bytes.size();
    step.data = bytes.substr(0, step.used);
    skip_data(step.used);
    return step;
  }
  while (step.used < bytes.size()) {
    const bool stop = take(bytes[step.used], step);
    if (step.fault != nullptr) return step;
    ++step.used;
    if (stop) return step;
  }
  return step;
}

void ChunkReader::skip_data(uint64_t n) {
  left_ -= n;
  if (left_ == 0) state_ = State::kDataEnd;
}

bool ChunkReader::take(char c, Step& step) {
  if (state_ == State::kDataEnd || state_ == State::kDataLf) {
    if (c == '\n') {
      state_ = State::kSizeStart;
    } else if (c == '\r' && state_ == State::kDataEnd) {
      state_ = State::kDataLf;
    } else {
      step.fault = &kNoDataEnd;
    }
    return false;
  }
  if (++line_bytes_ > kMaxHeaderBytes) {
    step.fault = &kLineTooLong;
    return false;
  }
  if (state_ == State::kSizeLf) {
    if (c == '\n') return end_size_line(step);
    step.fault = &kUncleanLine;
    return false;
  }
  if (state_ == State::kSizeStart) {
    if (hex_value(c) < 0) {
      step.fault = &kNoSize;
      return false;
    }
    state_ = State::kSize;
    left_ = 0;
  }
  if (state_ == State::kSize && hex_value(c) >= 0) {
    take_size_digit(c, step);
    return false;
  }
  if (c == '\n') return end_size_line(step);
  if (c == '\r') {
    state_ = State::kSizeLf;
  } else if (c == ';') {
    state_ = State::kExtension;
  } else if (state_ == State::kExtension) {
    if (c == '\0') step.fault = &kUncleanLine;
  } else if (c == ' ' || c == '\t') {
    state_ = State::kSizeBlank;
  } else {
    step.fault = &kBadSizeLine;
  }
  return false;
}

void ChunkReader::take_size_digit(char c, Step& step) {
  constexpr uint64_t kTopDigits = uint64_t{0xF8} << 56;  // set: four more bits leave 63
  if ((left_ & kTopDigits) != 0) {
    step.fault = &kSizeTooLarge;
    return;
  }
  left_ = (left_ << 4) | static_cast<uint64_t>(hex_value(c));
}

bool ChunkReader::end_size_line(Step& step) {
  line_bytes_ = 0;
  if (left_ == 0) {
    step.last = true;
    state_ = State::kSizeStart;
  } else {
    state_ = State::kData;
  }
  return true;
}

}  // namespace carronade::http
