// How the options of a command line are refused.
#pragma once

#include <string>
#include <utility>

#include "carronade/expected.h"

namespace carronade::dialects {

struct SpecError {
  std::string text;  // one line, but for the strict form's URL error
  // autocannon prints what its validation finds and exits with 0; scripts may lean on that.
  bool strict_exits_ok = false;
};

using SpecResult = tl::expected<void, SpecError>;

inline tl::unexpected<SpecError> fault(std::string text) {
  return tl::unexpected<SpecError>({std::move(text), false});
}
// What autocannon's own validation would say.
inline tl::unexpected<SpecError> refusal(std::string text) {
  return tl::unexpected<SpecError>({std::move(text), true});
}

}  // namespace carronade::dialects
