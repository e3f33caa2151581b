#include "cli/run_observer.h"

#include <gtest/gtest.h>

namespace carronade::cli {
namespace {

TEST(WireLines, MarksEachLineAndHidesOnlyCrLf) {
  EXPECT_EQ(wire_lines("GET / HTTP/1.1\r\nA: b\r\n\r\nbody", "> "),
            "> GET / HTTP/1.1\n> A: b\n> \n> body\n");
  EXPECT_EQ(wire_lines("a\rb\r\n", "< "), "< a\\x0db\n");
  EXPECT_EQ(wire_lines("", "< "), "");
}

TEST(WireLines, CutsLongBodies) {
  const std::string lines = wire_lines(std::string(5096, 'x'), "< ");
  EXPECT_EQ(lines, "< " + std::string(4096, 'x') + "\n< … 1,000 bytes more\n");
}

}  // namespace
}  // namespace carronade::cli
