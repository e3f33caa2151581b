// Whole files, and the system's reasons.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "base/unique_fd.h"

namespace carronade::base {

namespace {

tl::unexpected<Error> failure(std::string_view verb, const std::string& name, int error) {
  return unexpected(std::string(verb) + " " + name + ": " + errno_text(error));
}

// strerror_r comes in two kinds: GNU's returns the text, POSIX's fills the buffer.
[[maybe_unused]] const char* text_of(const char* text, const char*) { return text; }
[[maybe_unused]] const char* text_of(int result, const char* buffer) {
  return result == 0 ? buffer : "unknown error";
}

}  // namespace

std::string errno_text(int error) {
  char buffer[256] = "";
  return text_of(strerror_r(error, buffer, sizeof buffer), buffer);
}

Expected<std::string> read_file(const std::string& path, size_t most_bytes) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path;
  UniqueFd opened;
  if (!standard_input) {
    opened.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened.valid()) return failure("open", name, errno);
  }
  const int fd = standard_input ? STDIN_FILENO : opened.get();
  std::string content;
  char buffer[64 * 1024];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n > 0) {
      content.append(buffer, static_cast<size_t>(n));
      if (content.size() > most_bytes) {
        return unexpected("read " + name + ": more than " + std::to_string(most_bytes) + " bytes");
      }
    } else if (n == 0) {
      return content;
    } else if (errno != EINTR) {
      return failure("read", name, errno);
    }
  }
}

}  // namespace carronade::base
