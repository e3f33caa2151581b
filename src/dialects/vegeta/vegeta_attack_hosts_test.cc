#include "dialects/vegeta/vegeta_attack_hosts.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace carronade::dialects::vegeta {
namespace {

Proxies proxies(const std::map<std::string, std::string>& environment) {
  auto made = Proxies::from([&](const std::string& name) {
    const auto value = environment.find(name);
    return value == environment.end() ? "" : value->second;
  });
  EXPECT_TRUE(made.has_value()) << made.error().text;
  return made.value_or(Proxies());
}

std::string proxy_for(const Proxies& proxies, const std::string& url) {
  const Proxy* const proxy = proxies.of(*parse_url(url));
  return proxy == nullptr ? "none" : proxy->url.origin();
}

TEST(VegetaProxy, ReadsTheEnvironment) {
  const Proxies both = proxies({{"HTTP_PROXY", "a:1"}, {"https_proxy", "http://b:2"}});
  EXPECT_EQ(proxy_for(both, "http://x/"), "http://a:1");
  EXPECT_EQ(proxy_for(both, "https://x/"), "http://b:2");
  EXPECT_EQ(proxy_for(proxies({}), "http://x/"), "none");
  // As a program of a web server, where it could come from a request.
  EXPECT_EQ(proxy_for(proxies({{"HTTP_PROXY", "a:1"}, {"REQUEST_METHOD", "GET"}}), "http://x/"),
            "none");
  const Proxies named = proxies({{"HTTP_PROXY", "http://u:p@a:1"}});
  EXPECT_EQ(named.of(*parse_url("http://x/"))->authorization, "Basic dTpw");
  EXPECT_FALSE(Proxies::from([](const std::string& name) {
                 return name == "HTTP_PROXY" ? "socks5://a" : "";
               }).has_value());
}

TEST(VegetaProxy, PassesOverSomeHosts) {
  const Proxies some =
      proxies({{"HTTP_PROXY", "p:1"},
               {"NO_PROXY", "foo.com, .bar.com,10.0.0.0/8 ,192.168.1.1,baz.com:81,*.star.com"}});
  for (const char* url :
       {"http://localhost/", "http://127.1.2.3/", "http://[::1]/", "http://foo.com/",
        "http://a.foo.com/", "http://a.bar.com/", "http://10.1.2.3/", "http://192.168.1.1/",
        "http://baz.com:81/", "http://a.star.com/"}) {
    EXPECT_EQ(proxy_for(some, url), "none") << url;
  }
  for (const char* url : {"http://xfoo.com/", "http://bar.com/", "http://11.1.2.3/",
                          "http://192.168.1.2/", "http://baz.com/", "http://star.com/"}) {
    EXPECT_EQ(proxy_for(some, url), "http://p:1") << url;
  }
  EXPECT_EQ(proxy_for(proxies({{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "*"}}), "http://x/"), "none");
}

uint32_t add(AttackHosts& hosts, const std::string& url) {
  const auto number = hosts.add(*parse_url(url));
  EXPECT_TRUE(number.has_value()) << number.error().text;
  return number.value_or(UINT32_MAX);
}

TEST(VegetaAttackHosts, NumbersThem) {
  AttackHosts hosts({}, {});
  EXPECT_EQ(add(hosts, "http://u:p@a/x"), 0U);
  EXPECT_EQ(add(hosts, "http://A:80/y"), 0U);
  EXPECT_EQ(add(hosts, "https://a/"), 1U);
  EXPECT_EQ(add(hosts, "http://a:81/"), 2U);
  EXPECT_EQ(hosts.size(), 3U);
  EXPECT_EQ(hosts.find(*parse_url("https://a:443/z")), 1U);
  EXPECT_FALSE(hosts.find(*parse_url("http://b/")).has_value());
  ASSERT_EQ(hosts.targets().size(), 3U);
  EXPECT_EQ(hosts.targets()[2].url.origin(), "http://a:81");
  EXPECT_FALSE(hosts.targets()[0].url.has_credentials);
  EXPECT_FALSE(hosts.server_name()->has_value());
}

TEST(VegetaAttackHosts, ConnectsElsewhere) {
  AttackHosts hosts({}, {{"a:80", "127.0.0.1:1"}, {"b:80", "c:2"}, {"a:80", "127.0.0.1:3"}});
  add(hosts, "http://x/");
  add(hosts, "http://a/");
  EXPECT_EQ(hosts.places(1), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(hosts.host_of(2), 1U);
  EXPECT_EQ(hosts.targets()[1].url.origin(), "http://127.0.0.1:1");
  EXPECT_EQ(hosts.targets()[2].url.origin(), "http://127.0.0.1:3");
}

TEST(VegetaAttackHosts, AsksForTheNameThatIsMeant) {
  const AttackHosts::ConnectTo moved{{"a:443", "127.0.0.1:1"}};
  AttackHosts one({}, moved);
  add(one, "https://a/");
  EXPECT_EQ(one.server_name()->value_or(""), "a");
  AttackHosts two({}, moved);
  add(two, "https://a/");
  add(two, "https://b/");
  EXPECT_FALSE(two.server_name().has_value());
}

TEST(VegetaAttackHosts, GoesOverAProxy) {
  AttackHosts hosts(proxies({{"HTTP_PROXY", "p:1"}, {"HTTPS_PROXY", "u:p@p:1"}}), {});
  add(hosts, "http://a/");
  add(hosts, "http://b/");
  EXPECT_EQ(hosts.targets()[1].url.origin(), "http://p:1");
  EXPECT_FALSE(hosts.tunnel({})->has_value());
  EXPECT_NE(hosts.proxy_of(*parse_url("http://a/")), nullptr);

  add(hosts, "https://a/");
  EXPECT_EQ(hosts.targets()[2].url.origin(), "https://a");
  EXPECT_EQ(hosts.proxy_of(*parse_url("https://a/")), nullptr);
  EXPECT_FALSE(hosts.server_name()->has_value());
  const auto tunnel = hosts.tunnel({{"X-Hop", "1"}});
  ASSERT_TRUE(tunnel.has_value() && tunnel->has_value());
  EXPECT_EQ((*tunnel)->url.origin(), "http://p:1");
  std::string headers;
  for (const Header& header : (*tunnel)->headers) headers += header.name + "=" + header.value + " ";
  EXPECT_EQ(headers, "X-Hop=1 User-Agent=Go-http-client/1.1 Proxy-Authorization=Basic dTpw ");
}

TEST(VegetaAttackHosts, OneAttackTakesOneWay) {
  const std::map<std::string, std::string> only_https{{"HTTPS_PROXY", "p:1"}, {"NO_PROXY", "c"}};
  const auto fault = [](AttackHosts& hosts) {
    const auto tunnel = hosts.tunnel({});
    return tunnel ? "none" : tunnel.error().text;
  };
  AttackHosts plain_beside(proxies(only_https), {});
  add(plain_beside, "https://a/");
  EXPECT_EQ(fault(plain_beside), "none");
  add(plain_beside, "http://a/");
  EXPECT_TRUE(fault(plain_beside).starts_with("http://a: one attack goes through HTTPS_PROXY"));
  AttackHosts exempt_beside(proxies(only_https), {});
  add(exempt_beside, "https://c/");
  EXPECT_EQ(fault(exempt_beside), "none");
  add(exempt_beside, "https://a/");
  EXPECT_TRUE(fault(exempt_beside).starts_with("https://c: "));
}

TEST(VegetaAttackHosts, TheProxyMayBeElsewhereToo) {
  AttackHosts hosts(proxies({{"HTTPS_PROXY", "p:1"}}), {{"p:1", "127.0.0.1:9"}});
  add(hosts, "https://a/");
  EXPECT_EQ(hosts.targets()[0].url.origin(), "https://a");
  EXPECT_EQ(hosts.tunnel({}).value().value().url.origin(), "http://127.0.0.1:9");
}

}  // namespace
}  // namespace carronade::dialects::vegeta
