#include "http/request_writer.h"

#include <gtest/gtest.h>

namespace carronade::http {
namespace {

Target target(std::string_view url, Request request = {}) {
  return {.url = parse_url(url).value(), .request = std::move(request)};
}

Request with_headers(std::vector<Header> headers) {
  Request request;
  request.headers = std::move(headers);
  return request;
}

std::string error_of(const Request& request) {
  const Expected<std::string> bytes = write_request(target("http://h/", request));
  return bytes ? "no error" : bytes.error().text;
}

TEST(RequestWriter, Plain) {
  EXPECT_EQ(write_request(target("http://localhost:3000/a?b=1#c")).value(),
            "GET /a?b=1 HTTP/1.1\r\n"
            "Host: localhost:3000\r\n"
            "Connection: keep-alive\r\n"
            "\r\n");
}

TEST(RequestWriter, OrderOfEverything) {
  Request request = with_headers({{"X-B", "2"}, {"X-A", "1"}});
  request.method = "POST";
  request.body = std::string("a\r\n\0b", 5);
  EXPECT_EQ(write_request(target("http://user:pass@[::1]/p", request)).value(),
            "POST /p HTTP/1.1\r\n"
            "Host: [::1]\r\n"
            "Connection: keep-alive\r\n"
            "X-B: 2\r\n"
            "X-A: 1\r\n"
            "Authorization: Basic dXNlcjpwYXNz\r\n"
            "Content-Length: 5\r\n"
            "\r\n" +
                request.body);
}

TEST(RequestWriter, UserHeaderReplacesDefaultInAnyCaseInItsPlace) {
  const Request request = with_headers({{"X-First", "1"},
                                        {"cONNECTION", "close"},
                                        {"host", "other"},
                                        {"AUTHORIZATION", "Bearer t"}});
  EXPECT_EQ(write_request(target("http://u:p@h/", request)).value(),
            "GET / HTTP/1.1\r\n"
            "X-First: 1\r\n"
            "cONNECTION: close\r\n"
            "host: other\r\n"
            "AUTHORIZATION: Bearer t\r\n"
            "\r\n");
}

TEST(RequestWriter, RepeatedHeadersAreAllSent) {
  const Request request =
      with_headers({{"Host", "a"}, {"X-A", "1"}, {"x-a", "2"}, {"X-A", "1"}, {"HOST", "b"}});
  EXPECT_EQ(write_request(target("http://h/", request)).value(),
            "GET / HTTP/1.1\r\n"
            "Connection: keep-alive\r\n"
            "Host: a\r\n"
            "X-A: 1\r\n"
            "x-a: 2\r\n"
            "X-A: 1\r\n"
            "HOST: b\r\n"
            "\r\n");
}

TEST(RequestWriter, ContentLengthIsAlwaysRight) {
  Request request = with_headers({{"content-length", "99"}, {"Content-Type", "text/plain"}});
  request.body = "12345";
  EXPECT_EQ(write_request(target("http://h/", request)).value(),
            "GET / HTTP/1.1\r\n"
            "Host: h\r\n"
            "Connection: keep-alive\r\n"
            "Content-Type: text/plain\r\n"
            "Content-Length: 5\r\n"
            "\r\n"
            "12345");
}

TEST(RequestWriter, EmptyBodyHasALengthWhereOneIsExpected) {
  for (const char* method : {"POST", "PUT", "PATCH"}) {
    Request request;
    request.method = method;
    EXPECT_NE(write_request(target("http://h/", request))->find("\r\nContent-Length: 0\r\n\r\n"),
              std::string::npos)
        << method;
  }
  for (const char* method : {"GET", "HEAD", "DELETE", "OPTIONS", "post"}) {
    Request request;
    request.method = method;
    EXPECT_EQ(write_request(target("http://h/", request))->find("Content-Length"),
              std::string::npos)
        << method;
  }
}

TEST(RequestWriter, NoContentLengthBesideTheUsersTransferEncoding) {
  Request request = with_headers({{"transfer-encoding", "chunked"}});
  request.method = "POST";
  request.body = "0\r\n\r\n";
  EXPECT_EQ(write_request(target("http://h/", request)).value(),
            "POST / HTTP/1.1\r\n"
            "Host: h\r\n"
            "Connection: keep-alive\r\n"
            "transfer-encoding: chunked\r\n"
            "\r\n"
            "0\r\n\r\n");
}

TEST(RequestWriter, ValuesAreSentByteForByte) {
  const Request request = with_headers({{"X", ""}, {"Y", "  a\t\xC3\xBC \x01"}});
  EXPECT_NE(write_request(target("http://h/", request))->find("X: \r\nY:   a\t\xC3\xBC \x01\r\n"),
            std::string::npos);
}

TEST(RequestWriter, CredentialsWithoutPassword) {
  EXPECT_NE(write_request(target("http://user@h/"))->find("Authorization: Basic dXNlcjo=\r\n"),
            std::string::npos);
}

TEST(RequestWriter, AnyTokenIsAMethod) {
  Request request;
  request.method = "M-SEARCH!";
  EXPECT_TRUE(write_request(target("http://h/", request))->starts_with("M-SEARCH! / HTTP/1.1\r\n"));
}

TEST(RequestWriter, BadMethodsAreRefused) {
  for (const char* method : {"", "GE T", "GET\r\n", "GET/", "G\xC3\x9CT"}) {
    Request request;
    request.method = method;
    EXPECT_NE(error_of(request).find("method \""), std::string::npos) << method;
  }
}

TEST(RequestWriter, BadHeadersAreRefused) {
  for (const char* name : {"", "a b", "a:", "a\r\nb", "\xC3\xBC"}) {
    EXPECT_NE(error_of(with_headers({{name, "x"}})).find("header name \""), std::string::npos)
        << name;
  }
  for (std::string value : {"a\r", "a\nb: c", "\r\n"}) {
    EXPECT_NE(error_of(with_headers({{"X-Name", value}})).find("value of header \"X-Name\""),
              std::string::npos);
  }
  EXPECT_NE(error_of(with_headers({{"X", std::string("a\0b", 3)}})).find("a\\x00b"),
            std::string::npos);
}

TEST(RequestWriter, BadTargetsAreRefused) {
  for (const char* path : {"", "/a b", "/a\r\nX: y", "/\x7F"}) {
    Target bad = target("http://h/");
    bad.url.target = path;
    ASSERT_FALSE(write_request(bad)) << path;
    EXPECT_NE(write_request(bad).error().text.find("request target"), std::string::npos);
  }
}

TEST(RequestWriter, PathOfTheRequestReplacesTheTargetOfTheUrl) {
  Request request;
  request.path = "/own?x=1";
  EXPECT_TRUE(write_request(target("http://u:p@h:8080/of/url?y=2", request))
                  ->starts_with("GET /own?x=1 HTTP/1.1\r\nHost: h:8080\r\n"));
  request.method = "OPTIONS";
  request.path = "*";
  EXPECT_TRUE(write_request(target("http://h/a", request))->starts_with("OPTIONS * HTTP/1.1\r\n"));
}

TEST(RequestWriter, PathCannotBreakTheLine) {
  Request request;
  request.path = std::string("/a b\r\nX: y\0\x7F\xC3\xBC%20", 17);
  EXPECT_TRUE(write_request(target("http://h/", request))
                  ->starts_with("GET /a%20b%0D%0AX:%20y%00%7F%C3%BC%20 HTTP/1.1\r\n"));
}

TEST(RequestWriter, PartsAreWhatIsWritten) {
  Request request = with_headers({{"X-A", "1"}, {"Content-Length", "9"}});
  request.method = "PUT";
  const RequestParts parts = request_parts(parse_url("http://u:@h/t").value(), request).value();
  EXPECT_EQ(parts.target, "/t");
  ASSERT_EQ(parts.headers.size(), 4U);
  EXPECT_EQ(parts.headers[0].value, "h");
  EXPECT_EQ(parts.headers[1].value, "keep-alive");
  EXPECT_EQ(parts.headers[2].name, "X-A");
  EXPECT_EQ(parts.headers[3].value, "Basic dTo=");
  EXPECT_TRUE(parts.with_length);
}

TEST(RequestWriter, AsksToClose) {
  EXPECT_TRUE(asks_to_close(with_headers({{"connection", "close"}})));
  EXPECT_TRUE(asks_to_close(with_headers({{"X", "1"}, {"Connection", "x-hop , Close"}})));
  EXPECT_FALSE(asks_to_close(with_headers({{"Connection", "keep-alive"}, {"X", "close"}})));
  EXPECT_FALSE(asks_to_close(with_headers({{"Connection", "closed"}})));
  EXPECT_FALSE(asks_to_close({}));
}

TEST(RequestWriter, Idempotent) {
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
    EXPECT_TRUE(is_idempotent(method)) << method;
  }
  for (const char* method : {"POST", "PATCH", "CONNECT", "get", "", "GETS"}) {
    EXPECT_FALSE(is_idempotent(method)) << method;
  }
}

}  // namespace
}  // namespace carronade::http
