// Where a command writes to, and how vegeta tells of an error.
#pragma once

#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "carronade/expected.h"

namespace carronade::dialects::vegeta {

// "stdout", or a file that is emptied when it is opened.
class ResultOutput {
 public:
  // The error in Go's words: `open x: permission denied`.
  static Expected<ResultOutput> open(std::string name);
  Expected<void> write(std::string_view bytes) const;
  bool is_stdout() const { return !fd_.valid(); }
  const std::string& name() const { return name_; }

 private:
  ResultOutput(std::string name, base::UniqueFd fd) : name_(std::move(name)), fd_(std::move(fd)) {}

  std::string name_;
  base::UniqueFd fd_;  // not valid for standard output
};

// One line on standard error with date and time before it, as vegeta writes its errors; 1.
int fail(std::string_view text);

}  // namespace carronade::dialects::vegeta
