#include "script/wrk_table.h"

#include <gtest/gtest.h>

#include <string>

#include "script/lua_state.h"

namespace carronade::script {
namespace {

class WrkTable : public ::testing::Test {
 protected:
  WrkTable() {
    facts_.site = {.scheme = "http", .host = "h.example", .port = "81", .path = "/p?q#f"};
    facts_.headers = {{"X-A", "1"}, {"X-A", "2"}};
    facts_.connect_timeout_ns = 1'000'000'000;
    install_wrk(state_.get(), facts_, scratch_);
    set_default_host(state_.get(), facts_.site);
  }
  // "" when the code ran without an error.
  std::string run(const std::string& code) {
    const auto ran = state_.run_text(code, "=t");
    return ran ? "" : ran.error().text;
  }

  WrkFacts facts_;
  std::string scratch_;
  LuaState state_ = LuaState::create().value();
};

TEST_F(WrkTable, WhatTheUrlSays) {
  EXPECT_EQ(run("assert(wrk.scheme == 'http' and wrk.host == 'h.example' and wrk.port == '81')"
                "assert(wrk.method == 'GET' and wrk.path == '/p?q#f' and wrk.body == nil)"
                "assert(wrk.headers['X-A'] == '2' and wrk.headers.Host == 'h.example:81')"),
            "");
}

TEST_F(WrkTable, HostOfAPortThatIsNotWrittenAndOfAnIpv6Literal) {
  EXPECT_EQ(ScriptSite({.host = "a"}).host_header(), "a");
  EXPECT_EQ(ScriptSite({.host = "::1", .port = "80"}).host_header(), "[::1]:80");
  EXPECT_EQ(ScriptSite({.host = "a"}).service(), "http");
}

TEST_F(WrkTable, HostOfTheUsersOwnStays) {
  EXPECT_EQ(run("wrk.headers.Host = 'other'"), "");
  set_default_host(state_.get(), facts_.site);
  EXPECT_EQ(run("assert(wrk.headers.Host == 'other')"), "");
}

TEST_F(WrkTable, FormatTakesWhatIsMissingFromTheTable) {
  EXPECT_EQ(run("wrk.headers = {Host = 'h'}\n"
                "assert(wrk.format() == 'GET /p?q#f HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n')\n"
                "assert(wrk.format('PUT', '/x') == 'PUT /x HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n')"),
            "");
}

TEST_F(WrkTable, FormatCompletesTheHeadersPassed) {
  EXPECT_EQ(run("local h = {A = 'b'}\n"
                "local text = wrk.format(nil, '/', h, 'zz')\n"
                "assert(h.Host == 'h.example:81' and h['Content-Length'] == 2)\n"
                "assert(text:find('\\r\\nContent-Length: 2\\r\\n', 1, true))\n"
                "assert(text:find('\\r\\nA: b\\r\\n', 1, true))\n"
                "assert(text:sub(-6) == '\\r\\n\\r\\nzz')\n"
                "wrk.format(nil, '/', h)\n"
                "assert(h['Content-Length'] == nil)"),
            "");
}

TEST_F(WrkTable, FormatOfOtherValues) {
  EXPECT_EQ(run("local text = wrk.format(nil, '/', {[3] = true, n = 1.5}, 12)\n"
                "assert(text:find('3: true', 1, true) and text:find('n: 1.5', 1, true))\n"
                "assert(text:find('Content-Length: 2\\r\\n', 1, true) and text:sub(-2) == '12')"),
            "");
  EXPECT_EQ(run("wrk.format(nil, nil, {A = setmetatable({}, {__tostring = function() "
                "error('no') end})})"),
            "t:1: no");
  EXPECT_NE(run("wrk.format(nil, nil, 5)"), "");
}

TEST_F(WrkTable, LookupAndConnect) {
  EXPECT_EQ(run("local a = wrk.lookup('127.0.0.1', '1')\n"
                "assert(#a == 1 and tostring(a[1]) == '127.0.0.1:1')\n"
                "assert(wrk.connect(a[1]) == false)\n"
                "assert(tostring(wrk.lookup('::1', '80')[1]) == '[::1]:80')"),
            "");
  EXPECT_NE(run("wrk.connect(5)"), "");
  const std::string fault = run("wrk.lookup('127.0.0.1', 'no-such-service')");
  EXPECT_TRUE(fault.starts_with("unable to resolve 127.0.0.1:no-such-service ")) << fault;
}

}  // namespace
}  // namespace carronade::script
