#include "dialects/vegeta/vegeta_output.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <ctime>

#include "cli/exit_codes.h"
#include "cli/output.h"
#include "dialects/vegeta/vegeta_input.h"

namespace carronade::dialects::vegeta {

Expected<ResultOutput> ResultOutput::open(std::string name) {
  if (name == "stdout") return ResultOutput(std::move(name), base::UniqueFd());
  constexpr mode_t kMode = 0666;  // as far as the umask lets it
  base::UniqueFd fd;
  do {
    fd.reset(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
  } while (!fd.valid() && errno == EINTR);
  if (!fd.valid()) return unexpected("open " + name + ": " + go_errno_text(errno));
  return ResultOutput(std::move(name), std::move(fd));
}

Expected<void> ResultOutput::write(std::string_view bytes) const {
  return is_stdout() ? cli::write_stdout(bytes) : cli::write_all(fd_.get(), bytes, name_);
}

int fail(std::string_view text) {
  const std::time_t now = std::time(nullptr);
  std::tm wall{};
  localtime_r(&now, &wall);
  cli::tell(
      "", fmt::format("{:04}/{:02}/{:02} {:02}:{:02}:{:02} {}", wall.tm_year + 1900,
                      wall.tm_mon + 1, wall.tm_mday, wall.tm_hour, wall.tm_min, wall.tm_sec, text));
  return cli::kExitUsage;
}

}  // namespace carronade::dialects::vegeta
