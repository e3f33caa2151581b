#include "dialects/vegeta/vegeta_targets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

#include "base/text.h"
#include "dialects/vegeta/vegeta_input.h"
#include "dialects/vegeta/vegeta_target_json.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr size_t kReadBytes = size_t{64} * 1024;
constexpr size_t kMostLineBytes = size_t{256} * 1024 * 1024;

tl::unexpected<Error> fault_at(uint64_t line, const std::string& text) {
  return unexpected(fmt::format("{} (line {})", text, line));
}

// Capital letters and a blank behind them.
bool starts_with_method(std::string_view line) {
  size_t end = 0;
  while (end < line.size() && line[end] >= 'A' && line[end] <= 'Z') ++end;
  return end > 0 && end < line.size() && (line[end] == ' ' || line[end] == '\t');
}

// A request line where a header could stand: no header has a blank in its name.
bool is_request_line(std::string_view line) {
  return starts_with_method(line) && !base::is_token(base::trim(line.substr(0, line.find(':'))));
}

class HttpTargetReader : public TargetReader {
 public:
  HttpTargetReader(LineReader lines, TargetDefaults defaults)
      : lines_(std::move(lines)), defaults_(std::move(defaults)) {}

  Expected<std::optional<AttackTarget>> next() override {
    AttackTarget target;
    while (true) {
      const auto more = advance();
      if (!more) return unexpected(more.error());
      if (!*more) return std::optional<AttackTarget>();
      if (!line_.empty() && line_[0] != '#') break;
    }
    target.headers = defaults_.headers;
    target.body = defaults_.body;
    target.line = lines_.number();
    if (const auto good = parse_request_line(target); !good) return unexpected(good.error());
    if (const auto good = parse_rest(target); !good) return unexpected(good.error());
    if (const auto good = check_target(target); !good) {
      return fault_at(target.line, good.error().text);
    }
    return std::optional<AttackTarget>(std::move(target));
  }

 private:
  // To the next line, trimmed, in line_. False at the end.
  Expected<bool> advance() {
    if (std::exchange(again_, false)) return true;
    const auto line = lines_.next();
    if (!line) return unexpected(line.error());
    if (!*line) return false;
    line_ = base::trim(**line);
    return true;
  }

  Expected<void> parse_request_line(AttackTarget& target) const {
    const size_t blank = line_.find(' ');
    if (blank == std::string::npos) return fault_at(target.line, "bad target: " + line_);
    target.method = line_.substr(0, blank);
    if (!starts_with_method(line_)) {
      return fault_at(target.line, "bad method: " + target.method);
    }
    target.url_text = line_.substr(blank + 1);
    return {};
  }

  // Headers and a body file, up to an empty line or the next request line.
  Expected<void> parse_rest(AttackTarget& target) {
    while (true) {
      const auto more = advance();
      if (!more) return unexpected(more.error());
      if (!*more || line_.empty()) return {};
      if (line_[0] == '#') continue;
      if (line_[0] == '@') return load_body(line_.substr(1), target);
      if (is_request_line(line_)) {
        again_ = true;
        return {};
      }
      const size_t colon = line_.find(':');
      const std::string_view name = base::trim(std::string_view(line_).substr(0, colon));
      if (colon == std::string::npos || name.empty()) return bad_header();
      const std::string_view value = base::trim(std::string_view(line_).substr(colon + 1));
      if (value.empty()) return bad_header();
      target.headers.push_back({std::string(name), std::string(value)});
    }
  }

  Expected<void> bad_header() const { return fault_at(lines_.number(), "bad header: " + line_); }

  Expected<void> load_body(const std::string& path, AttackTarget& target) {
    if (const auto known = bodies_.find(path); known != bodies_.end()) {
      target.body = known->second;
      return {};
    }
    Expected<std::string> bytes = read_go_file(path);
    if (!bytes) return fault_at(lines_.number(), "bad body: " + bytes.error().text);
    target.body = std::make_shared<const std::string>(std::move(*bytes));
    if (defaults_.share_bodies) bodies_.emplace(path, target.body);
    return {};
  }

  LineReader lines_;
  TargetDefaults defaults_;
  std::string line_;
  bool again_ = false;  // line_ is to be looked at once more
  std::map<std::string, Body> bodies_;
};

}  // namespace

Expected<std::optional<std::string_view>> LineReader::next() {
  Expected<void> fault;
  while (true) {
    const size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      const std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
      begin_ = searched_ = end + 1;
      ++number_;
      return std::optional(line);
    }
    searched_ = buffer_.size();
    if (read_more(fault)) continue;
    if (!fault) return unexpected(fault.error());
    if (begin_ == buffer_.size()) return std::optional<std::string_view>();
    const std::string_view line = std::string_view(buffer_).substr(begin_);
    begin_ = searched_ = buffer_.size();
    ++number_;
    return std::optional(line);
  }
}

// Waits until there is something to read; false: it was told to stop meanwhile.
bool LineReader::may_read() const {
  if (stop_fd_ < 0) return true;
  std::array<pollfd, 2> waiting{{{fd_.get(), POLLIN, 0}, {stop_fd_, POLLIN, 0}}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
  return waiting[1].revents == 0;
}

bool LineReader::read_more(Expected<void>& fault) {
  if (ended_ || !may_read()) return false;
  buffer_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  if (buffer_.size() > kMostLineBytes) {
    fault = unexpected(fmt::format("bad target: line {} is longer than 256 MiB", number_ + 1));
    return false;
  }
  const size_t before = buffer_.size();
  buffer_.resize(before + kReadBytes);
  ssize_t got = -1;
  do {
    got = ::read(fd_.get(), buffer_.data() + before, kReadBytes);
  } while (got < 0 && errno == EINTR);
  const int error = errno;
  buffer_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  ended_ = got <= 0;
  if (got < 0) fault = unexpected("error reading the targets: " + go_errno_text(error));
  return got > 0;
}

Expected<void> check_target(AttackTarget& target) {
  if (!base::is_token(target.method)) return unexpected("bad method: " + target.method);
  if (target.method == "CONNECT") {
    return unexpected(std::string("bad method: CONNECT asks for a tunnel, not for an answer"));
  }
  Expected<Url> url = parse_url(target.url_text);
  if (!url) return unexpected("bad URL: " + target.url_text + ", " + url.error().text);
  target.url = std::move(*url);
  for (const Header& header : target.headers) {
    constexpr std::string_view kForbidden("\r\n\0", 3);
    if (!base::is_token(header.name) ||
        header.value.find_first_of(kForbidden) != std::string::npos) {
      return unexpected("bad header: " + header.name + ": " + header.value);
    }
  }
  return {};
}

Expected<base::UniqueFd> open_input(const std::string& name) {
  base::UniqueFd fd(name == "stdin" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                    : ::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return unexpected("open " + name + ": " + go_errno_text(errno));
  return fd;
}

Expected<std::string> read_all(const base::UniqueFd& fd, const std::string& name) {
  std::string content;
  std::string piece(kReadBytes, '\0');
  while (true) {
    const ssize_t got = ::read(fd.get(), piece.data(), piece.size());
    if (got == 0) return content;
    if (got > 0) content.append(piece, 0, static_cast<size_t>(got));
    if (got < 0 && errno != EINTR) {
      return unexpected("read " + name + ": " + go_errno_text(errno));
    }
  }
}

Expected<std::string> read_go_file(const std::string& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return unexpected("open " + path + ": " + go_errno_text(errno));
  return read_all(fd, path);
}

Expected<std::unique_ptr<TargetReader>> make_target_reader(std::string_view format,
                                                           LineReader lines,
                                                           TargetDefaults defaults) {
  if (format == "json") return make_json_target_reader(std::move(lines), std::move(defaults));
  if (format == "http") {
    return std::make_unique<HttpTargetReader>(std::move(lines), std::move(defaults));
  }
  return unexpected(fmt::format("format \"{}\" isn't one of [http, json]", format));
}

}  // namespace carronade::dialects::vegeta
