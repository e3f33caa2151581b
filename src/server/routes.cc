#include "server/routes.h"

#include "base/units.h"

namespace carronade::server {
namespace {

constexpr uint64_t kBodyBytesMax = uint64_t{1} << 40;

std::string_view path_of(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  const size_t scheme = target.find("://");
  if (target.empty() || target[0] == '/' || scheme == std::string_view::npos) return target;
  const size_t path = target.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view("/") : target.substr(path);
}

// Cuts the first segment off; `path` starts with a slash or is empty.
std::string_view take_segment(std::string_view& path) {
  if (path.empty()) return path;
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

void complain(Route& route, const char* problem) {
  route.kind = Route::Kind::kBad;
  route.problem = problem;
}

void take_bytes(std::string_view argument, Route& route) {
  const auto bytes = base::parse_bytes(argument);
  if (!bytes || *bytes > kBodyBytesMax) {
    complain(route, "/bytes and /chunked want a size up to 1 TiB, e.g. /bytes/1048576\n");
  } else {
    route.body_bytes = static_cast<int64_t>(*bytes);
  }
}

void take_delay(std::string_view argument, Route& route) {
  constexpr int64_t kMillisecond = 1'000'000;
  const auto delay = base::parse_duration(argument, kMillisecond);
  if (!delay || *delay < 0) {
    complain(route, "/delay wants a duration, e.g. /delay/20ms\n");
  } else {
    route.delay_ns = *delay;
  }
}

void take_status(std::string_view argument, Route& route) {
  const auto status = base::parse_count(argument);
  if (!status || *status < 200 || *status > 599) {
    complain(route, "/status wants a number from 200 to 599, e.g. /status/503\n");
  } else {
    route.status = static_cast<int>(*status);
  }
}

// One segment and its argument; false when it is unknown.
bool take_order(std::string_view word, std::string_view& path, Route& route) {
  if (word == "echo") {
    if (route.kind == Route::Kind::kPage) route.kind = Route::Kind::kEcho;
    return true;
  }
  if (word == "close") return route.close = true;
  if (word == "chunked") {
    route.chunked = true;
    if (path.size() >= 2 && path[1] >= '0' && path[1] <= '9') {
      take_bytes(take_segment(path), route);
    }
    return true;
  }
  if (word != "delay" && word != "status" && word != "bytes") return false;
  const std::string_view argument = take_segment(path);
  if (argument.empty()) return false;
  if (word == "delay") take_delay(argument, route);
  if (word == "status") take_status(argument, route);
  if (word == "bytes") take_bytes(argument, route);
  return true;
}

}  // namespace

Route parse_route(std::string_view target) {
  std::string_view path = path_of(target);
  Route route;
  if (path == "/stats") {
    route.kind = Route::Kind::kStats;
    return route;
  }
  if (path == "/stats/arrivals") {
    route.kind = Route::Kind::kArrivals;
    return route;
  }
  if (path.empty() || path[0] != '/') return Route();
  while (!path.empty() && path != "/") {
    const std::string_view word = take_segment(path);
    if (!take_order(word, path, route)) return Route();
  }
  return route;
}

}  // namespace carronade::server
