#include "server/request_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "server/request_log.h"

namespace carronade::server {
namespace {

std::string whole(std::string_view bytes) {
  RequestLog log;
  log.feed(bytes);
  return log.text();
}

// Whole, byte by byte, and cut in two at every place.
void expect_log(std::string_view bytes, std::string_view expected) {
  ASSERT_EQ(whole(bytes), expected);
  RequestLog bytewise;
  for (char c : bytes) bytewise.feed({&c, 1});
  ASSERT_EQ(bytewise.text(), expected) << "byte by byte";
  for (size_t at = 0; at <= bytes.size(); ++at) {
    RequestLog log;
    log.feed(bytes.substr(0, at));
    log.feed(bytes.substr(at));
    ASSERT_EQ(log.text(), expected) << "cut at " << at;
  }
}

void expect_error(std::string_view bytes, std::string_view error) {
  expect_log(bytes, std::string("error ") + std::string(error) + "\n");
}

TEST(RequestParser, PlainRequest) {
  expect_log("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a?b=c 1.1 keep\n");
  expect_log("M-SEARCH * HTTP/1.1\r\nHost:\r\n\r\n", "M-SEARCH * 1.1 keep\n");
  expect_log("GET http://x/y HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://x/y 1.1 keep\n");
}

TEST(RequestParser, PipelinedRequestsAndEmptyLinesBetween) {
  expect_log(
      "\r\n\r\nGET /1 HTTP/1.1\r\nHost: x\r\n\r\n"
      "\r\nPOST /2 HTTP/1.1\r\nhost: x\r\nContent-Length: 3\r\n\r\nabc"
      "GET /3 HTTP/1.1\r\nHOST: x\r\n\r\n",
      "GET /1 1.1 keep\nPOST /2 1.1 keep length=3 body=abc\nGET /3 1.1 keep\n");
}

TEST(RequestParser, Persistence) {
  expect_log("GET / HTTP/1.0\r\n\r\n", "GET / 1.0 close\n");
  expect_log("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / 1.0 keep\n");
  expect_log("GET / HTTP/1.1\r\nHost: x\r\nConnection: CLOSE\r\n\r\n", "GET / 1.1 close\n");
  expect_log("GET / HTTP/1.1\r\nHost: x\r\nConnection: te , \t Close\r\n\r\n", "GET / 1.1 close\n");
  expect_log("GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, close\r\n\r\n",
             "GET / 1.1 close\n");
  expect_log("GET / HTTP/1.1\r\nHost: x\r\nConnection: closed\r\n\r\n", "GET / 1.1 keep\n");
  expect_log("GET / HTTP/1.2\r\nHost: x\r\n\r\n", "GET / 1.2 keep\n");
}

TEST(RequestParser, HeaderValuesAreTrimmedAndKept) {
  expect_log("GET / HTTP/1.1\r\nHost: x\r\nContent-Type:\t a/b; c=\"d\" \t\r\nX:\xc3\xa4\r\n\r\n",
             "GET / 1.1 keep type=a/b; c=\"d\"\n");
}

TEST(RequestParser, SizedBody) {
  expect_log("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
             "PUT / 1.1 keep\nGET /2 1.0 close\n");
  expect_log(
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 05\r\nContent-Length: 5\r\n\r\n\r\n\r\nxPUT "
      "/ HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\ny",
      "PUT / 1.1 keep length=5 body=\r\n\r\nx\nPUT / 1.1 keep expect length=1 body=y\n");
}

TEST(RequestParser, ChunkedBody) {
  expect_log(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "3\r\nabc\r\n00A;name=\"v\"\r\n0123456789\r\n0\r\n\r\n"
      "GET /2 HTTP/1.0\r\n\r\n",
      "POST / 1.1 keep chunked body=abc0123456789\nGET /2 1.0 close\n");
  expect_log(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ,chunked\r\n\r\n"
      "0\r\nTrailer-A: 1\r\nB:\r\n\r\n",
      "POST / 1.1 keep chunked body=\n");
}

TEST(RequestParser, ExpectWithoutBodyIsPassedOver) {
  expect_log("GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n", "GET / 1.1 keep\n");
}

TEST(RequestParser, IncompleteRequestsWait) {
  for (std::string_view part : {"", "G", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: x\r\n\r"}) {
    RequestLog log;
    log.feed(part);
    EXPECT_EQ(log.text(), "") << part;
  }
}

TEST(RequestParser, MalformedRequestLine) {
  expect_error("\x16\x03\x01", "400 the request does not start with a method");
  expect_error("\nGET / HTTP/1.1\r\n", "400 the request does not start with a method");
  expect_error("GET\r\n", "400 no target in the request line");
  expect_error("G(T / HTTP/1.1\r\n", "400 the method is not a token");
  expect_error("GET /\r\n", "400 no version in the request line");
  expect_error("GET  / HTTP/1.1\r\n", "400 the target is empty");
  expect_error("GET /a b HTTP/1.1\r\n", "400 the version is not HTTP/x.y");
  expect_error("GET / HTTP/1.1 \r\n", "400 the version is not HTTP/x.y");
  expect_error("GET / http/1.1\r\n", "400 the version is not HTTP/x.y");
  expect_error("GET / HTTP/2.0\r\n", "505 the version is not HTTP/1.x");
  expect_error("GET /\xc3\xa4 HTTP/1.1\r\n",
               "400 the target has a byte that must be percent-encoded");
  expect_error("GET / HTTP/1.1\n", "400 a line ends without CR");
}

TEST(RequestParser, MalformedHeaders) {
  const std::string line = "GET / HTTP/1.1\r\n";
  expect_error(line + "\r\n", "400 no Host");
  expect_error(line + "Host: x\r\nHost: x\r\n\r\n", "400 more than one Host");
  expect_error(line + "Host: x\r\n folded\r\n\r\n", "400 a header is folded over two lines");
  expect_error(line + "Host : x\r\n\r\n", "400 a header's name is not a token");
  expect_error(line + ": x\r\n\r\n", "400 a header's name is not a token");
  expect_error(line + "Host\r\n\r\n", "400 a header has no colon");
  expect_error(line + "Host: x\n\r\n", "400 a line ends without CR");
  expect_error(line + "Host: a\rb\r\n\r\n", "400 a header's value has a control byte");
  expect_error(line + std::string("A: \0\r\n\r\n", 8), "400 a header's value has a control byte");
  expect_error(line + "Host: x\r\nExpect: more\r\n\r\n", "417 an unknown expectation");
}

TEST(RequestParser, MalformedLengths) {
  const std::string line = "GET / HTTP/1.1\r\nHost: x\r\n";
  expect_error(line + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
               "400 Content-Length twice with different values");
  for (std::string_view length : {"", "-1", "+1", "1 2", "0x1", "5,5"}) {
    expect_error(line + "Content-Length: " + std::string(length) + "\r\n\r\n",
                 "400 Content-Length is not a number");
  }
  expect_error(line + "Content-Length: 18446744073709551616\r\n\r\n",
               "400 Content-Length is too large");
  expect_error(line + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
               "400 Content-Length beside Transfer-Encoding");
  expect_error(line + "Transfer-Encoding: gzip, chunked\r\n\r\n",
               "501 an unknown Transfer-Encoding");
  expect_error(line + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
               "400 chunked twice");
  expect_error(line + "Transfer-Encoding:\r\n\r\n", "400 Transfer-Encoding is empty");
  expect_error("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
               "400 Transfer-Encoding in HTTP/1.0");
}

TEST(RequestParser, MalformedChunks) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto refuses = [&](std::string_view body, std::string_view error) {
    expect_log(head + std::string(body),
               "POST / 1.1 keep chunked\nerror " + std::string(error) + "\n");
  };
  refuses("\r\n", "400 a chunk's size is not hex");
  refuses("g\r\n", "400 a chunk's size is not hex");
  refuses("5 \r\n", "400 a chunk's size is not hex");
  refuses("-5\r\n", "400 a chunk's size is not hex");
  refuses(";x\r\n", "400 a chunk's size is not hex");
  refuses("10000000000000000\r\n", "400 a chunk's size is too large");
  refuses("5\rx", "400 a chunk's line ends without LF");
  refuses("5;a\nb\r\n", "400 a chunk's extension has a control byte");
  refuses("1\r\nab", "400 no CRLF after a chunk");
  refuses("1\r\na\rb", "400 no CRLF after a chunk");
  refuses("0\r\n x: y\r\n\r\n", "400 a trailer's name is not a token");
  refuses("0\r\nx y: z\r\n\r\n", "400 a trailer's name is not a token");
  refuses("0\r\nx: y\n", "400 a trailer's value has a control byte");
  refuses("0\r\nx: y\rz", "400 a trailer ends without LF");
  refuses("0\r\n\rx", "400 the last line of the body ends without LF");
}

// A head of exactly the limit is taken, one byte more is not, however it is cut.
TEST(RequestParser, HeadLimit) {
  const std::string begin = "GET / HTTP/1.1\r\nHost: x\r\nA: ";
  const std::string end = "\r\n\r\n";
  const size_t fill = RequestParser::kHeadBytesMax - begin.size() - end.size();
  const std::string fits = begin + std::string(fill, 'a') + end;
  const std::string exceeds = begin + std::string(fill + 1, 'a') + end;
  const std::string error = "error 431 request line and headers are longer than 64 KiB\n";
  EXPECT_EQ(whole(fits), "GET / 1.1 keep\n");
  EXPECT_EQ(whole(exceeds), error);
  EXPECT_EQ(whole("GET /" + std::string(70000, 'a')), error);
  for (const size_t cut : {size_t{1}, begin.size(), size_t{65534}, size_t{65535}, size_t{65536}}) {
    for (const std::string* bytes : {&fits, &exceeds}) {
      RequestLog log;
      log.feed(std::string_view(*bytes).substr(0, cut));
      log.feed(std::string_view(*bytes).substr(cut));
      EXPECT_EQ(log.text(), bytes == &fits ? "GET / 1.1 keep\n" : error) << cut;
    }
  }
}

TEST(RequestParser, ChunkLineAndTrailerLimits) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(whole(head + "1;" + std::string(5000, 'a')),
            "POST / 1.1 keep chunked\nerror 400 a chunk's line is too long\n");
  EXPECT_EQ(whole(head + "0\r\na:" + std::string(70000, 'b')),
            "POST / 1.1 keep chunked\nerror 431 the trailers are longer than 64 KiB\n");
}

}  // namespace
}  // namespace carronade::server
