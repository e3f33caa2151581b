// Whole runs whose requests come from a RequestSource, or whose answers one hears.
#include <gtest/gtest.h>
#include <poll.h>

#include <functional>
#include <mutex>
#include <set>

#include "carronade/run.h"
#include "scripted_peer.h"

namespace carronade {
namespace {

using test::ScriptedPeer;

constexpr int64_t kSecond = 1'000'000'000;
const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Numbers its requests and notes what it hears; `act`, when set, decides on_response.
struct Notes {
  std::mutex mutex;
  std::vector<uint32_t> connections;  // of next()
  std::vector<std::string> answers;   // "200 head|body|trailers"
  std::vector<Loss> losses;
};

class NumberingSource : public RequestSource {
 public:
  using Make = std::function<std::string(int number)>;
  NumberingSource(SourceWants wants, Notes& notes, Make make, int most = INT32_MAX)
      : wants_(wants), notes_(notes), make_(std::move(make)), most_(most) {}

  SourceWants wants() const override { return wants_; }
  NextRequest next(uint32_t connection, std::string& out) override {
    const std::lock_guard lock(notes_.mutex);
    if (given_ == most_) return NextRequest::kNone;
    notes_.connections.push_back(connection);
    out += make_(given_++);
    return NextRequest::kGiven;
  }
  bool on_response(const Response& response) override {
    const std::lock_guard lock(notes_.mutex);
    notes_.answers.push_back(std::to_string(response.status) + " " + std::string(response.head) +
                             "|" + std::string(response.body) + "|" +
                             std::string(response.trailers));
    EXPECT_GE(response.latency_ns, 0);
    EXPECT_GT(response.wire_bytes, 0u);
    return act == nullptr || act(response);
  }
  void on_loss(const Loss& loss) override {
    const std::lock_guard lock(notes_.mutex);
    notes_.losses.push_back(loss);
    notes_.losses.back().text = {};
  }

  std::function<bool(const Response&)> act;

 private:
  SourceWants wants_;
  Notes& notes_;
  Make make_;
  int most_;
  int given_ = 0;
};

std::string get(int number) {
  return "GET /" + std::to_string(number) + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

RunSpec spec_for(const ScriptedPeer& peer) {
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"), {}});
  spec.connections = 1;
  spec.timeout_ns = 5 * kSecond;
  return spec;
}

RateStage even(double rate, int64_t duration_ns) {
  return {"", {{.from = rate, .to = rate, .duration_ns = duration_ns}}};
}

RunResult execute(RunSpec spec) {
  auto run = carronade::Run::create(std::move(spec), nullptr);
  EXPECT_TRUE(run) << run.error().text;
  RunResult result = (*run)->execute();
  EXPECT_TRUE(result.conserved());
  return result;
}

// Answers with the request's path as its body.
void echo_path(ScriptedPeer::Talk& talk) {
  for (;;) {
    const std::string request = talk.read_request();
    if (request.empty()) return;
    const std::string path =
        request.substr(request.find(' ') + 1, request.find(" HTTP") - request.find(' ') - 1);
    talk.send("HTTP/1.1 200 OK\r\nX-Path: " + path +
              "\r\nContent-Length: " + std::to_string(path.size()) + "\r\n\r\n" + path);
  }
}

TEST(RunSource, RequestsGoOutInTheOrderGivenAndAnswersComeBackWithThem) {
  for (const uint32_t depth : {1U, 7U}) {
    ScriptedPeer peer(echo_path);
    Notes notes;
    RunSpec spec = spec_for(peer);
    spec.amount = 20;
    spec.pipelining = depth;
    spec.make_source = [&notes](uint32_t, uint32_t) {
      return std::make_unique<NumberingSource>(SourceWants{.heads = true, .bodies = true}, notes,
                                               get);
    };
    const RunResult result = execute(spec);
    EXPECT_EQ(result.answered, 20u);
    EXPECT_EQ(result.stopped_by, StoppedBy::kAmount);
    ASSERT_EQ(notes.answers.size(), 20u);
    for (int i = 0; i < 20; ++i) {
      const std::string path = "/" + std::to_string(i);
      EXPECT_EQ(notes.answers[static_cast<size_t>(i)],
                "200 HTTP/1.1 200 OK\r\nX-Path: " + path + "\r\nContent-Length: " +
                    std::to_string(path.size()) + "\r\n\r\n|" + path + "|");
    }
  }
}

TEST(RunSource, EachWorkerHasItsOwnAndConnectionsAreNumberedOverAll) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.connections = 5;
  spec.workers = 2;
  spec.amount = 50;
  std::set<uint32_t> workers;
  spec.make_source = [&](uint32_t worker, uint32_t of) {
    EXPECT_EQ(of, 2u);
    workers.insert(worker);
    return std::make_unique<NumberingSource>(SourceWants{}, notes, get);
  };
  EXPECT_EQ(execute(spec).answered, 50u);
  EXPECT_EQ(workers, (std::set<uint32_t>{0, 1}));
  EXPECT_EQ(std::set<uint32_t>(notes.connections.begin(), notes.connections.end()),
            (std::set<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(notes.answers.empty());
}

TEST(RunSource, TheRunEndsWhenTheSourceDoes) {
  for (const bool open_loop : {false, true}) {
    ScriptedPeer peer(echo_path);
    Notes notes;
    RunSpec spec = spec_for(peer);
    spec.connections = 3;
    spec.duration_ns = 60 * kSecond;
    if (open_loop) {
      spec.rate.emplace();
      spec.rate->stages.push_back(even(500, 60 * kSecond));
    }
    spec.make_source = [&notes](uint32_t, uint32_t) {
      return std::make_unique<NumberingSource>(SourceWants{.responses = true}, notes, get, 12);
    };
    const RunResult result = execute(spec);
    EXPECT_EQ(result.answered, 12u) << open_loop;
    EXPECT_EQ(result.sent, 12u) << open_loop;
    EXPECT_EQ(notes.answers.size(), 12u) << open_loop;
    EXPECT_EQ(result.stopped_by, StoppedBy::kData) << open_loop;
    EXPECT_LT(result.elapsed_ns, 30 * kSecond) << open_loop;
  }
}

TEST(RunSource, ARequestThatIsSentAgainHasTheSameBytes) {
  std::mutex mutex;
  std::vector<std::string> seen;
  ScriptedPeer peer([&](ScriptedPeer::Talk& talk) {
    for (int i = 0; i < 3; ++i) {
      const std::string request = talk.read_request();
      if (request.empty()) return;
      {
        const std::lock_guard lock(mutex);
        seen.push_back(request);
      }
      if (i < 2) talk.send(kOk);  // closes at the third
    }
  });
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 6;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 6u);
  EXPECT_EQ(result.retried, 2u);
  EXPECT_EQ(notes.connections.size(), 6u);
  ASSERT_EQ(seen.size(), 8u);
  EXPECT_EQ(seen[2], get(2));
  EXPECT_EQ(seen[3], get(2));
  EXPECT_EQ(seen[5], get(4));
  EXPECT_EQ(seen[6], get(4));
}

TEST(RunSource, HeadAmongOthersIsUnderstoodInAPipeline) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    for (;;) {
      const std::string request = talk.read_request();
      if (request.empty()) return;
      const bool head = request.starts_with("HEAD");
      talk.send(head ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : kOk);
    }
  });
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 30;
  spec.pipelining = 5;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.bodies = true}, notes, [](int number) {
      return (number % 3 == 0 ? "HEAD" : "GET") + std::string(" / HTTP/1.1\r\n\r\n");
    });
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 30u);
  EXPECT_EQ(result.error_total(), 0u);
  for (size_t i = 0; i < notes.answers.size(); ++i) {
    EXPECT_EQ(notes.answers[i], i % 3 == 0 ? "200 ||" : "200 |ok|") << i;
  }
}

TEST(RunSource, AListenerAloneLeavesTheTargetsRequest) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 10;
  spec.pipelining = 10;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.requests = false, .responses = true},
                                             notes, get);
  };
  EXPECT_EQ(execute(spec).answered, 10u);
  EXPECT_EQ(notes.answers, std::vector<std::string>(10, "200 ||"));
  EXPECT_TRUE(notes.connections.empty());
}

TEST(RunSource, WhatItDoesNotLikeIsAMismatchAndCountsForTheBailOut) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 1000;
  spec.bailout = 5;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    auto source = std::make_unique<NumberingSource>(SourceWants{.bodies = true}, notes, get);
    source->act = [](const Response& response) { return response.body.ends_with('1'); };
    return source;
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.mismatched, 5u);
  EXPECT_EQ(result.stopped_by, StoppedBy::kBailout);
}

TEST(RunSource, AnExpectedBodyIsComparedBesideIt) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 10;
  spec.expect_body = "/3";
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.heads = true}, notes, get);
  };
  EXPECT_EQ(execute(spec).mismatched, 9u);
}

TEST(RunSource, HearsOfLosses) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) { talk.read_request(); });  // never answers
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 3;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.losses = true}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.failed, 3u);
  ASSERT_EQ(notes.losses.size(), 3u);
  for (const Loss& loss : notes.losses) {
    EXPECT_EQ(loss.kind, ErrorKind::kClosedBeforeResponse);
    EXPECT_EQ(loss.requests, 1u);
  }
}

class ClosingSource : public NumberingSource {
 public:
  using NumberingSource::NumberingSource;
  NextRequest next(uint32_t connection, std::string& out) override {
    (void)NumberingSource::next(connection, out);
    return NextRequest::kLastOnSocket;
  }
};

TEST(RunSource, BehindALastRequestTheSocketIsMadeAnew) {
  ScriptedPeer peer(echo_path);  // does not close by itself
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.amount = 5;
  spec.pipelining = 4;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<ClosingSource>(SourceWants{}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 5u);
  EXPECT_EQ(peer.connections(), 5);
}

// Driven by a host, as the Node addon does.
TEST(RunSource, AConnectionMayBeDestroyedFromWithin) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.connections = 2;
  spec.duration_ns = 60 * kSecond;
  carronade::Run* handle = nullptr;
  spec.make_source = [&](uint32_t, uint32_t) {
    auto source = std::make_unique<NumberingSource>(SourceWants{.responses = true}, notes, get);
    source->act = [&](const Response& response) {
      if (notes.answers.size() >= 10) handle->destroy(response.connection);
      return true;
    };
    return source;
  };
  auto run = carronade::Run::create(spec, nullptr);
  ASSERT_TRUE(run);
  handle = run->get();
  handle->resolve();
  handle->open();
  for (int turns = 0; turns < 100'000 && !handle->finished(); ++turns) {
    pollfd ready{handle->poll_fd(), POLLIN, 0};
    (void)poll(&ready, 1, 1000);
    handle->turn();
  }
  ASSERT_TRUE(handle->finished());
  const RunResult result = handle->result();
  EXPECT_TRUE(result.conserved());
  EXPECT_EQ(result.answered, notes.answers.size());
  EXPECT_LE(notes.answers.size(), 12u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunSource, ADestroyedConnectionLosesWhatIsInFlightWithoutAnError) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
    talk.read_request();
    talk.send(kOk);
    talk.wait_for_close();
  });
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.pipelining = 3;
  spec.duration_ns = 60 * kSecond;
  carronade::Run* handle = nullptr;
  spec.make_source = [&](uint32_t, uint32_t) {
    auto source = std::make_unique<NumberingSource>(SourceWants{.responses = true}, notes, get);
    source->act = [&](const Response&) {
      handle->destroy(0);
      return true;
    };
    return source;
  };
  auto run = carronade::Run::create(spec, nullptr);
  handle = run->get();
  handle->open();
  for (int turns = 0; turns < 100'000 && !handle->finished(); ++turns) {
    pollfd ready{handle->poll_fd(), POLLIN, 0};
    (void)poll(&ready, 1, 1000);
    handle->turn();
  }
  const RunResult result = handle->result();
  EXPECT_EQ(result.answered, 1u);
  EXPECT_EQ(result.in_flight, 2u);
  EXPECT_EQ(result.error_total(), 0u);
}

TEST(RunSource, AnOpenLoopAsksWhenARequestIsDue) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.connections = 2;
  spec.rate.emplace();
  spec.rate->stages.push_back(even(200, kSecond / 2));
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.bodies = true}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.planned, 100u);
  EXPECT_EQ(result.answered, 100u);
  EXPECT_EQ(notes.connections.size(), 100u);
  EXPECT_EQ(notes.answers.size(), 100u);
}

}  // namespace
}  // namespace carronade
