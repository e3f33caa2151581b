#include "dialects/ab/ab_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/text.h"
#include "cli/output.h"

namespace carronade::dialects::ab {

Expected<AbFile> AbFile::open(const std::string& path) {
  constexpr mode_t kMode = 0666;  // as far as the umask lets it
  base::UniqueFd fd;
  do {
    fd.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMode));
  } while (!fd.valid() && errno == EINTR);
  if (!fd.valid()) return unexpected(base::errno_text(errno));
  return AbFile(path, std::move(fd));
}

Expected<void> AbFile::write(std::string_view bytes) {
  if (!std::exchange(emptied_, true)) {
    struct stat facts {};
    const bool regular = ::fstat(fd_.get(), &facts) == 0 && S_ISREG(facts.st_mode);
    if (regular && ::ftruncate(fd_.get(), 0) != 0) {
      return unexpected("write to " + path_ + ": " + base::errno_text(errno));
    }
  }
  return cli::write_all(fd_.get(), bytes, path_);
}

}  // namespace carronade::dialects::ab
