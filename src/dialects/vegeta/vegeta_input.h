// The bytes of one stream of results, from a file or a pipe of any length, in a buffer that holds
// one record and what was read beyond it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "carronade/expected.h"

namespace carronade::dialects::vegeta {

class ResultInput {
 public:
  // Called before each read: may wait, and says whether to read; false ends the input for good.
  using BeforeRead = std::function<bool(int fd)>;

  // "stdin" is standard input. The error is vegeta's: `error opening x: open x: no such file …`.
  static Expected<std::unique_ptr<ResultInput>> open(const std::string& name, BeforeRead before);
  // Bytes that are in memory.
  explicit ResultInput(std::string bytes) : buffer_(std::move(bytes)), ended_(true) {}

  // What is there of the input from the present position on; until the next other call.
  std::string_view rest() const { return std::string_view(buffer_).substr(position_); }
  // Reads until rest() has that many bytes; false: the input ends before, or cannot be read.
  bool need(size_t bytes);
  // Reads some more; false: there is nothing more.
  bool more();
  void skip(size_t bytes) { position_ += bytes; }
  // Where rest() begins in the stream.
  uint64_t offset() const { return dropped_ + position_; }

  // Nothing before the present position is forgotten until the next release(); rewind() goes back.
  void hold() { held_ = position_; }
  void rewind() { position_ = *held_; }
  void release() { held_.reset(); }

  // BeforeRead said so: what is cut off then is no fault of the input.
  bool stopped() const { return stopped_; }
  // Why it could not be read; "" for no reason.
  const std::string& read_error() const { return read_error_; }

  // No record is longer, whatever a length in the stream says.
  static constexpr size_t kMostRecordBytes = size_t{256} << 20;

 private:
  ResultInput(base::UniqueFd fd, BeforeRead before)
      : fd_(std::move(fd)), before_read_(std::move(before)) {}
  void make_room();

  base::UniqueFd fd_;  // not valid for bytes in memory
  BeforeRead before_read_;
  std::string buffer_;
  size_t position_ = 0;
  uint64_t dropped_ = 0;  // bytes of the stream before the buffer
  std::optional<size_t> held_;
  bool ended_ = false;
  bool stopped_ = false;
  std::string read_error_;
};

// An errno as Go words it: "no such file or directory".
std::string go_errno_text(int error);

}  // namespace carronade::dialects::vegeta
