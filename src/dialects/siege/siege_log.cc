#include "dialects/siege/siege_log.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/text.h"
#include "cli/output.h"
#include "dialects/siege/siege_report.h"

namespace carronade::dialects::siege {

Expected<SiegeLog> SiegeLog::open(std::string path) {
  constexpr mode_t kMode = 0666;  // as far as the umask lets it
  base::UniqueFd fd;
  do {
    fd.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode));
  } while (!fd.valid() && errno == EINTR);
  if (!fd.valid()) {
    return unexpected("unable to open file: " + path + ": " + base::errno_text(errno));
  }
  struct stat facts {};
  const bool fresh = ::fstat(fd.get(), &facts) == 0 && facts.st_size == 0;
  SiegeLog log(std::move(path), std::move(fd));
  if (fresh) {
    if (auto written = log.append(log_heading()); !written) return unexpected(written.error());
  }
  return log;
}

Expected<void> SiegeLog::append(std::string_view text) {
  return cli::write_all(fd_.get(), text, path_);
}

}  // namespace carronade::dialects::siege
