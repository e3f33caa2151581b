#include "dialects/vegeta/vegeta_attack_errors.h"

#include <gtest/gtest.h>

#include <string>

namespace carronade::dialects::vegeta {
namespace {

std::string error(ErrorKind kind, const char* text, Phase phase = Phase::kConnect,
                  const char* local = "") {
  return go_client_error({.kind = kind, .phase = phase, .text = text}, "GET", "http://h/", local);
}

TEST(VegetaAttackErrors, SpeakAsGoDoes) {
  const std::string get = "Get \"http://h/\": ";
  EXPECT_EQ(error(ErrorKind::kConnectRefused, "connect 127.0.0.1:1: Connection refused"),
            get + "dial tcp 0.0.0.0:0->127.0.0.1:1: connect: connection refused");
  EXPECT_EQ(error(ErrorKind::kConnectRefused, "connect 127.0.0.1:1: Connection refused",
                  Phase::kConnect, "127.0.0.5"),
            get + "dial tcp 127.0.0.5:0->127.0.0.1:1: connect: connection refused");
  EXPECT_EQ(error(ErrorKind::kConnectFailed, "connect /x.sock: No such file or directory"),
            get + "dial unix /x.sock: connect: no such file or directory");
  EXPECT_EQ(error(ErrorKind::kConnectFailed, "connect [::1]:1: Network is unreachable"),
            get + "dial tcp [::1]:1: connect: network is unreachable");
  EXPECT_EQ(error(ErrorKind::kConnectTimeout, "connect 10.0.0.1:1: no connection within 1s"),
            get + "dial tcp 0.0.0.0:0->10.0.0.1:1: i/o timeout");
  EXPECT_EQ(error(ErrorKind::kOutOfDescriptors, "connect 10.0.0.1:1: Too many open files"),
            get + "dial tcp 0.0.0.0:0->10.0.0.1:1: socket: too many open files");
  EXPECT_EQ(error(ErrorKind::kResolveFailed, "resolve nosuch: Name or service not known"),
            get + "lookup nosuch: no such host");
  EXPECT_EQ(error(ErrorKind::kTimeout, "timeout 127.0.0.1:1: no complete answer within 1s"),
            get + "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
  EXPECT_EQ(error(ErrorKind::kClosedBeforeResponse, "read 127.0.0.1:1: closed before response"),
            get + "EOF");
  const std::string tunnel = "proxy 127.0.0.1:1: no tunnel to https://h: ";
  EXPECT_EQ(error(ErrorKind::kProxyRefused,
                  (tunnel + "it answered HTTP/1.1 407 Proxy Authentication Required").c_str()),
            get + "Proxy Authentication Required");
  EXPECT_EQ(error(ErrorKind::kProxyRefused, (tunnel + "it answered HTTP/1.1 403").c_str()),
            get + "unknown status code");
  EXPECT_EQ(error(ErrorKind::kProxyRefused, "proxy 127.0.0.1:1: closed before an answer"),
            get + "closed before an answer");
  EXPECT_EQ(error(ErrorKind::kTruncatedResponse, "read 127.0.0.1:1: closed in the middle"),
            "unexpected EOF");
  EXPECT_EQ(error(ErrorKind::kConnectionReset, "read 127.0.0.1:1: Connection reset by peer",
                  Phase::kRead),
            get + "read tcp 127.0.0.1:1: read: connection reset by peer");
  EXPECT_EQ(error(ErrorKind::kConnectionReset, "write 127.0.0.1:1: Broken pipe", Phase::kWrite),
            get + "write tcp 127.0.0.1:1: write: broken pipe");
  EXPECT_EQ(error(ErrorKind::kTlsCertificate,
                  "tls 127.0.0.1:1: certificate verify failed (self-signed certificate)"),
            get + "x509: certificate signed by unknown authority");
  EXPECT_EQ(error(ErrorKind::kHeadersTooLarge, "parse 127.0.0.1:1: more than 64 KiB of header"),
            get + "more than 64 KiB of header");
  EXPECT_EQ(error(ErrorKind::kTlsFailed, "strange"), get + "strange");
}

TEST(VegetaAttackErrors, QuoteTheUrlWithoutItsPassword) {
  EXPECT_EQ(go_error_prefix("GET", "http://u:secret@h/a@b"), "Get \"http://u:***@h/a@b\": ");
  EXPECT_EQ(go_error_prefix("PATCH", "http://u@h:1/"), "Patch \"http://u@h:1/\": ");
  EXPECT_EQ(go_error_prefix("GET", "http://h:1/a?b@c:d"), "Get \"http://h:1/a?b@c:d\": ");
  EXPECT_EQ(go_error_prefix("get", "next"), "get \"next\": ");
}

}  // namespace
}  // namespace carronade::dialects::vegeta
