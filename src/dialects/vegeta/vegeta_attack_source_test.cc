#include "dialects/vegeta/vegeta_attack_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "dialects/vegeta/vegeta_decoders.h"

namespace carronade::dialects::vegeta {
namespace {

// A list of targets, taken once.
class OnceFeed : public TargetFeed {
 public:
  OnceFeed(const std::vector<std::string>& lines, const RequestRules& rules, AttackHosts& hosts) {
    for (const std::string& line : lines) {
      AttackTarget target;
      target.method = line.substr(0, line.find(' '));
      target.url_text = line.substr(line.find(' ') + 1);
      EXPECT_TRUE(check_target(target).has_value()) << line;
      std::vector<std::string> dropped;
      requests_.push_back(make_request(target, rules, nullptr, dropped));
      requests_.back().origin = hosts.add(target.url).value_or(0);
    }
  }
  const AttackRequest* take(std::unique_ptr<AttackRequest>&, Wait) override {
    return taken_ < requests_.size() ? &requests_[taken_++] : nullptr;
  }
  std::vector<std::string> dropped() const override { return {}; }

 private:
  std::vector<AttackRequest> requests_;
  size_t taken_ = 0;
};

class VegetaAttackSource : public ::testing::Test {
 protected:
  void start(const std::vector<std::string>& lines) {
    feed_ = std::make_unique<OnceFeed>(lines, rules_, hosts_);
    stream_ = std::make_unique<ResultStream>(*ResultOutput::open(path_), ResultStream::Facts{});
    std::vector<std::unique_ptr<cli::RecordQueue>> queues;
    queues.push_back(std::make_unique<cli::RecordQueue>(1 << 20));
    records_ = std::make_unique<cli::RecordWriter>(
        std::move(queues), [this](std::string_view message) { return stream_->consume(message); },
        [this] { return stream_->flush(); });
    state_.reset(new AttackState{.options = options_,
                                 .rules = rules_,
                                 .hosts = hosts_,
                                 .feed = *feed_,
                                 .records = *records_,
                                 .unix_minus_clock_ns = 1000});
    source_ = std::make_unique<AttackSource>(*state_, 0);
  }

  // The request line of the connection's next request, "" for none.
  std::string next(uint32_t connection) {
    std::string text;
    last_ = source_->next(connection, text);
    return text.substr(0, text.find(" HTTP/"));
  }
  void answer(uint32_t connection, uint16_t status, const std::string& head = "") {
    const Response response{.connection = connection,
                            .status = status,
                            .latency_ns = 50,
                            .due_ns = 100,
                            .sent_ns = 130,
                            .connect_ns = 10,
                            .body_bytes = 2,
                            .head = head,
                            .body = "hi"};
    follow_.clear();
    if (!source_->follow_up(response, follow_)) {
      EXPECT_TRUE(source_->on_response(response));
    }
  }
  // "seq code timestamp latency error" of each result.
  std::vector<std::string> results() {
    EXPECT_TRUE(records_->finish().has_value());
    ResultInput input(base::read_file(path_).value_or(""));
    ::unlink(path_.c_str());
    const auto decoder = make_decoder(Encoding::kGob, input, Detail::kAll);
    Result result;
    std::vector<std::string> seen;
    while (decoder->next(result).value_or(false)) {
      seen.push_back(std::to_string(result.seq) + " " + std::to_string(result.code) + " " +
                     std::to_string(result.timestamp_unix_ns) + " " +
                     std::to_string(result.latency_ns) + " " + result.error);
    }
    return seen;
  }

  const std::string path_ = ::testing::TempDir() + "vegeta_attack_source";
  AttackOptions options_;
  RequestRules rules_;
  AttackHosts hosts_{{}, {}};
  std::unique_ptr<OnceFeed> feed_;
  std::unique_ptr<ResultStream> stream_;
  std::unique_ptr<cli::RecordWriter> records_;
  std::unique_ptr<AttackState> state_;
  std::unique_ptr<AttackSource> source_;
  NextRequest last_ = NextRequest::kNone;
  std::string follow_;
};

using Seen = std::vector<std::string>;

TEST_F(VegetaAttackSource, NumbersRequestsAndTimesThemFromWhenTheyAreDue) {
  start({"GET http://a/1", "GET http://a/2"});
  EXPECT_EQ(next(0), "GET /1");
  EXPECT_EQ(next(5), "GET /2");
  EXPECT_EQ(state_->open.load(), 2);
  answer(5, 200);
  answer(0, 404, "HTTP/1.1 404 Not Found\r\n\r\n");
  EXPECT_EQ(state_->open.load(), 0);
  EXPECT_EQ(next(0), "");
  EXPECT_EQ(last_, NextRequest::kNone);
  EXPECT_TRUE(state_->targets_over.load());
  EXPECT_EQ(results(), (Seen{"1 200 1100 50 ", "0 404 1100 50 404 Not Found"}));
}

TEST_F(VegetaAttackSource, TimesAsVegetaDoesWithQuirks) {
  options_.quirks = true;
  start({"GET http://a/1"});
  next(0);
  answer(0, 200);
  EXPECT_EQ(results(), Seen{"0 200 1120 30 "});
}

TEST_F(VegetaAttackSource, GivesNothingMoreWhenItIsStopped) {
  start({"GET http://a/1", "GET http://a/2"});
  EXPECT_EQ(next(0), "GET /1");
  state_->stopping.store(true);
  EXPECT_EQ(next(1), "");
  EXPECT_EQ(state_->open.load(), 1);
  EXPECT_FALSE(state_->targets_over.load());
  answer(0, 200);
  EXPECT_EQ(results().size(), 1U);
}

TEST_F(VegetaAttackSource, FollowsRedirectsUpToALimit) {
  options_.redirects = 2;
  start({"POST http://a/x/1"});
  next(0);
  answer(0, 302, "HTTP/1.1 302 Found\r\nLocation: 2\r\n\r\n");
  EXPECT_TRUE(follow_.starts_with("GET /x/2 HTTP/1.1\r\n")) << follow_;
  answer(0, 302, "HTTP/1.1 302 Found\r\nlocation: /3\r\n\r\n");
  EXPECT_TRUE(follow_.starts_with("GET /3 HTTP/1.1\r\n")) << follow_;
  EXPECT_NE(follow_.find("Referer: http://a/x/2\r\n"), std::string::npos);
  answer(0, 302, "HTTP/1.1 302 Found\r\nLocation: /4\r\n\r\n");
  EXPECT_EQ(follow_, "");
  EXPECT_EQ(results(), Seen{"0 0 1100 50 Get \"/4\": stopped after 2 redirects"});
}

TEST_F(VegetaAttackSource, FollowsToHostsOfTheTargetsAlone) {
  start({"GET http://a/", "GET http://b/"});
  next(0);
  answer(0, 307, "HTTP/1.1 307 T\r\nLocation: http://b/x\r\n\r\n");
  EXPECT_TRUE(follow_.starts_with("GET /x HTTP/1.1\r\nHost: b\r\n")) << follow_;
  EXPECT_EQ(source_->target(), 1U);
  answer(0, 307, "HTTP/1.1 307 T\r\nLocation: http://c/\r\n\r\n");
  EXPECT_EQ(follow_, "");
  EXPECT_EQ(results(),
            Seen{"0 0 1100 50 Get \"http://c/\": a redirect is followed only to hosts of "
                 "the targets"});
}

TEST_F(VegetaAttackSource, TakesAnAnswerForOneWithoutALocation) {
  start({"GET http://a/"});
  next(0);
  answer(0, 302, "HTTP/1.1 302 Found\r\n\r\n");
  EXPECT_EQ(results(), Seen{"0 302 1100 50 "});
}

TEST_F(VegetaAttackSource, TellsOfLosses) {
  start({"GET http://a/1", "GET http://a/2"});
  next(0);
  source_->on_loss({.connection = 0,
                    .kind = ErrorKind::kClosedBeforeResponse,
                    .text = "read 127.0.0.1:1: closed before response",
                    .requests = 1,
                    .due_ns = 100});
  // No connection for a request that was due.
  next(1);
  source_->on_loss({.connection = 1,
                    .kind = ErrorKind::kConnectRefused,
                    .text = "connect 127.0.0.1:1: Connection refused",
                    .due_ns = 200});
  // No connection, but nothing is lost with it.
  source_->on_loss({.connection = 1, .kind = ErrorKind::kConnectRefused, .text = "x"});
  EXPECT_EQ(state_->open.load(), 0);
  const Seen seen = results();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].rfind("0 0 1100 ", 0), 0U) << seen[0];
  EXPECT_TRUE(seen[0].ends_with("Get \"http://a/1\": EOF")) << seen[0];
  EXPECT_EQ(seen[1].rfind("1 0 1200 ", 0), 0U) << seen[1];
  EXPECT_TRUE(
      seen[1].ends_with("Get \"http://a/2\": dial tcp 0.0.0.0:0->127.0.0.1:1: connect: "
                        "connection refused"))
      << seen[1];
}

TEST_F(VegetaAttackSource, PrefersTargetsOfTheHostThatItIsConnectedTo) {
  options_.rate_count = 0;
  start({"GET http://a/1", "GET http://b/2", "GET http://a/3", "GET http://a/4", "GET http://b/5"});
  state_->look_ahead = 2;
  EXPECT_EQ(next(1), "GET /2");  // connection 1 begins at b
  EXPECT_EQ(source_->target(), 1U);
  EXPECT_EQ(next(0), "GET /1");
  EXPECT_EQ(source_->target(), 0U);
  answer(1, 200);
  EXPECT_EQ(next(1), "GET /3");  // b's next one is too far away
  EXPECT_EQ(source_->target(), 0U);
  EXPECT_EQ(results().size(), 1U);
}

TEST_F(VegetaAttackSource, TakesTargetsInTurnWithARateAndTellsWhereTheNextGoes) {
  start({"GET http://a/1", "GET http://b/2", "GET http://a/3"});
  state_->look_ahead = 2;
  for (const uint32_t place : {0U, 1U, 0U}) {
    EXPECT_EQ(source_->upcoming_target(), place);
    EXPECT_NE(next(1), "");
    EXPECT_EQ(source_->target(), place);
    answer(1, 200);
  }
  EXPECT_EQ(source_->upcoming_target(), RequestSource::kAnyTarget);
}

TEST_F(VegetaAttackSource, TakesTargetsInOrderWithoutALookAhead) {
  start({"GET http://a/1", "GET http://b/2", "GET http://a/3"});
  std::string order;
  for (int i = 0; i < 3; ++i) {
    order += next(0).back();
    answer(0, 200);
  }
  EXPECT_EQ(order, "123");
  EXPECT_EQ(next(0), "");
}

TEST_F(VegetaAttackSource, CountsTheEndOfTheTargetsWithQuirksAlone) {
  options_.quirks = true;
  start({"GET http://a/1"});
  next(0);
  answer(0, 200);
  EXPECT_EQ(next(0), "");
  EXPECT_EQ(next(1), "");
  const Seen seen = results();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_TRUE(seen[1].starts_with("1 0 ") && seen[1].ends_with(" 0 no targets to attack"));
}

TEST_F(VegetaAttackSource, EndsItsConnectionsWhenAsked) {
  rules_.keep_alive = false;
  start({"GET http://a/1"});
  next(0);
  EXPECT_EQ(last_, NextRequest::kLastOnSocket);
}

}  // namespace
}  // namespace carronade::dialects::vegeta
