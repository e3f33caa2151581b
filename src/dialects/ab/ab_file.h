// A file of -e or -g: opened before the run, so that a path that does not work costs nothing;
// written in pieces afterwards, since a line a request may be more than memory holds.
#pragma once

#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "carronade/expected.h"

namespace carronade::dialects::ab {

class AbFile {
 public:
  // What the file holds stays until something is written. The error is the system's reason alone.
  static Expected<AbFile> open(const std::string& path);

  // Behind what was written before; the first call empties the file. The error names the path.
  Expected<void> write(std::string_view bytes);

 private:
  AbFile(std::string path, base::UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  base::UniqueFd fd_;
  bool emptied_ = false;
};

}  // namespace carronade::dialects::ab
