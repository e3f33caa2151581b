#include "run/plan.h"

#include <gtest/gtest.h>

namespace carronade::run {
namespace {

RunSpec spec_for(const std::string& url) {
  RunSpec spec;
  spec.targets.push_back({*parse_url(url), {}});
  spec.amount = 10;
  return spec;
}

TEST(Plan, PartsAddUpToTheTotals) {
  for (uint32_t workers : {1u, 2u, 3u, 8u}) {
    for (uint32_t connections : {1u, 2u, 7u, 50u}) {
      RunSpec spec = spec_for("http://127.0.0.1:1/");
      spec.workers = workers;
      spec.connections = connections;
      auto plan = make_plan(spec);
      ASSERT_TRUE(plan);
      resolve_targets(**plan, std::atomic<bool>{false});
      split(**plan);
      uint64_t total_connections = 0;
      uint64_t total_amount = 0;
      for (const load::WorkerPlan& part : (*plan)->workers) {
        EXPECT_EQ(part.first_slot, total_connections);
        EXPECT_GE(part.connections, 1u);
        total_connections += part.connections;
        total_amount += *part.amount;
      }
      EXPECT_EQ(total_connections, connections);
      EXPECT_EQ(total_amount, 10u);
    }
  }
}

TEST(Plan, SniIsTheHostButNeverAnIpLiteral) {
  EXPECT_EQ((*make_plan(spec_for("https://example.com/")))->load.targets[0].sni, "example.com");
  EXPECT_EQ((*make_plan(spec_for("https://127.0.0.1/")))->load.targets[0].sni, "");
  RunSpec spec = spec_for("https://127.0.0.1/");
  spec.tls.server_name = "given.example";
  EXPECT_EQ((*make_plan(spec))->load.targets[0].sni, "given.example");
  EXPECT_EQ((*make_plan(spec))->load.targets[0].verify_host, "given.example");
  spec.tls.server_name = "";
  EXPECT_EQ((*make_plan(spec))->load.targets[0].sni, "");
  EXPECT_EQ((*make_plan(spec))->load.targets[0].verify_host, "127.0.0.1");
}

TEST(Plan, ANameThatDoesNotResolveIsOneErrorForAllItsTargets) {
  RunSpec spec = spec_for("http://no-such-host.invalid/a");
  spec.targets.push_back({*parse_url("http://no-such-host.invalid/b"), {}});
  spec.targets.push_back({*parse_url("http://127.0.0.1:1/"), {}});
  auto plan = make_plan(spec);
  ASSERT_TRUE(plan);
  resolve_targets(**plan, std::atomic<bool>{false});
  ASSERT_EQ((*plan)->setup_errors.size(), 1u);
  EXPECT_EQ((*plan)->setup_errors[0].kind, ErrorKind::kResolveFailed);
  EXPECT_TRUE((*plan)->load.targets[0].addresses.empty());
  EXPECT_TRUE((*plan)->load.targets[1].addresses.empty());
  ASSERT_EQ((*plan)->load.targets[2].addresses.size(), 1u);
  EXPECT_EQ((*plan)->addresses, std::vector<std::string>{"127.0.0.1:1"});
}

}  // namespace
}  // namespace carronade::run
