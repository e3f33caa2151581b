#include "dialects/carronade/request_files.h"

#include <utility>

#include "base/text.h"
#include "dialects/carronade/form_file.h"

namespace carronade::dialects {
namespace {

SpecResult load_form(const Options& o, Form form, RequestFiles& files) {
  auto body = read_form(o.form, form);
  if (!body) {
    if (form == Form::kPlain) body.error().text.insert(0, "--form: ");
    return tl::unexpected(body.error());
  }
  files.body = std::move(body->bytes);
  files.content_type = std::move(body->content_type);
  return {};
}

}  // namespace

SpecResult load_body(Options& o) {
  if (o.har_file == "-" && !o.har_text) {
    Expected<std::string> text = base::read_file(o.har_file);
    if (!text) return fault("--har: " + text.error().text);
    o.har_text = std::move(*text);
  }
  if (o.input.empty()) return {};
  Expected<std::string> body = base::read_file(o.input);
  if (!body) return fault("--input: " + body.error().text);
  o.body = std::move(*body);
  o.input.clear();
  return {};
}

tl::expected<RequestFiles, SpecError> load_request_files(const Options& o, Form form) {
  RequestFiles files;
  if (!o.har_file.empty()) {
    Expected<std::vector<HarEntry>> har =
        o.har_text ? parse_har(*o.har_text, o.har_file, form) : read_har(o.har_file, form);
    if (!har) return fault(har.error().text);
    files.har = std::move(*har);
  }
  if (!o.form.empty()) {
    if (form == Form::kPlain && o.body) {
      return fault("--form is a body, and so is that of -b or -i: give one of them");
    }
    if (SpecResult done = load_form(o, form, files); !done) return tl::unexpected(done.error());
    return files;
  }
  files.body = o.body.value_or("");
  return files;
}

bool name_the_same_files(const Options& a, const Options& b) {
  return a.har_file == b.har_file && a.form == b.form && a.body == b.body;
}

std::vector<std::string> idle_request_options(const Options& o) {
  std::vector<std::string> lines;
  if (!o.har_file.empty() && (o.body || !o.form.empty() || o.method)) {
    lines.emplace_back(
        "-m, -b, -i and -F are ignored beside --har, whose entries have methods and bodies of "
        "their own");
  }
  return lines;
}

}  // namespace carronade::dialects
