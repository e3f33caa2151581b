// HOT. encode_histogram runs once a second beside the load.
#include "stats/histogram_codec.h"

#include "stats/varint.h"

namespace carronade::stats {

namespace {

using Wide = Histogram::Wide;

Histogram::Summary take_summary(VarintReader& reader) {
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
bool each_bucket(VarintReader& reader, Visit visit) {
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

bool consistent(VarintReader reader, const Histogram::Summary& summary) {
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
  char chunk[3 * kVarintBytes + 2 * kWideVarintBytes];
  char* end = put_varint(chunk, summary.count);
  end = put_varint(end, static_cast<uint64_t>(summary.min));
  end = put_varint(end, static_cast<uint64_t>(summary.max));
  end = put_varint(end, summary.sum);
  end = put_varint(end, summary.sum_squares);
  out.append(chunk, end);
  int next = 0;
  const int last = Histogram::bucket_index(summary.max);
  for (int i = Histogram::bucket_index(summary.min); i <= last; ++i) {
    if (histogram.bucket(i) == 0) continue;
    end = put_varint(chunk, static_cast<uint32_t>(i - next));
    end = put_varint(end, histogram.bucket(i));
    out.append(chunk, end);
    next = i + 1;
  }
  out.shrink_to_fit();
  return out;
}

bool decode_histogram(std::string_view bytes, Histogram& into) {
  if (bytes.empty()) return true;
  VarintReader reader{bytes};
  const Histogram::Summary summary = take_summary(reader);
  if (!reader.ok) return false;
  if (summary.count == 0) return reader.rest.empty();
  if (!consistent(reader, summary)) return false;
  each_bucket(reader, [&](int index, uint64_t count) { into.add_bucket(index, count); });
  into.add_summary(summary);
  return true;
}

}  // namespace carronade::stats
