#include "dialects/loadtest/loadtest_config_text.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/text.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr int kDeepest = 100;

size_t line_of(std::string_view text, size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<size_t>(std::count(text.begin(), end, '\n'));
}

// The error of nlohmann's parser comes by exception or not at all: this handler notes it.
struct FaultFinder : nlohmann::json_sax<ConfigValue> {
  size_t fault_at = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    fault_at = position;
    return false;
  }
};

// A plain scalar by the core schema; a quoted one is text.
ConfigValue scalar_value(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() != "?" && !node.Tag().empty()) return text;
  if (text.empty() || text == "~" || base::iequals(text, "null")) return nullptr;
  if (base::iequals(text, "true")) return true;
  if (base::iequals(text, "false")) return false;
  const char* first = text.data() + (text[0] == '+' ? 1 : 0);
  const char* last = text.data() + text.size();
  int64_t whole = 0;
  if (const auto [end, fault] = std::from_chars(first, last, whole);
      fault == std::errc() && end == last) {
    return whole;
  }
  double number = 0;
  const bool numeric = text.find_first_of("0123456789") != std::string::npos;
  if (const auto [end, fault] = std::from_chars(first, last, number);
      numeric && fault == std::errc() && end == last) {
    return number;
  }
  return text;
}

// Null for what is nested too deep; `too_deep` tells.
ConfigValue node_value(const YAML::Node& node, int depth, bool& too_deep) {
  if (depth > kDeepest) {
    too_deep = true;
    return nullptr;
  }
  if (node.IsScalar()) return scalar_value(node);
  if (node.IsSequence()) {
    ConfigValue list = ConfigValue::array();
    for (const YAML::Node& item : node) list.push_back(node_value(item, depth + 1, too_deep));
    return list;
  }
  if (!node.IsMap()) return nullptr;
  ConfigValue object = ConfigValue::object();
  for (const auto& pair : node) {
    if (pair.first.IsScalar()) {
      object[pair.first.Scalar()] = node_value(pair.second, depth + 1, too_deep);
    }
  }
  return object;
}

}  // namespace

Expected<ConfigValue> read_json_config(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  ConfigValue value = ConfigValue::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_discarded()) return value;
  FaultFinder finder;
  (void)ConfigValue::sax_parse(text, &finder);
  return unexpected(fmt::format("{}:{}: not JSON", name, line_of(text, finder.fault_at)));
}

Expected<ConfigValue> read_yaml_config(const std::string& text, const std::string& name) {
  // Tabs may indent JSON, and not YAML.
  if (Expected<ConfigValue> json = read_json_config(text, name)) return json;
  // yaml-cpp tells of its errors by exception only; none leaves this function.
  try {
    bool too_deep = false;
    ConfigValue value = node_value(YAML::Load(text), 0, too_deep);
    if (too_deep) return unexpected(fmt::format("{}: nested too deep", name));
    return value;
  } catch (const YAML::Exception& error) {
    return unexpected(
        fmt::format("{}:{}: not YAML: {}", name, error.mark.line + 1, base::printable(error.msg)));
  }
}

}  // namespace carronade::dialects::loadtest
