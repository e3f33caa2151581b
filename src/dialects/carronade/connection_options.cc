#include "dialects/carronade/connection_options.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "http/proxy_url.h"
#include "http/ws_utf8.h"

namespace carronade::dialects {
namespace {

bool is_utf8(std::string_view text) {
  http::Utf8Check check;
  return check.feed(text) && check.complete();
}

SpecResult check_websocket_options(const Options& o) {
  struct Rule {
    bool broken;
    const char* text;
  };
  const bool fills = o.ids || o.templates || !o.data_file.empty();
  const Rule rules[] = {
      {o.method && *o.method != "GET",
       "--method: a WebSocket begins with a GET, and its messages have no method"},
      {!o.form.empty(), "--form: a WebSocket message is no form: give it with -b or -i"},
      {!o.har_file.empty(),
       "--har: a HAR file holds HTTP requests: give the message with -b or -i"},
      {fills, "--idReplacement, --template and --data do not fill WebSocket messages in"},
      {o.exclude_error_stats,
       "--excludeErrorStats leaves out answers that are not 2xx, and WebSocket messages have no "
       "status"},
      {o.status_codes, "--renderStatusCodes: WebSocket messages have no status"},
      {!o.binary && !is_utf8(o.body.value_or("")),
       "the message is not UTF-8, which a text message must be: add --binary"},
  };
  for (const Rule& rule : rules) {
    if (rule.broken) return fault(rule.text);
  }
  return {};
}

}  // namespace

SpecResult set_proxy(const Options& o, RunSpec& spec) {
  if (!o.proxy) return {};
  if (!o.socket_path.empty()) {
    return fault("--proxy and --socketPath both say where to connect to: give one of them");
  }
  Expected<ProxySpec> proxy = http::parse_proxy(*o.proxy);
  if (!proxy) return fault("--proxy: " + proxy.error().text);
  spec.proxy = std::move(*proxy);
  return {};
}

SpecResult set_websocket(const Options& o, std::vector<Target>& targets) {
  const auto count = std::count_if(targets.begin(), targets.end(),
                                   [](const Target& target) { return target.url.websocket; });
  if (count == 0) {
    return o.binary ? fault("--binary is for ws:// and wss:// URLs: a body has no kind")
                    : SpecResult();
  }
  if (static_cast<size_t>(count) < targets.size()) {
    return fault(
        "WebSocket and HTTP URLs do not go into one run: a round trip is no request, and their "
        "figures would be one");
  }
  for (Target& target : targets) target.binary_message = o.binary;
  return check_websocket_options(o);
}

}  // namespace carronade::dialects
