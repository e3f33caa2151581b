// Whole runs through an HTTP proxy, good ones and bad ones.
#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "carronade/run.h"
#include "scripted_peer.h"
#include "ws_peer.h"
#include "ws_runs.h"

namespace carronade {
namespace {

using test::run_conserved;
using test::ScriptedPeer;

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const std::string kTunnel = "HTTP/1.1 200 Connection established\r\n\r\n";

// What a proxy was asked.
class Asked {
 public:
  std::string add(const std::string& request) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    return request;
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> requests_;
};

RunSpec spec_through(const ScriptedPeer& proxy, const std::string& url, uint64_t amount) {
  RunSpec spec;
  spec.targets.push_back({*parse_url(url, Schemes::kHttpAndWebSocket), {}});
  spec.proxy = ProxySpec{
      .url = *parse_url("http://me:secret@127.0.0.1:" + std::to_string(proxy.port()) + "/"),
      .headers = {{"X-Proxy", "1"}}};
  spec.connections = 1;
  spec.amount = amount;
  spec.timeout_ns = 5'000'000'000;
  return spec;
}

TEST(RunProxy, HttpIsAskedInAbsoluteForm) {
  Asked asked;
  ScriptedPeer proxy([&asked](ScriptedPeer::Talk& talk) {
    while (!asked.add(talk.read_request()).empty()) talk.send(kOk);
  });
  // The name is the proxy's to look up.
  const RunResult result =
      run_conserved(spec_through(proxy, "http://nowhere.invalid:8080/a?b=1", 2));
  EXPECT_EQ(result.answered, 2u);
  EXPECT_EQ(result.connections_opened, 1u);
  const std::string first = asked.all().front();
  EXPECT_TRUE(first.starts_with("GET http://nowhere.invalid:8080/a?b=1 HTTP/1.1\r\n")) << first;
  EXPECT_NE(first.find("\r\nHost: nowhere.invalid:8080\r\n"), std::string::npos) << first;
  EXPECT_NE(first.find("\r\nX-Proxy: 1\r\n"), std::string::npos) << first;
  EXPECT_NE(first.find("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"), std::string::npos);
}

TEST(RunProxy, AWebSocketGoesThroughATunnel) {
  Asked asked;
  ScriptedPeer proxy([&asked](ScriptedPeer::Talk& talk) {
    asked.add(talk.read_request());
    talk.send(kTunnel);
    talk.send(test::ws_accept(asked.add(talk.read_request())));
    test::echo_ws(talk);
  });
  const RunResult result = run_conserved(spec_through(proxy, "ws://[::1]:81/chat", 5));
  EXPECT_EQ(result.answered, 5u);
  EXPECT_EQ(result.error_total(), 0u);
  const std::vector<std::string> requests = asked.all();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_TRUE(requests[0].starts_with("CONNECT [::1]:81 HTTP/1.1\r\nHost: [::1]:81\r\n"))
      << requests[0];
  EXPECT_NE(requests[0].find("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"), std::string::npos);
  EXPECT_NE(requests[0].find("\r\nX-Proxy: 1\r\n"), std::string::npos);
  EXPECT_TRUE(requests[1].starts_with("GET /chat HTTP/1.1\r\n")) << requests[1];
  EXPECT_EQ(requests[1].find("Proxy"), std::string::npos) << requests[1];
}

TEST(RunProxy, AnInterimAnswerIsPassedOver) {
  ScriptedPeer proxy([](ScriptedPeer::Talk& talk) {
    (void)talk.read_request();
    talk.send("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\nA: b\r\n\r\n" + kTunnel);
    talk.send(test::ws_accept(talk.read_request()));
    test::echo_ws(talk);
  });
  const RunResult result = run_conserved(spec_through(proxy, "ws://nowhere.invalid/", 2));
  EXPECT_EQ(result.answered, 2u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunProxy, AnAnswerWithoutAStatusIsNoTunnel) {
  for (const std::string answer : {"HTTP/1.1 2\r\n\r\n", "HTTP/1.1 20000\r\n\r\n", "hello\n\n"}) {
    ScriptedPeer proxy([&answer](ScriptedPeer::Talk& talk) {
      (void)talk.read_request();
      talk.send(answer);
      talk.wait_for_close();
    });
    const RunResult result = run_conserved(spec_through(proxy, "https://nowhere.invalid/", 1));
    ASSERT_EQ(result.errors.size(), 1u);
    EXPECT_EQ(result.errors[0].kind, ErrorKind::kProxyRefused) << answer;
  }
}

TEST(RunProxy, ARefusedTunnelIsAnErrorOfTheProxy) {
  ScriptedPeer proxy([](ScriptedPeer::Talk& talk) {
    (void)talk.read_request();
    talk.send("HTTP/1.1 403 Filtered\r\nContent-Length: 2\r\n\r\nno");
  });
  const RunResult result = run_conserved(spec_through(proxy, "https://nowhere.invalid/", 2));
  EXPECT_EQ(result.sent, 0u);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kProxyRefused);
  EXPECT_EQ(result.errors[0].phase, Phase::kProxy);
  EXPECT_EQ(result.errors[0].count, 2u);
  EXPECT_NE(result.errors[0].text.find("403 Filtered"), std::string::npos) << result.errors[0].text;
}

TEST(RunProxy, BytesBehindTheTunnelsAnswerAreRefused) {
  ScriptedPeer proxy([](ScriptedPeer::Talk& talk) {
    (void)talk.read_request();
    talk.send(kTunnel + "220 mail here\r\n");
    talk.wait_for_close();
  });
  const RunResult result = run_conserved(spec_through(proxy, "https://nowhere.invalid/", 1));
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kProxyRefused);
}

TEST(RunProxy, AnErrorSaysWhetherTheProxyIsMeant) {
  uint16_t nobody = 0;
  {
    ScriptedPeer gone([](ScriptedPeer::Talk&) {});
    nobody = gone.port();
  }
  ScriptedPeer proxy([](ScriptedPeer::Talk& talk) {
    (void)talk.read_request();
    talk.send(kTunnel);
    talk.wait_for_bytes();
    talk.send("HTTP/1.1 400 this is no TLS\r\n\r\n");
    talk.wait_for_close();
  });
  RunSpec spec = spec_through(proxy, "https://nowhere.invalid:81/", 1);
  RunResult result = run_conserved(spec);
  ASSERT_EQ(result.errors.size(), 1u);
  const std::string port = std::to_string(proxy.port());
  EXPECT_TRUE(result.errors[0].text.starts_with(
      "tls https://nowhere.invalid:81 through proxy 127.0.0.1:" + port + ": "))
      << result.errors[0].text;
  spec.proxy->url.port = nobody;
  result = run_conserved(spec);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].text,
            "connect proxy 127.0.0.1:" + std::to_string(nobody) + ": Connection refused");
}

TEST(RunProxy, ASilentProxyEndsWithTheTimeout) {
  ScriptedPeer proxy([](ScriptedPeer::Talk& talk) { talk.never_read(); });
  RunSpec spec = spec_through(proxy, "https://nowhere.invalid/", 1);
  spec.timeout_ns = 200'000'000;
  const RunResult result = run_conserved(spec);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kConnectTimeout);
  EXPECT_EQ(result.errors[0].phase, Phase::kProxy);
}

TEST(RunProxy, WhatDoesNotFitIsRefused) {
  ScriptedPeer proxy([](ScriptedPeer::Talk&) {});
  RunSpec spec = spec_through(proxy, "http://127.0.0.1/", 1);
  spec.unix_socket = "/tmp/x";
  EXPECT_FALSE(Run::create(spec, nullptr));
  spec = spec_through(proxy, "http://127.0.0.1/", 1);
  spec.proxy->url = *parse_url("https://127.0.0.1:8080/");
  EXPECT_FALSE(Run::create(spec, nullptr));
}

}  // namespace
}  // namespace carronade
