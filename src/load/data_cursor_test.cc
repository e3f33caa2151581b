#include "load/data_cursor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "base/csv_test_file.h"

namespace carronade::load {
namespace {

using base::CsvTestFile;

std::unique_ptr<DataCursor> open(const CsvTestFile& file, DataMode mode, uint64_t seed = 1) {
  auto cursor = DataCursor::open({.file = file.path(), .mode = mode}, seed);
  EXPECT_TRUE(cursor.has_value());
  EXPECT_TRUE((*cursor)->check({}).has_value());
  return std::move(*cursor);
}

std::vector<std::string> take(DataCursor& cursor, size_t most) {
  std::vector<std::string> values;
  base::CsvRow row;
  while (values.size() < most && cursor.take(row)) values.emplace_back(row[0]);
  return values;
}

std::vector<std::string> sorted(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  return values;
}

std::string rows(int count) {
  std::string content = "n,text\n";
  for (int i = 0; i < count; ++i) content += std::to_string(i) + ",some text of row\n";
  return content;
}

TEST(DataCursor, SequenceBeginsAgain) {
  const CsvTestFile file("a\n1\n2\n3");
  const auto cursor = open(file, DataMode::kSequence);
  EXPECT_EQ(take(*cursor, 7), (std::vector<std::string>{"1", "2", "3", "1", "2", "3", "1"}));
}

TEST(DataCursor, OnceEndsAndStaysAtItsEnd) {
  const CsvTestFile file("a\n1\n2\n");
  const auto cursor = open(file, DataMode::kOnce);
  EXPECT_EQ(take(*cursor, 9), (std::vector<std::string>{"1", "2"}));
  base::CsvRow row;
  EXPECT_FALSE(cursor->take(row));
}

// 100 rows stay in the reader's buffer, 20,000 do not.
TEST(DataCursor, ShuffleGivesEachRowOnceARoundInAnOrderOfItsOwn) {
  for (const int count : {100, 20'000}) {
    const CsvTestFile file(rows(count));
    const auto cursor = open(file, DataMode::kShuffle);
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.push_back(std::to_string(i));
    const auto size = static_cast<size_t>(count);
    const std::vector<std::string> first = take(*cursor, size);
    const std::vector<std::string> second = take(*cursor, size);
    EXPECT_NE(first, all);
    EXPECT_NE(first, second);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(sorted(first), all);
    EXPECT_EQ(sorted(second), all);
    EXPECT_EQ(take(*open(file, DataMode::kShuffle), size), first);
    EXPECT_NE(take(*open(file, DataMode::kShuffle, 2), size), first);
  }
}

TEST(DataCursor, ShuffleFavoursNoOrder) {
  const CsvTestFile file("a\n1\n2\n3\n");
  const auto cursor = open(file, DataMode::kShuffle);
  std::map<std::vector<std::string>, int> orders;
  for (int i = 0; i < 6000; ++i) ++orders[take(*cursor, 3)];
  EXPECT_EQ(orders.size(), 6U);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 150) << order[0];
}

TEST(DataCursor, ManyWorkersShareTheRows) {
  const CsvTestFile file(rows(20'000));
  for (const DataMode mode : {DataMode::kOnce, DataMode::kShuffle}) {
    const auto cursor = open(file, mode);
    std::vector<std::vector<std::string>> taken(4);
    std::vector<std::thread> threads;
    for (auto& mine : taken) {
      threads.emplace_back([&mine, &cursor] { mine = take(*cursor, 5000); });
    }
    for (std::thread& thread : threads) thread.join();
    std::set<std::string> different;
    for (const auto& mine : taken) different.insert(mine.begin(), mine.end());
    EXPECT_EQ(different.size(), 20'000U);
  }
}

TEST(DataCursor, TheWholeFileIsCheckedFirst) {
  const auto error_of = [](const std::string& content, const std::vector<size_t>& line_columns) {
    const CsvTestFile file(content);
    const auto cursor = DataCursor::open({.file = file.path(), .mode = DataMode::kOnce}, 1).value();
    const auto checked = cursor->check(line_columns);
    return checked ? "no error" : checked.error().text.substr(("data file " + file.path()).size());
  };
  EXPECT_EQ(error_of(rows(20'000) + "1\n", {}), ":20002: 1 field, but there are 2 columns");
  EXPECT_EQ(error_of("a,b\n", {}), ": it has no rows below the names of its columns");
  EXPECT_EQ(error_of("a,b\n\n\n", {}), ": it has no rows below the names of its columns");
  const std::string broken = "a,b\n1,2\n\"x\ny\",\"x\ny\"\n";
  EXPECT_EQ(error_of(broken, {}), "no error");
  EXPECT_EQ(error_of(broken, {1}),
            ":3: column b has a line break or a NUL, which a header cannot carry");
}

// What take() says once `change` has been made to a file of 20,000 rows, the first of which has
// been taken.
std::string error_after(DataMode mode, const std::function<void(const std::string& path)>& change) {
  const CsvTestFile file(rows(20'000));
  const auto cursor = open(file, mode);
  base::CsvRow row;
  EXPECT_TRUE(cursor->take(row));
  EXPECT_EQ(cursor->error(), "");
  change(file.path());
  size_t taken = 1;
  while (taken < 50'000 && cursor->take(row)) ++taken;
  EXPECT_LT(taken, 20'000U);
  EXPECT_FALSE(cursor->take(row));
  const std::string prefix = "data file " + file.path();
  return cursor->error().starts_with(prefix) ? cursor->error().substr(prefix.size()) : "";
}

TEST(DataCursor, AFileThatGoesBadEndsWithAnError) {
  const auto cut = [](const std::string& path) { ASSERT_EQ(::truncate(path.c_str(), 0), 0); };
  for (const DataMode mode : {DataMode::kSequence, DataMode::kOnce}) {
    const std::string text = error_after(mode, cut);
    EXPECT_TRUE(text.starts_with(": it ends after ")) << text;
    EXPECT_TRUE(text.ends_with(" of its 20,000 rows: it was changed while the run went on"));
  }
  const std::string shuffled = error_after(DataMode::kShuffle, cut);
  EXPECT_TRUE(shuffled.starts_with(": it ends before byte ")) << shuffled;

  const auto spoil = [](const std::string& path) {
    std::ofstream file(path, std::ios::in);  // over what is there
    for (int i = 0; i < 200'000; ++i) file << "x\n";
  };
  for (const DataMode mode : {DataMode::kSequence, DataMode::kShuffle}) {
    const std::string text = error_after(mode, spoil);
    EXPECT_NE(text.find("but there are 2 columns"), std::string::npos) << text;
  }
}

TEST(DataCursor, TheEndOfTheDataIsNoError) {
  const CsvTestFile file("a\n1\n2\n");
  for (const DataMode mode : {DataMode::kOnce, DataMode::kSequence, DataMode::kShuffle}) {
    const auto cursor = open(file, mode);
    (void)take(*cursor, 9);
    EXPECT_EQ(cursor->error(), "");
  }
}

}  // namespace
}  // namespace carronade::load
