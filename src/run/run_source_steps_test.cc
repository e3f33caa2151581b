// What a RequestSource may say beyond its next request: where it goes, that an exchange goes on,
// that a connection waits; and the requests that go out as they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "stepping_source.h"

namespace carronade {
namespace {

using test::closed_port;
using test::echo_path;
using test::even;
using test::execute;
using test::get;
using test::kOk;
using test::kSecond;
using test::Notes;
using test::NumberingSource;
using test::ScriptedPeer;
using test::spec_for;
using test::SteppingSource;
using test::target_at;

constexpr int64_t kMillisecond = 1'000'000;

TEST(RunSourceSteps, TheSourceSaysWhereEachRequestGoes) {
  ScriptedPeer a(echo_path);
  ScriptedPeer b(echo_path);
  for (const bool open_loop : {false, true}) {
    const int before_a = a.requests();
    const int before_b = b.requests();
    Notes notes;
    RunSpec spec = spec_for(a);
    spec.targets.push_back(target_at(b.port()));
    spec.connections = open_loop ? 3 : 1;  // fewer than targets is no reason to leave one out
    spec.amount = 9;
    if (open_loop) {
      spec.rate.emplace();
      spec.rate->stages.push_back(even(200, RateSegment::kEndless));
    }
    spec.make_source = [&notes](uint32_t, uint32_t) {
      auto source =
          std::make_unique<SteppingSource>(SourceWants{.heads = true, .targets = true}, notes, get);
      // Two to a, one to b, and so on.
      source->choose = [&notes] { return notes.connections.size() % 3 == 0 ? 1U : 0U; };
      return source;
    };
    const RunResult result = execute(spec);
    EXPECT_EQ(result.answered, 9u);
    EXPECT_EQ(result.error_total(), 0u);
    EXPECT_EQ(a.requests() - before_a + b.requests() - before_b, 9);
    EXPECT_NEAR(b.requests() - before_b, 3, open_loop ? 1 : 0);
  }
}

TEST(RunSourceSteps, ATargetThatCannotBeReachedLosesItsOwnRequestsOnly) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.targets.push_back(target_at(closed_port()));
  Target unknown = target_at(80);
  unknown.url.host = "no-such-name.invalid";
  unknown.url.host_is_ip = false;
  spec.targets.push_back(unknown);
  spec.amount = 9;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    auto source = std::make_unique<SteppingSource>(
        SourceWants{.responses = true, .losses = true, .targets = true}, notes, get);
    source->choose = [&notes] { return static_cast<uint32_t>((notes.connections.size() - 1) % 3); };
    return source;
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 3u);
  EXPECT_EQ(notes.connections.size(), 9u);
  ASSERT_EQ(notes.losses.size(), 6u);
  const auto of_kind = [&notes](ErrorKind kind) {
    return std::count_if(notes.losses.begin(), notes.losses.end(),
                         [kind](const Loss& loss) { return loss.kind == kind; });
  };
  EXPECT_EQ(of_kind(ErrorKind::kConnectRefused), 3);
  EXPECT_EQ(of_kind(ErrorKind::kResolveFailed), 3);
  EXPECT_EQ(result.error_total(), 6u);
}

// "/n" answers with a redirect to "/n+1", until 3.
void redirect(ScriptedPeer::Talk& talk) {
  for (;;) {
    const std::string request = talk.read_request();
    if (request.empty()) return;
    const int number = request[request.find('/') + 1] - '0';
    if (number < 3) {
      talk.send("HTTP/1.1 302 Found\r\nLocation: /" + std::to_string(number + 1) +
                "\r\nContent-Length: 0\r\n\r\n");
    } else {
      talk.send(kOk);
    }
  }
}

TEST(RunSourceSteps, AnExchangeMayGoOnWithAnotherRequest) {
  for (const bool open_loop : {false, true}) {
    ScriptedPeer peer(redirect);
    Notes notes;
    RunSpec spec = spec_for(peer);
    spec.amount = 5;
    if (open_loop) {
      spec.rate.emplace();
      spec.rate->stages.push_back(even(100, RateSegment::kEndless));
    }
    std::vector<int64_t> dues;
    spec.make_source = [&](uint32_t, uint32_t) {
      auto source = std::make_unique<SteppingSource>(SourceWants{.heads = true, .follow_ups = true},
                                                     notes, [](int) { return get(0); });
      source->follow = [&dues](const Response& response, std::string& out) {
        dues.push_back(response.due_ns);
        if (response.status != 302) return false;
        out = get(response.head[response.head.find("Location: /") + 11] - '0');
        return true;
      };
      return source;
    };
    const RunResult result = execute(spec);
    EXPECT_EQ(result.sent, 5u);
    EXPECT_EQ(result.answered, 5u);
    EXPECT_EQ(result.by_status[200], 5u);
    EXPECT_EQ(result.by_status[302], 0u);
    EXPECT_EQ(result.retried, 0u);
    EXPECT_EQ(peer.requests(), 20);
    EXPECT_EQ(peer.connections(), 1);
    ASSERT_EQ(dues.size(), 20u);
    for (size_t i = 0; i < dues.size(); ++i) EXPECT_EQ(dues[i], dues[i - i % 4]);
    EXPECT_EQ(notes.answers.size(), 5u);
  }
}

TEST(RunSourceSteps, AnExchangeGoesOnOnAnotherConnectionOrAtAnotherTarget) {
  ScriptedPeer there(echo_path);
  for (const bool closes : {false, true}) {
    ScriptedPeer here([closes](ScriptedPeer::Talk& talk) {
      while (!talk.read_request().empty()) {
        talk.send(std::string("HTTP/1.1 307 Away\r\nContent-Length: 0\r\n") +
                  (closes ? "Connection: close\r\n" : "") + "\r\n");
        if (closes) return;
      }
    });
    Notes notes;
    RunSpec spec = spec_for(here);
    spec.targets.push_back(target_at(there.port()));
    spec.amount = 4;
    spec.make_source = [&](uint32_t, uint32_t) {
      auto source = std::make_unique<SteppingSource>(
          SourceWants{.targets = true, .follow_ups = true}, notes, get);
      const auto away = std::make_shared<bool>(false);
      source->choose = [away] { return *away ? 1U : 0U; };
      source->follow = [away](const Response& response, std::string& out) {
        *away = response.status == 307;
        // Not idempotent: it is sent for the first time all the same.
        if (*away) out = "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1";
        return *away;
      };
      return source;
    };
    const RunResult result = execute(spec);
    EXPECT_EQ(result.answered, 4u);
    EXPECT_EQ(result.by_status[200], 4u);
    EXPECT_EQ(result.error_total(), 0u);
    EXPECT_EQ(here.requests(), 4);
  }
  EXPECT_EQ(there.requests(), 8);
}

// The exchange is lost with the reason why it could not go on, and with nothing else.
TEST(RunSourceSteps, AnExchangeThatCannotGoOnIsLostWithTheReason) {
  ScriptedPeer here([](ScriptedPeer::Talk& talk) {
    while (!talk.read_request().empty()) {
      talk.send("HTTP/1.1 302 Away\r\nContent-Length: 0\r\n\r\n");
    }
  });
  Target unknown = target_at(80);
  unknown.url.host = "no-such-name.invalid";
  unknown.url.host_is_ip = false;
  for (const bool resolves : {false, true}) {
    Notes notes;
    RunSpec spec = spec_for(here);
    spec.targets.push_back(resolves ? target_at(closed_port()) : unknown);
    spec.amount = 3;
    spec.make_source = [&](uint32_t, uint32_t) {
      auto source = std::make_unique<SteppingSource>(
          SourceWants{.losses = true, .targets = true, .follow_ups = true}, notes, get);
      const auto away = std::make_shared<bool>(false);
      source->choose = [away] { return std::exchange(*away, false) ? 1U : 0U; };
      source->follow = [away](const Response&, std::string& out) {
        out = get(9);
        return *away = true;
      };
      return source;
    };
    const RunResult result = execute(spec);
    EXPECT_EQ(result.sent, 3u);
    EXPECT_EQ(result.failed, 3u);
    EXPECT_EQ(result.error_total(), 3u);
    ASSERT_EQ(notes.losses.size(), 3u);
    for (const Loss& loss : notes.losses) {
      EXPECT_EQ(loss.kind, resolves ? ErrorKind::kConnectRefused : ErrorKind::kResolveFailed);
      EXPECT_EQ(loss.requests, 1u);
    }
  }
}

// What stands behind the answer cannot be one to a request that has not left.
TEST(RunSourceSteps, BytesBehindAnAnswerThatIsFollowedAreNoAnswer) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    while (!talk.read_request().empty()) {
      const bool first = talk.index() == 0;
      talk.send(first ? "HTTP/1.1 302 On\r\nContent-Length: 0\r\n\r\n" + kOk : kOk);
    }
  });
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 3;
  spec.make_source = [&](uint32_t, uint32_t) {
    auto source = std::make_unique<SteppingSource>(SourceWants{.follow_ups = true}, notes, get);
    source->follow = [](const Response& response, std::string& out) {
      out = get(9);
      return response.status == 302;
    };
    return source;
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 3u);
  EXPECT_EQ(result.error_total(), 1u);
  EXPECT_EQ(result.errors[0].kind, ErrorKind::kExcessBytes);
  EXPECT_EQ(peer.connections(), 2);
  EXPECT_EQ(peer.requests(), 4);
}

TEST(RunSourceSteps, AConnectionWaitsBeforeEachRequest) {
  // With the connection kept, and made anew for each request.
  for (const bool closes : {false, true}) {
    ScriptedPeer peer([closes](ScriptedPeer::Talk& talk) {
      while (!talk.read_request().empty()) {
        talk.send(kOk);
        if (closes) return;
      }
    });
    Notes notes;
    RunSpec spec = spec_for(peer);
    spec.connections = 2;
    spec.amount = 6;
    spec.make_source = [&](uint32_t, uint32_t) {
      auto source = std::make_unique<SteppingSource>(
          SourceWants{.responses = true, .pauses = true}, notes, [closes](int number) {
            std::string text = get(number);
            if (closes) text.insert(text.size() - 2, "Connection: close\r\n");
            return text;
          });
      source->pause = [] { return 30 * kMillisecond; };
      return source;
    };
    const RunResult result = execute(spec);
    EXPECT_EQ(result.answered, 6u);
    EXPECT_EQ(result.error_total(), 0u);
    EXPECT_GE(result.elapsed_ns, 60 * kMillisecond);  // at least three on one of them
    EXPECT_EQ(peer.connections(), closes ? 6 : 2);
  }
}

TEST(RunSourceSteps, AnswersComeWithTheirTimes) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 3;
  std::vector<Response> heard;
  spec.make_source = [&](uint32_t, uint32_t) {
    auto source = std::make_unique<NumberingSource>(
        SourceWants{.requests = false, .responses = true}, notes, get);
    source->act = [&heard](const Response& response) {
      heard.push_back(response);
      return true;
    };
    return source;
  };
  const RunResult result = execute(spec);
  ASSERT_EQ(heard.size(), 3u);
  EXPECT_EQ(heard[0].connect_ns, result.connect.max());
  EXPECT_GT(heard[0].connect_ns, 0);
  for (const Response& response : heard) {
    EXPECT_EQ(response.due_ns, response.sent_ns);
    EXPECT_GE(response.first_byte_ns, response.sent_ns);
    EXPECT_LE(response.first_byte_ns, response.due_ns + response.latency_ns);
    EXPECT_EQ(response.body_bytes, 1u);  // "/"
    EXPECT_EQ(response.connect_ns == 0, &response != &heard[0]);
  }
}

TEST(RunSourceSteps, AVerbatimRequestGoesOutAsItIs) {
  std::string seen;
  ScriptedPeer peer([&seen](ScriptedPeer::Talk& talk) {
    std::string request = talk.read_request();
    if (request.empty()) return;
    seen = request;
    talk.send("HTTP/1.0 200 OK\r\n\r\nuntil the end");
  });
  RunSpec spec = spec_for(peer);
  spec.amount = 3;
  spec.targets[0].request.verbatim =
      "POST /a|b HTTP/1.0\r\nhost:x\r\nContent-Length: 2\r\nX-Odd:  1\r\n\r\nhi";
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 3u);
  EXPECT_EQ(result.bytes_body, 39u);
  EXPECT_EQ(result.error_total(), 0u);
  EXPECT_EQ(peer.connections(), 3);
  EXPECT_EQ(seen, spec.targets[0].request.verbatim);
  for (const char* broken : {"GET / HTTP/1.1\r\nHost: x\r\n", "GET /\r\n\r\n",
                             "GET  / HTTP/1.1\r\n\r\n", "CONNECT x:1 HTTP/1.1\r\n\r\n"}) {
    spec.targets[0].request.verbatim = broken;
    EXPECT_FALSE(carronade::Run::create(spec, nullptr)) << broken;
  }
}

TEST(RunSourceSteps, ASourceMayBeOverForOneConnection) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.connections = 3;
  spec.duration_ns = 60 * kSecond;
  class Quota : public NumberingSource {
   public:
    using NumberingSource::NumberingSource;
    NextRequest next(uint32_t connection, std::string& out) override {
      if (given_[connection]++ > static_cast<int>(connection)) return NextRequest::kNoneHere;
      return NumberingSource::next(connection, out);
    }

   private:
    std::array<int, 3> given_{};
  };
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<Quota>(SourceWants{}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 6u);  // 1 + 2 + 3
  EXPECT_EQ(result.stopped_by, StoppedBy::kConnectionRequests);
  EXPECT_LT(result.elapsed_ns, 30 * kSecond);
}

// Three at once, and the next three when all of them are answered.
TEST(RunSourceSteps, ABatchIsAskedForWhenNothingIsInFlight) {
  std::vector<size_t> seen;
  ScriptedPeer peer([&seen](ScriptedPeer::Talk& talk) {
    size_t asked = 0;
    while (!talk.read_request().empty()) {
      // What is there already was sent without waiting for an answer.
      if (++asked % 3 != 0) continue;
      seen.push_back(asked);
      for (int i = 0; i < 3; ++i) talk.send(kOk);
    }
  });
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.pipelining = 3;
  spec.amount = 9;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.responses = true, .batches = true}, notes,
                                             get);
  };
  EXPECT_EQ(execute(spec).answered, 9u);
  EXPECT_EQ(seen, (std::vector<size_t>{3, 6, 9}));
}

// A server that speaks HTTP/1.1 closes all the same when it was asked in HTTP/1.0.
TEST(RunSourceSteps, AnAnswerThatDoesNotSayKeepAliveIsTheLastOfHttp10) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    if (talk.read_request().empty()) return;
    talk.send(kOk);
    if (talk.wait_for_bytes()) ADD_FAILURE() << "asked again";
  });
  RunSpec spec = spec_for(peer);
  spec.amount = 4;
  spec.targets[0].request.verbatim =
      "POST / HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n";
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 4u);
  EXPECT_EQ(result.error_total(), 0u);
  EXPECT_EQ(peer.connections(), 4);
}

}  // namespace
}  // namespace carronade
