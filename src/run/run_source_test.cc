// Whole runs whose requests come from a RequestSource, or whose answers one hears.
#include <gtest/gtest.h>

#include <set>

#include "numbering_source.h"

namespace carronade {
namespace {

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

}  // namespace
}  // namespace carronade
