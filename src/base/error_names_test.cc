#include <gtest/gtest.h>

#include <set>
#include <string>

#include "carronade/error.h"
#include "carronade/run_result.h"

namespace carronade {
namespace {

TEST(ErrorNames, EveryKindHasAnOwnSnakeCaseName) {
  std::set<std::string> names;
  for (int i = 0; i < kErrorKinds; ++i) {
    const std::string name(error_kind_name(static_cast<ErrorKind>(i)));
    EXPECT_FALSE(name.empty());
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(error_kind_name(ErrorKind::kConnectRefused), "connect_refused");
  EXPECT_EQ(error_kind_name(ErrorKind::kTimeout), "timeout");
  EXPECT_EQ(error_kind_name(ErrorKind::kDataFile), "data_file");
  EXPECT_EQ(error_kind_name(ErrorKind::kProxyRefused), "proxy_refused");
  EXPECT_EQ(error_kind_name(ErrorKind::kUpgradeRefused), "upgrade_refused");
  EXPECT_EQ(error_kind_name(ErrorKind::kMalformedFrame), "malformed_frame");
}

TEST(ErrorNames, PhasesAndStops) {
  EXPECT_EQ(phase_name(Phase::kResolve), "resolve");
  EXPECT_EQ(phase_name(Phase::kTls), "tls");
  EXPECT_EQ(phase_name(Phase::kTimeout), "timeout");
  EXPECT_EQ(phase_name(Phase::kProxy), "proxy");
  EXPECT_EQ(phase_name(Phase::kUpgrade), "upgrade");
  EXPECT_EQ(stopped_by_name(StoppedBy::kDuration), "duration");
  EXPECT_EQ(stopped_by_name(StoppedBy::kConnectionRequests), "connection_requests");
  EXPECT_EQ(stopped_by_name(StoppedBy::kUser), "user");
  EXPECT_EQ(stopped_by_name(StoppedBy::kUnreachable), "unreachable");
  EXPECT_EQ(stopped_by_name(StoppedBy::kData), "data");
  EXPECT_EQ(stopped_by_name(StoppedBy::kUnresolved), "unresolved");
}

TEST(ErrorNames, FaultsOfThisMachine) {
  for (int i = 0; i < kErrorKinds; ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    const bool ours = kind == ErrorKind::kResolveFailed || kind == ErrorKind::kOutOfDescriptors ||
                      kind == ErrorKind::kOutOfPorts || kind == ErrorKind::kOutOfMemory ||
                      kind == ErrorKind::kDataFile;
    EXPECT_EQ(fault_side(kind) == FaultSide::kThisMachine, ours) << error_kind_name(kind);
  }
}

}  // namespace
}  // namespace carronade
