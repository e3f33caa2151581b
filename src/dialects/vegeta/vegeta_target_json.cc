#include "dialects/vegeta/vegeta_target_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {
namespace {

using nlohmann::json;

// The text of a member; "" when it is not there or null.
Expected<std::string> text_of(const json& object, const char* name) {
  const auto member = object.find(name);
  if (member == object.end() || member->is_null()) return std::string();
  if (!member->is_string()) return unexpected(fmt::format("parse error: {} is no string", name));
  return member->get<std::string>();
}

Expected<void> add_headers(const json& object, std::vector<Header>& headers) {
  const auto member = object.find("header");
  if (member == object.end() || member->is_null()) return {};
  const auto fault = [] {
    return unexpected(
        std::string("parse error: header is no object of lists of strings, as {\"K\":[\"v\"]}"));
  };
  if (!member->is_object()) return fault();
  for (const auto& [name, values] : member->items()) {
    if (values.is_null()) continue;
    if (!values.is_array()) return fault();
    for (const json& value : values) {
      if (!value.is_string()) return fault();
      headers.push_back({name, value.get<std::string>()});
    }
  }
  return {};
}

class JsonTargetReader : public TargetReader {
 public:
  JsonTargetReader(LineReader lines, TargetDefaults defaults)
      : lines_(std::move(lines)), defaults_(std::move(defaults)) {}

  Expected<std::optional<AttackTarget>> next() override {
    while (true) {
      const auto line = lines_.next();
      if (!line) return unexpected(line.error());
      if (!*line) return std::optional<AttackTarget>();
      const std::string_view text = base::trim(**line);
      if (text.empty()) continue;
      Expected<AttackTarget> target = parse(text);
      if (target) return std::optional<AttackTarget>(std::move(*target));
      return unexpected(fmt::format("{} (line {})", target.error().text, lines_.number()));
    }
  }

 private:
  Expected<AttackTarget> parse(std::string_view text) const {
    const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object()) {
      return unexpected(std::string(object.is_discarded() ? "parse error: this is no JSON"
                                                          : "parse error: this is no object"));
    }
    AttackTarget target;
    target.headers = defaults_.headers;
    target.body = defaults_.body;
    target.line = lines_.number();
    Expected<std::string> method = text_of(object, "method");
    Expected<std::string> url = text_of(object, "url");
    Expected<std::string> body = text_of(object, "body");
    for (const auto* member : {&method, &url, &body}) {
      if (!*member) return unexpected(member->error());
    }
    if (method->empty()) return unexpected(std::string("target: required method is missing"));
    if (url->empty()) return unexpected(std::string("target: required url is missing"));
    target.method = std::move(*method);
    target.url_text = std::move(*url);
    if (!body->empty()) {
      std::string bytes;
      if (!decode_base64(*body, bytes)) {
        return unexpected(std::string("parse error: illegal base64 data in body"));
      }
      if (!bytes.empty()) target.body = std::make_shared<const std::string>(std::move(bytes));
    }
    if (const auto added = add_headers(object, target.headers); !added) {
      return unexpected(added.error());
    }
    if (const auto good = check_target(target); !good) return unexpected(good.error());
    return target;
  }

  LineReader lines_;
  TargetDefaults defaults_;
};

}  // namespace

std::unique_ptr<TargetReader> make_json_target_reader(LineReader lines, TargetDefaults defaults) {
  return std::make_unique<JsonTargetReader>(std::move(lines), std::move(defaults));
}

}  // namespace carronade::dialects::vegeta
