#include "http/h1_event_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "http/h1_session.h"

namespace carronade::http {

namespace {

class BodyCollector : public BodySink {
 public:
  void on_body(std::string_view piece) override { body_ += piece; }
  void on_response_end() override {
    bodies_.push_back(std::move(body_));
    body_.clear();
  }
  const std::vector<std::string>& bodies() const { return bodies_; }

 private:
  std::string body_;
  std::vector<std::string> bodies_;
};

class Driver {
 public:
  explicit Driver(const H1Scenario& scenario) : scenario_(scenario), expects_(scenario.expects) {}

  H1Events run(std::span<const std::string_view> pieces) {
    for (std::string_view piece : pieces) total_ += piece.size();
    for (std::string_view piece : pieces) {
      while (!piece.empty() && !stopped_) piece.remove_prefix(step(piece));
    }
    if (!stopped_) end();
    if (!failed_) {
      line(fmt::format("consumed {}", consumed_));
      if (wire_ + session_.partial_wire_bytes() != consumed_) line("BUG wire bytes");
    }
    if (scenario_.with_sink) check_bodies();
    return {std::move(log_), collector_.bodies()};
  }

 private:
  // Hands over the beginning of `bytes` and returns how much of it was used.
  size_t step(std::string_view bytes) {
    while (next_expect_ < expects_.size() && expects_[next_expect_].count == 0) ++next_expect_;
    if (next_expect_ == expects_.size()) {
      line(fmt::format("excess {}", total_ - consumed_));
      stopped_ = true;
      return 0;
    }
    const uint64_t discard =
        scenario_.use_discard ? std::min<uint64_t>(session_.discardable(), bytes.size()) : 0;
    size_t used = static_cast<size_t>(discard);
    if (discard > 0) {
      session_.discarded(discard, feed_);
    } else {
      used = session_.feed(bytes, expects_[next_expect_], pool_, sink(), feed_);
    }
    consumed_ += used;
    take_feed("");
    if (used == 0 && feed_.count == 0 && !feed_.fault) {
      line("BUG no progress");
      stopped_ = true;
    }
    return used;
  }

  void take_feed(std::string_view prefix) {
    for (const H1Response& response : feed_.finished()) {
      line(fmt::format("{}response status={} body={} wire={} close={}", prefix, response.status,
                       response.body_bytes, response.wire_bytes,
                       response.close_after ? "yes" : "no"));
      wire_ += response.wire_bytes;
      body_sizes_.push_back(response.body_bytes);
      if (next_expect_ == expects_.size() || expects_[next_expect_].count == 0) {
        line("BUG more responses than expected");
      } else {
        --expects_[next_expect_].count;
      }
      if (stopped_) line("BUG response after one that closes");
      stopped_ = response.close_after;
    }
    if (feed_.fault) {
      line(fmt::format("fault {} {}", error_kind_name(feed_.fault->kind), feed_.fault->detail));
      failed_ = stopped_ = true;
    } else if (stopped_ && total_ > consumed_) {
      line(fmt::format("left {}", total_ - consumed_));
    }
  }

  void end() {
    const bool mid_response = session_.mid_response();
    if (!scenario_.eof) {
      if (mid_response) line(fmt::format("waiting {}", session_.partial_wire_bytes()));
      return;
    }
    session_.feed_eof(sink(), feed_);
    if (feed_.count == 0) line(mid_response ? "eof -> truncated" : "eof -> nothing");
    take_feed("eof -> ");
  }

  void check_bodies() {
    const std::vector<std::string>& bodies = collector_.bodies();
    const bool same =
        std::equal(bodies.begin(), bodies.end(), body_sizes_.begin(), body_sizes_.end(),
                   [](const std::string& body, uint64_t size) { return body.size() == size; });
    if (!same) line("BUG bodies");
  }

  BodySink* sink() { return scenario_.with_sink ? &collector_ : nullptr; }
  void line(std::string_view text) { log_.append(text).append("\n"); }

  const H1Scenario& scenario_;
  std::vector<H1Expect> expects_;
  size_t next_expect_ = 0;
  H1Session session_;
  HeadBufferPool pool_;
  BodyCollector collector_;
  H1Feed feed_;
  std::string log_;
  std::vector<uint64_t> body_sizes_;
  uint64_t total_ = 0;
  uint64_t consumed_ = 0;
  uint64_t wire_ = 0;
  bool stopped_ = false;
  bool failed_ = false;
};

}  // namespace

H1Events run_h1(std::span<const std::string_view> pieces, const H1Scenario& scenario) {
  return Driver(scenario).run(pieces);
}

}  // namespace carronade::http
