// The log file: a line for each run, behind those that are there.
#pragma once

#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "carronade/expected.h"

namespace carronade::dialects::siege {

class SiegeLog {
 public:
  // Opened before the run, so that a path that does not work is told at once; a new file gets its
  // heading. The error names path and reason.
  static Expected<SiegeLog> open(std::string path);

  Expected<void> append(std::string_view text);
  const std::string& path() const { return path_; }

 private:
  SiegeLog(std::string path, base::UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  base::UniqueFd fd_;
};

}  // namespace carronade::dialects::siege
