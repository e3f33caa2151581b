#include "script/script_source.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "script/script.h"
#include "script/script_test_files.h"

namespace carronade::script {
namespace {

constexpr char kHead[] = "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nb: c \r\n\r\n";

class SourceTest : public ::testing::Test {
 protected:
  void start(const std::string& text) {
    const ScriptFile file(text);
    ScriptSettings settings;
    settings.facts.site = {.host = "127.0.0.1", .port = listener_.port()};
    settings.facts.connect_timeout_ns = 2'000'000'000;
    settings.facts.headers = {{"Host", "h"}};
    settings.file = file.path();
    settings.connections = 3;
    script_ = Script::load(settings).value();
    ASSERT_TRUE(script_->resolve());
    const auto ready = script_->set_up();
    ASSERT_TRUE(ready) << ready.error().text;
    script_->on_failure([this] { ++stops_; });
    source_ = script_->make_source(0);
  }
  std::string next(uint32_t connection = 0) {
    std::string out;
    return source_->next(connection, out) == NextRequest::kNone ? "none" : out;
  }
  void answer(uint16_t status = 200, std::string_view body = "body") {
    source_->on_response({.status = status, .head = kHead, .body = body});
  }

  Listener listener_;
  std::unique_ptr<Script> script_;
  std::unique_ptr<RequestSource> source_;
  int stops_ = 0;
};

TEST_F(SourceTest, WantsOnlyWhatTheScriptDefines) {
  start("function request() return wrk.format() end");
  SourceWants wants = source_->wants();
  EXPECT_TRUE(wants.requests);
  EXPECT_FALSE(wants.responses || wants.heads || wants.bodies || wants.pauses || wants.targets);
  start("function response() end function delay() return 1 end");
  wants = source_->wants();
  EXPECT_TRUE(wants.responses && wants.heads && wants.bodies && wants.pauses);
  EXPECT_EQ(next(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
}

TEST_F(SourceTest, TextsWithSeveralRequestsAreHandedOutByConnection) {
  start(
      "local n = 0\n"
      "function request()\n"
      "  n = n + 1\n"
      "  return wrk.format('GET', '/' .. n .. 'a') .. wrk.format('GET', '/' .. n .. 'b') .. '\\n'\n"
      "end");
  const auto path = [](const std::string& request) { return request.substr(4, 3); };
  EXPECT_EQ(path(next(0)), "/2a");  // the first was the trial
  EXPECT_EQ(path(next(1)), "/3a");
  EXPECT_EQ(path(next(0)), "/2b");
  EXPECT_EQ(path(next(0)), "/4a");
  EXPECT_EQ(path(next(1)), "/3b");
  EXPECT_EQ(path(next(2)), "/5a");
  EXPECT_EQ(path(next(0)), "/4b");
}

TEST_F(SourceTest, ResponseHearsStatusHeadersAndBody) {
  start(
      "function response(status, headers, body)\n"
      "  assert(status == 404 and headers['X-A'] == '2' and headers.b == 'c')\n"
      "  assert(headers['x-a'] == nil and body == 'body')\n"
      "  wrk.headers['Seen'] = 'yes'\n"
      "end\n"
      "function request() return wrk.format() end");
  EXPECT_EQ(next().find("Seen"), std::string::npos);
  answer(404);
  EXPECT_EQ(script_->failure(), "");
  EXPECT_NE(next().find("Seen: yes"), std::string::npos);
}

TEST_F(SourceTest, ResponseWithFewerOrVariableParameters) {
  start("function response(status) seen = status end");
  answer(201);
  start("function response(...) assert(select('#', ...) == 3) end");
  answer();
  EXPECT_EQ(script_->failure(), "");
}

TEST_F(SourceTest, HooksMayBeReplaced) {
  start(
      "function response(status)\n"
      "  request = function() return wrk.format('GET', '/second') end\n"
      "  response = function(s, headers, body)\n"
      "    assert(headers.b == 'c' and body == 'body')\n"
      "    request, response = nil, nil\n"
      "  end\n"
      "end\n"
      "function request() return wrk.format('GET', '/first') end");
  EXPECT_EQ(next().substr(0, 10), "GET /first");
  answer();
  EXPECT_EQ(next().substr(0, 11), "GET /second");
  answer();
  EXPECT_EQ(next().substr(0, 6), "GET / ");
  answer();
  EXPECT_EQ(script_->failure(), "");
}

TEST_F(SourceTest, StopEndsTheThread) {
  start("function response() wrk.thread:stop() end");
  EXPECT_NE(next(), "none");
  answer();
  EXPECT_EQ(next(), "none");
  EXPECT_EQ(stops_, 0);
  EXPECT_EQ(script_->failure(), "");
}

TEST_F(SourceTest, FailureStopsTheRunAndIsKept) {
  start("\nfunction response() error('boom') end");
  answer();
  answer();
  EXPECT_EQ(stops_, 1);
  EXPECT_TRUE(script_->failure().starts_with("response(): ")) << script_->failure();
  EXPECT_TRUE(script_->failure().ends_with(":2: boom")) << script_->failure();
  EXPECT_EQ(next(), "none");
}

TEST_F(SourceTest, RequestsThatAreNoneAnyMore) {
  start(
      "local n = 0\n"
      "function request() n = n + 1; return n == 1 and wrk.format() or 'GET / HTTP/1.1\\r\\n' end");
  EXPECT_EQ(next(), "none");
  EXPECT_EQ(script_->failure(), "request(): incomplete request at 2:1");
  start("local n = 0\nfunction request() n = n + 1; return n == 1 and wrk.format() or nil end");
  EXPECT_EQ(next(), "none");
  EXPECT_EQ(script_->failure(), "request(): no request in the text");
}

TEST_F(SourceTest, DelayIsInMilliseconds) {
  start("ms = 12.5 function delay() return ms end");
  EXPECT_EQ(source_->pause_ns(0), 12'500'000);
  for (const char* ms : {"0", "-1", "0/0", "nil", "'x'"}) {
    start(std::string("function delay() return ") + ms + " end");
    EXPECT_EQ(source_->pause_ns(0), 0) << ms;
  }
  start("function delay() return math.huge end");
  EXPECT_GT(source_->pause_ns(0), int64_t{1} << 50);
  start("function delay() error('x') end");
  EXPECT_EQ(source_->pause_ns(0), 0);
  EXPECT_EQ(stops_, 1);
}

TEST_F(SourceTest, RequestThatClosesIsLastOnItsSocket) {
  start("wrk.headers.Connection = 'close' function response() end");
  std::string out;
  EXPECT_EQ(source_->next(0, out), NextRequest::kLastOnSocket);
  start("function request() return wrk.format(nil, nil, {Connection = 'Close'}) end");
  EXPECT_EQ(source_->next(0, out), NextRequest::kLastOnSocket);
}

TEST_F(SourceTest, AddressCanOnlyBecomeAKnownOneWhileTheRunGoesOn) {
  start(
      "function response() wrk.thread.addr = wrk.addrs[1] end\n"
      "function request()\n"
      "  if go then wrk.thread.addr = wrk.lookup('127.0.0.1', '1')[1] end\n"
      "  go = response_seen\n"
      "  return wrk.format()\n"
      "end");
  answer();
  EXPECT_EQ(script_->failure(), "");
  start(
      "function request()\n"
      "  if again then wrk.thread.addr = wrk.lookup('127.0.0.1', '1')[1] end\n"
      "  again = true\n"
      "  return wrk.format()\n"
      "end");
  EXPECT_EQ(next(), "none");
  EXPECT_NE(script_->failure().find("thread.addr: "), std::string::npos) << script_->failure();
}

}  // namespace
}  // namespace carronade::script
