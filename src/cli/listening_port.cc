#include "cli/listening_port.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <string>

#include "base/text.h"
#include "cli/process_tree.h"

namespace carronade::cli {
namespace {

template <class Number>
bool read_number(std::string_view text, int base, Number& number) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, base);
  return read.ec == std::errc() && read.ptr == end;
}

// The inodes of the sockets that a process has open. False when it does not let us see.
bool add_sockets(const std::string& pid, std::vector<uint64_t>& inodes) {
  const std::string path = "/proc/" + pid + "/fd";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (!folder) return errno != EACCES && errno != EPERM;
  constexpr std::string_view kSocket = "socket:[";
  while (const dirent* entry = ::readdir(folder.get())) {
    std::array<char, 64> buffer;
    const ssize_t size =
        ::readlinkat(::dirfd(folder.get()), entry->d_name, buffer.data(), buffer.size());
    if (size <= 0) continue;
    std::string_view target(buffer.data(), static_cast<size_t>(size));
    if (!target.starts_with(kSocket) || !target.ends_with(']')) continue;
    target = target.substr(kSocket.size(), target.size() - kSocket.size() - 1);
    uint64_t inode = 0;
    if (read_number(target, 10, inode)) inodes.push_back(inode);
  }
  return true;
}

// The words of a line, at most as many as a row of interest has.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr size_t kMostWords = 12;
  std::vector<std::string_view> words;
  while (words.size() < kMostWords) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
  return words;
}

}  // namespace

std::vector<ListeningSocket> listening_sockets(std::string_view table) {
  // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
  constexpr size_t kLocal = 1;
  constexpr size_t kState = 3;
  constexpr size_t kInode = 9;
  std::vector<ListeningSocket> found;
  for (const std::string_view line : base::split(table, '\n')) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() <= kInode || words[kState] != "0A") continue;
    const size_t colon = words[kLocal].rfind(':');
    if (colon == std::string_view::npos) continue;
    ListeningSocket socket{};
    if (read_number(words[kLocal].substr(colon + 1), 16, socket.port) &&
        read_number(words[kInode], 10, socket.inode)) {
      found.push_back(socket);
    }
  }
  return found;
}

ListeningPorts listening_ports(pid_t root) {
  ListeningPorts result;
  std::vector<uint64_t> theirs;
  for (const pid_t pid : descendants_of(root)) {
    if (!add_sockets(std::to_string(pid), theirs)) result.hidden = pid;
  }
  if (theirs.empty()) return result;
  std::vector<uint64_t> ours;
  add_sockets("self", ours);
  std::sort(theirs.begin(), theirs.end());
  std::sort(ours.begin(), ours.end());
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    const Expected<std::string> table = base::read_file(path);
    if (!table) continue;  // a system without IPv6
    for (const ListeningSocket& socket : listening_sockets(*table)) {
      if (std::binary_search(theirs.begin(), theirs.end(), socket.inode) &&
          !std::binary_search(ours.begin(), ours.end(), socket.inode)) {
        result.ports.push_back(socket.port);
      }
    }
  }
  std::sort(result.ports.begin(), result.ports.end());
  result.ports.erase(std::unique(result.ports.begin(), result.ports.end()), result.ports.end());
  return result;
}

}  // namespace carronade::cli
