#include "dialects/wrk/wrk_spec.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "script/script_test_files.h"

namespace carronade::dialects::wrk {
namespace {

using script::Script;

class WrkSpec : public ::testing::Test {
 protected:
  RunSpec spec_of(const WrkOptions& options, const std::string& host = "127.0.0.1",
                  const std::string& scheme = "http") {
    const script::ScriptSite site{.scheme = scheme, .host = host, .port = listener_.port()};
    script_ = Script::load(script_settings(options, site, warnings_)).value();
    const auto resolved = script_->resolve();
    EXPECT_TRUE(resolved) << resolved.error().text;
    const auto ready = script_->set_up();
    EXPECT_TRUE(ready) << ready.error().text;
    return wrk_spec(options, site, *script_);
  }

  script::Listener listener_;
  std::unique_ptr<Script> script_;
  std::vector<std::string> warnings_;
};

TEST_F(WrkSpec, Plain) {
  const RunSpec spec = spec_of({.connections = 7, .threads = 3, .duration_s = 4, .timeout_s = 5});
  EXPECT_EQ(spec.connections, 7U);
  EXPECT_EQ(spec.workers, 3U);
  EXPECT_EQ(spec.duration_ns, 4'000'000'000);
  EXPECT_EQ(spec.timeout_ns, 5'000'000'000);
  EXPECT_EQ(spec.pipelining, 1U);
  EXPECT_FALSE(spec.rate.has_value());
  EXPECT_FALSE(spec.retry_closed);
  EXPECT_FALSE(spec.make_source);
  ASSERT_EQ(spec.targets.size(), 1U);
  EXPECT_EQ(spec.targets[0].url.host, "127.0.0.1");
  EXPECT_TRUE(spec.targets[0].request.verbatim.starts_with("GET / HTTP/1.1\r\nHost: "));
  EXPECT_EQ(spec.tls.server_name, std::nullopt);
}

TEST_F(WrkSpec, ConnectionsThatDoNotDivide) {
  EXPECT_EQ(opened_connections({.connections = 10, .threads = 3}), 10U);
  EXPECT_EQ(opened_connections({.connections = 10, .threads = 3, .quirks = true}), 9U);
}

TEST_F(WrkSpec, NameOfTheServerForTls) {
  const RunSpec spec = spec_of({}, "localhost", "https");
  EXPECT_EQ(spec.tls.server_name, "localhost");
  EXPECT_TRUE(spec.targets[0].url.tls);
  EXPECT_FALSE(spec.tls.verify);
}

TEST_F(WrkSpec, Headers) {
  const WrkOptions options{.headers = {"X-A: 1", "X-B:2", "X-A: 3", "nothing", "Empty:"}};
  spec_of(options);
  EXPECT_NE(script_->request().find("X-A: 3\r\n"), std::string::npos);
  EXPECT_EQ(script_->request().find("X-A: 1\r\n"), std::string::npos);
  EXPECT_NE(script_->request().find("X-B: 2\r\n"), std::string::npos);
  EXPECT_EQ(warnings_, std::vector<std::string>{"header \"nothing\" is not sent: no name"});
}

TEST_F(WrkSpec, HeadersWithoutABlankAreLostAsInWrk) {
  WrkOptions options{.headers = {"X-A: 1", "X-B:2", "nothing"}};
  options.quirks = true;
  spec_of(options);
  EXPECT_NE(script_->request().find("X-A: 1\r\n"), std::string::npos);
  EXPECT_EQ(script_->request().find("X-B"), std::string::npos);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(WrkSpec, ScriptWithHooksHasASource) {
  const script::ScriptFile file("function request() return string.rep(wrk.format(), 4) end");
  const RunSpec spec = spec_of({.script = file.path()});
  EXPECT_TRUE(spec.make_source);
  EXPECT_EQ(spec.pipelining, 4U);
  EXPECT_EQ(spec.targets[0].request.verbatim, "");
}

TEST_F(WrkSpec, ConnectionsFollowTheAddressOfTheirThread) {
  const script::Listener other;
  const script::ScriptFile file(
      "local n = 0\n"
      "function setup(thread)\n"
      "  n = n + 1\n"
      "  if n == 1 then thread.addr = wrk.lookup('127.0.0.1', '" +
      other.port() +
      "')[1] end\n"
      "end\n"
      "function request() return string.rep(wrk.format(), 2) end");
  const RunSpec spec = spec_of({.connections = 5, .threads = 2, .script = file.path()});
  ASSERT_EQ(spec.targets.size(), 5U);
  for (size_t i = 0; i < 5; ++i) {
    const std::string port = std::to_string(spec.targets[i].url.port);
    EXPECT_EQ(port, i < 3 ? other.port() : listener_.port()) << i;
  }
}

TEST_F(WrkSpec, Wrk2HasASchedule) {
  const RunSpec spec = spec_of({.wrk2 = true, .duration_s = 3, .rate = 500});
  ASSERT_TRUE(spec.rate.has_value());
  const RateSegment& steady = spec.rate->stages.at(0).segments.at(0);
  EXPECT_EQ(steady.from, 500);
  EXPECT_EQ(steady.to, 500);
  EXPECT_EQ(steady.duration_ns, 3'000'000'000);
  EXPECT_EQ(spec.rate->drain_ns, 0);
  EXPECT_FALSE(spec.retry_closed);
}

}  // namespace
}  // namespace carronade::dialects::wrk
