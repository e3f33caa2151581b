#include "dialects/loadtest/loadtest_settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "dialects/loadtest/loadtest_request.h"
#include "dialects/loadtest/loadtest_spec.h"
#include "http/request_writer.h"

namespace carronade::dialects::loadtest {
namespace {

constexpr int64_t kMs = 1'000'000;

LoadtestOptions options_for(const std::string& url) {
  LoadtestOptions options;
  options.urls = {url};
  return options;
}

LoadtestSettings settings_of(const LoadtestOptions& options, const LoadtestConfig& config = {}) {
  Expected<LoadtestSettings> settings = make_loadtest_settings(options, config, 4);
  EXPECT_TRUE(settings.has_value()) << settings.error().text;
  return std::move(*settings);
}

std::string error_of(const LoadtestOptions& options, const LoadtestConfig& config = {}) {
  const Expected<LoadtestSettings> settings = make_loadtest_settings(options, config, 4);
  return settings ? "accepted" : settings.error().text;
}

std::string wire(const LoadtestOptions& options, const LoadtestConfig& config = {}) {
  const LoadtestSettings settings = settings_of(options, config);
  return *http::write_request(settings.url, settings.request);
}

TEST(LoadtestRequest, TheOriginalsHeadersInItsOrder) {
  EXPECT_EQ(
      "GET /a?b=1 HTTP/1.1\r\nhost: 127.0.0.1:18555\r\naccept: */*\r\n"
      "user-agent: loadtest/8.2.1\r\nConnection: close\r\n\r\n",
      wire(options_for("http://127.0.0.1:18555/a?b=1#f")));
}

TEST(LoadtestRequest, EverythingAtOnce) {
  LoadtestOptions options = options_for("http://u:p@127.0.0.1:18555/");
  options.headers = {"X-A:1", "X-B: 2", "x-a:3"};
  options.cookies = {"a=b", "c=d"};
  options.post_body = "text";
  EXPECT_EQ(
      "POST / HTTP/1.1\r\nhost: 127.0.0.1:18555\r\naccept: */*\r\nx-a: 3\r\nx-b:  2\r\n"
      "user-agent: loadtest/8.2.1\r\nContent-Type: text/plain\r\nCookie: a=b; c=d\r\n"
      "Authorization: Basic dTpw\r\nConnection: close\r\nContent-Length: 4\r\n\r\ntext",
      wire(options));
}

TEST(LoadtestRequest, TheUsersHeadersWin) {
  LoadtestOptions options = options_for("http://h/");
  options.headers = {"user-agent:me", "Host:other", "content-type:a/b", "accept:x"};
  options.data = "text";
  options.keep_alive = true;
  EXPECT_EQ(
      "GET / HTTP/1.1\r\nhost: other\r\naccept: x\r\nuser-agent: me\r\ncontent-type: a/b\r\n"
      "Connection: keep-alive\r\nContent-Length: 4\r\n\r\ntext",
      wire(options));
  options.content_type = "c/d";
  EXPECT_NE(std::string::npos, wire(options).find("\r\nContent-Type: c/d\r\n"));
  EXPECT_EQ(std::string::npos, wire(options).find("a/b"));
}

TEST(LoadtestRequest, Methods) {
  LoadtestOptions options = options_for("http://h/");
  options.method = "post";
  EXPECT_TRUE(wire(options).starts_with("POST / "));
  EXPECT_NE(std::string::npos, wire(options).find("Content-Length: 0\r\n"));
  options.method = "DELETE";
  EXPECT_TRUE(wire(options).starts_with("DELETE / "));
  options.patch_body = "x";
  EXPECT_TRUE(wire(options).starts_with("PATCH / "));
}

TEST(LoadtestRequest, AHeaderWithoutAColonIsTold) {
  LoadtestOptions options = options_for("http://h/");
  options.headers = {"nonsense"};
  EXPECT_EQ(
      std::vector<std::string>{"Invalid header nonsense, it should be in the form -H key:value"},
      header_complaints(options));
  EXPECT_EQ(std::string::npos, wire(options).find("nonsense"));
}

TEST(LoadtestRequest, FramingIsThatOfTheBodyThatIsSent) {
  LoadtestOptions options = options_for("http://h/");
  options.headers = {"Transfer-Encoding: chunked", "content-length: 99"};
  options.post_body = "hello";
  EXPECT_EQ(std::string::npos, wire(options).find("chunked"));
  EXPECT_TRUE(wire(options).ends_with("\r\nContent-Length: 5\r\n\r\nhello"));
}

TEST(LoadtestRequest, FormsMayNameACharset) {
  LoadtestConfig config;
  config.body = config.body_json = R"({"a":1})";
  config.body_form = "a=1";
  LoadtestOptions options = options_for("http://h/");
  options.content_type = "application/x-www-form-urlencoded; charset=utf-8";
  EXPECT_TRUE(wire(options, config).ends_with("\r\n\r\na=1"));
}

TEST(LoadtestRequest, FilesOfBodies) {
  const std::string path = ::testing::TempDir() + "loadtest_body_" + std::to_string(::getpid());
  const std::string bytes("{\"a\":1}\r\n\0end", 13);
  std::ofstream(path, std::ios::binary) << bytes;
  LoadtestOptions options = options_for("http://h/");
  options.put_file = path;
  options.post_body = "less";
  EXPECT_TRUE(wire(options).starts_with("PUT / "));
  EXPECT_EQ(bytes, settings_of(options).request.body);
  ::unlink(path.c_str());
  EXPECT_NE(std::string::npos, error_of(options).find("No such file"));
}

TEST(LoadtestRequest, WebSocketMessagesAreJson) {
  LoadtestOptions options = options_for("ws://h:1/p");
  EXPECT_EQ("{\"some\":\"message\"}", settings_of(options).request.body);
  options.post_body = "{\"a\": \"ü\"}";
  EXPECT_EQ("\"{\\\"a\\\": \\\"ü\\\"}\"", settings_of(options).request.body);
  LoadtestConfig config;
  config.body = config.body_json = "{\"a\":1}";
  EXPECT_EQ("{\"a\":1}", settings_of(options_for("ws://h/"), config).request.body);
}

TEST(LoadtestRequest, WebSocketHandshakesHaveTheUsersHeaders) {
  LoadtestOptions options = options_for("ws://h:1/p");
  options.headers = {"X-A:1"};
  options.cookies = {"c=d"};
  const LoadtestSettings settings = settings_of(options);
  ASSERT_EQ(3U, settings.request.headers.size());
  EXPECT_EQ("x-a", settings.request.headers[0].name);
  EXPECT_EQ("user-agent", settings.request.headers[1].name);
  EXPECT_EQ("Cookie", settings.request.headers[2].name);
}

TEST(LoadtestSettingsTest, Defaults) {
  const LoadtestSettings settings = settings_of(options_for("http://h/"));
  EXPECT_EQ(10, settings.max_seconds);
  EXPECT_FALSE(settings.max_requests.has_value());
  EXPECT_EQ(10U, settings.concurrency);
  EXPECT_EQ(2U, settings.cores);
  const RunSpec spec = make_loadtest_spec(settings);
  EXPECT_EQ(20U, spec.connections);
  EXPECT_EQ(2U, spec.workers);
  EXPECT_EQ(1U, spec.reconnect_after);
  EXPECT_EQ(10'000 * kMs, spec.duration_ns);
}

TEST(LoadtestSettingsTest, CommandLineThenFileThenDefault) {
  LoadtestConfig config;
  config.max_requests = 5;
  config.concurrency = 3;
  config.method = "PUT";
  config.body = config.body_json = "1";
  config.headers = {{"X-A", "file"}};
  config.cookies = {"file=1"};
  config.keep_alive = true;
  LoadtestOptions options = options_for("http://h/");
  EXPECT_EQ(5U, settings_of(options, config).max_requests);
  EXPECT_FALSE(settings_of(options, config).max_seconds.has_value());
  EXPECT_EQ(3U, settings_of(options, config).concurrency);
  EXPECT_TRUE(wire(options, config).starts_with("PUT / HTTP/1.1\r\nx-a: file\r\nhost: h\r\n"));
  options.max_requests = 7;
  options.post_body = "own";
  options.headers = {"x-a:own"};
  options.cookies = {"own=1"};
  EXPECT_EQ(7U, settings_of(options, config).max_requests);
  const std::string own = wire(options, config);
  EXPECT_TRUE(own.starts_with("POST / HTTP/1.1\r\nx-a: own\r\n")) << own;
  EXPECT_TRUE(own.ends_with("\r\n\r\nown")) << own;
  EXPECT_EQ(std::string::npos, own.find("file=1")) << own;
  // A file that says nothing of it leaves the default: 10, not 1.
  EXPECT_EQ(10U, settings_of(options_for("http://h/"), {}).concurrency);
}

TEST(LoadtestSettingsTest, TheRateIsAnOpenLoopWithClientsOnDemand) {
  LoadtestOptions options = options_for("http://h/");
  options.requests_per_second = 0.5;
  options.max_seconds = 4;
  const RunSpec spec = make_loadtest_spec(settings_of(options));
  ASSERT_TRUE(spec.rate.has_value());
  EXPECT_EQ(0.5, spec.rate->stages.at(0).segments.at(0).from);
  EXPECT_TRUE(spec.rate->connect_on_demand);
  EXPECT_EQ(4U, spec.rate->max_connections);
  EXPECT_EQ(0, spec.rate->drain_ns);
  options.requests_per_second = 0;
  EXPECT_FALSE(make_loadtest_spec(settings_of(options)).rate.has_value());
}

TEST(LoadtestSettingsTest, AnswersAreAwaitedUntilTheTimeIsOver) {
  LoadtestOptions options = options_for("http://h/");
  options.requests_per_second = 10;
  options.max_requests = 20;
  EXPECT_FALSE(make_loadtest_spec(settings_of(options)).rate->drain_ns.has_value());
  options.max_seconds = 5;
  EXPECT_EQ(3'000 * kMs, make_loadtest_spec(settings_of(options)).rate->drain_ns);
}

TEST(LoadtestSettingsTest, Timeouts) {
  LoadtestOptions options = options_for("http://h/");
  options.timeout_ms = 250;
  EXPECT_EQ(250 * kMs, settings_of(options).timeout_ns);
  options.timeout_ms.reset();
  options.max_requests = 1;
  EXPECT_EQ(60'000 * kMs, settings_of(options).timeout_ns);
  options.timeout_ms = 0;
  EXPECT_GT(settings_of(options).timeout_ns, 1'000'000'000'000 * kMs / 1000);
}

TEST(LoadtestSettingsTest, Tls) {
  LoadtestOptions options = options_for("https://h/");
  EXPECT_TRUE(settings_of(options).tls.verify);
  options.secure_protocol = "TLSv1_2_client_method";
  EXPECT_EQ(0x0303, settings_of(options).tls.min_version);
  EXPECT_EQ(0x0303, settings_of(options).tls.max_version);
  options.secure_protocol = "SSLv3_method";
  EXPECT_TRUE(error_of(options).starts_with("--secureProtocol: unknown method \"SSLv3_method\""));
  options.secure_protocol.reset();
  options.certificate_file = "c.pem";
  EXPECT_EQ("--cert and --key go together", error_of(options));
  options.key_file = "k.pem";
  options.insecure = true;
  EXPECT_EQ("k.pem", settings_of(options).tls.key_file);
  EXPECT_FALSE(settings_of(options).tls.verify);
  EXPECT_FALSE(settings_of(options_for("wss://h/")).tls.verify);
}

TEST(LoadtestSettingsTest, ASwitchCanBeTurnedOffAgainstTheFile) {
  LoadtestConfig config;
  config.keep_alive = config.insecure = true;
  LoadtestOptions options = options_for("https://h/");
  EXPECT_TRUE(settings_of(options, config).keep_alive);
  EXPECT_FALSE(settings_of(options, config).tls.verify);
  options.keep_alive = options.insecure = false;
  EXPECT_FALSE(settings_of(options, config).keep_alive);
  EXPECT_TRUE(settings_of(options, config).tls.verify);
}

TEST(LoadtestSettingsTest, Proxies) {
  LoadtestOptions options = options_for("http://h/");
  options.proxy = "proxy.example:3128";
  EXPECT_EQ(3128, make_loadtest_spec(settings_of(options)).proxy->url.port);
  options.proxy = "https://proxy.example/";
  EXPECT_EQ("--proxy: only http:// proxies are supported", error_of(options));
}

TEST(LoadtestWordsCheck, WhatTheOriginalRefuses) {
  const auto text = [](const std::vector<std::string>& urls, const std::string& method = "GET") {
    LoadtestOptions options;
    options.urls = urls;
    options.method = method;
    const LoadtestMisuse misuse = check_loadtest_words(options);
    EXPECT_EQ(misuse.text.empty() ? 0 : 1, misuse.exit_code);
    EXPECT_EQ(!misuse.text.empty(), misuse.with_help);
    return misuse.text;
  };
  EXPECT_EQ("Missing URL to load-test\n", text({}));
  EXPECT_EQ("Too many arguments: [ 'http://a/', 'http://b/' ]\n", text({"http://a/", "http://b/"}));
  EXPECT_EQ("Invalid URL ftp://h/, must be http://, https://, ws://, or wss://\n",
            text({"ftp://h/"}));
  EXPECT_EQ("", text({"WSS://h/"}));
  EXPECT_EQ("Invalid method HEAD\n", text({"http://h/"}, "HEAD"));
  EXPECT_EQ("Invalid method Get\n", text({"http://h/"}, "Get"));
  EXPECT_EQ("", text({"http://h/"}, "patch"));
}

TEST(JavaScriptReason, Modules) {
  LoadtestOptions options = options_for("http://h/");
  EXPECT_EQ("", javascript_reason(options, {}));
  options.post_file = "b.json";
  EXPECT_EQ("", javascript_reason(options, {}));
  options.post_file = "b.js";
  EXPECT_EQ("-p b.js", javascript_reason(options, {}));
  options.request_generator = "g.js";
  EXPECT_EQ("-R g.js", javascript_reason(options, {}));
  LoadtestConfig config;
  config.file = "/c";
  config.body_file = "b.mjs";
  EXPECT_EQ("a body's file in /c", javascript_reason(options_for("http://h/"), config));
}

}  // namespace
}  // namespace carronade::dialects::loadtest
