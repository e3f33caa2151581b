#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "base/text.h"
#include "base/unique_fd.h"

namespace carronade::base {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/carronade_files_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    path_ = folder_ + "/file";
  }
  void TearDown() override {
    ::unlink(path_.c_str());
    ::rmdir(folder_.c_str());
  }
  std::string folder_;
  std::string path_;
};

TEST_F(Files, ReadsByteForByte) {
  std::string bytes;
  for (int i = 0; i < 300'000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  std::ofstream(path_, std::ios::binary) << bytes;
  const Expected<std::string> read = read_file(path_);
  ASSERT_TRUE(read);
  EXPECT_TRUE(*read == bytes);
}

TEST_F(Files, ErrorsNameThePathAndTheReason) {
  EXPECT_EQ(read_file(path_).error().text, "open " + path_ + ": No such file or directory");
  EXPECT_EQ(read_file(folder_).error().text, "read " + folder_ + ": Is a directory");
}

TEST_F(Files, DashIsStandardInput) {
  int pipe_fds[2];
  ASSERT_EQ(::pipe2(pipe_fds, O_CLOEXEC), 0);
  UniqueFd read_end(pipe_fds[0]);
  UniqueFd write_end(pipe_fds[1]);
  ASSERT_EQ(::write(write_end.get(), "from a pipe\0", 12), 12);
  write_end.reset();
  UniqueFd saved(::dup(STDIN_FILENO));
  ASSERT_GE(::dup2(read_end.get(), STDIN_FILENO), 0);
  const Expected<std::string> read = read_file("-");
  if (saved.valid()) {
    ::dup2(saved.get(), STDIN_FILENO);
  } else {
    ::close(STDIN_FILENO);
  }
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, std::string("from a pipe\0", 12));
}

TEST(ErrnoText, IsTheSystemsText) {
  EXPECT_EQ(errno_text(ECONNREFUSED), "Connection refused");
  EXPECT_NE(errno_text(987654).find("987654"), std::string::npos);
}

}  // namespace
}  // namespace carronade::base
