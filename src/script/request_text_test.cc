#include "script/request_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "script/request_fault.h"

namespace carronade::script {
namespace {

const std::string kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

// The requests of a text, and how its last cut ended.
std::vector<std::string> cut_all(const std::string& text, std::string* fault = nullptr) {
  std::vector<std::string> requests;
  for (size_t at = 0; at < text.size();) {
    RequestCut cut = cut_request(std::string_view(text).substr(at));
    if (cut.fault != CutFault::kNone) {
      cut.end += at;
      if (fault != nullptr) *fault = describe_fault(text, cut);
      break;
    }
    if (!cut.none()) requests.push_back(text.substr(at + cut.begin, cut.end - cut.begin));
    at += cut.end;
  }
  return requests;
}

std::string fault_of(const std::string& text) {
  std::string fault;
  cut_all(text, &fault);
  return fault;
}

TEST(RequestText, OneAndSeveral) {
  EXPECT_EQ(cut_all(kGet), std::vector{kGet});
  const std::string post = "POST /p HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
  EXPECT_EQ(cut_all(kGet + post + kGet), (std::vector{kGet, post, kGet}));
}

TEST(RequestText, EmptyLinesAreNoRequest) {
  EXPECT_EQ(cut_all("\r\n\r\n"), std::vector<std::string>{});
  EXPECT_EQ(cut_all("\r\n" + kGet + "\r\n" + kGet + "\r\n"), (std::vector{kGet, kGet}));
}

TEST(RequestText, BareLineEnds) {
  const std::string text = "GET / HTTP/1.1\nHost: h\n\n";
  EXPECT_EQ(cut_all(text + text), (std::vector{text, text}));
}

TEST(RequestText, BodyIsNotReadAsHead) {
  const std::string post = "PUT / HTTP/1.1\r\nCONTENT-LENGTH:  4 \r\nX: y\r\n\r\n\r\n\r\n";
  EXPECT_EQ(cut_all(post + kGet), (std::vector{post, kGet}));
}

TEST(RequestText, Chunks) {
  const std::string post =
      "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
      "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n";
  EXPECT_EQ(cut_all(post + kGet), (std::vector{post, kGet}));
  EXPECT_EQ(fault_of(post.substr(0, post.size() - 2)), "incomplete request at 10:1");
  EXPECT_EQ(fault_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"),
            "malformed request at 4:1");
}

TEST(RequestText, WhereItIsIncomplete) {
  EXPECT_EQ(fault_of("GET / HTTP/1.1\r\n"), "incomplete request at 2:1");
  EXPECT_EQ(fault_of("GET / HTTP/1.1"), "incomplete request at 1:15");
  EXPECT_EQ(fault_of("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc"),
            "incomplete request at 4:4");
  EXPECT_EQ(fault_of(kGet + "GET"), "incomplete request at 4:4");
}

TEST(RequestText, WhatIsNone) {
  for (const char* line : {"GET /", "GET / HTTP/2.0", "GET / /b HTTP/1.1", "G(T / HTTP/1.1",
                           " / HTTP/1.1", "GET  HTTP/1.1", "HTTP/1.1", "x"}) {
    EXPECT_EQ(fault_of(std::string(line) + "\r\n\r\n"), "malformed request at 1:1") << line;
  }
  EXPECT_EQ(fault_of("GET / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n"), "malformed request at 2:1");
  EXPECT_EQ(fault_of("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), "malformed request at 2:1");
}

TEST(RequestText, LengthThatOverflows) {
  const std::string head = "POST / HTTP/1.1\r\nContent-Length: ";
  EXPECT_EQ(fault_of(head + "18446744073709551615\r\n\r\n"), "incomplete request at 4:1");
  EXPECT_EQ(fault_of(head + "18446744073709551616\r\n\r\n"), "malformed request at 2:1");
}

TEST(RequestText, LastOnItsSocket) {
  const auto last = [](const std::string& text) { return cut_request(text).last_on_socket; };
  EXPECT_FALSE(last(kGet));
  EXPECT_TRUE(last("GET / HTTP/1.1\r\nconnection: x, Close\r\n\r\n"));
  EXPECT_FALSE(last("GET / HTTP/1.1\r\nConnection: keep-alive\r\n\r\n"));
  EXPECT_TRUE(last("GET / HTTP/1.0\r\nHost: h\r\n\r\n"));
  EXPECT_FALSE(last("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"));
}

}  // namespace
}  // namespace carronade::script
