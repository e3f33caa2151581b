// Expected<T>: a value, or the one-line reason why there is none. Used at set-up and at API
// edges; C++20 has no std::expected, so tl::expected (Debian's libexpected-dev) stands in.
//
//   Expected<Url> url = parse_url(text);
//   if (!url) return unexpected(url.error());
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace carronade {

// A set-up error: what failed, on which address, file or line, and what to do; one line, no
// trailing newline, ready to be shown to a person.
struct Error {
  std::string text;
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> unexpected(std::string text) {
  return tl::unexpected<Error>(Error{std::move(text)});
}
inline tl::unexpected<Error> unexpected(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace carronade
