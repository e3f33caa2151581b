// Open loops that make a connection when a request is due.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/clock.h"
#include "stepping_source.h"

namespace carronade {
namespace {

using test::closed_port;
using test::echo_path;
using test::even;
using test::execute;
using test::get;
using test::kSecond;
using test::Notes;
using test::NumberingSource;
using test::ScriptedPeer;
using test::spec_for;
using test::SteppingSource;
using test::target_at;

TEST(RunOnDemand, ConnectionsAreMadeWhenARequestIsDue) {
  ScriptedPeer peer(echo_path);
  Notes notes;
  RunSpec spec = spec_for(peer);
  spec.connections = 10;
  spec.amount = 20;
  spec.rate.emplace();
  spec.rate->stages.push_back(even(50, RateSegment::kEndless));
  spec.rate->connect_on_demand = true;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.responses = true}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 20u);
  // One does for all, unless the machine is slow.
  EXPECT_LT(peer.connections(), 10);
}

TEST(RunOnDemand, EachRequestThatNoConnectionCanBeMadeForIsLost) {
  RunSpec spec;
  spec.targets.push_back(target_at(closed_port()));
  spec.connections = 4;
  spec.timeout_ns = 5 * kSecond;
  spec.amount = 30;
  spec.rate.emplace();
  spec.rate->stages.push_back(even(300, RateSegment::kEndless));
  spec.rate->connect_on_demand = true;
  Notes notes;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<NumberingSource>(SourceWants{.losses = true}, notes, get);
  };
  const int64_t start_ns = base::now_ns();
  const RunResult result = execute(spec);
  EXPECT_EQ(result.planned, 30u);
  EXPECT_EQ(result.dropped, 30u);
  EXPECT_EQ(result.sent, 0u);
  ASSERT_EQ(notes.losses.size(), 30u);
  for (const Loss& loss : notes.losses) {
    EXPECT_EQ(loss.kind, ErrorKind::kConnectRefused);
    EXPECT_EQ(loss.requests, 0u);
    EXPECT_GT(loss.due_ns, start_ns);
  }
  EXPECT_LT(result.elapsed_ns, 4 * kSecond);
}

// Each request goes to its own host, and is lost with it alone.
TEST(RunOnDemand, AHostThatCannotBeReachedLosesItsOwnRequestsOnly) {
  ScriptedPeer peer(echo_path);
  RunSpec spec = spec_for(peer);
  spec.targets.push_back(target_at(closed_port()));
  spec.connections = 10;
  spec.amount = 60;
  spec.rate.emplace();
  spec.rate->stages.push_back(even(300, RateSegment::kEndless));
  spec.rate->connect_on_demand = true;
  Notes notes;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    auto source = std::make_unique<SteppingSource>(
        SourceWants{.responses = true, .losses = true, .targets = true}, notes, get);
    source->choose = [&notes] { return static_cast<uint32_t>((notes.connections.size() - 1) % 2); };
    return source;
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 30u);
  EXPECT_EQ(result.dropped, 30u);
  EXPECT_EQ(notes.losses.size(), 30u);
  EXPECT_EQ(notes.connections.size(), 60u);
}

// Each is told once, as lost or with its answer, whatever the connections go through.
TEST(RunOnDemand, AServerThatResetsEachConnectionLosesEachRequestOnce) {
  ScriptedPeer peer([](ScriptedPeer::Talk& talk) { talk.reset(); });
  RunSpec spec = spec_for(peer);
  spec.connections = 50;
  spec.amount = 400;
  spec.rate.emplace();
  spec.rate->stages.push_back(even(1000, RateSegment::kEndless));
  spec.rate->connect_on_demand = true;
  Notes notes;
  spec.make_source = [&notes](uint32_t, uint32_t) {
    return std::make_unique<SteppingSource>(
        SourceWants{.responses = true, .losses = true, .targets = true}, notes, get);
  };
  const RunResult result = execute(spec);
  EXPECT_EQ(result.answered, 0u);
  uint64_t lost = 0;
  for (const Loss& loss : notes.losses) {
    lost += std::max<uint64_t>(loss.requests, loss.due_ns != 0 ? 1 : 0);
  }
  EXPECT_EQ(lost, 400u);
  EXPECT_EQ(result.dropped + result.failed + result.timed_out, 400u);
}

}  // namespace
}  // namespace carronade
