// Results with random values in every field. For tests only.
#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <type_traits>

#include "carronade/run_result.h"
#include "stats/histogram_codec.h"
#include "stats/result_fields.h"

namespace carronade::stats {

// Fills by type, and then puts right what has to fit together.
class RandomResult {
 public:
  explicit RandomResult(uint32_t seed) : random_(seed) {}

  RunResult make() {
    RunResult result;
    fill(result);
    result.start_unix_ns = 1'700'000'000'000'000'000 + below(5'000'000'000);
    result.elapsed_ns = 1 + below(100'000'000'000);
    result.sample_interval_ns = 500'000'000;
    put_in_line(result.samples, result.sample_interval_ns);
    put_in_line(result.series, 1'000'000'000);
    put_in_line(result.intervals, 100'000'000);
    for (Interval& interval : result.intervals) {
      interval.latency = encode_histogram(result.latency);
      interval.service_time = encode_histogram(result.first_byte);
    }
    result.rate->load_ns = below(1'000'000'000'000);
    for (StageResult& stage : result.rate->stages) {
      stage.start_ns = below(1'000'000'000);
      stage.width_ns = below(1'000'000'000);
    }
    result.warmup->width_ns = below(1'000'000'000);
    result.sent = result.answered + result.failed + result.timed_out + result.in_flight;
    return result;
  }

  int64_t below(int64_t limit) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit));
  }

 private:
  // Small enough for sums of a few, and of every length as a varint.
  void fill(uint64_t& value) { value = (random_() >> 4 >> random_() % 60) + 1; }
  void fill(int64_t& value) { value = static_cast<int64_t>(random_() >> random_() % 64); }
  void fill(bool& value) { value = random_() % 2 == 0; }
  void fill(std::string& text) {
    text.clear();
    for (int64_t size = 1 + below(300); size > 0; --size) text += static_cast<char>(random_());
  }
  void fill(Histogram& histogram) {
    for (int i = 0; i < 20; ++i) {
      histogram.record_many(below(5'000'000'000'000), 1 + random_() % 1000);
    }
  }
  void fill(StoppedBy& why) { why = static_cast<StoppedBy>(below(8)); }
  void fill(ErrorKind& kind) { kind = static_cast<ErrorKind>(below(kErrorKinds)); }
  void fill(Phase& phase) { phase = static_cast<Phase>(below(9)); }
  void fill(PaceMode& pace) { pace = static_cast<PaceMode>(below(3)); }
  template <size_t kSize>
  void fill(std::array<uint64_t, kSize>& numbers) {
    for (uint64_t& number : numbers) fill(number);
  }
  void fill(std::map<uint16_t, uint64_t>& counts) {
    for (int64_t size = 1 + below(4); size > 0; --size) {
      fill(counts[static_cast<uint16_t>(below(65'536))]);
    }
  }
  template <class T>
  void fill(std::optional<T>& value) {
    fill(value.emplace());
  }
  template <class T>
  void fill(std::vector<T>& list) {
    list.resize(static_cast<size_t>(2 + below(3)));
    for (T& value : list) fill(value);
  }
  template <HasFields T>
  void fill(T& value) {
    std::apply([this](auto&... field) { (this->fill(field), ...); }, fields_of(value));
  }
  template <class Piece>
  void put_in_line(std::vector<Piece>& pieces, int64_t width_ns) {
    int64_t start_ns = 0;
    for (Piece& piece : pieces) {
      piece.start_ns = start_ns;
      piece.width_ns = width_ns;
      start_ns += width_ns;
    }
  }

  std::mt19937_64 random_;
};

}  // namespace carronade::stats
