// Whether two results are the same in every field. For tests only.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "carronade/run_result.h"
#include "stats/histogram_codec.h"
#include "stats/result_fields.h"

namespace carronade::stats {

inline bool equal(const Histogram& a, const Histogram& b) {
  return encode_histogram(a) == encode_histogram(b);
}
template <class T>
requires std::equality_comparable<T>
bool equal(const T& a, const T& b) { return a == b; }
template <HasFields T>
bool equal(const T& a, const T& b);
template <class T>
bool equal(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || equal(*a, *b));
}
template <class T>
requires HasFields<T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return equal(x, y); });
}

// The first field that differs, counted from 0; -1 for none.
template <HasFields T>
int first_difference(const T& a, const T& b) {
  int at = 0;
  int found = -1;
  const auto compare = [&](const auto& x, const auto& y) {
    if (found < 0 && !equal(x, y)) found = at;
    ++at;
  };
  [&]<size_t... kAt>(std::index_sequence<kAt...>, auto x, auto y) {
    (compare(std::get<kAt>(x), std::get<kAt>(y)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(fields_of(a))>>(), fields_of(a),
   fields_of(b));
  return found;
}
template <HasFields T>
bool equal(const T& a, const T& b) {
  return first_difference(a, b) < 0;
}

}  // namespace carronade::stats
