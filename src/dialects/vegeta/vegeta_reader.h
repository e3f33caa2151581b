// Results of several files, one of each in turn, in memory that does not grow with their length.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "dialects/vegeta/vegeta_decoders.h"
#include "dialects/vegeta/vegeta_input.h"
#include "dialects/vegeta/vegeta_result.h"

namespace carronade::dialects::vegeta {

class ResultReader {
 public:
  // Opens all files and finds the encoding of each. "stdin" is standard input; no name at all
  // stands for it. The error is vegeta's.
  static Expected<ResultReader> open(std::span<const std::string> names, Detail detail,
                                     const ResultInput::BeforeRead& before_read);

  // False: there are no more. A file with a fault is left there, and the others go on.
  bool next(Result& result);
  // Which file the last result was of.
  size_t file() const { return last_; }
  const std::string& name(size_t file) const { return streams_[file].name; }
  size_t files() const { return streams_.size(); }
  // The first fault, with the name of its file; "" for none.
  const std::string& fault() const { return fault_; }

 private:
  struct Stream {
    std::string name;
    std::unique_ptr<ResultInput> input;
    std::unique_ptr<ResultDecoder> decoder;  // none: at its end
  };

  std::vector<Stream> streams_;
  size_t turn_ = 0;
  size_t last_ = 0;
  std::string fault_;
};

}  // namespace carronade::dialects::vegeta
