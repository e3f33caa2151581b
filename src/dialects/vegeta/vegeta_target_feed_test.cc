#include "dialects/vegeta/vegeta_target_feed.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace carronade::dialects::vegeta {
namespace {

// A pipe whose other end writes targets.
class Pipe {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    read_.reset(ends[0]);
    write_.reset(ends[1]);
  }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(write_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close() { write_.reset(); }
  base::UniqueFd take() { return std::move(read_); }

 private:
  base::UniqueFd read_;
  base::UniqueFd write_;
};

class VegetaTargetFeed : public ::testing::Test {
 protected:
  std::string start_lazy(Pipe& pipe) {
    base::UniqueFd stop(::eventfd(0, EFD_CLOEXEC));
    auto reader = make_target_reader("http", LineReader(pipe.take(), stop.get()), {});
    auto feed =
        LazyFeed::start(std::move(*reader), std::move(stop), rules_, hosts_, [] { return false; });
    if (!feed) return feed.error().text;
    lazy_ = std::move(*feed);
    return "";
  }
  std::string take(Wait wait = Wait::kForOne) {
    const AttackRequest* const request = lazy_->take(owned_, wait);
    return request == nullptr ? "" : request->url_text;
  }

  RequestRules rules_;
  AttackHosts hosts_{{}, {}};
  std::unique_ptr<AttackRequest> owned_;
  std::unique_ptr<LazyFeed> lazy_;
};

TEST_F(VegetaTargetFeed, GoesThroughAListAgainAndAgain) {
  Pipe pipe;
  pipe.write("GET http://a/1\nK: v\nContent-Length: 3\n\nGET http://b/2\nGET http://a/3\n");
  pipe.close();
  auto reader = make_target_reader("http", LineReader(pipe.take()), {});
  const auto feed = read_targets(**reader, rules_, hosts_);
  ASSERT_TRUE(feed.has_value());
  std::string seen;
  for (int i = 0; i < 5; ++i) {
    const AttackRequest* const request = (*feed)->take(owned_, Wait::kNo);
    seen += request->url_text.back();
    seen += static_cast<char>('0' + request->origin);
  }
  EXPECT_EQ(seen, "1021301021");
  EXPECT_EQ((*feed)->dropped(), std::vector<std::string>{"Content-Length: 3"});
}

TEST_F(VegetaTargetFeed, WantsTargets) {
  Pipe empty;
  empty.write("# nothing\n");
  empty.close();
  auto reader = make_target_reader("http", LineReader(empty.take()), {});
  EXPECT_EQ(read_targets(**reader, rules_, hosts_).error().text, "no targets to attack");
  Pipe lazy;
  lazy.close();
  EXPECT_EQ(start_lazy(lazy), "no targets to attack");
  Pipe bad;
  bad.write("get x\n");
  EXPECT_EQ(start_lazy(bad), "bad method: get (line 1)");
}

TEST_F(VegetaTargetFeed, ReadsAheadAndUsesEachTargetOnce) {
  Pipe pipe;
  pipe.write("GET http://a/1\nGET http://a/2\n");
  ASSERT_EQ(start_lazy(pipe), "");
  EXPECT_EQ(take(), "http://a/1");
  pipe.write("GET http://a/3\n\n");
  pipe.close();
  EXPECT_EQ(take(), "http://a/2");
  EXPECT_EQ(take(), "http://a/3");
  EXPECT_EQ(take(), "");
  EXPECT_EQ(take(), "");
  EXPECT_EQ(lazy_->error(), "");
}

TEST_F(VegetaTargetFeed, WaitsForASlowPipeAndCountsThat) {
  Pipe pipe;
  pipe.write("GET http://a/1\n\n");
  ASSERT_EQ(start_lazy(pipe), "");
  EXPECT_EQ(take(), "http://a/1");
  EXPECT_EQ(take(Wait::kNo), "");
  EXPECT_EQ(lazy_->waits(), 0U);
  std::thread writer([&pipe] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    pipe.write("GET http://a/2\n\n");
  });
  EXPECT_EQ(take(), "http://a/2");
  writer.join();
  EXPECT_EQ(lazy_->waits(), 1U);
}

TEST_F(VegetaTargetFeed, EndsWhenItIsTold) {
  Pipe pipe;
  pipe.write("GET http://a/1\n\n");
  ASSERT_EQ(start_lazy(pipe), "");
  EXPECT_EQ(take(), "http://a/1");
  std::thread stopper([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    lazy_->stop();
  });
  EXPECT_EQ(take(), "");
  stopper.join();
  lazy_.reset();  // while the pipe is open and silent
}

TEST_F(VegetaTargetFeed, EndsAtATargetThatIsWrong) {
  Pipe pipe;
  pipe.write("GET http://a/1\n\nnonsense\n");
  pipe.close();
  ASSERT_EQ(start_lazy(pipe), "");
  EXPECT_EQ(take(), "http://a/1");
  EXPECT_EQ(take(), "");
  EXPECT_EQ(lazy_->error(), "bad target: nonsense (line 3)");
}

TEST_F(VegetaTargetFeed, EndsAtAHostThatCameTooLate) {
  Pipe pipe;
  pipe.write("GET http://a/1\n\n");
  ASSERT_EQ(start_lazy(pipe), "");
  pipe.write("GET http://b/2\n\n");
  pipe.close();
  EXPECT_EQ(take(), "http://a/1");
  EXPECT_EQ(take(), "");
  EXPECT_EQ(lazy_->error().rfind("http://b: with -lazy", 0), 0U) << lazy_->error();
}

TEST_F(VegetaTargetFeed, HoldsALongFileBack) {
  Pipe pipe;
  constexpr int kMany = 20'000;
  std::thread writer([&pipe] {
    for (int i = 0; i < kMany; ++i) pipe.write("GET http://a/" + std::to_string(i) + "\n");
    pipe.close();
  });
  ASSERT_EQ(start_lazy(pipe), "");
  for (int i = 0; i < kMany; ++i) ASSERT_EQ(take(), "http://a/" + std::to_string(i));
  EXPECT_EQ(take(), "");
  writer.join();
}

}  // namespace
}  // namespace carronade::dialects::vegeta
