#include "load/template_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "http/request_writer.h"

namespace carronade::load {

namespace {

constexpr std::string_view kId = "[<id>]";
constexpr std::string_view kIdEncoded = "[%3Cid%3E]";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Escapes that are none stay as they are.
std::string percent_decode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low >= 0) i += 2;
    out += low >= 0 ? static_cast<char>(high * 16 + low) : text[i];
  }
  return out;
}

// `from` in any letter case.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t i = 0; i + from.size() <= text.size(); ++i) {
    if (base::iequals(std::string_view(text).substr(i, from.size()), from)) {
      text.replace(i, from.size(), to);
      i += to.size() - 1;
    }
  }
}

bool parse_whole(std::string_view text, int64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : base::split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

// Compiles texts, one behind the other, into one.
class TemplateCompiler {
 public:
  explicit TemplateCompiler(const TemplateSyntax& syntax) : syntax_(syntax) {}

  void add_literal(std::string_view text) { out_.text += text; }
  void add_fill(const TemplatePiece& piece) {
    out_.pieces.push_back(piece);
    out_.pieces.back().text_end = out_.text.size();
    out_.fills |= 1U << static_cast<uint32_t>(piece.fill);
  }
  // Appends the text with its placeholders; "" or what is wrong with one of them.
  std::string add(std::string_view text, Place place);
  std::string add_target(std::string target);
  // Appends what another one has compiled.
  void add(const TemplateText& other);
  TemplateText take() { return std::move(out_); }

 private:
  std::string add_placeholder(std::string_view content, Place place);
  std::string add_random(std::string_view content, Place place);
  std::string add_column(std::string_view name, Place place);
  std::string unknown(std::string_view content) const;

  const TemplateSyntax& syntax_;
  TemplateText out_;
};

std::string TemplateCompiler::add(std::string_view text, Place place) {
  while (!text.empty()) {
    const size_t id = syntax_.ids ? text.find(kId) : std::string_view::npos;
    size_t open = syntax_.templates ? text.find("{{") : std::string_view::npos;
    if (id < open) {
      add_literal(text.substr(0, id));
      add_fill({.fill = Fill::kId, .place = place});
      text.remove_prefix(id + kId.size());
      continue;
    }
    if (open == std::string_view::npos) break;
    // Of three braces the inner two: an object of JSON around a placeholder.
    while (text.substr(open + 2).starts_with('{')) ++open;
    const size_t close = text.find("}}", open + 2);
    if (close == std::string_view::npos) return "a {{ without its }}";
    add_literal(text.substr(0, open));
    const std::string_view content = text.substr(open + 2, close - open - 2);
    if (std::string fault = add_placeholder(content, place); !fault.empty()) return fault;
    text.remove_prefix(close + 2);
  }
  add_literal(text);
  return "";
}

std::string TemplateCompiler::add_target(std::string target) {
  if (syntax_.ids) replace_all(target, kIdEncoded, kId);
  if (syntax_.templates) {
    replace_all(target, "%7B%7B", "{{");
    replace_all(target, "%7D%7D", "}}");
  }
  return add(target, Place::kTarget);
}

void TemplateCompiler::add(const TemplateText& other) {
  const size_t base = out_.text.size();
  out_.text += other.text;
  for (TemplatePiece piece : other.pieces) {
    piece.text_end += base;
    out_.pieces.push_back(piece);
  }
  out_.fills |= other.fills;
}

std::string TemplateCompiler::add_placeholder(std::string_view content, Place place) {
  const std::string decoded =
      place == Place::kTarget ? percent_decode(content) : std::string(content);
  const std::string_view words = base::trim(decoded);
  if (words == "uuid") {
    add_fill({.fill = Fill::kUuid, .place = place});
  } else if (words == "counter") {
    add_fill({.fill = Fill::kCounter, .place = place});
  } else if (words == "timestamp") {
    add_fill({.fill = Fill::kTimestamp, .place = place});
  } else if (words == "random" || words.starts_with("random ")) {
    return add_random(words, place);
  } else if (words.starts_with("csv.")) {
    return add_column(base::trim(words.substr(4)), place);
  } else {
    return unknown(words);
  }
  return "";
}

std::string TemplateCompiler::add_random(std::string_view content, Place place) {
  const std::vector<std::string_view> words = words_of(content);
  int64_t low = 0;
  int64_t high = 0;
  if (words.size() != 3 || !parse_whole(words[1], low) || !parse_whole(words[2], high)) {
    return fmt::format(
        "{{{{{}}}}}: write {{{{random A B}}}} with two whole numbers, as in "
        "{{{{random 1 100}}}}",
        base::printable(content));
  }
  if (low > high) {
    return fmt::format("{{{{{}}}}}: {} is greater than {}; write the smaller one first",
                       base::printable(content), low, high);
  }
  add_fill({.fill = Fill::kRandom,
            .place = place,
            .low = low,
            .count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1});
  return "";
}

std::string TemplateCompiler::add_column(std::string_view name, Place place) {
  const std::vector<std::string>& columns = syntax_.columns;
  if (columns.empty()) {
    return fmt::format("{{{{csv.{}}}}} needs a data file: give one with --data FILE.csv",
                       base::printable(name));
  }
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) {
    return fmt::format("{{{{csv.{}}}}}: data file {} has no such column; there are: {}",
                       base::printable(name), syntax_.data_path,
                       base::printable(fmt::format("{}", fmt::join(columns, ", "))));
  }
  add_fill({.fill = Fill::kColumn,
            .place = place,
            .column = static_cast<size_t>(found - columns.begin())});
  return "";
}

std::string TemplateCompiler::unknown(std::string_view content) const {
  return fmt::format(
      "unknown placeholder {{{{{}}}}}; there are {{{{uuid}}}}, {{{{counter}}}}, "
      "{{{{random A B}}}}, {{{{timestamp}}}} and {{{{csv.COLUMN}}}}",
      base::printable(content.substr(0, 100)));
}

}  // namespace

namespace {

// Nothing is filled in: the bytes are the user's own.
Expected<TemplateText> compile_verbatim(const Url& url, const Request& request,
                                        const TemplateSyntax& syntax, std::string_view where) {
  if (syntax.ids || syntax.templates) {
    return unexpected(fmt::format("{}a verbatim request has no ids and templates", where));
  }
  Expected<std::string> bytes = http::write_request(url, request);
  if (!bytes) return unexpected(fmt::format("{}{}", where, bytes.error().text));
  TemplateText result;
  result.text = std::move(*bytes);
  result.last_on_socket = http::asks_to_close(request);
  return result;
}

}  // namespace

Expected<TemplateText> compile_template(const Url& url, const Request& request,
                                        const TemplateSyntax& syntax, std::string_view where) {
  const auto failure = [where](std::string_view place, std::string_view fault) {
    return unexpected(fmt::format("{}{}: {}", where, place, fault));
  };
  if (!request.verbatim.empty()) return compile_verbatim(url, request, syntax, where);
  const Expected<http::RequestParts> parts = http::request_parts(url, request);
  if (!parts) return unexpected(fmt::format("{}{}", where, parts.error().text));
  TemplateCompiler body_compiler(syntax);
  if (std::string fault = body_compiler.add(request.body, Place::kBody); !fault.empty()) {
    return failure("body", fault);
  }
  const TemplateText body = body_compiler.take();

  TemplateCompiler compiler(syntax);
  compiler.add_literal(request.method + " ");
  if (std::string fault = compiler.add_target(parts->target); !fault.empty()) {
    return failure("URL", fault);
  }
  compiler.add_literal(" HTTP/1.1\r\n");
  for (const Header& header : parts->headers) {
    compiler.add_literal(header.name + ": ");
    if (std::string fault = compiler.add(header.value, Place::kHeader); !fault.empty()) {
      return failure("header " + header.name, fault);
    }
    compiler.add_literal("\r\n");
  }
  if (parts->with_length) {
    compiler.add_literal("Content-Length: ");
    if (body.pieces.empty()) {
      compiler.add_literal(std::to_string(body.text.size()));
    } else {
      compiler.add_fill({.fill = Fill::kBodyLength, .place = Place::kHeader});
    }
    compiler.add_literal("\r\n");
  }
  compiler.add_literal("\r\n");
  compiler.add(body);
  TemplateText result = compiler.take();
  result.body_text_bytes = body.text.size();
  result.last_on_socket = http::asks_to_close(request);
  return result;
}

}  // namespace carronade::load
