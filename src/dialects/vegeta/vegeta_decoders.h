// Results out of bytes, in any of the three encodings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carronade/expected.h"
#include "dialects/vegeta/vegeta_encoders.h"
#include "dialects/vegeta/vegeta_input.h"
#include "dialects/vegeta/vegeta_result.h"

namespace carronade::dialects::vegeta {

// What of a result is wanted: bodies and headers cost time and say nothing to a report.
enum class Detail : uint8_t { kAll, kFigures };

// Reads one stream of results. Not thread-safe. Whatever the bytes are, memory stays within a few
// times ResultInput::kMostRecordBytes.
class ResultDecoder {
 public:
  virtual ~ResultDecoder() = default;
  // The next result, in place of all that `result` held. False at the end of the input, also in
  // the middle of a result when the input was stopped. The error is one line without the name of
  // the input; nothing more can be read after it.
  virtual Expected<bool> next(Result& result) = 0;
};

// `input` must outlive the decoder.
std::unique_ptr<ResultDecoder> make_decoder(Encoding encoding, ResultInput& input, Detail detail);

struct DetectedStream {
  std::unique_ptr<ResultDecoder> decoder;  // before the first result
  Encoding encoding = Encoding::kGob;
};
// Finds the encoding by the first record, which is read from `input` for it. The error is vegeta's,
// with the reason behind it: `encode: can't detect encoding of "x": …`. No decoder when the input
// was stopped before its first record.
Expected<DetectedStream> detect_decoder(const std::string& name, ResultInput& input, Detail detail);

// For decoders: all fields as if new, memory kept.
void clear_result(Result& result);

// Adds headers within limits, so that a small corrupt stream does not become a large result.
class HeaderAdder {
 public:
  explicit HeaderAdder(std::vector<Header>& headers) : headers_(headers) { headers_.clear(); }
  // False: too many, or too long together.
  bool add(std::string_view name, std::string_view value);

  static constexpr size_t kMostHeaders = 100'000;
  static constexpr size_t kMostBytes = size_t{16} << 20;

 private:
  std::vector<Header>& headers_;
  size_t bytes_ = 0;
};

// For encoders: the headers by name, in the order of names and then as they came. Keeps its memory.
class HeaderOrder {
 public:
  explicit HeaderOrder(const std::vector<Header>& headers, std::vector<uint32_t>& order);
  // Calls f(name, first, last) for each name with its place in `order`.
  template <class F>
  void for_each_name(F&& f) const {
    for (size_t first = 0; first < order_.size();) {
      size_t last = first + 1;
      while (last < order_.size() && at(last).name == at(first).name) ++last;
      f(at(first).name, first, last);
      first = last;
    }
  }
  const Header& at(size_t place) const { return headers_[order_[place]]; }
  size_t names() const;

 private:
  const std::vector<Header>& headers_;
  std::vector<uint32_t>& order_;
};

}  // namespace carronade::dialects::vegeta
