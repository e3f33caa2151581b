// HOT. close() runs once an interval; it allocates the interval's compact form and nothing else.
#include "stats/interval_histograms.h"

#include "base/check.h"
#include "stats/histogram_codec.h"

namespace carronade::stats {

void IntervalHistograms::close() {
  encoded_.push_back(open_.empty() ? std::string() : encode_histogram(open_));
  total_.merge(open_);
  open_.reset();
}

void IntervalHistograms::finish(int64_t end_ns) {
  close();
  while (encoded_.size() > 1 && start_ns_ + begin_of(encoded_.size() - 1) >= end_ns) {
    const std::string last = std::move(encoded_.back());
    encoded_.pop_back();
    if (last.empty()) continue;
    Histogram both;
    CHECK(decode_histogram(encoded_.back(), both) && decode_histogram(last, both));
    encoded_.back() = encode_histogram(both);
  }
}

std::string IntervalHistograms::merged(const std::vector<const IntervalHistograms*>& parts,
                                       size_t index) {
  if (parts.size() == 1 && index < parts.front()->encoded_.size()) {
    return parts.front()->encoded_[index];
  }
  Histogram all;
  for (const IntervalHistograms* part : parts) {
    if (index < part->encoded_.size()) CHECK(decode_histogram(part->encoded_[index], all));
  }
  return all.empty() ? std::string() : encode_histogram(all);
}

}  // namespace carronade::stats
