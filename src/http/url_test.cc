#include "carronade/url.h"

#include <gtest/gtest.h>

namespace carronade {
namespace {

Url good(std::string_view text) {
  Expected<Url> url = parse_url(text);
  if (!url) ADD_FAILURE() << url.error().text;
  return url ? *url : Url{};
}

std::string error_of(std::string_view text) {
  const Expected<Url> url = parse_url(text);
  return url ? "no error" : url.error().text;
}

void expect_error(std::string_view text, std::string_view part) {
  EXPECT_NE(error_of(text).find(part), std::string::npos) << text << " -> " << error_of(text);
  EXPECT_EQ(error_of(text).find('\n'), std::string::npos);
}

TEST(Url, PlainHost) {
  const Url url = good("http://example.com");
  EXPECT_FALSE(url.tls);
  EXPECT_EQ(url.host, "example.com");
  EXPECT_FALSE(url.host_is_ip);
  EXPECT_EQ(url.port, 80);
  EXPECT_FALSE(url.port_written);
  EXPECT_EQ(url.target, "/");
  EXPECT_FALSE(url.has_credentials);
  EXPECT_EQ(url.host_header(), "example.com");
  EXPECT_EQ(url.origin(), "http://example.com");
}

TEST(Url, SchemeAndHostInAnyCase) {
  const Url url = good("HTTPS://Example.COM/Path");
  EXPECT_TRUE(url.tls);
  EXPECT_EQ(url.host, "example.com");
  EXPECT_EQ(url.port, 443);
  EXPECT_EQ(url.target, "/Path");
}

TEST(Url, Port) {
  const Url url = good("http://h:8080/");
  EXPECT_EQ(url.port, 8080);
  EXPECT_TRUE(url.port_written);
  EXPECT_EQ(url.host_header(), "h:8080");
  EXPECT_EQ(url.origin(), "http://h:8080");
  EXPECT_EQ(good("http://h:/").port, 80);
  EXPECT_FALSE(good("https://h:").port_written);
  EXPECT_EQ(good("http://h:65535").port, 65535);
  EXPECT_EQ(good("http://h:00080").port, 80);
}

TEST(Url, HostHeaderHasThePortOnlyWhenItIsNotTheDefault) {
  EXPECT_EQ(good("http://h:80").host_header(), "h");
  EXPECT_EQ(good("https://h:443").host_header(), "h");
  EXPECT_EQ(good("http://h:443").host_header(), "h:443");
  EXPECT_EQ(good("https://h:80").host_header(), "h:80");
  EXPECT_EQ(good("http://h:80").origin(), "http://h:80");
}

TEST(Url, Target) {
  EXPECT_EQ(good("http://h?x=1").target, "/?x=1");
  EXPECT_EQ(good("http://h/a/b?x=1&y=/?#frag").target, "/a/b?x=1&y=/?");
  EXPECT_EQ(good("http://h#frag").target, "/");
  EXPECT_EQ(good("http://h/#a?b").target, "/");
  EXPECT_EQ(good("http://h/a b\t\r\n\x7F").target, "/a%20b%09%0D%0A%7F");
  EXPECT_EQ(good("http://h/\xC3\xBC").target, "/%C3%BC");
  EXPECT_EQ(good("http://h/%2f%zz%").target, "/%2f%zz%");
  EXPECT_EQ(good("http://h/\"<>{}|^`").target, "/\"<>{}|^`");
  EXPECT_EQ(good("http://h/a@b:c").host, "h");
  EXPECT_EQ(good("http://h//x").target, "//x");
}

TEST(Url, Credentials) {
  const Url url = good("http://user:p%40ss%3A@h/");
  EXPECT_TRUE(url.has_credentials);
  EXPECT_EQ(url.user, "user");
  EXPECT_EQ(url.password, "p@ss:");
  EXPECT_EQ(url.host, "h");
  EXPECT_EQ(url.origin(), "http://h");
  EXPECT_EQ(good("http://user@h").user, "user");
  EXPECT_EQ(good("http://user@h").password, "");
  EXPECT_EQ(good("http://:pw@h").password, "pw");
  EXPECT_TRUE(good("http://:pw@h").has_credentials);
  EXPECT_EQ(good("http://u:a@b:c@h").password, "a@b:c");
  EXPECT_FALSE(good("http://@h").has_credentials);
  expect_error("http://u%4@h", "without two hexadecimal digits");
  expect_error("http://u:%zz@h", "without two hexadecimal digits");
}

TEST(Url, IpV4) {
  EXPECT_TRUE(good("http://127.0.0.1:3000").host_is_ip);
  EXPECT_EQ(good("http://127.0.0.1:3000").host_header(), "127.0.0.1:3000");
  EXPECT_FALSE(good("http://1.2.3.4.com").host_is_ip);
  expect_error("http://999.1.1.1", "is not an IPv4 address");
  expect_error("http://1.2.3", "is not an IPv4 address");
  expect_error("http://1.2.3.4.", "is not an IPv4 address");
}

TEST(Url, IpV6) {
  const Url url = good("http://[::1]:8080/x");
  EXPECT_EQ(url.host, "::1");
  EXPECT_TRUE(url.host_is_ip);
  EXPECT_EQ(url.port, 8080);
  EXPECT_EQ(url.host_header(), "[::1]:8080");
  EXPECT_EQ(url.origin(), "http://[::1]:8080");
  EXPECT_EQ(good("https://[2001:DB8::1]").host_header(), "[2001:db8::1]");
  EXPECT_EQ(good("http://[::ffff:127.0.0.1]").host, "::ffff:127.0.0.1");
  expect_error("http://::1/", "there is no host");
  expect_error("http://2001:db8::1/", "IPv6 address in brackets");
  expect_error("http://[::1", "']'");
  expect_error("http://[::1]80", "only a port");
  expect_error("http://[::1::2]", "is not an IPv6 address");
  expect_error("http://[127.0.0.1]", "is not an IPv6 address");
  expect_error("http://[]", "is not an IPv6 address");
  expect_error(std::string_view("http://[::1\0]", 13), "is not an IPv6 address");
}

TEST(Url, InternationalisedNames) {
  EXPECT_EQ(good("http://b\xC3\xBC"
                 "cher.example/")
                .host,
            "xn--bcher-kva.example");
  EXPECT_EQ(good("http://B\xC3\x9C"
                 "CHER.example:81/")
                .host_header(),
            "xn--bcher-kva.example:81");
  // Nontransitional: the sharp s is kept, not turned into ss.
  EXPECT_EQ(good("http://fa\xC3\x9F.de").host, "xn--fa-hia.de");
  // Decomposed u + diaeresis.
  EXPECT_EQ(good("http://bu\xCC\x88"
                 "cher.example")
                .host,
            "xn--bcher-kva.example");
  EXPECT_EQ(good("http://b%C3%BCcher.example").host, "xn--bcher-kva.example");
  expect_error("http://\xFF\xFE.example", "is not an internationalised name");
  // A full-width slash must not become a real one.
  expect_error(
      "http://a\xEF\xBC\x8F"
      "b.example",
      "host");
}

TEST(Url, HostNames) {
  EXPECT_EQ(good("http://my_service.internal").host, "my_service.internal");
  EXPECT_EQ(good("http://localhost.").host, "localhost.");
  EXPECT_EQ(good("http://a-b.c1").host, "a-b.c1");
  EXPECT_EQ(good("http://" + std::string(63, 'a')).host.size(), 63U);
  expect_error("http://" + std::string(64, 'a'), "longer than 63");
  std::string name;
  for (int i = 0; i < 130; ++i) name += "a.";
  expect_error("http://" + name + "com", "longer than 253");
  expect_error("http://a..b", "empty label");
  expect_error("http://.a", "empty label");
  expect_error("http://.", "empty label");
  expect_error("http://a b/", "host has the character");
  expect_error("http://a\\b/", "host has the character");
  expect_error("http://a*b/", "host has the character");
  expect_error("http://a%00b/", "NUL");
  expect_error("http://a%2/", "without two hexadecimal digits");
}

TEST(Url, Refused) {
  expect_error("", "empty");
  expect_error("localhost:3000", "no scheme");
  expect_error("/path", "no scheme");
  expect_error("h/x://y", "no scheme");
  expect_error(" http://h", "scheme \" http\" is not supported");
  expect_error("ftp://h/", "scheme \"ftp\" is not supported; use http or https");
  expect_error("ws://h/", "scheme \"ws\"");
  expect_error("://h/", "scheme \"\"");
  expect_error("http://", "no host");
  expect_error("http:///path", "no host");
  expect_error("http://:80", "no host");
  expect_error("http://user@/", "no host");
  expect_error("http://?x", "no host");
  expect_error("http://h:0/", "not between 1 and 65535");
  expect_error("http://h:65536/", "not between 1 and 65535");
  expect_error("http://h:99999999999999999999/", "not between 1 and 65535");
  expect_error("http://h:80a/", "is not a number");
  expect_error("http://h:-1/", "is not a number");
}

TEST(Url, WebSocketSchemes) {
  const auto parsed = [](std::string_view text) {
    Expected<Url> url = parse_url(text, Schemes::kHttpAndWebSocket);
    if (!url) ADD_FAILURE() << url.error().text;
    return url ? *url : Url{};
  };
  const Url plain = parsed("ws://h/chat?x=1#frag");
  EXPECT_TRUE(plain.websocket);
  EXPECT_FALSE(plain.tls);
  EXPECT_EQ(plain.port, 80);
  EXPECT_EQ(plain.target, "/chat?x=1");
  EXPECT_EQ(plain.origin(), "ws://h");
  EXPECT_EQ(plain.host_header(), "h");
  const Url secure = parsed("WSS://u:p@[::1]:8443");
  EXPECT_TRUE(secure.websocket);
  EXPECT_TRUE(secure.tls);
  EXPECT_EQ(secure.user, "u");
  EXPECT_EQ(secure.origin(), "wss://[::1]:8443");
  EXPECT_EQ(secure.host_header(), "[::1]:8443");
  EXPECT_EQ(parsed("wss://h").port, 443);
  EXPECT_EQ(parsed("wss://h:443").host_header(), "h");
  EXPECT_EQ(parsed("ws://h:443").host_header(), "h:443");
  EXPECT_FALSE(parsed("http://h").websocket);
  EXPECT_EQ(parsed("https://h").origin(), "https://h");
}

TEST(Url, WebSocketSchemesAreTakenOnlyWhenAskedFor) {
  EXPECT_EQ(error_of("wss://h/"),
            "URL \"wss://h/\": scheme \"wss\" is not supported; use http or https");
  const Expected<Url> url = parse_url("ftp://h/", Schemes::kHttpAndWebSocket);
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().text,
            "URL \"ftp://h/\": scheme \"ftp\" is not supported; use http, https, ws or wss");
}

TEST(Url, ErrorNamesTheText) {
  EXPECT_EQ(error_of("ftp://h\n"),
            "URL \"ftp://h\\x0A\": scheme \"ftp\" is not supported; use http or https");
}

}  // namespace
}  // namespace carronade
