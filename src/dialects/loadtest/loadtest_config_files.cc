#include "dialects/loadtest/loadtest_config_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text.h"

namespace carronade::dialects::loadtest {
namespace {

namespace fs = std::filesystem;

constexpr int kMostHops = 20;  // files that lead to each other
constexpr size_t kMostBytes = 16 << 20;
constexpr std::array<std::string_view, 3> kRead = {".json", ".yaml", ".yml"};
constexpr std::array<std::string_view, 3> kScripts = {".js", ".cjs", ".mjs"};
// The other formats that confinode has loaders for.
constexpr std::array<std::string_view, 12> kOthers = {".json5", ".toml", ".ini",    ".ts",
                                                      ".tsx",   ".jsx",  ".coffee", ".cson",
                                                      ".ls",    ".wisp", ".iced",   ".es6"};

template <size_t N>
bool is_one_of(const std::string& extension, const std::array<std::string_view, N>& known) {
  return std::find(known.begin(), known.end(), extension) != known.end();
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The file `base`.EXT of a format that is known; those that are read here come first.
std::optional<fs::path> with_extension(const fs::path& base) {
  const auto first_of = [&base](const auto& extensions) -> std::optional<fs::path> {
    for (const std::string_view extension : extensions) {
      fs::path path = base;
      path += extension;
      if (is_file(path)) return path;
    }
    return std::nullopt;
  };
  if (auto path = first_of(kRead)) return path;
  if (auto path = first_of(kScripts)) return path;
  return first_of(kOthers);
}

// The files, read and put together.
class ConfigReader {
 public:
  // Null when a file is a module.
  Expected<ConfigValue> read(const fs::path& path, int hops) {
    if (hops > kMostHops) return unexpected(path.string() + ": the files lead in a circle");
    const std::string extension = path.extension().string();
    if (is_one_of(extension, kScripts)) {
      needs_javascript_ = true;
      return ConfigValue();
    }
    if (is_one_of(extension, kOthers)) {
      return unexpected(fmt::format("{}: {} is not supported: write it as JSON or YAML",
                                    path.string(), extension));
    }
    const Expected<std::string> text = base::read_file(path.string(), kMostBytes);
    if (!text) return unexpected(text.error());
    Expected<ConfigValue> value = extension == ".json" ? read_json_config(*text, path.string())
                                                       : read_yaml_config(*text, path.string());
    if (!value) return value;
    return complete(std::move(*value), path, hops);
  }

  // What a value means: a text leads to another file, `extends` lies under the rest.
  Expected<ConfigValue> complete(ConfigValue value, const fs::path& path, int hops) {
    const auto beside = [&path](const std::string& name) {
      return (path.parent_path() / name).lexically_normal();
    };
    if (value.is_string()) return read(beside(value.get<std::string>()), hops + 1);
    if (value.is_null()) return value;
    if (!value.is_object()) {
      return unexpected(path.string() + ": the configuration is no object");
    }
    const auto extends = value.find("extends");
    if (extends == value.end()) return value;
    const ConfigValue names = extends->is_array() ? *extends : ConfigValue::array({*extends});
    ConfigValue all = ConfigValue::object();
    for (const ConfigValue& name : names) {
      if (!name.is_string()) return unexpected(path.string() + ": extends is no name of a file");
      Expected<ConfigValue> one = read(beside(name.get<std::string>()), hops + 1);
      if (!one) return one;
      lay_over(all, *one);
    }
    value.erase("extends");
    lay_over(all, value);
    return all;
  }

  bool needs_javascript() const { return needs_javascript_; }

 private:
  // Keys of objects one by one, as with headers and cookies; a body is taken whole.
  static void lay_over(ConfigValue& under, const ConfigValue& over) {
    if (!over.is_object()) return;
    for (const auto& [key, value] : over.items()) {
      const auto known = under.find(key);
      if (known != under.end() && known->is_object() && value.is_object() && key != "body") {
        lay_over(*known, value);
      } else {
        under[key] = value;
      }
    }
  }

  bool needs_javascript_ = false;
};

Expected<std::optional<ConfigValue>> package_entry(const fs::path& path, ConfigReader& reader) {
  const Expected<std::string> text = base::read_file(path.string(), kMostBytes);
  if (!text) return unexpected(text.error());
  const Expected<ConfigValue> package = read_json_config(*text, path.string());
  if (!package) return unexpected(package.error());
  if (!package->is_object()) return std::nullopt;
  const auto entry = package->find("loadtest");
  if (entry == package->end() || entry->is_null()) return std::nullopt;
  Expected<ConfigValue> value = reader.complete(*entry, path, 0);
  if (!value) return unexpected(value.error());
  return std::move(*value);
}

// The configuration of one folder, if it has one.
Expected<std::optional<FoundConfig>> look_in(const fs::path& folder) {
  ConfigReader reader;
  const auto found = [&reader](const fs::path& path, ConfigValue value) {
    return FoundConfig{.file = path.string(),
                       .needs_javascript = reader.needs_javascript(),
                       .value = std::move(value)};
  };
  if (const fs::path package = folder / "package.json"; is_file(package)) {
    Expected<std::optional<ConfigValue>> entry = package_entry(package, reader);
    if (!entry) return unexpected(entry.error());
    if (*entry) return found(package, std::move(**entry));
  }
  std::optional<fs::path> path;
  if (is_file(folder / ".loadtestrc")) path = folder / ".loadtestrc";
  for (const char* base : {".loadtestrc", "loadtest.config", ".loadtest/loadtest.config"}) {
    if (!path) path = with_extension(folder / base);
  }
  if (!path) return std::nullopt;
  Expected<ConfigValue> value = reader.read(*path, 0);
  if (!value) return unexpected(value.error());
  return found(*path, std::move(*value));
}

}  // namespace

Expected<FoundConfig> find_config_files(const std::string& folder, const std::string& home) {
  fs::path here = folder;
  while (true) {
    Expected<std::optional<FoundConfig>> found = look_in(here);
    if (!found) return unexpected(found.error());
    if (*found) return std::move(**found);
    const fs::path above = here.parent_path();
    if (here == home || above == here || above.empty()) return FoundConfig{};
    here = above;
  }
}

}  // namespace carronade::dialects::loadtest
