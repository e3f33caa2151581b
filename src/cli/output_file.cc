#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "cli/output.h"

namespace carronade::cli {

Expected<OutputFile> OutputFile::open(std::string path) {
  if (path == "-") return unexpected(std::string("- is no file: standard output is the report's"));
  constexpr mode_t kMode = 0666;  // as far as the umask lets it
  base::UniqueFd fd;
  do {
    fd.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMode));
  } while (!fd.valid() && errno == EINTR);
  if (!fd.valid()) return unexpected("open " + path + " to write: " + base::errno_text(errno));
  return OutputFile(std::move(path), std::move(fd));
}

Expected<void> OutputFile::write(std::string_view content) {
  struct stat facts {};
  const bool regular = ::fstat(fd_.get(), &facts) == 0 && S_ISREG(facts.st_mode);
  if (regular && ::ftruncate(fd_.get(), 0) != 0) {
    return unexpected("write to " + path_ + ": " + base::errno_text(errno));
  }
  return write_all(fd_.get(), content, path_);
}

}  // namespace carronade::cli
