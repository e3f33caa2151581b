#include "dialects/vegeta/vegeta_reader.h"

#include <utility>

namespace carronade::dialects::vegeta {

Expected<ResultReader> ResultReader::open(std::span<const std::string> names, Detail detail,
                                          const ResultInput::BeforeRead& before_read) {
  std::vector<std::string> all(names.begin(), names.end());
  if (all.empty()) all.emplace_back("stdin");
  ResultReader reader;
  for (std::string& name : all) {
    Expected<std::unique_ptr<ResultInput>> input = ResultInput::open(name, before_read);
    if (!input) return unexpected(input.error());
    Expected<DetectedStream> stream = detect_decoder(name, **input, detail);
    if (!stream) return unexpected(stream.error());
    reader.streams_.push_back({std::move(name), std::move(*input), std::move(stream->decoder)});
  }
  return reader;
}

bool ResultReader::next(Result& result) {
  for (size_t tried = 0; tried < streams_.size(); ++tried) {
    last_ = turn_;
    Stream& stream = streams_[turn_];
    turn_ = turn_ + 1 == streams_.size() ? 0 : turn_ + 1;
    if (!stream.decoder) continue;
    const Expected<bool> found = stream.decoder->next(result);
    if (found && *found) return true;
    if (!found && fault_.empty()) fault_ = stream.name + ": " + found.error().text;
    stream.decoder.reset();
  }
  return false;
}

}  // namespace carronade::dialects::vegeta
