#include "cli/process_tree.h"

#include <dirent.h>

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"

namespace carronade::cli {
namespace {

struct Process {
  pid_t pid;
  pid_t parent;
};

// "17 (a name) S 12 …": the name may hold spaces and brackets.
std::optional<pid_t> parent_of(const std::string& pid) {
  const Expected<std::string> text = base::read_file("/proc/" + pid + "/stat");
  if (!text) return std::nullopt;  // it has ended
  const size_t name_end = text->rfind(") ");
  if (name_end == std::string::npos || name_end + 4 > text->size()) return std::nullopt;
  pid_t parent = 0;
  const char* begin = text->data() + name_end + 4;
  const auto read = std::from_chars(begin, text->data() + text->size(), parent);
  return read.ec == std::errc() ? std::optional(parent) : std::nullopt;
}

std::vector<Process> all_processes() {
  std::vector<Process> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  if (!folder) return found;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size()) continue;
    if (const auto parent = parent_of(std::string(name))) found.push_back({pid, *parent});
  }
  return found;
}

}  // namespace

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const Process& process : all_processes()) {
    if (process.parent == parent) children.push_back(process.pid);
  }
  return children;
}

std::vector<pid_t> descendants_of(pid_t root) {
  const std::vector<Process> all = all_processes();
  std::vector<pid_t> below{root};
  for (size_t i = 0; i < below.size() && below.size() <= all.size(); ++i) {
    for (const Process& process : all) {
      if (process.parent == below[i]) below.push_back(process.pid);
    }
  }
  below.erase(below.begin());
  return below;
}

}  // namespace carronade::cli
