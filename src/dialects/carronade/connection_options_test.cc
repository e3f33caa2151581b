// --proxy, and what goes with ws:// and wss:// URLs: from words to the spec of a run.
#include <gtest/gtest.h>

#include "dialects/carronade/spec_test_support.h"

namespace carronade::dialects {
namespace {

Outcome on(const std::string& url, Words args, Form form = Form::kPlain) {
  args.push_back(url);
  return outcome_of(args, form);
}

constexpr const char* kHttp = "http://127.0.0.1:8080/p";
constexpr const char* kWs = "ws://127.0.0.1:8080/p";

TEST(Proxy, IsAnHttpUrl) {
  const Outcome o = accepted(on(kHttp, {"--proxy", "http://ann:pw@proxy:3128"}));
  ASSERT_TRUE(o.spec().proxy);
  EXPECT_EQ(o.spec().proxy->url.origin(), "http://proxy:3128");
  EXPECT_EQ(o.spec().proxy->url.password, "pw");
  EXPECT_EQ(o.spec().targets.at(0).url.port, 8080);
  EXPECT_FALSE(accepted(on(kHttp, {})).spec().proxy);
}

TEST(Proxy, WhatIsRefused) {
  EXPECT_EQ(on(kHttp, {"--proxy", "socks5://proxy:1080"}).error,
            "--proxy: proxy \"socks5://proxy:1080\": only HTTP proxies are spoken with: "
            "http://[user:pass@]host:port");
  EXPECT_EQ(on(kHttp, {"--proxy", "proxy:port"}).error,
            "--proxy: proxy \"proxy:port\" is not http://[user:pass@]host:port");
  EXPECT_EQ(on(kHttp, {"--proxy="}).error,
            "--proxy: proxy \"\" is not http://[user:pass@]host:port");
  EXPECT_EQ(on(kHttp, {"--proxy", "proxy:1", "-S", "/run/app.sock"}).error,
            "--proxy and --socketPath both say where to connect to: give one of them");
}

TEST(Proxy, AWarmupGoesThroughItToo) {
  const Outcome o = accepted(on(kHttp, {"--proxy", "proxy:1", "-W", "[", "-d", "1", "]"}));
  EXPECT_TRUE(o.job->warmup.value().spec.proxy);
}

TEST(WebSocket, TheBodyIsTheMessage) {
  const Outcome o = accepted(on(kWs, {"-b", "hello", "-H", "X-Key: 1", "-p", "4"}));
  const Target& target = o.spec().targets.at(0);
  EXPECT_TRUE(target.url.websocket);
  EXPECT_FALSE(target.binary_message);
  EXPECT_EQ(target.request.body, "hello");
  EXPECT_EQ(target.request.headers.at(0).name, "X-Key");
  EXPECT_EQ(o.spec().pipelining, 4U);
  EXPECT_TRUE(o.facts().websocket);
  EXPECT_TRUE(o.job->warnings.empty());
  EXPECT_TRUE(accepted(on("wss://127.0.0.1/", {"-b", "x"})).spec().targets.at(0).url.tls);
}

TEST(WebSocket, BinaryMessagesMayBeAnyBytes) {
  const Outcome o = accepted(on(kWs, {"-b", "\xff", "--binary"}));
  EXPECT_TRUE(o.spec().targets.at(0).binary_message);
  EXPECT_EQ(on(kWs, {"-b", "\xff"}).error,
            "the message is not UTF-8, which a text message must be: add --binary");
  EXPECT_EQ(on(kWs, {"-b", "cut \xc3"}).error,
            "the message is not UTF-8, which a text message must be: add --binary");
  EXPECT_EQ(on(kHttp, {"-b", "x", "--binary"}).error,
            "--binary is for ws:// and wss:// URLs: a body has no kind");
}

TEST(WebSocket, AnEmptyMessageIsWarnedOf) {
  const Outcome o = accepted(on(kWs, {}));
  ASSERT_EQ(o.job->warnings.size(), 1U);
  EXPECT_TRUE(o.job->warnings[0].starts_with("no message is given"));
}

TEST(WebSocket, WhatMakesNoSenseIsRefused) {
  const auto begins = [](Words args, const std::string& front) {
    const std::string error = on(kWs, std::move(args)).error;
    EXPECT_EQ(error.substr(0, front.size()), front);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  };
  begins({"-m", "POST"}, "--method: a WebSocket begins with a GET");
  begins({"-F", R"({"a":{"type":"text","value":"b"}})"}, "--form: a WebSocket message is no form");
  begins({"-I", "-b", "x"}, "--idReplacement, --template and --data");
  begins({"--template", "-b", "x"}, "--idReplacement, --template and --data");
  begins({"-x"}, "--excludeErrorStats leaves out answers");
  begins({"--renderStatusCodes"}, "--renderStatusCodes: WebSocket messages have no status");
  EXPECT_EQ(on(kWs, {"-m", "GET"}).error, "");
}

TEST(WebSocket, DoesNotMixWithHttp) {
  EXPECT_TRUE(on(kHttp, {kWs}).error.starts_with("WebSocket and HTTP URLs do not go into one run"));
  EXPECT_EQ(on(kWs, {"wss://127.0.0.1:1/"}).error, "");
}

TEST(WebSocket, TheStrictFormRefusesIt) {
  EXPECT_TRUE(on(kWs, {}, Form::kStrict).error.starts_with("Invalid URL"));
}

}  // namespace
}  // namespace carronade::dialects
