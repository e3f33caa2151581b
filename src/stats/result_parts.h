// Adding up what was measured side by side: by the workers of one run (recorder_merge.cc) and by
// several runs (result_merge.cc).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "carronade/run_result.h"
#include "stats/result_fields.h"

namespace carronade::stats {

inline void add_counter(uint64_t& into, uint64_t from) { into += from; }
inline void add_counter(Histogram& into, const Histogram& from) { into.merge(from); }
template <size_t kSize>
void add_counter(std::array<uint64_t, kSize>& into, const std::array<uint64_t, kSize>& from) {
  for (size_t i = 0; i < kSize; ++i) into[i] += from[i];
}
inline void add_counter(std::map<uint16_t, uint64_t>& into,
                        const std::map<uint16_t, uint64_t>& from) {
  for (const auto& [key, count] : from) into[key] += count;
}
// Times, names, lists and levels follow rules of their own.
template <class T>
void add_counter(T&, const T&) {}

// Adds all counts and histograms of a struct, those of the structs in it left out.
template <HasFields T>
void add_counters(T& into, const T& from) {
  const auto add = [](auto& to, const auto& of) { add_counter(to, of); };
  [&]<size_t... kAt>(std::index_sequence<kAt...>, auto to, auto of) {
    (add(std::get<kAt>(to), std::get<kAt>(of)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(fields_of(into))>>(), fields_of(into),
   fields_of(from));
}

// Adds windows that begin `shift_ns` later than they say to those that begin at the same time.
// Both ascend. The percentiles of two that have answers are not known from theirs: -1.
void add_windows(std::vector<Window>& into, const std::vector<Window>& windows, int64_t shift_ns);

// Stage by stage, in order.
void add_stages(std::vector<StageResult>& into, const std::vector<StageResult>& stages);

// Rows of equal kind, phase and text become one, in the order of their first appearance.
class ErrorRows {
 public:
  void add(const std::vector<ErrorCount>& errors);
  std::vector<ErrorCount> most_frequent_first() &&;

 private:
  std::map<std::tuple<ErrorKind, Phase, std::string>, size_t> places_;
  std::vector<ErrorCount> rows_;
};

}  // namespace carronade::stats
