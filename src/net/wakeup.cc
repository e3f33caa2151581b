#include "net/wakeup.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>

#include "base/check.h"

namespace carronade::net {

Wakeup::Wakeup() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) { CHECK(fd_.valid()); }

void Wakeup::notify() const {
  const int saved_errno = errno;  // a signal handler must not change it
  const uint64_t one = 1;
  ssize_t written;
  do {
    written = ::write(fd_.get(), &one, sizeof one);
  } while (written < 0 && errno == EINTR);  // EAGAIN: it is readable already
  errno = saved_errno;
}

void Wakeup::drain() const {
  uint64_t count;
  while (::read(fd_.get(), &count, sizeof count) < 0 && errno == EINTR) {
  }
}

}  // namespace carronade::net
