#include "cli/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

#include "base/text.h"

namespace carronade::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

void guard_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is `fd`. The wrong way round, so that using it stays an error.
    (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

Expected<void> write_all(int fd, std::string_view bytes, const std::string& where) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      // A stream may be non-blocking because whoever shares it made it so.
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return unexpected("write to " + where + ": " + base::errno_text(errno));
    }
  }
  return {};
}

Expected<void> write_stdout(std::string_view bytes) {
  return write_all(STDOUT_FILENO, bytes, "standard output");
}

Expected<void> write_stderr(std::string_view bytes) {
  return write_all(STDERR_FILENO, bytes, "standard error");
}

void tell(std::string_view program, std::string_view text) {
  std::string line;
  if (!program.empty()) line = std::string(program) + ": ";
  (void)write_stderr(line + base::printable(text) + "\n");
}

bool write_text(std::string_view program, std::string_view text) {
  const Expected<void> written = write_stdout(text);
  if (!written) tell(program, written.error().text);
  return written.has_value();
}

bool write_report(std::string_view program, std::string_view report) {
  const Expected<void> written = write_stdout(report);
  if (written) return true;
  tell(program, written.error().text + "; the report follows here");
  (void)write_stderr(report);
  return false;
}

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

bool environment_allows_colour() {
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return !dumb && !is_set("NO_COLOR") && !is_set("CI");
}

}  // namespace carronade::cli
