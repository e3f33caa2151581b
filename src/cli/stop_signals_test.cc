#include "cli/stop_signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace carronade::cli {
namespace {

TEST(StopSignals, OneInTheLastMomentTakesNoExitCode) {
  EXPECT_EXIT(
      {
        for (int i = 0; i < 300; ++i) {
          const StopSignals signals;
          ::kill(::getpid(), SIGINT);
        }
        ::_exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(StopSignals, TheFirstOneIsSeenAndAsksForTheEnd) {
  StopSignals signals;
  std::atomic<bool> asked{false};
  const StopSignals::Watch watch(signals, [&] { asked = true; });
  ::kill(::getpid(), SIGTERM);
  EXPECT_TRUE(signals.wait(20'000'000'000));
  signals.watch(nullptr);  // not while it runs
  EXPECT_TRUE(asked);
  EXPECT_EQ(signals.received(), SIGTERM);
}

TEST(StopSignals, TheSecondOneEndsTheProcess) {
  EXPECT_EXIT(
      {
        StopSignals signals;
        ::kill(::getpid(), SIGINT);
        signals.wait(20'000'000'000);
        ::kill(::getpid(), SIGINT);
        ::sleep(20);
      },
      testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace carronade::cli
