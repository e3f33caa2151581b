#include "http/transcript.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/text.h"

namespace carronade::http {

namespace {

std::optional<uint64_t> number(std::string_view text, int radix) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, radix);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// Empty when an escape is unknown.
std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char kind = ++i < text.size() ? text[i] : ' ';
    constexpr std::string_view kKinds = "rnt0\\";
    constexpr std::string_view kBytes("\r\n\t\0\\", 5);
    if (const size_t at = kKinds.find(kind); at != std::string_view::npos) {
      out += kBytes[at];
      continue;
    }
    const std::optional<uint64_t> byte = number(text.substr(std::min(i + 1, text.size()), 2), 16);
    if (kind != 'x' || !byte) return {};
    out += static_cast<char>(*byte);
    i += 2;
  }
  return out;
}

// \repeat{COUNT}{TEXT}
std::optional<std::string> repeated(std::string_view line) {
  constexpr std::string_view kStart = "\\repeat{";
  const size_t middle = line.find("}{");
  if (middle == std::string_view::npos || !line.ends_with('}')) return {};
  const auto count = number(line.substr(kStart.size(), middle - kStart.size()), 10);
  const auto text = unescape(line.substr(middle + 2, line.size() - middle - 3));
  if (!count || !text) return {};
  std::string out;
  for (uint64_t i = 0; i < *count; ++i) out += *text;
  return out;
}

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Expected<std::vector<Transcript>> read() {
    const Expected<std::string> text = base::read_file(path_);
    if (!text) return unexpected(text.error());
    size_t line_number = 0;
    for (std::string_view line : base::split(*text, '\n')) {
      ++line_number;
      const bool good = take(line);
      if (!good) return unexpected(fmt::format("{}:{}: not understood", path_, line_number));
    }
    if (part_ != Part::kLog) return unexpected(path_ + ": the last case has no log");
    return std::move(cases_);
  }

 private:
  enum class Part { kNone, kHead, kBytes, kLog };

  bool take(std::string_view line) {
    if (part_ == Part::kBytes) return take_bytes(line);
    if (line.starts_with("== ")) {
      const std::string file = path_.substr(path_.rfind('/') + 1);
      cases_.push_back({.name = fmt::format("{}: {}", file, line.substr(3)),
                        .scenario = {},
                        .bytes = "",
                        .log = ""});
      cases_.back().scenario.expects.clear();
      part_ = Part::kHead;
      return true;
    }
    if (line.empty() || line.starts_with('#')) return true;
    if (part_ == Part::kNone) return false;
    if (part_ == Part::kLog) {
      cases_.back().log.append(line).append("\n");
      return true;
    }
    if (line == "<<<") {
      part_ = Part::kBytes;
      std::vector<H1Expect>& expects = cases_.back().scenario.expects;
      if (expects.empty()) expects.push_back({.count = 1, .head = false});
      return true;
    }
    return take_expect(line);
  }

  bool take_expect(std::string_view line) {
    const std::vector<std::string_view> words = base::split(line, ' ');
    if (words[0] != "expect" || words.size() < 2 || words.size() > 3) return false;
    const auto count = number(words[1], 10);
    if (!count || (words.size() == 3 && words[2] != "head")) return false;
    cases_.back().scenario.expects.push_back(
        {.count = static_cast<uint32_t>(*count), .head = words.size() == 3});
    return true;
  }

  bool take_bytes(std::string_view line) {
    if (line == ">>>" || line == ">>> eof") {
      cases_.back().scenario.eof = line != ">>>";
      part_ = Part::kLog;
      return true;
    }
    const auto bytes = line.starts_with("\\repeat{") ? repeated(line) : unescape(line);
    if (bytes) cases_.back().bytes += *bytes;
    return bytes.has_value();
  }

  std::string path_;
  std::vector<Transcript> cases_;
  Part part_ = Part::kNone;
};

}  // namespace

Expected<std::vector<Transcript>> read_transcripts(const std::string& path) {
  return Reader(path).read();
}

}  // namespace carronade::http
