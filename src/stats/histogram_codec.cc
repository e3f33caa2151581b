// HOT. encode_histogram runs once a second beside the load.
#include "stats/histogram_codec.h"

namespace carronade::stats {

namespace {

using Wide = Histogram::Wide;

template <class Number>
char* put(char* out, Number value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(static_cast<uint8_t>(value) | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

// Takes varints from the front; after one that is cut or too large, `ok` is false for good.
struct Reader {
  std::string_view rest;
  bool ok = true;

  Wide take(int bits) {
    Wide value = 0;
    for (int shift = 0; shift < bits && !rest.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest.front());
      rest.remove_prefix(1);
      const Wide part = byte & 0x7f;
      if (shift + 7 > bits && part >> (bits - shift) != 0) break;
      value |= part << shift;
      if (byte < 0x80) return value;
    }
    ok = false;
    return 0;
  }
  uint64_t number() { return static_cast<uint64_t>(take(64)); }
  int64_t positive() { return static_cast<int64_t>(take(63)); }
};

Histogram::Summary take_summary(Reader& reader) {
  Histogram::Summary summary;
  summary.count = reader.number();
  if (summary.count == 0) return summary;
  summary.min = reader.positive();
  summary.max = reader.positive();
  summary.sum = reader.take(128);
  summary.sum_squares = reader.take(128);
  return summary;
}

// Calls visit(index, count) for each used bucket; false when the bytes are not to be trusted.
template <class Visit>
bool each_bucket(Reader& reader, Visit visit) {
  uint64_t index = 0;
  while (reader.ok && !reader.rest.empty()) {
    const uint64_t gap = reader.number();
    const uint64_t count = reader.number();
    if (!reader.ok || count == 0 || gap >= Histogram::bucket_count()) return false;
    index += gap;
    if (index >= static_cast<uint64_t>(Histogram::bucket_count())) return false;
    visit(static_cast<int>(index), count);
    ++index;
  }
  return reader.ok;
}

bool consistent(Reader reader, const Histogram::Summary& summary) {
  int first = -1;
  int last = -1;
  Wide total = 0;
  const bool whole = each_bucket(reader, [&](int index, uint64_t count) {
    if (first < 0) first = index;
    last = index;
    total += count;
  });
  return whole && total == summary.count && summary.min <= summary.max &&
         first == Histogram::bucket_index(summary.min) &&
         last == Histogram::bucket_index(summary.max);
}

}  // namespace

std::string encode_histogram(const Histogram& histogram) {
  const Histogram::Summary& summary = histogram.summary();
  if (histogram.empty()) return std::string(1, '\0');
  std::string out;
  out.reserve(4096);
  char chunk[80];  // three varints of 64 bits and two of 128 need 68 bytes
  char* end = put(chunk, summary.count);
  end = put(end, static_cast<uint64_t>(summary.min));
  end = put(end, static_cast<uint64_t>(summary.max));
  end = put(end, summary.sum);
  end = put(end, summary.sum_squares);
  out.append(chunk, end);
  int next = 0;
  const int last = Histogram::bucket_index(summary.max);
  for (int i = Histogram::bucket_index(summary.min); i <= last; ++i) {
    if (histogram.bucket(i) == 0) continue;
    end = put(chunk, static_cast<uint32_t>(i - next));
    end = put(end, histogram.bucket(i));
    out.append(chunk, end);
    next = i + 1;
  }
  out.shrink_to_fit();
  return out;
}

bool decode_histogram(std::string_view bytes, Histogram& into) {
  if (bytes.empty()) return true;
  Reader reader{bytes};
  const Histogram::Summary summary = take_summary(reader);
  if (!reader.ok) return false;
  if (summary.count == 0) return reader.rest.empty();
  if (!consistent(reader, summary)) return false;
  each_bucket(reader, [&](int index, uint64_t count) { into.add_bucket(index, count); });
  into.add_summary(summary);
  return true;
}

}  // namespace carronade::stats
