// A URL that is accepted has the promised parts, and reading it back from them gives the same.
#include <algorithm>

#include "fuzz_input.h"
#include "http/request_writer.h"

namespace {

using carronade::Expected;
using carronade::parse_url;
using carronade::Url;
using carronade::fuzz::disagree;

bool printable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

void check_parts(const Url& url) {
  if (url.host.empty() || !printable(url.host)) disagree("host", url.host, "");
  if (url.host.find_first_of("/?#@[]%") != std::string::npos) disagree("host", url.host, "");
  if (url.port == 0) disagree("port", "0", "");
  if (!url.target.starts_with('/') || !printable(url.target)) disagree("target", url.target, "");
  if (url.target.find('#') != std::string::npos) disagree("fragment", url.target, "");
  if (!url.has_credentials && !(url.user + url.password).empty()) {
    disagree("credentials", url.user, url.password);
  }
}

void check_again(const Url& url) {
  const std::string text = url.origin() + url.target;
  const Expected<Url> again = parse_url(text);
  if (!again) disagree("not accepted again", text, again.error().text);
  if (again->host != url.host || again->port != url.port || again->target != url.target ||
      again->tls != url.tls || again->host_is_ip != url.host_is_ip ||
      again->host_header() != url.host_header()) {
    disagree("read back differently", text, again->origin() + again->target);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(size == 0 ? "" : reinterpret_cast<const char*>(data), size);
  const Expected<Url> url = parse_url(text);
  if (!url) {
    const std::string& error = url.error().text;
    if (error.empty() || error.find('\n') != std::string::npos) disagree("error text", error, "");
    return 0;
  }
  check_parts(*url);
  check_again(*url);
  const Expected<std::string> request =
      carronade::http::write_request({.url = *url, .request = {}});
  if (!request) disagree("request refused", request.error().text, "");
  if (std::count(request->begin(), request->end(), '\n') != (url->has_credentials ? 5 : 4)) {
    disagree("lines of the request", *request, "");
  }
  return 0;
}
