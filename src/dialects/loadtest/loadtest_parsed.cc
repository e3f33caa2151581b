#include "dialects/loadtest/loadtest_parsed.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace carronade::dialects::loadtest {
namespace {

using Json = nlohmann::ordered_json;

// The name as the original reads it, and the value as it was given.
std::optional<std::pair<std::string, std::string>> header_of(const std::string& line) {
  const size_t colon = line.find(':');
  if (colon == std::string::npos) return std::nullopt;
  return std::pair(line.substr(0, colon), line.substr(colon + 1));
}

Json header_list(const std::vector<std::string>& lines) {
  Json list = Json::array();
  for (const std::string& line : lines) {
    if (const auto header = header_of(line)) {
      list.push_back(Json::array({header->first, header->second}));
    }
  }
  return list;
}

}  // namespace

std::string parsed_options_text(const LoadtestOptions& o, bool needs_javascript, uint64_t cores) {
  Json options = Json::object();
  const auto set = [&options](const char* name, const auto& value) {
    if (value) options[name] = *value;
  };
  const auto turn_on = [&options](const char* name, bool on) {
    if (on) options[name] = true;
  };
  if (!o.urls.empty()) options["url"] = o.urls.back();
  set("maxRequests", o.max_requests);
  set("maxSeconds", o.max_seconds);
  set("concurrency", o.concurrency);
  set("cores", o.cores);
  set("timeout", o.timeout_ms);
  set("requestsPerSecond", o.requests_per_second);
  set("method", o.method);
  set("contentType", o.content_type);
  // The last of them holds, as in the request.
  set("body", o.data);
  if (o.post_body) set("body", o.post_body), options["method"] = "POST";
  set("postFile", o.post_file);
  if (o.post_file) options["method"] = "POST";
  set("putFile", o.put_file);
  if (o.put_file) options["method"] = "PUT";
  if (o.patch_body) set("body", o.patch_body), options["method"] = "PATCH";
  set("patchFile", o.patch_file);
  if (o.patch_file) options["method"] = "PATCH";
  if (!o.headers.empty()) options["headers"] = header_list(o.headers);
  if (!o.cookies.empty()) options["cookies"] = o.cookies;
  set("indexParam", o.index_pattern);
  set("requestGenerator", o.request_generator);
  set("proxy", o.proxy);
  set("secureProtocol", o.secure_protocol);
  set("cert", o.certificate_file);
  set("key", o.key_file);
  set("insecure", o.insecure);
  set("agentKeepAlive", o.keep_alive);
  turn_on("tcp", o.tcp);
  turn_on("quiet", o.quiet);
  const Json document = {{"options", std::move(options)},
                         {"needsJavaScript", needs_javascript},
                         {"defaultCores", cores}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace carronade::dialects::loadtest
