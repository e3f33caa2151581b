#include "cli/output_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/text.h"

namespace carronade::cli {
namespace {

class OutputFileTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(::mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/out"; }

 private:
  std::string folder_ = "/tmp/carronade_output_XXXXXX";
};

TEST_F(OutputFileTest, HoldsWhatWasWritten) {
  Expected<OutputFile> file = OutputFile::open(path());
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(base::read_file(path()).value(), "");
  ASSERT_TRUE(file->write("one\n"));
  EXPECT_EQ(base::read_file(path()).value(), "one\n");
}

TEST_F(OutputFileTest, KeepsTheOldContentUntilItIsReplaced) {
  ASSERT_TRUE(OutputFile::open(path())->write("a long first content\n"));
  Expected<OutputFile> file = OutputFile::open(path());
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(base::read_file(path()).value(), "a long first content\n");
  ASSERT_TRUE(file->write("short\n"));
  EXPECT_EQ(base::read_file(path()).value(), "short\n");
}

TEST_F(OutputFileTest, TellsWhatIsWrong) {
  const Expected<OutputFile> nowhere = OutputFile::open(path() + "/below");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().text, "open " + path() + "/below to write: No such file or directory");
  Expected<OutputFile> full = OutputFile::open("/dev/full");
  ASSERT_TRUE(full) << full.error().text;
  const Expected<void> written = full->write("x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().text, "write to /dev/full: No space left on device");
}

}  // namespace
}  // namespace carronade::cli
