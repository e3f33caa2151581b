// What the options that describe requests read before a run: the body, a form, a HAR file.
#pragma once

#include <string>
#include <vector>

#include "dialects/carronade/carronade_flags.h"
#include "dialects/carronade/carronade_request.h"
#include "dialects/carronade/har_file.h"
#include "dialects/carronade/spec_error.h"

namespace carronade::dialects {

struct RequestFiles {
  std::string body;          // of --body, --input or --form
  std::string content_type;  // of a form, with its boundary; "" otherwise
  std::vector<HarEntry> har;
};

// Puts what standard input holds in the place of its name, and the text of the body's file: they
// can be read once only, and two runs may want them.
SpecResult load_body(Options& options);

// The error names the file. A warm-up and its main run share what was read unless their options
// name other files.
tl::expected<RequestFiles, SpecError> load_request_files(const Options& options, Form form);
bool name_the_same_files(const Options& a, const Options& b);

// Lines for the person about options that have no effect beside others.
std::vector<std::string> idle_request_options(const Options& options);

}  // namespace carronade::dialects
