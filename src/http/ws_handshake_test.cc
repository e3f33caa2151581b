#include "http/ws_handshake.h"

#include <gtest/gtest.h>

#include "http/transcript.h"

namespace carronade::http {
namespace {

// The key of RFC 6455 1.3: base64 of "the sample nonce".
constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";

Url url_of(std::string_view text) {
  Expected<Url> url = parse_url(text, Schemes::kHttpAndWebSocket);
  if (!url) ADD_FAILURE() << url.error().text;
  return url ? *url : Url{};
}

std::string written(std::string_view url, std::vector<Header> headers = {}) {
  Request request;
  request.headers = std::move(headers);
  Expected<std::string> text = write_ws_handshake(url_of(url), request, kKey);
  if (!text) ADD_FAILURE() << text.error().text;
  return text.value_or("");
}

std::string error_of(std::vector<Header> headers) {
  Request request;
  request.headers = std::move(headers);
  const auto text = write_ws_handshake(url_of("ws://h/"), request, kKey);
  return text ? "no error" : text.error().text;
}

TEST(WsHandshake, Key) {
  EXPECT_EQ(ws_key(0x7468652073616D70, 0x6C65206E6F6E6365), kKey);
  EXPECT_EQ(ws_key(0, 0), "AAAAAAAAAAAAAAAAAAAAAA==");
  EXPECT_EQ(ws_key(UINT64_MAX, UINT64_MAX), "/////////////////////w==");
}

TEST(WsHandshake, TheExampleOfTheRfc) {
  EXPECT_EQ(
      written("ws://server.example.com/chat",
              {{"Origin", "http://example.com"}, {"Sec-WebSocket-Protocol", "chat, superchat"}}),
      "GET /chat HTTP/1.1\r\n"
      "Host: server.example.com\r\n"
      "Upgrade: websocket\r\n"
      "Connection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      "Origin: http://example.com\r\n"
      "Sec-WebSocket-Protocol: chat, superchat\r\n"
      "\r\n");
}

TEST(WsHandshake, CredentialsAndPort) {
  const std::string text = written("wss://user:pa%3Ass@h:8443/a?b=1");
  EXPECT_TRUE(text.starts_with("GET /a?b=1 HTTP/1.1\r\nHost: h:8443\r\n")) << text;
  EXPECT_NE(text.find("\r\nAuthorization: Basic dXNlcjpwYTpzcw==\r\n"), std::string::npos) << text;
}

TEST(WsHandshake, HeadersOfTheUsersTakeThePlaceOfDefaults) {
  EXPECT_EQ(written("ws://u:p@h/", {{"x", "1"},
                                    {"host", "other"},
                                    {"connection", "keep-alive, Upgrade"},
                                    {"UPGRADE", "websocket"},
                                    {"authorization", "Bearer t"},
                                    {"x", "2"}}),
            "GET / HTTP/1.1\r\n"
            "Sec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "x: 1\r\n"
            "host: other\r\n"
            "connection: keep-alive, Upgrade\r\n"
            "UPGRADE: websocket\r\n"
            "authorization: Bearer t\r\n"
            "x: 2\r\n"
            "\r\n");
}

TEST(WsHandshake, TheRequestsMethodAndBodyAreNotPartOfIt) {
  Request request{
      .method = "POST", .path = "/own path", .headers = {{"Content-Length", "4"}}, .body = "body"};
  const auto text = write_ws_handshake(url_of("ws://h/x"), request, kKey);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with("GET /own%20path HTTP/1.1\r\nHost: h\r\n")) << *text;
  EXPECT_TRUE(text->ends_with("==\r\n\r\n")) << *text;
}

TEST(WsHandshake, Refused) {
  EXPECT_EQ(error_of({{"sec-websocket-key", "x"}}),
            "header Sec-WebSocket-Key cannot be set for a WebSocket handshake");
  EXPECT_EQ(error_of({{"Sec-WebSocket-Version", "8"}}),
            "header Sec-WebSocket-Version cannot be set for a WebSocket handshake");
  EXPECT_EQ(error_of({{"Sec-WebSocket-Extensions", "permessage-deflate"}}),
            "header Sec-WebSocket-Extensions cannot be set for a WebSocket handshake");
  EXPECT_EQ(error_of({{"Transfer-Encoding", "chunked"}}),
            "header Transfer-Encoding cannot be set for a WebSocket handshake");
  EXPECT_NE(error_of({{"a b", "x"}}).find("is not a token"), std::string::npos);
  EXPECT_NE(error_of({{"a", "x\r\ny"}}).find("has a line break"), std::string::npos);
}

TEST(WsHandshake, Answers) {
  std::string request =
      written("ws://server.example.com/chat",
              {{"Origin", "http://example.com"}, {"Sec-WebSocket-Protocol", "chat, superchat"}});
  request.insert(request.size() - 2, "Sec-WebSocket-Extensions: x-asked\r\n");
  const auto cases = read_transcripts("test/transcripts/ws_handshake/answers.txt");
  ASSERT_TRUE(cases) << cases.error().text;
  EXPECT_GE(cases->size(), 25U);
  for (const Transcript& one : *cases) {
    const WsAnswer answer = read_ws_answer(one.bytes, request, kKey);
    const std::string fault = answer.fault.empty() ? "opened" : answer.fault;
    EXPECT_EQ(std::to_string(answer.status) + " " + fault + "\n", one.log) << one.name;
  }
}

TEST(WsHandshake, LongReasonsAreCut) {
  const std::string head = "HTTP/1.1 400 " + std::string(1000, 'x') + "\r\n\r\n";
  EXPECT_EQ(read_ws_answer(head, "", kKey).fault, "400 " + std::string(96, 'x'));
  EXPECT_EQ(read_ws_answer("", "", kKey).status, 0);
}

}  // namespace
}  // namespace carronade::http
