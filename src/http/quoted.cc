#include "http/quoted.h"

#include <fmt/format.h>

#include <iterator>

namespace carronade::http {

std::string quoted(std::string_view text) {
  constexpr size_t kMaxShown = 100;
  std::string out = "\"";
  for (char c : text.substr(0, kMaxShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", byte);
    } else {
      out += c;
    }
  }
  out += text.size() > kMaxShown ? "…\"" : "\"";
  return out;
}

}  // namespace carronade::http
