#include "load/expectation.h"

#include <gtest/gtest.h>

namespace carronade::load {
namespace {

uint32_t mismatches(const std::string& expected, std::initializer_list<const char*> pieces) {
  Expectation expectation(expected);
  for (const char* piece : pieces) expectation.on_body(piece);
  expectation.on_response_end();
  return expectation.take_mismatches();
}

TEST(Expectation, ComparesAcrossPieces) {
  EXPECT_EQ(mismatches("hello", {"hello"}), 0u);
  EXPECT_EQ(mismatches("hello", {"he", "", "llo"}), 0u);
  EXPECT_EQ(mismatches("hello", {"hell"}), 1u);
  EXPECT_EQ(mismatches("hello", {"hello", "!"}), 1u);
  EXPECT_EQ(mismatches("hello", {"hellO"}), 1u);
  EXPECT_EQ(mismatches("hello", {}), 1u);
  EXPECT_EQ(mismatches("", {}), 0u);
}

TEST(Expectation, EachResponseCountsForItself) {
  const std::string expected = "ab";
  Expectation expectation(expected);
  expectation.on_body("ax");
  expectation.on_response_end();
  expectation.on_body("ab");
  expectation.on_response_end();
  expectation.on_body("a");
  expectation.forget();  // its connection closed
  expectation.on_body("ab");
  expectation.on_response_end();
  EXPECT_EQ(expectation.take_mismatches(), 1u);
  EXPECT_EQ(expectation.take_mismatches(), 0u);
}

}  // namespace
}  // namespace carronade::load
