#include "report/hdr_encoding.h"

#include <zlib.h>

#include <cstdint>

#include "base/check.h"
#include "base/text.h"
#include "carronade/result_document.h"

namespace carronade::report {
namespace {

// The low digit of each cookie's second byte from the right says: counts are ZigZag LEB128.
constexpr uint32_t kPlainCookie = 0x1c849303 | 0x10;
constexpr uint32_t kDeflatedCookie = 0x1c849304 | 0x10;
constexpr uint32_t kDigits = 3;
constexpr uint64_t kLowest = 1;
constexpr uint64_t kHighest = 3'600'000'000'000;
constexpr uint64_t kRatioOfOne = 0x3ff0000000000000;  // 1.0 as a double

// A reader makes room for ⌈log2 of the range⌉ halves of 1024 counts; ours must fit in.
constexpr int kReadersLength = 33 * 1024;
static_assert(Histogram::bucket_count() <= kReadersLength &&
              Histogram::bucket_index(int64_t{1} << 42) == Histogram::bucket_count() - 1);

template <class Unsigned>
void put_big_endian(std::string& out, Unsigned number) {
  for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) {
    out += static_cast<char>(static_cast<uint8_t>(number >> shift));
  }
}

// 7 bits a byte, the lowest first; a ninth byte has all of its 8 bits for the rest.
void put_zigzag(std::string& out, int64_t number) {
  uint64_t rest = static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
  for (int bytes = 1; bytes < 9 && rest >= 0x80; ++bytes, rest >>= 7) {
    out += static_cast<char>(static_cast<uint8_t>(rest) | 0x80);
  }
  out += static_cast<char>(static_cast<uint8_t>(rest));
}

// All counts up to that of the largest value; two and more zeros are one negative number.
std::string encoded_counts(const Histogram& histogram) {
  std::string out;
  const int limit = Histogram::bucket_index(histogram.max()) + 1;
  for (int i = 0; i < limit;) {
    int zeros = 0;
    while (i + zeros < limit && histogram.bucket(i + zeros) == 0) ++zeros;
    if (zeros > 1) {
      put_zigzag(out, -zeros);
      i += zeros;
    } else {
      put_zigzag(out, static_cast<int64_t>(histogram.bucket(i)));
      ++i;
    }
  }
  return out;
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()),
                             static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  CHECK(code == Z_OK);  // else memory ran out: the room is large enough
  out.resize(size);
  return out;
}

}  // namespace

std::string hdr_encoded(const Histogram& histogram) {
  const std::string counts = encoded_counts(histogram);
  std::string out;
  put_big_endian(out, kPlainCookie);
  put_big_endian(out, static_cast<uint32_t>(counts.size()));
  put_big_endian(out, uint32_t{0});  // offset of the first count
  put_big_endian(out, kDigits);
  put_big_endian(out, kLowest);
  put_big_endian(out, kHighest);
  put_big_endian(out, kRatioOfOne);
  return out + counts;
}

}  // namespace carronade::report

namespace carronade {

std::string hdr_base64(const Histogram& histogram) {
  const std::string body = report::deflated(report::hdr_encoded(histogram));
  std::string out;
  report::put_big_endian(out, report::kDeflatedCookie);
  report::put_big_endian(out, static_cast<uint32_t>(body.size()));
  return base::base64(out + body);
}

}  // namespace carronade
