#include "base/csv_reader.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/csv_test_file.h"

namespace carronade::base {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::string> fields_of(const CsvRow& row) {
  std::vector<std::string> fields;
  for (size_t i = 0; i < row.size(); ++i) fields.emplace_back(row[i]);
  return fields;
}

// The names and all rows; the last one is the error when there is one.
Rows read_all(std::string_view content) {
  const CsvTestFile file(content);
  Expected<CsvReader> reader = CsvReader::open(file.path());
  if (!reader) return {{reader.error().text}};
  Rows rows = {reader->columns()};
  CsvRow row;
  Expected<bool> found = reader->next(row);
  for (; found && *found; found = reader->next(row)) rows.push_back(fields_of(row));
  if (!found) rows.push_back({found.error().text});
  return rows;
}

// The message behind the file's name.
std::string error_of(std::string_view content) {
  const std::string text = read_all(content).back().front();
  const size_t name = text.find("rows");
  return name == std::string::npos ? "no error: " + text.substr(0, 100) : text.substr(name + 10);
}

TEST(CsvReader, PlainRows) {
  EXPECT_EQ(read_all("id,name\n1,ann\n2,bob\n"),
            (Rows{{"id", "name"}, {"1", "ann"}, {"2", "bob"}}));
}

TEST(CsvReader, LineEndsMayBeAbsentOrHaveACarriageReturn) {
  EXPECT_EQ(read_all("a,b\r\n1,2\r\n3,4"), (Rows{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(read_all("a,b\n1,\"2\"\r\n3,\"4\""), (Rows{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(read_all("a\n1\r"), (Rows{{"a"}, {"1"}}));
  EXPECT_EQ(read_all("a\nx\ry\n"), (Rows{{"a"}, {"x\ry"}}));
}

TEST(CsvReader, QuotedFields) {
  EXPECT_EQ(read_all("a,b\n\"x,\"\"y\"\"\",\"1\n2\r\n3\"\n"),
            (Rows{{"a", "b"}, {"x,\"y\"", "1\n2\r\n3"}}));
  EXPECT_EQ(read_all("\"a \"\"q\"\"\",b\n\"\",\"\"\"\"\n"), (Rows{{"a \"q\"", "b"}, {"", "\""}}));
}

TEST(CsvReader, EmptyFieldsStay) {
  EXPECT_EQ(read_all("a,b,c\n,,\n1,,3\n"), (Rows{{"a", "b", "c"}, {"", "", ""}, {"1", "", "3"}}));
}

TEST(CsvReader, EmptyLinesAreSkippedButNotAnEmptyValue) {
  EXPECT_EQ(read_all("\n\na\n\n1\n\r\n\"\"\n2\n\n"), (Rows{{"a"}, {"1"}, {""}, {"2"}}));
}

TEST(CsvReader, ByteOrderMarkAndBlanksAroundNames) {
  EXPECT_EQ(read_all("\xEF\xBB\xBFid , full name\n1, x\n"),
            (Rows{{"id", "full name"}, {"1", " x"}}));
}

TEST(CsvReader, BytesAreTakenAsTheyAre) {
  const std::string row("\x01\xFF\0z", 4);
  EXPECT_EQ(read_all("a\n" + row + "\n"), (Rows{{"a"}, {row}}));
}

TEST(CsvReader, FaultsInTheNames) {
  EXPECT_EQ(error_of(""), ": it is empty; its first line names the columns");
  EXPECT_EQ(error_of("\n\r\n\n"), ": it is empty; its first line names the columns");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), ": it is empty; its first line names the columns");
  EXPECT_EQ(error_of("\na,,c\n"), ":2: column 2 has no name; the first line names the columns");
  EXPECT_EQ(error_of("a,b, a\n"), ":1: two columns have the name a");
  EXPECT_EQ(error_of(std::string_view("\xFF\xFEi\0", 4)), ": it is UTF-16; save it as UTF-8");
}

TEST(CsvReader, FaultsInRowsNameTheLine) {
  EXPECT_EQ(error_of("a,b\n1,2\n3\n"), ":3: 1 field, but there are 2 columns");
  EXPECT_EQ(error_of("a,b\n\"x\ny\",2\n\n1,2,3\n"), ":5: 3 fields, but there are 2 columns");
  EXPECT_EQ(error_of("a,b\n1,2\n3,\"4\n5\n"),
            ":3: the quote that opens here is not closed before the file ends");
  EXPECT_EQ(error_of("a\nx\"y\"\n"),
            ":2: a quote inside of a field; put the field in quotes and double this one");
  for (const char* text : {"a\n\"x\"y\n", "a\n\"x\"\ry\n", "a\n\"x\" \n"}) {
    EXPECT_EQ(error_of(text),
              ":2: text behind a closing quote; a quote inside of a field is doubled");
  }
}

TEST(CsvReader, ARowIsNotEndless) {
  const std::string long_text(CsvReader::kMaxRowBytes + 1, 'x');
  EXPECT_EQ(error_of("a\n1\n" + long_text), ":3: a row of more than 16 MiB");
  EXPECT_EQ(error_of("a\n\"" + long_text),
            ":2: a row of more than 16 MiB; is the quote here closed?");
}

// As many fields as are allowed may have no text at all, and their names are compared quickly.
TEST(CsvReader, ARowHasNotFieldsWithoutEnd) {
  std::string names = "0";
  for (size_t i = 1; i < CsvReader::kMaxRowFields; ++i) names += "," + std::to_string(i);
  const std::string commas(CsvReader::kMaxRowFields - 1, ',');
  const Rows rows = read_all(names + "\n" + commas + "\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].size(), CsvReader::kMaxRowFields);
  EXPECT_EQ(error_of("a,b\n1,2\n" + commas + ",\n"), ":3: a row of more than 100,000 fields");
  EXPECT_EQ(error_of(names + ",x\n"), ":1: a row of more than 100,000 fields");
  EXPECT_EQ(error_of("a,b\n" + std::string(5'000'000, ',')),
            ":2: a row of more than 100,000 fields");
}

TEST(CsvReader, AFaultBehindSeekNamesWhatIsKnown) {
  const CsvTestFile file("\na,b\n1,2\n3\n");
  CsvReader reader = CsvReader::open(file.path()).value();
  CsvRow row;
  const auto fault = [&] {
    const Expected<bool> found = reader.next(row);
    return found ? "none" : found.error().text.substr(("data file " + file.path()).size());
  };
  EXPECT_EQ(fault(), "none");
  EXPECT_EQ(fault(), ":4: 1 field, but there are 2 columns");
  const uint64_t offset = reader.row_offset();
  reader.seek(reader.first_row_offset());
  EXPECT_EQ(fault(), "none");
  EXPECT_EQ(fault(), ":4: 1 field, but there are 2 columns");
  reader.seek(offset);
  EXPECT_EQ(fault(), ", in the row at byte 9: 1 field, but there are 2 columns");
}

TEST(CsvReader, FilesThatCannotBeRead) {
  EXPECT_EQ(CsvReader::open("/no/such/rows.csv").error().text,
            "data file /no/such/rows.csv: No such file or directory");
  EXPECT_NE(CsvReader::open("/tmp").error().text.find("not a regular file"), std::string::npos);
  EXPECT_NE(CsvReader::open("/dev/null").error().text.find("not a regular file"),
            std::string::npos);
}

TEST(CsvReader, AFileLargerThanTheBufferIsReadRight) {
  std::string content = "n,text\n";
  Rows rows = {{"n", "text"}};
  for (int i = 0; i < 5000; ++i) {
    // Lengths that put each kind of byte on the buffer's border somewhere.
    const std::string text(static_cast<size_t>(i % 61), 'x');
    content += std::to_string(i) + ",\"" + text + "\"\"\n\"\r\n";
    rows.push_back({std::to_string(i), text + "\"\n"});
  }
  EXPECT_EQ(read_all(content), rows);
}

TEST(CsvReader, SeekGoesBackToARow) {
  std::string content = "a,b\n";
  for (int i = 0; i < 20'000; ++i)
    content += std::to_string(i) + ",value " + std::to_string(i) + "\n";
  content += "last,row";
  const CsvTestFile file(content);
  CsvReader reader = CsvReader::open(file.path()).value();
  std::vector<uint64_t> offsets;
  CsvRow row;
  while (reader.next(row).value()) offsets.push_back(reader.row_offset());
  ASSERT_EQ(offsets.size(), 20'001U);
  EXPECT_EQ(offsets.front(), reader.first_row_offset());
  for (const size_t i : {0U, 19'999U, 20'000U, 7U, 6U, 8U, 12'345U, 20'000U}) {
    for (const size_t piece : {size_t{1}, size_t{20}, CsvReader::kBufferBytes}) {
      reader.seek(offsets[i], piece);
      ASSERT_TRUE(reader.next(row).value()) << i;
      EXPECT_EQ(row[0], i == 20'000 ? "last" : std::to_string(i));
      EXPECT_EQ(reader.row_offset(), offsets[i]);
    }
  }
  EXPECT_FALSE(reader.next(row).value());
  reader.seek(reader.first_row_offset());
  EXPECT_TRUE(reader.next(row).value());
  EXPECT_EQ(row[1], "value 0");
}

}  // namespace
}  // namespace carronade::base
