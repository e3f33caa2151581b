#include "net/descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/unique_fd.h"

namespace carronade::net {
namespace {

bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

TEST(Descriptors, RaisesTheLimitToTheHardOne) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit lowered = before;
  lowered.rlim_cur = before.rlim_max < 64 ? before.rlim_max : 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lowered), 0);
  EXPECT_EQ(raise_descriptor_limit(), before.rlim_max);
  setrlimit(RLIMIT_NOFILE, &before);
}

// Where they can be had: not under ThreadSanitizer, nor in some containers.
class SeparateDescriptors : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_separate_descriptors()) GTEST_SKIP() << "no thread may have a table of its own here";
  }
};

TEST_F(SeparateDescriptors, TryingChangesNothing) {
  const base::UniqueFd open(eventfd(0, EFD_CLOEXEC));
  EXPECT_TRUE(can_separate_descriptors());
  EXPECT_TRUE(is_open(open.get()));
}

TEST_F(SeparateDescriptors, AThreadOfItsOwnTableKeepsWhatItWants) {
  const base::UniqueFd kept(eventfd(0, EFD_CLOEXEC));
  const base::UniqueFd left(eventfd(0, EFD_CLOEXEC));
  const base::UniqueFd kept_too(eventfd(0, EFD_CLOEXEC));
  bool separated = false;
  std::array<bool, 4> there{};
  std::thread([&] {
    separated = separate_descriptors({kept_too.get(), kept.get()});
    there = {is_open(kept.get()), is_open(left.get()), is_open(kept_too.get()), is_open(2)};
    close_separated_descriptors();
  }).join();
  EXPECT_TRUE(separated);
  EXPECT_EQ(there, (std::array{true, false, true, true}));
  for (const auto* fd : {&kept, &left, &kept_too}) EXPECT_TRUE(is_open(fd->get()));
}

TEST_F(SeparateDescriptors, NumbersAreTheThreadsOwn) {
  int inside = -1;
  std::thread([&inside] {
    ASSERT_TRUE(separate_descriptors({}));
    inside = eventfd(0, EFD_CLOEXEC);
    EXPECT_EQ(inside, 3);
    close_separated_descriptors();
    EXPECT_FALSE(is_open(inside));
  }).join();
}

// Both ends are closed, though the thread that had a copy may not have ended by itself yet.
TEST_F(SeparateDescriptors, CopiesDoNotOutliveTheirThread) {
  std::array<int, 2> pair{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
  const base::UniqueFd reader(pair[0]);
  base::UniqueFd writer(pair[1]);
  std::thread([&writer] {
    EXPECT_TRUE(separate_descriptors({writer.get()}));
    close_separated_descriptors();
  }).join();
  writer.reset();
  char byte = 0;
  EXPECT_EQ(recv(reader.get(), &byte, 1, MSG_DONTWAIT), 0);
}

}  // namespace
}  // namespace carronade::net
