// Whole runs against servers that close, reset, answer badly or stop in the middle.
#include <gtest/gtest.h>

#include "carronade/run.h"
#include "scripted_peer.h"

namespace carronade {
namespace {

using test::ScriptedPeer;

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

struct Outcome {
  RunResult result;
  int requests;
  int connections;
};

Outcome run_against(ScriptedPeer::Script script, uint64_t amount, const char* method = "GET",
                    uint32_t depth = 1) {
  ScriptedPeer peer(std::move(script));
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"),
                          {.method = method, .headers = {}, .body = ""}});
  spec.connections = 1;
  spec.pipelining = depth;
  spec.amount = amount;
  spec.timeout_ns = 5'000'000'000;
  auto run = carronade::Run::create(spec, nullptr);
  EXPECT_TRUE(run) << run.error().text;
  Outcome outcome{(*run)->execute(), peer.requests(), peer.connections()};
  EXPECT_TRUE(outcome.result.conserved());
  EXPECT_EQ(outcome.result.sent, amount);
  EXPECT_EQ(outcome.result.in_flight, 0u);
  return outcome;
}

ErrorKind only_error(const RunResult& result) {
  EXPECT_EQ(result.errors.size(), 1u);
  return result.errors.empty() ? ErrorKind::kCount_ : result.errors[0].kind;
}

TEST(RunConnection, CloseAfterACompleteAnswerIsAReconnectNotAnError) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.send(kOk);
      },
      10);
  EXPECT_EQ(o.result.answered, 10u);
  EXPECT_EQ(o.result.error_total(), 0u);
  EXPECT_EQ(o.connections, static_cast<int>(o.result.connections_opened));
}

TEST(RunConnection, AnnouncedCloseIsObeyed) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        talk.wait_for_close();
      },
      5);
  EXPECT_EQ(o.result.answered, 5u);
  EXPECT_EQ(o.result.error_total(), 0u);
  EXPECT_EQ(o.connections, 5);
  EXPECT_EQ(o.result.retried, 0u);
}

TEST(RunConnection, LatencyMayCountTheConnectionThatWasMadeForIt) {
  for (const bool counts : {false, true}) {
    ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
      while (!talk.read_request().empty()) talk.send(kOk);
    });
    RunSpec spec;
    spec.targets.push_back(
        {*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"), {}});
    spec.connections = 1;
    spec.amount = 4;
    spec.reconnect_after = 2;
    spec.connect_counts = counts;
    const RunResult result = (*carronade::Run::create(spec, nullptr))->execute();
    EXPECT_EQ(result.answered, 4u);
    EXPECT_EQ(result.connections_opened, 2u);
    // Two requests waited for their connection; the answer's first byte is counted from sending.
    const double beyond = result.latency.sum() - result.first_byte.sum();
    EXPECT_EQ(beyond >= result.connect.sum(), counts) << beyond;
  }
}

TEST(RunConnection, OurOwnConnectionCloseIsObeyedByBothSides) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    while (!talk.read_request().empty()) talk.send(kOk);  // does not close by itself
  });
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"),
                          {.method = "GET", .headers = {{"connection", "x, Close"}}, .body = ""}});
  spec.connections = 1;
  spec.pipelining = 4;
  spec.amount = 5;
  const RunResult result = (*carronade::Run::create(spec, nullptr))->execute();
  EXPECT_EQ(result.answered, 5u);
  EXPECT_EQ(peer.connections(), 5);
}

TEST(RunConnection, ABodyUntilCloseIsAnAnswer) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.send("HTTP/1.1 200 OK\r\n\r\nuntil the end");
      },
      3);
  EXPECT_EQ(o.result.answered, 3u);
  EXPECT_EQ(o.result.bytes_body, 39u);
  EXPECT_EQ(o.result.error_total(), 0u);
}

// Answers two requests of each connection and closes at the third.
void close_at_the_third(ScriptedPeer::Talk& talk) {
  for (int i = 0; i < 2; ++i) {
    if (talk.read_request().empty()) return;
    talk.send(kOk);
  }
  talk.read_request();
}

TEST(RunConnection, AnIdempotentRequestOnAReusedConnectionIsSentOnceMore) {
  const Outcome o = run_against(close_at_the_third, 8);
  EXPECT_EQ(o.result.answered, 8u);
  EXPECT_EQ(o.result.error_total(), 0u);
  EXPECT_EQ(o.result.retried, 3u);
  EXPECT_EQ(o.requests, 11);
}

TEST(RunConnection, APostIsNotSentAgain) {
  const Outcome o = run_against(close_at_the_third, 9, "POST");
  EXPECT_EQ(o.result.answered, 6u);
  EXPECT_EQ(o.result.failed, 3u);
  EXPECT_EQ(o.result.retried, 0u);
  EXPECT_EQ(only_error(o.result), ErrorKind::kClosedBeforeResponse);
}

TEST(RunConnection, ClosedBeforeResponseOnAFreshConnectionIsAnError) {
  const Outcome o = run_against([](ScriptedPeer::Talk& talk) { talk.read_request(); }, 4);
  EXPECT_EQ(o.result.failed, 4u);
  EXPECT_EQ(o.result.retried, 0u);
  EXPECT_EQ(only_error(o.result), ErrorKind::kClosedBeforeResponse);
}

TEST(RunConnection, ARetryHappensOnlyOnce) {
  // The first connection answers one request; all others close at once.
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        if (talk.index() == 0) {
          talk.read_request();
          talk.send(kOk);
        }
        talk.read_request();
      },
      3);
  EXPECT_EQ(o.result.answered, 1u);
  EXPECT_EQ(o.result.failed, 2u);
  EXPECT_EQ(o.result.retried, 1u);
  EXPECT_EQ(o.requests, 4);
}

TEST(RunConnection, PipelinedRequestsBehindAnAnnouncedCloseAreRetried) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        for (int i = 0; i < 9; ++i) {
          if (talk.read_request().empty()) return;
          talk.send(kOk);
        }
        if (talk.read_request().empty()) return;
        talk.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
      },
      50, "GET", 8);
  EXPECT_EQ(o.result.answered, 50u);
  EXPECT_EQ(o.result.error_total(), 0u);
  EXPECT_GT(o.result.retried, 0u);
}

TEST(RunConnection, AServerThatAnswersOneRequestPerConnectionFailsNoPipelinedOne) {
  const auto one_answer = [](ScriptedPeer::Talk& talk) {
    talk.read_request();
    talk.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
  };
  const Outcome get = run_against(one_answer, 20, "GET", 8);
  EXPECT_EQ(get.result.answered, 20u);
  EXPECT_EQ(get.result.error_total(), 0u);
  EXPECT_EQ(get.connections, 20);
  const Outcome post = run_against(one_answer, 20, "POST", 8);
  EXPECT_EQ(post.result.retried, 0u);
  EXPECT_EQ(post.result.answered + post.result.failed, 20u);
}

// Each of the next four hung, or lost answers or requests, once.
TEST(RunConnection, AnAnswerBeforeTheRequestHasLeftDoesNotHangTheRun) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
    talk.never_read();
  });
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"),
                          {.method = "POST", .headers = {}, .body = std::string(20'000'000, 'x')}});
  spec.connections = 1;
  spec.amount = 3;
  spec.timeout_ns = 300'000'000;
  const RunResult result = (*carronade::Run::create(spec, nullptr))->execute();
  EXPECT_EQ(result.sent, 3u);
  EXPECT_TRUE(result.conserved());
}

TEST(RunConnection, WhatComesTogetherWithTheConnectionIsRead) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
        talk.wait_for_close();
      },
      1);
  EXPECT_EQ(o.result.by_status[503], 1u);
  EXPECT_EQ(o.result.error_total(), 0u);
}

TEST(RunConnection, YoungerPipelinedRequestsAreLostWithTheOverdueOne) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.read_request();
    talk.send(kOk);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    talk.read_request();
    talk.send(kOk);  // the next request leaves 100 ms after the two that wait already
    talk.wait_for_close();
  });
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"), {}});
  spec.connections = 1;
  spec.pipelining = 3;
  spec.duration_ns = 700'000'000;
  spec.timeout_ns = 400'000'000;
  const RunResult result = (*carronade::Run::create(spec, nullptr))->execute();
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(result.timed_out, 3u);
  ASSERT_EQ(result.errors.size(), 2u);
  const std::string texts = result.errors[0].text + result.errors[1].text;
  EXPECT_NE(texts.find("no complete answer within 400ms"), std::string::npos) << texts;
  EXPECT_NE(texts.find("earlier request"), std::string::npos) << texts;
}

TEST(RunConnection, TheFirstByteOfA103IsNotThatOfTheAnswer) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.send("HTTP/1.1 103 Ea");
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        talk.send("rly Hints\r\n\r\nHTTP/1.1 200 O");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        talk.send("K\r\nContent-Length: 0\r\n\r\n");
        talk.wait_for_close();
      },
      1);
  EXPECT_GE(o.result.first_byte.max(), 50'000'000);
  EXPECT_GE(o.result.latency.max(), o.result.first_byte.max() + 10'000'000);
}

TEST(RunConnection, ATruncatedAnswerIsItsOwnError) {
  for (const char* piece : {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "HTTP/1.1 20",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"}) {
    const Outcome o = run_against(
        [piece](ScriptedPeer::Talk& talk) {
          talk.read_request();
          talk.send(piece);
        },
        2);
    EXPECT_EQ(o.result.failed, 2u);
    EXPECT_EQ(only_error(o.result), ErrorKind::kTruncatedResponse) << piece;
  }
}

TEST(RunConnection, AResetIsNamed) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.reset();
      },
      2);
  EXPECT_EQ(o.result.failed, 2u);
  EXPECT_EQ(only_error(o.result), ErrorKind::kConnectionReset);
}

TEST(RunConnection, BytesAfterTheLastExpectedResponseAreAnErrorButTheAnswerCounts) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.send(kOk + "extra");
        talk.wait_for_close();
      },
      3);
  EXPECT_EQ(o.result.answered, 3u);
  EXPECT_EQ(o.result.failed, 0u);
  EXPECT_EQ(only_error(o.result), ErrorKind::kExcessBytes);
  EXPECT_EQ(o.result.errors[0].count, 3u);
}

TEST(RunConnection, AFaultInTheBytesFailsWhatWasInFlight) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab");
        talk.wait_for_close();
      },
      3);
  EXPECT_EQ(o.result.failed, 3u);
  EXPECT_EQ(only_error(o.result), ErrorKind::kConflictingLength);
}

TEST(RunConnection, ASplitAnswerHasAnEarlierFirstByte) {
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        talk.read_request();
        talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n");
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        talk.send("\r\nok");
        talk.wait_for_close();
      },
      1);
  EXPECT_EQ(o.result.answered, 1u);
  EXPECT_GE(o.result.latency.max(), o.result.first_byte.max() + 40'000'000);
}

TEST(RunConnection, PipelinedAnswersHaveEachTheirOwnTime) {
  // 5 requests, answered one by one 20 ms apart: the fifth took five times as long.
  const Outcome o = run_against(
      [](ScriptedPeer::Talk& talk) {
        for (int i = 0; i < 5; ++i) {
          if (talk.read_request().empty()) return;
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          talk.send(kOk);
        }
        talk.wait_for_close();
      },
      5, "GET", 5);
  EXPECT_EQ(o.result.answered, 5u);
  EXPECT_GE(o.result.latency.max(), 60'000'000);
  EXPECT_GE(o.result.latency.min(), 19'000'000);
}

TEST(RunConnection, ALocalAddressOfAnotherFamilyIsNotIgnored) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) { talk.read_request(); });
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"), {}});
  spec.connections = 1;
  spec.amount = 1;
  spec.local_addresses = {"::1"};
  auto run = carronade::Run::create(spec, nullptr);
  if (!run) GTEST_SKIP() << "no IPv6 here: " << run.error().text;
  const RunResult result = (*run)->execute();
  EXPECT_EQ(only_error(result), ErrorKind::kConnectFailed);
  EXPECT_NE(result.errors[0].text.find("--local-address"), std::string::npos);
  EXPECT_EQ(peer.connections(), 0);
}

}  // namespace
}  // namespace carronade
