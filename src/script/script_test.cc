#include "script/script.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "script/script_test_files.h"

namespace carronade::script {
namespace {

class ScriptTest : public ::testing::Test {
 protected:
  ScriptSettings settings(const std::string& file) {
    ScriptSettings made;
    made.facts.site = {.host = "127.0.0.1", .port = listener_.port(), .path = "/x"};
    made.facts.connect_timeout_ns = 2'000'000'000;
    made.file = file;
    made.threads = 2;
    made.connections = 4;
    made.args = {"http://url/", "one"};
    return made;
  }
  // A script that is ready to run; `error_` when it is not.
  std::unique_ptr<Script> ready(const std::string& text) {
    const ScriptFile file(text);
    auto script = Script::load(settings(file.path()));
    EXPECT_TRUE(script) << script.error().text;
    if (!script) return nullptr;
    Expected<void> done = (*script)->resolve();
    if (done) done = (*script)->set_up();
    error_ = done ? "" : done.error().text;
    return std::move(*script);
  }

  Listener listener_;
  std::string error_;
};

TEST_F(ScriptTest, NoScript) {
  auto script = Script::load(settings(""));
  ASSERT_TRUE(script);
  ASSERT_TRUE((*script)->resolve());
  ASSERT_TRUE((*script)->set_up());
  EXPECT_FALSE((*script)->needs_source());
  EXPECT_EQ((*script)->request(),
            "GET /x HTTP/1.1\r\nHost: 127.0.0.1:" + listener_.port() + "\r\n\r\n");
  EXPECT_EQ((*script)->addresses().size(), 1U);
  EXPECT_FALSE((*script)->chosen());
}

TEST_F(ScriptTest, StaticScriptNeedsNoSource) {
  const auto script = ready("wrk.method = 'POST'; wrk.body = 'a=b'; wrk.headers = {Host = 'h'}");
  EXPECT_EQ(error_, "");
  EXPECT_FALSE(script->needs_source());
  EXPECT_TRUE(script->request().starts_with("POST /x HTTP/1.1\r\n")) << script->request();
  EXPECT_TRUE(script->request().ends_with("\r\n\r\na=b")) << script->request();
}

// Each state puts headers in an order of its own.
TEST_F(ScriptTest, OrderOfHeadersIsNoDifference) {
  for (int i = 0; i < 20; ++i) {
    const auto script = ready(
        "for _, n in ipairs {'A', 'Bb', 'Ccc', 'Dddd', 'E'} do wrk.headers[n] = #n end\n"
        "wrk.method, wrk.body = 'POST', 'body'");
    EXPECT_EQ(error_, "");
    EXPECT_FALSE(script->needs_source());
  }
}

TEST_F(ScriptTest, ThreadsThatDifferNeedOne) {
  const auto script = ready(
      "local n = 0\n"
      "function setup(thread) n = n + 1; thread:set('id', n) end\n"
      "function init() wrk.path = '/' .. id end");
  EXPECT_EQ(error_, "");
  EXPECT_TRUE(script->needs_source());
  for (uint32_t i = 0; i < 2; ++i) {
    std::string out;
    EXPECT_EQ(script->make_source(i)->next(0, out), NextRequest::kGiven);
    EXPECT_TRUE(out.starts_with("GET /" + std::to_string(i + 1) + " HTTP/1.1\r\n")) << out;
  }
}

TEST_F(ScriptTest, InitGetsTheArguments) {
  ready("function init(a) assert(a[0] == 'http://url/' and a[1] == 'one' and #a == 1) end");
  EXPECT_EQ(error_, "");
}

TEST_F(ScriptTest, FirstRequestOfTheFirstThreadIsTriedOnce) {
  const auto script = ready(
      "local n = -1\n"
      "function request() n = n + 1; return wrk.format('GET', '/' .. n) end");
  std::string out;
  script->make_source(0)->next(0, out);
  EXPECT_TRUE(out.starts_with("GET /1 ")) << out;
  out.clear();
  script->make_source(1)->next(2, out);
  EXPECT_TRUE(out.starts_with("GET /0 ")) << out;
}

TEST_F(ScriptTest, CountsTheRequestsOfAText) {
  const auto script = ready("function request() return string.rep(wrk.format(), 3) end");
  EXPECT_EQ(script->pipelining(), 3U);
}

TEST_F(ScriptTest, RequestsThatAreNone) {
  ready("function request() return 'GET / HTTP/1.1\\r\\n' end");
  EXPECT_EQ(error_, "incomplete request at 2:1");
  ready("function request() end");
  EXPECT_EQ(error_, "incomplete request at 1:1");
  ready("function request() return 'x\\r\\n\\r\\n' end");
  EXPECT_EQ(error_, "malformed request at 1:1");
  ready("wrk.path = 'a b'");
  EXPECT_EQ(error_, "malformed request at 1:1");
}

TEST_F(ScriptTest, ErrorsOfHooksHaveFileAndLine) {
  ready("\nfunction setup() error('boom') end");
  EXPECT_TRUE(error_.starts_with("setup(): /tmp/carronade-script-")) << error_;
  EXPECT_TRUE(error_.ends_with(":2: boom")) << error_;
  ready("function init() error('boom') end");
  EXPECT_TRUE(error_.starts_with("init(): ")) << error_;
  ready("function request() local x = nil + 1 end");
  EXPECT_TRUE(error_.starts_with("request(): ")) << error_;
  ready("function setup(t) t:set('f', print) end");
  EXPECT_TRUE(error_.ends_with("cannot transfer 'function' to thread")) << error_;
  ready("function init() error({}) end");
  EXPECT_EQ(error_, "init(): an error that is a table value");
}

// As scripts do that want to hear of a global they forgot.
TEST_F(ScriptTest, GlobalsThatAreStrict) {
  const std::string strict =
      "setmetatable(_G, {__index = function(_, name) error('no ' .. name) end,\n"
      "  __newindex = function(_, name) error('no ' .. name) end})\n";
  auto script = ready(strict + "wrk.path = '/strict'");
  EXPECT_EQ(error_, "");
  EXPECT_TRUE(script->request().starts_with("GET /strict ")) << script->request();
  script = ready("function request() return other end\n" + strict);
  EXPECT_NE(error_.find("no other"), std::string::npos) << error_;
}

TEST_F(ScriptTest, LoadErrors) {
  EXPECT_EQ(Script::load(settings("/no/such.lua")).error().text,
            "/no/such.lua: cannot open /no/such.lua: No such file or directory");
  const ScriptFile file("x = = 1");
  ScriptSettings made = settings(file.path());
  const auto strict = Script::load(made);
  ASSERT_FALSE(strict);
  EXPECT_NE(strict.error().text.find(":1: unexpected symbol near '='"), std::string::npos);
  made.ignore_load_errors = true;
  const auto lax = Script::load(made);
  ASSERT_TRUE(lax);
  EXPECT_EQ((*lax)->warnings().size(), 3U);  // the main state and two threads
}

TEST_F(ScriptTest, NobodyListens) {
  ScriptSettings made = settings("");
  made.facts.site.port = "1";
  auto script = Script::load(made);
  ASSERT_TRUE(script);
  const auto resolved = (*script)->resolve();
  ASSERT_FALSE(resolved);
  EXPECT_EQ(resolved.error().text, "unable to connect to 127.0.0.1:1 Connection refused");
}

TEST_F(ScriptTest, ThreadsAtSeveralAddresses) {
  const Listener other;
  const std::string lookup = "wrk.lookup('127.0.0.1', '" + other.port() + "')[1]";
  const std::string text =
      "local n = 0\n"
      "function setup(thread)\n"
      "  n = n + 1\n"
      "  assert(tostring(thread.addr) == tostring(wrk.addrs[1]))\n"
      "  if n == 2 then thread.addr = " +
      lookup + " end\nend\n";
  auto script = ready(text);
  EXPECT_EQ(error_, "");
  EXPECT_TRUE(script->needs_source());
  EXPECT_TRUE(script->chosen());
  EXPECT_EQ(script->addresses().size(), 2U);
  EXPECT_TRUE(script->make_source(0)->wants().targets);
  EXPECT_EQ(script->make_source(1)->target(), 1U);
  // With pipelining the engine cannot change the target of a connection.
  script = ready(text + "function request() return string.rep(wrk.format(), 2) end");
  EXPECT_EQ(error_, "");
  EXPECT_FALSE(script->chosen());
  EXPECT_EQ(script->target_of(0), 0U);
  EXPECT_EQ(script->target_of(1), 1U);
}

TEST_F(ScriptTest, DoneGetsItsObjects) {
  const auto script = ready(
      "function setup(t) thread = t end\n"
      "function init() table = {n = {1, 'a'}} end\n"
      "function done(s, l, r)\n"
      "  assert(s.duration == 2 and s.requests == 3 and s.bytes == 4 and s.errors.connect == 5)\n"
      "  assert(s.errors.read == 6 and s.errors.write == 7 and s.errors.status == 8)\n"
      "  assert(s.errors.timeout == 9 and #l == 1 and #r == 0)\n"
      "  assert(thread:get('table').n[2] == 'a' and thread:get('nothing') == nil)\n"
      "end");
  const ScriptSummary summary{2, 3, 4, 5, 6, 7, 8, 9};
  const auto done = script->done(summary, {.values = {{1, 1}}}, {});
  EXPECT_TRUE(done) << done.error().text;
}

TEST_F(ScriptTest, DoneThatFails) {
  const auto script = ready("function done() error('late') end");
  const auto done = script->done({}, {}, {});
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().text.starts_with("done(): ")) << done.error().text;
}

}  // namespace
}  // namespace carronade::script
