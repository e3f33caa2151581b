#include "dialects/vegeta/vegeta_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr size_t kPieceBytes = 64 * 1024;

base::UniqueFd open_fd(const std::string& name) {
  // A descriptor of our own, so that closing it does not close the standard stream.
  if (name == "stdin") return base::UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
  base::UniqueFd fd;
  do {
    fd.reset(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  } while (!fd.valid() && errno == EINTR);
  return fd;
}

}  // namespace

std::string go_errno_text(int error) {
  std::string text = base::errno_text(error);
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

Expected<std::unique_ptr<ResultInput>> ResultInput::open(const std::string& name,
                                                         BeforeRead before) {
  base::UniqueFd fd = open_fd(name);
  if (!fd.valid()) {
    return unexpected("error opening " + name + ": open " + name + ": " + go_errno_text(errno));
  }
  return std::unique_ptr<ResultInput>(new ResultInput(std::move(fd), std::move(before)));
}

bool ResultInput::need(size_t bytes) {
  while (rest().size() < bytes) {
    if (!more()) return false;
  }
  return true;
}

void ResultInput::make_room() {
  const size_t done = std::min(position_, held_.value_or(position_));
  // Moving the rest costs as much as reading it: only when at least half of it all goes away.
  if (done < buffer_.size() - done) return;
  buffer_.erase(0, done);
  dropped_ += done;
  position_ -= done;
  if (held_) *held_ -= done;
}

bool ResultInput::more() {
  if (ended_) return false;
  if (before_read_ && !before_read_(fd_.get())) {
    ended_ = stopped_ = true;
    return false;
  }
  make_room();
  // A long record is read in ever larger pieces, never more than what has come already.
  const size_t old_size = buffer_.size();
  const size_t piece = std::max(kPieceBytes, old_size - position_);
  buffer_.resize(old_size + piece);
  ssize_t got = 0;
  while ((got = ::read(fd_.get(), buffer_.data() + old_size, piece)) < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd ready{fd_.get(), POLLIN, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      break;
    }
  }
  if (got < 0) read_error_ = go_errno_text(errno);
  buffer_.resize(old_size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  ended_ = got <= 0;
  return !ended_;
}

}  // namespace carronade::dialects::vegeta
