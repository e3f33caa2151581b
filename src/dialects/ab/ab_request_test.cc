#include "dialects/ab/ab_request.h"

#include <gtest/gtest.h>

#include <string>

namespace carronade::dialects::ab {
namespace {

AbTarget target(std::string_view url) {
  const auto parsed = parse_ab_target(url);
  EXPECT_TRUE(parsed.has_value()) << url;
  return parsed.value_or(AbTarget{});
}

TEST(AbTarget, CutsAsAbDoes) {
  const AbTarget plain = target("http://example.org:8080/a/b?c=1#d");
  EXPECT_FALSE(plain.tls);
  EXPECT_EQ("example.org", plain.host);
  EXPECT_EQ(8080, plain.port);
  EXPECT_EQ("example.org:8080", plain.host_field);
  EXPECT_EQ("/a/b?c=1#d", plain.path);
  EXPECT_EQ(80, target("example.org/").port);
  EXPECT_EQ(443, target("https://example.org/").port);
  EXPECT_TRUE(target("https://example.org/").tls);
  EXPECT_EQ("example.org", target("https://example.org:443/").host_field);
  EXPECT_EQ("example.org:80", target("https://example.org:80/").host_field);
}

TEST(AbTarget, Literals) {
  const AbTarget six = target("http://[::1]:81/");
  EXPECT_EQ("::1", six.host);
  EXPECT_TRUE(six.host_is_ip);
  EXPECT_EQ("[::1]:81", six.host_field);
  EXPECT_TRUE(target("http://127.0.0.1/").host_is_ip);
  EXPECT_FALSE(target("http://localhost/").host_is_ip);
}

TEST(AbTarget, InternationalNamesAreLookedUpAsALabels) {
  const AbTarget name = target("http://bücher.example/");
  EXPECT_EQ("xn--bcher-kva.example", name.dns_host);
  EXPECT_EQ("xn--bcher-kva.example", name.host_field);
}

TEST(AbTarget, Invalid) {
  for (const std::string_view url :
       {"http://localhost", "", "http:///", "http://h:0/", "http://h:65536/", "http://h:x/",
        "http://h:/", "http://[::1/", "http://[::1]x/"}) {
    EXPECT_FALSE(parse_ab_target(url).has_value()) << url;
  }
}

TEST(AbRequest, Plain) {
  EXPECT_EQ(
      "GET /a?b=1 HTTP/1.0\r\n"
      "Host: 127.0.0.1:81\r\n"
      "User-Agent: ApacheBench/2.3\r\n"
      "Accept: */*\r\n\r\n",
      ab_request({}, target("http://127.0.0.1:81/a?b=1")));
}

TEST(AbRequest, EveryLineInAbsOrder) {
  AbOptions options;
  options.method = "POST";
  options.body = "body";
  options.content_type = "application/json";
  options.keep_alive = true;
  options.cookies = {"a=1"};
  options.authorization = {"Authorization: Basic eA==", "Proxy-Authorization: Basic eQ=="};
  options.headers = {"X-One: 1", "X-Two:2"};
  EXPECT_EQ(
      "POST / HTTP/1.0\r\n"
      "Connection: Keep-Alive\r\n"
      "Cookie: a=1\r\n"
      "Authorization: Basic eA==\r\n"
      "Proxy-Authorization: Basic eQ==\r\n"
      "Content-length: 4\r\n"
      "Content-type: application/json\r\n"
      "X-One: 1\r\n"
      "X-Two:2\r\n"
      "Host: h\r\n"
      "User-Agent: ApacheBench/2.3\r\n"
      "Accept: */*\r\n\r\nbody",
      ab_request(options, target("http://h/")));
}

TEST(AbRequest, OwnLinesTakeThePlaceOfAbs) {
  AbOptions options;
  options.headers = {"host: other", "ACCEPT: text/html", "user-agent: me"};
  EXPECT_EQ("GET / HTTP/1.0\r\nhost: other\r\nACCEPT: text/html\r\nuser-agent: me\r\n\r\n",
            ab_request(options, target("http://h/")));
}

TEST(AbRequest, CookiesAreAllSentUnlessWithQuirks) {
  AbOptions options;
  options.cookies = {"a=1", "b=2"};
  const auto text = [&] { return ab_request(options, target("http://h/")); };
  EXPECT_NE(std::string::npos, text().find("\r\nCookie: a=1; b=2\r\n"));
  options.quirks = true;
  EXPECT_NE(std::string::npos, text().find("\r\nCookie: b=2\r\n"));
  EXPECT_EQ(std::string::npos, text().find("a=1"));
}

TEST(AbRequest, AProxyIsAskedForTheWholeUrl) {
  AbOptions options;
  options.proxy = "proxy:3128";
  EXPECT_TRUE(ab_request(options, target("http://h:81/a"))
                  .starts_with("GET http://h:81/a HTTP/1.0\r\nHost: h:81\r\n"));
}

TEST(AbRequest, HttpsGoesThroughATunnelWithTheProxysOwnCredentials) {
  AbOptions options;
  options.proxy = "proxy:3128";
  options.authorization = {"Authorization: Basic eA==", "Proxy-Authorization: Basic eQ=="};
  const std::string text = ab_request(options, target("https://h:444/a"));
  EXPECT_TRUE(text.starts_with("GET /a HTTP/1.0\r\nAuthorization: Basic eA==\r\nHost: h:444\r\n"));
  EXPECT_EQ(std::string::npos, text.find("Proxy-Authorization"));
  const RunSpec spec =
      ab_spec(options, target("https://h:444/a"), parse_ab_proxy(options.proxy), 1);
  EXPECT_EQ("https://h:444", spec.targets.at(0).url.origin());
  ASSERT_TRUE(spec.proxy);
  EXPECT_EQ("http://proxy:3128", spec.proxy->url.origin());
  ASSERT_EQ(1U, spec.proxy->headers.size());
  EXPECT_EQ("Basic eQ==", spec.proxy->headers[0].value);
}

TEST(AbRequest, WithQuirksTheProxyIsSpokenTlsWith) {
  AbOptions options;
  options.proxy = "proxy:3128";
  options.quirks = true;
  EXPECT_TRUE(ab_request(options, target("https://h/a")).starts_with("GET https://h/a HTTP/1.0"));
  const RunSpec spec = ab_spec(options, target("https://h/a"), parse_ab_proxy(options.proxy), 1);
  EXPECT_EQ("https://proxy:3128", spec.targets.at(0).url.origin());
  EXPECT_FALSE(spec.proxy);
}

TEST(AbProxy, HostAndPort) {
  EXPECT_EQ("proxy", parse_ab_proxy("proxy:3128")->host);
  EXPECT_EQ(3128, parse_ab_proxy("proxy:3128")->port);
  EXPECT_EQ(80, parse_ab_proxy("proxy")->port);
  EXPECT_EQ("::1", parse_ab_proxy("[::1]:8080")->host);
  EXPECT_FALSE(parse_ab_proxy(":1").has_value());
}

TEST(AbServerName, OfTheHostLineOrTheUrl) {
  AbOptions options;
  EXPECT_EQ("h", ab_server_name(options, target("https://h/")));
  EXPECT_EQ("", ab_server_name(options, target("http://h/")));
  EXPECT_EQ("", ab_server_name(options, target("https://127.0.0.1/")));
  options.headers = {"Host: other:8443 "};
  EXPECT_EQ("other", ab_server_name(options, target("https://127.0.0.1/")));
  options.headers = {"Host: 10.0.0.1"};
  EXPECT_EQ("", ab_server_name(options, target("https://h/")));
  options.headers.clear();
  options.server_name_indication = false;
  EXPECT_EQ("", ab_server_name(options, target("https://h/")));
}

TEST(AbSpec, FromOptions) {
  AbOptions options;
  options.requests = 100;
  options.concurrency = 7;
  options.workers = 0;
  options.timeout_s = 3;
  options.time_limit_s = 2;
  options.socket_buffer_bytes = 4096;
  options.local_addresses = {"127.0.0.2"};
  options.tls_version = 0x0303;
  options.ciphers = "ALL";
  options.certificate_file = "pem";
  const RunSpec spec = ab_spec(options, target("https://h:444/"), std::nullopt, 2);
  EXPECT_EQ(100U, spec.amount);
  EXPECT_EQ(7U, spec.connections);
  EXPECT_EQ(2U, spec.workers);
  EXPECT_EQ(2'000'000'000, spec.duration_ns);
  EXPECT_EQ(3'000'000'000, spec.timeout_ns);
  EXPECT_EQ(4096U, spec.socket_buffer_bytes);
  EXPECT_EQ(options.local_addresses, spec.local_addresses);
  EXPECT_EQ("https://h:444", spec.targets.at(0).url.origin());
  EXPECT_EQ("h", spec.tls.server_name);
  EXPECT_EQ(0x0303, spec.tls.min_version);
  EXPECT_EQ(0x0303, spec.tls.max_version);
  EXPECT_EQ("ALL", spec.tls.ciphers);
  EXPECT_EQ("pem", spec.tls.certificate_file);
  EXPECT_FALSE(spec.tls.verify);
  EXPECT_FALSE(spec.tls.resume);
}

TEST(AbSpec, ProxyAndCipherSuites) {
  AbOptions options;
  options.tls_version = 0x0304;
  options.ciphers = "TLS_AES_128_GCM_SHA256";
  const auto proxy = parse_ab_proxy("127.0.0.1:3128");
  const RunSpec spec = ab_spec(options, target("http://h/"), proxy, 2);
  EXPECT_EQ("http://127.0.0.1:3128", spec.targets.at(0).url.origin());
  EXPECT_FALSE(spec.proxy);
  EXPECT_EQ("TLS_AES_128_GCM_SHA256", spec.tls.ciphersuites);
  EXPECT_EQ("", spec.tls.ciphers);
  EXPECT_EQ(1U, spec.workers);
}

}  // namespace
}  // namespace carronade::dialects::ab
