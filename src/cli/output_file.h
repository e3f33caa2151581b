// A file that a result goes to when the run is over. It is opened before, so that a path that
// does not work is told at once; what it held stays until something is written.
#pragma once

#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "carronade/expected.h"

namespace carronade::cli {

class OutputFile {
 public:
  // Created with the usual permissions where it does not exist. The error names path and reason.
  static Expected<OutputFile> open(std::string path);

  // The whole content, in place of what was there. Once. The error names path and reason.
  Expected<void> write(std::string_view content);

  const std::string& path() const { return path_; }

 private:
  OutputFile(std::string path, base::UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  base::UniqueFd fd_;
};

}  // namespace carronade::cli
