#include "dialects/loadtest/loadtest_config.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "dialects/loadtest/loadtest_config_files.h"
#include "dialects/loadtest/loadtest_numbers.h"

namespace carronade::dialects::loadtest {
namespace {

std::string json_text(const ConfigValue& value) {
  return value.dump(-1, ' ', false, ConfigValue::error_handler_t::replace);
}

// Text, and numbers and switches as JavaScript writes them; nothing for anything else.
std::optional<std::string> as_text(const ConfigValue& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return plain_number(value.get<double>());
  return std::nullopt;
}

std::string form_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("!'()*-._~").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// As Node's querystring.stringify: a list is its name again and again, what is nested is empty.
std::string form_text(const ConfigValue& object) {
  std::string out;
  const auto add = [&out](const std::string& name, const ConfigValue& value) {
    out += (out.empty() ? "" : "&") + form_escaped(name) + "=" +
           form_escaped(as_text(value).value_or(""));
  };
  for (const auto& [name, value] : object.items()) {
    if (!value.is_array()) add(name, value);
    for (const ConfigValue& item : value.is_array() ? value : ConfigValue::array()) add(name, item);
  }
  return out;
}

// The keys of one file, each into its place.
class Keys {
 public:
  Keys(const ConfigValue& object, std::string file) : object_(object), file_(std::move(file)) {}

  // 0 stands for "not said", but where it has a meaning of its own.
  void number(const char* key, std::optional<double>& place, bool zero_counts = false) {
    const ConfigValue* value = find(key);
    if (value == nullptr) return;
    std::optional<double> number;
    if (value->is_number()) number = value->get<double>();
    if (value->is_string()) {
      if (value->get<std::string>().empty()) return;
      number = read_number(value->get<std::string>());
    }
    if (!number || !std::isfinite(*number) || *number < 0) return fail(key, "a number");
    if (*number != 0 || zero_counts) place = number;
  }

  void text(const char* key, std::optional<std::string>& place) {
    const ConfigValue* value = find(key);
    if (value == nullptr) return;
    std::optional<std::string> read = as_text(*value);
    if (!read) return fail(key, "a text");
    if (!read->empty()) place = std::move(read);
  }

  void flag(const char* key, std::optional<bool>& place) {
    const ConfigValue* value = find(key);
    if (value == nullptr) return;
    const std::string word = base::to_lower(as_text(*value).value_or(""));
    for (const char* yes : {"true", "t", "yes", "y", "1"}) {
      if (word == yes) place = true;
    }
    for (const char* no : {"false", "f", "no", "n", "0"}) {
      if (word == no) place = false;
    }
    if (!place) fail(key, "true or false");
  }

  void pairs(const char* key, std::vector<Header>& place) {
    const ConfigValue* value = find(key);
    if (value == nullptr) return;
    if (!value->is_object()) return fail(key, "an object");
    for (const auto& [name, item] : value->items()) {
      std::optional<std::string> read = as_text(item);
      if (!read) return fail(std::string(key) + "." + name, "a text");
      place.push_back({name, std::move(*read)});
    }
  }

  void body(LoadtestConfig& config) {
    const ConfigValue* value = find("body");
    if (value == nullptr || (value->is_string() && value->get<std::string>().empty())) return;
    config.body_json = json_text(*value);
    config.body = value->is_string() ? value->get<std::string>() : *config.body_json;
    if (value->is_object()) config.body_form = form_text(*value);
  }

  const std::string& error() const { return error_; }

 private:
  const ConfigValue* find(const char* key) const {
    const auto value = object_.find(key);
    return value == object_.end() || value->is_null() ? nullptr : &*value;
  }
  void fail(const std::string& key, const char* wanted) {
    if (error_.empty()) error_ = fmt::format("{}: {} must be {}", file_, key, wanted);
  }

  const ConfigValue& object_;
  const std::string file_;
  std::string error_;
};

Expected<LoadtestConfig> read_keys(const ConfigValue& object, LoadtestConfig config) {
  Keys keys(object, config.file);
  keys.number("delay", config.delay_ms);
  keys.number("error", config.error);
  keys.number("percent", config.percent);
  keys.number("maxRequests", config.max_requests);
  keys.number("concurrency", config.concurrency);
  keys.number("maxSeconds", config.max_seconds);
  keys.number("requestsPerSecond", config.requests_per_second);
  keys.number("timeout", config.timeout_ms, true);  // none
  keys.text("method", config.method);
  keys.text("contentType", config.content_type);
  keys.body(config);
  keys.text("file", config.body_file);
  keys.text("secureProtocol", config.secure_protocol);
  keys.text("cert", config.certificate_file);
  keys.text("key", config.key_file);
  keys.text("requestGenerator", config.request_generator);
  keys.text("proxy", config.proxy);
  keys.text("indexParam", config.index_pattern);
  keys.flag("insecure", config.insecure);
  keys.flag("agentKeepAlive", config.keep_alive);
  keys.pairs("headers", config.headers);
  std::vector<Header> cookies;
  keys.pairs("cookies", cookies);
  for (const Header& cookie : cookies) config.cookies.push_back(cookie.name + "=" + cookie.value);
  if (!keys.error().empty()) return unexpected(keys.error());
  return config;
}

}  // namespace

Expected<LoadtestConfig> find_loadtest_config(const std::string& folder, const std::string& home) {
  const Expected<FoundConfig> found = find_config_files(folder, home);
  if (!found) return unexpected(found.error());
  LoadtestConfig config;
  config.file = found->file;
  config.needs_javascript = found->needs_javascript;
  if (config.needs_javascript || !found->value.is_object()) return config;
  return read_keys(found->value, std::move(config));
}

Expected<LoadtestConfig> find_loadtest_config() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  if (error) return unexpected("the working directory: " + error.message());
  const char* home = std::getenv("HOME");
  return find_loadtest_config(folder.string(), home == nullptr ? "" : home);
}

}  // namespace carronade::dialects::loadtest
