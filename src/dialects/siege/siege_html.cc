#include "dialects/siege/siege_html.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/text.h"

namespace carronade::dialects::siege {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct Attribute {
  std::string_view name;
  std::string_view value;
};

struct Tag {
  std::string_view name;
  std::vector<Attribute> attributes;

  std::string_view value(std::string_view attribute) const {
    for (const Attribute& each : attributes) {
      if (base::iequals(each.name, attribute)) return each.value;
    }
    return {};
  }
};

// Walks over the opening tags of a page.
class TagCursor {
 public:
  explicit TagCursor(std::string_view html) : rest_(html) {}

  // False at the end of the page.
  bool next(Tag& tag) {
    for (;;) {
      const size_t open = rest_.find('<');
      if (open == std::string_view::npos) return false;
      rest_.remove_prefix(open + 1);
      if (rest_.starts_with("!--")) {
        skip_past("-->");
      } else if (!rest_.empty() && is_letter(rest_[0])) {
        read(tag);
        if (base::iequals(tag.name, "script") || base::iequals(tag.name, "style")) {
          skip_to_close_of(tag.name);
        }
        return true;
      }
    }
  }

 private:
  void skip_past(std::string_view end) {
    const size_t at = rest_.find(end);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + end.size());
  }
  void skip_to_close_of(std::string_view name) {
    for (size_t at = rest_.find("</"); at != std::string_view::npos;
         at = rest_.find("</", at + 2)) {
      if (base::iequals(rest_.substr(at + 2, name.size()), name)) {
        rest_.remove_prefix(at);
        return;
      }
    }
    rest_ = {};
  }
  std::string_view take_while(auto&& is_part) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_part);
    const auto size = static_cast<size_t>(end - rest_.begin());
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  void skip_blanks() { (void)take_while(is_blank); }

  void read(Tag& tag) {
    tag.name = take_while([](char c) { return !is_blank(c) && c != '>' && c != '/'; });
    tag.attributes.clear();
    for (;;) {
      (void)take_while([](char c) { return is_blank(c) || c == '/'; });
      if (rest_.empty()) return;
      if (rest_[0] == '>') {
        rest_.remove_prefix(1);
        return;
      }
      read_attribute(tag);
    }
  }
  void read_attribute(Tag& tag) {
    Attribute attribute;
    const bool odd = rest_[0] == '=';  // a name may begin with it, and nowhere else have it
    if (odd) rest_.remove_prefix(1);
    attribute.name =
        take_while([](char c) { return !is_blank(c) && c != '=' && c != '>' && c != '/'; });
    skip_blanks();
    if (rest_.starts_with('=')) {
      rest_.remove_prefix(1);
      skip_blanks();
      attribute.value = read_value();
    }
    tag.attributes.push_back(attribute);
  }
  std::string_view read_value() {
    if (!rest_.starts_with('"') && !rest_.starts_with('\'')) {
      return take_while([](char c) { return !is_blank(c) && c != '>'; });
    }
    const size_t end = rest_.find(rest_[0], 1);
    const std::string_view value = rest_.substr(1, end == std::string_view::npos ? end : end - 1);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return value;
  }

  std::string_view rest_;
};

// The references that matter in URLs; others stay as they are.
std::string without_entities(std::string_view text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&amp;", '&'}, {"&#38;", '&'}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}};
  std::string result;
  while (!text.empty()) {
    const auto* const found =
        std::find_if(std::begin(kEntities), std::end(kEntities),
                     [&text](const auto& entity) { return text.starts_with(entity.first); });
    const bool is_entity = found != std::end(kEntities);
    result += is_entity ? found->second : text[0];
    text.remove_prefix(is_entity ? found->first.size() : 1);
  }
  return result;
}

bool has_word(std::string_view text, std::string_view word) {
  for (const std::string_view part : base::split(text, ' ')) {
    if (base::iequals(base::trim(part), word)) return true;
  }
  return false;
}

// "5; url=/there"
std::optional<std::string> refresh_of(const Tag& tag) {
  if (!base::iequals(tag.value("http-equiv"), "refresh")) return std::nullopt;
  const std::string content = without_entities(tag.value("content"));
  const size_t at = base::to_lower(content).find("url");
  if (at == std::string::npos) return std::nullopt;
  std::string_view rest = base::trim(std::string_view(content).substr(at + 3));
  if (!rest.starts_with('=')) return std::nullopt;
  rest = base::trim(rest.substr(1));
  if (!rest.empty() && (rest[0] == '\'' || rest[0] == '"')) {
    rest = rest.substr(1, rest.find(rest[0], 1) - 1);
  }
  if (rest.empty()) return std::nullopt;
  return std::string(rest);
}

// No page of people has so many; one of a hostile server may have any number.
constexpr size_t kMostResources = 2048;

// Once each: `known` has those that are there.
void add_resource(std::string_view reference, std::unordered_set<std::string>& known,
                  PageLinks& links) {
  if (links.resources.size() == kMostResources) return;
  std::string text = without_entities(base::trim(reference));
  const std::string lower = base::to_lower(std::string_view(text).substr(0, 11));
  if (text.empty() || text[0] == '#' || lower.starts_with("data:") ||
      lower.starts_with("javascript:") || lower.starts_with("about:") ||
      lower.starts_with("blob:")) {
    return;
  }
  if (const size_t fragment = text.find('#'); fragment != std::string::npos) text.resize(fragment);
  if (known.insert(text).second) links.resources.push_back(std::move(text));
}

}  // namespace

PageLinks page_links(std::string_view html) {
  PageLinks links;
  std::unordered_set<std::string> known;
  Tag tag;
  for (TagCursor cursor(html); cursor.next(tag);) {
    if (base::iequals(tag.name, "img") || base::iequals(tag.name, "script")) {
      add_resource(tag.value("src"), known, links);
    } else if (base::iequals(tag.name, "link")) {
      if (has_word(tag.value("rel"), "stylesheet")) add_resource(tag.value("href"), known, links);
    } else if (base::iequals(tag.name, "body")) {
      add_resource(tag.value("background"), known, links);
    } else if (base::iequals(tag.name, "meta")) {
      if (!links.refresh) links.refresh = refresh_of(tag);
    } else if (base::iequals(tag.name, "base")) {
      const std::string_view href = base::trim(tag.value("href"));
      if (!links.base && !href.empty()) links.base = without_entities(href);
    }
  }
  return links;
}

}  // namespace carronade::dialects::siege
