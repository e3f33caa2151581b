#include <gtest/gtest.h>

#include "carronade/proxy_spec.h"
#include "http/request_writer.h"

namespace carronade {
namespace {

Url url_of(std::string_view text) {
  Expected<Url> url = parse_url(text, Schemes::kHttpAndWebSocket);
  if (!url) ADD_FAILURE() << url.error().text;
  return url ? *url : Url{};
}

std::string asked(std::string_view target, Request request, const ProxySpec& proxy) {
  const Url url = url_of(target);
  ask_through_proxy(request, url, proxy);
  const auto text = http::write_request(url, request);
  return text ? *text : text.error().text;
}

std::string path_of(std::string_view target, std::string path = "") {
  Request request;
  request.path = std::move(path);
  ask_through_proxy(request, url_of(target), {.url = url_of("http://proxy:3128"), .headers = {}});
  return request.path;
}

TEST(ProxiedRequest, AbsoluteFormWithTheProxysHeaders) {
  const ProxySpec proxy{.url = url_of("http://me:secret@proxy:3128"),
                        .headers = {{"X-Pool", "a"}, {"X-Pool", "b"}}};
  EXPECT_EQ(asked("http://u:p@h:8080/a?b=1", {.headers = {{"X-Mine", "1"}}, .body = ""}, proxy),
            "GET http://h:8080/a?b=1 HTTP/1.1\r\n"
            "Host: h:8080\r\n"
            "Connection: keep-alive\r\n"
            "X-Mine: 1\r\n"
            "X-Pool: a\r\n"
            "X-Pool: b\r\n"
            "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"
            "Authorization: Basic dTpw\r\n"
            "\r\n");
}

TEST(ProxiedRequest, Targets) {
  EXPECT_EQ(path_of("http://h"), "http://h/");
  EXPECT_EQ(path_of("http://h:80/x"), "http://h/x");
  EXPECT_EQ(path_of("http://[::1]:8080/?q"), "http://[::1]:8080/?q");
  EXPECT_EQ(path_of("http://h/x", "/own?a=[<id>]"), "http://h/own?a=[<id>]");
  EXPECT_EQ(path_of("http://h/x", ".evil.example/"), "http://h/.evil.example/");
  EXPECT_EQ(path_of("http://h/x", "HTTP://other/y"), "HTTP://other/y");
}

TEST(ProxiedRequest, CredentialsGivenAsAHeaderStay) {
  const ProxySpec proxy{.url = url_of("http://me:secret@proxy"),
                        .headers = {{"proxy-authorization", "Bearer t"}}};
  Request request;
  ask_through_proxy(request, url_of("http://h"), proxy);
  ASSERT_EQ(request.headers.size(), 1U);
  EXPECT_EQ(request.headers[0].value, "Bearer t");
  Request own{.headers = {{"Proxy-Authorization", "Mine"}}, .body = ""};
  ask_through_proxy(own, url_of("http://h"), {.url = proxy.url, .headers = {}});
  ASSERT_EQ(own.headers.size(), 1U);
  EXPECT_EQ(own.headers[0].value, "Mine");
}

TEST(ProxiedRequest, WhatGoesThroughATunnelIsNotChanged) {
  const ProxySpec proxy{.url = url_of("http://me:secret@proxy"), .headers = {{"X", "1"}}};
  for (const char* target : {"https://h/x", "ws://h/x", "wss://h/x"}) {
    Request request;
    request.path = "/own";
    ask_through_proxy(request, url_of(target), proxy);
    EXPECT_EQ(request.path, "/own") << target;
    EXPECT_TRUE(request.headers.empty()) << target;
  }
}

TEST(ProxiedRequest, VerbatimIsNotChanged) {
  Request request;
  request.verbatim = "GET / HTTP/1.0\r\n\r\n";
  ask_through_proxy(request, url_of("http://h/x"),
                    {.url = url_of("http://me:secret@proxy"), .headers = {{"X", "1"}}});
  EXPECT_EQ(request.verbatim, "GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(request.headers.empty());
  EXPECT_EQ(request.path, "");
}

}  // namespace
}  // namespace carronade
