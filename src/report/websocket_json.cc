#include "report/websocket_json.h"

#include <nlohmann/json.hpp>
#include <string>

namespace carronade::report {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const std::map<uint16_t, uint64_t>& counts) {
  Json json = Json::object();
  for (const auto& [code, count] : counts) json[std::to_string(code)] = count;
  return json;
}

}  // namespace

Json websocket_json(const RunResult& result) {
  if (!result.websocket) return nullptr;
  const WebSocketResult& found = *result.websocket;
  Json json;
  json["handshakes"] = {{"tried", found.handshakes_tried},
                        {"opened", found.handshakes_opened},
                        {"refused", counts_json(found.refused_by_status)}};
  json["messages"] = {{"text", found.text_messages},
                      {"binary", found.binary_messages},
                      {"unasked", found.unasked_messages}};
  json["pings"] = found.pings;
  json["pongs"] = found.pongs;
  json["closes"] = counts_json(found.closes_by_code);
  return json;
}

}  // namespace carronade::report
