// A file for one test: written at once, gone with it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace carronade::base {

class CsvTestFile {
 public:
  explicit CsvTestFile(std::string_view content) : path_(testing::TempDir() + "rowsXXXXXX") {
    const int fd = mkstemp(path_.data());
    EXPECT_EQ(::write(fd, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    ::close(fd);
  }
  CsvTestFile(const CsvTestFile&) = delete;
  CsvTestFile& operator=(const CsvTestFile&) = delete;
  ~CsvTestFile() { ::unlink(path_.c_str()); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace carronade::base
