#include "server/routes.h"

#include <gtest/gtest.h>

#include <string_view>

namespace carronade::server {
namespace {

bool orders_nothing(const Route& route) {
  return route.kind == Route::Kind::kPage && !route.chunked && !route.close && route.status == 0 &&
         route.delay_ns == -1 && route.body_bytes == -1;
}

TEST(Routes, EachOrder) {
  EXPECT_EQ(parse_route("/delay/20ms").delay_ns, 20'000'000);
  EXPECT_EQ(parse_route("/delay/20").delay_ns, 20'000'000);
  EXPECT_EQ(parse_route("/delay/0").delay_ns, 0);
  EXPECT_EQ(parse_route("/status/503").status, 503);
  EXPECT_EQ(parse_route("/bytes/1048576").body_bytes, 1048576);
  EXPECT_EQ(parse_route("/bytes/0").body_bytes, 0);
  EXPECT_EQ(parse_route("/bytes/1MiB").body_bytes, 1048576);
  EXPECT_TRUE(parse_route("/chunked").chunked);
  EXPECT_EQ(parse_route("/chunked").body_bytes, -1);
  EXPECT_EQ(parse_route("/chunked/5").body_bytes, 5);
  EXPECT_TRUE(parse_route("/chunked/5").chunked);
  EXPECT_TRUE(parse_route("/close").close);
  EXPECT_EQ(parse_route("/echo").kind, Route::Kind::kEcho);
  EXPECT_EQ(parse_route("/stats").kind, Route::Kind::kStats);
  EXPECT_EQ(parse_route("/stats/arrivals?x").kind, Route::Kind::kArrivals);
  EXPECT_EQ(parse_route("/stats/other").kind, Route::Kind::kPage);
}

TEST(Routes, OrdersCombine) {
  const Route route = parse_route("/delay/1s/status/404/chunked/close/bytes/7/");
  EXPECT_EQ(route.kind, Route::Kind::kPage);
  EXPECT_EQ(route.delay_ns, 1'000'000'000);
  EXPECT_EQ(route.status, 404);
  EXPECT_EQ(route.body_bytes, 7);
  EXPECT_TRUE(route.chunked);
  EXPECT_TRUE(route.close);
  EXPECT_EQ(parse_route("/delay/1ms/echo").kind, Route::Kind::kEcho);
}

TEST(Routes, QueryAndOriginAreIgnored) {
  EXPECT_EQ(parse_route("/status/503?delay=1/close").status, 503);
  EXPECT_FALSE(parse_route("/status/503?delay=1/close").close);
  EXPECT_EQ(parse_route("/stats?x").kind, Route::Kind::kStats);
  EXPECT_EQ(parse_route("http://host:80/status/503").status, 503);
  EXPECT_TRUE(orders_nothing(parse_route("http://host")));
}

TEST(Routes, UnknownPathsAreOrdinaryPages) {
  for (std::string_view target : {"/", "*", "", "//", "/status", "/delay", "/bytes/", "/closed",
                                  "/status/503/other", "/a/b/c", "/?/close"}) {
    EXPECT_TRUE(orders_nothing(parse_route(target))) << target;
  }
}

TEST(Routes, ArgumentsThatCannotBeUnderstood) {
  for (std::string_view target :
       {"/delay/soon", "/delay/-1", "/status/99", "/status/600", "/status/101", "/status/ok",
        "/bytes/many", "/bytes/2000000GB", "/chunked/1x", "/bytes/many/close"}) {
    const Route route = parse_route(target);
    EXPECT_EQ(route.kind, Route::Kind::kBad) << target;
    EXPECT_NE(std::string_view(route.problem), "") << target;
  }
}

}  // namespace
}  // namespace carronade::server
