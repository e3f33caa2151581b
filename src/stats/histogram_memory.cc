// How a histogram gets its memory. Apart from the hot file: it may fail, with std::bad_alloc.
#include <new>

#include "carronade/histogram.h"

namespace carronade {

Histogram::Counts Histogram::zeros() {
  auto* counts = static_cast<uint64_t*>(std::calloc(kBuckets, sizeof(uint64_t)));
  if (counts == nullptr) throw std::bad_alloc();
  return Counts(counts);
}

Histogram& Histogram::operator=(const Histogram& other) {
  if (this == &other) return *this;
  if (counts_ == nullptr) counts_ = zeros();
  reset();
  merge(other);
  return *this;
}

}  // namespace carronade
