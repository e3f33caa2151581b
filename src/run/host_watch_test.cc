#include "run/host_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace carronade::run {
namespace {

TEST(HostWatch, ReadsTheFiguresOfTheKernel) {
  const char* stat = "cpu  10 20 30 40 50 60 70 8 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
  EXPECT_EQ(steal_ns_of(stat, 100), 80'000'000);
  EXPECT_EQ(steal_ns_of("cpu 1 2\n", 100), -1);
  EXPECT_EQ(throttled_ns_of("usage_usec 5\nnr_throttled 2\nthrottled_usec 1234\n"), 1'234'000);
  EXPECT_EQ(throttled_ns_of("nr_throttled 2\nthrottled_time 77\n"), 77);
  EXPECT_EQ(throttled_ns_of(""), -1);
}

TEST(HostWatch, FindsAColumnByItsName) {
  const char* snmp =
      "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
      "Tcp: RtoAlgorithm OutSegs RetransSegs InErrs\nTcp: 1 5000 12 0\n";
  EXPECT_EQ(snmp_value(snmp, "Tcp:", "OutSegs"), 5000);
  EXPECT_EQ(snmp_value(snmp, "Tcp:", "RetransSegs"), 12);
  EXPECT_EQ(snmp_value(snmp, "Tcp:", "Nothing"), -1);
  EXPECT_EQ(snmp_value(snmp, "Udp:", "OutSegs"), -1);
}

TEST(HostWatch, KnowsThisMachine) {
  HostWatch watch;
  watch.start();
  const HostHealth health = watch.finish(17);
  EXPECT_GE(health.cores, 1);
  EXPECT_GE(health.descriptor_limit, 17);
  EXPECT_EQ(health.descriptors, 17);
  EXPECT_GE(health.segments_sent, 0);
}

TEST(HostWatch, KnowsAQuota) {
  EXPECT_TRUE(has_cpu_quota("50000 100000\n"));
  EXPECT_TRUE(has_cpu_quota("80000\n"));  // version 1
  EXPECT_FALSE(has_cpu_quota("max 100000\n"));
  EXPECT_FALSE(has_cpu_quota("-1\n"));
  EXPECT_FALSE(has_cpu_quota(""));
}

TEST(HostWatch, NoCoreIsToSpareForThreadsOnAllOfThem) {
  const auto on_machine = static_cast<uint32_t>(sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_FALSE(has_spare_cores(on_machine));
  EXPECT_FALSE(has_spare_cores(on_machine + 1));
}

}  // namespace
}  // namespace carronade::run
