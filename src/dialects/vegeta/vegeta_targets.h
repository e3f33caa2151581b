// The lists of targets that `vegeta attack` reads: blocks of a request line, headers and a body
// file, or one JSON object a line. Errors are vegeta's, with the number of the line behind them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "carronade/expected.h"
#include "carronade/request.h"
#include "carronade/url.h"

namespace carronade::dialects::vegeta {

using Body = std::shared_ptr<const std::string>;  // null: none

struct AttackTarget {
  std::string method;
  std::string url_text;  // as it is written, for the results
  Url url;
  std::vector<Header> headers;  // the defaults first; letter case kept
  Body body;
  uint64_t line = 0;  // of its request line, from 1
};

// What targets have that say nothing else.
struct TargetDefaults {
  std::vector<Header> headers;
  Body body;
  bool share_bodies = false;  // reads a body file that several targets name just once
};

// The lines of a file or a pipe, of any length up to 256 MiB, without their line ends.
class LineReader {
 public:
  // What is read ends as well when `stop_fd` becomes readable; -1: none.
  explicit LineReader(base::UniqueFd fd, int stop_fd = -1)
      : fd_(std::move(fd)), stop_fd_(stop_fd) {}

  // The next line; until the next call. Nothing at the end; the error is that of reading.
  Expected<std::optional<std::string_view>> next();
  uint64_t number() const { return number_; }  // of the line that next() gave last, from 1

 private:
  bool read_more(Expected<void>& fault);

  bool may_read() const;

  base::UniqueFd fd_;
  int stop_fd_;
  std::string buffer_;
  size_t begin_ = 0;
  size_t searched_ = 0;  // no line end before
  bool ended_ = false;
  uint64_t number_ = 0;
};

class TargetReader {
 public:
  virtual ~TargetReader() = default;
  // The next target; nothing at the end.
  virtual Expected<std::optional<AttackTarget>> next() = 0;
};

// `format` is "http" or "json"; the error says that it is neither.
Expected<std::unique_ptr<TargetReader>> make_target_reader(std::string_view format,
                                                           LineReader lines,
                                                           TargetDefaults defaults);

// "stdin" is standard input. Errors in Go's words: `open x: no such file or directory`.
Expected<base::UniqueFd> open_input(const std::string& name);
Expected<std::string> read_all(const base::UniqueFd& fd, const std::string& name);
Expected<std::string> read_go_file(const std::string& path);

// Fills in its URL; the error says why no request can be made of it.
Expected<void> check_target(AttackTarget& target);

inline constexpr std::string_view kNoTargets = "no targets to attack";

}  // namespace carronade::dialects::vegeta
