#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "cli/go_flags.h"
#include "dialects/vegeta/vegeta_attack_options.h"
#include "dialects/vegeta/vegeta_attack_spec.h"

namespace carronade::dialects::vegeta {
namespace {

// "" when the words are good.
std::string parse(AttackOptions& options, const std::vector<std::string>& words) {
  const auto operands = cli::parse_go_flags(attack_flags(options), words);
  return operands ? "" : operands.error().text;
}

AttackOptions options(const std::vector<std::string>& words) {
  AttackOptions made;
  EXPECT_EQ(parse(made, words), "");
  return made;
}

std::string fault(const std::vector<std::string>& words) {
  AttackOptions unused;
  return parse(unused, words);
}

TEST(VegetaAttackFlags, ReadRates) {
  const auto rate = [](const char* text) {
    const AttackOptions o = options({"-rate", text});
    return std::pair(o.rate_count, o.rate_per_ns);
  };
  constexpr int64_t kMs = 1'000'000;
  EXPECT_EQ(rate("100"), std::pair(int64_t{100}, 1000 * kMs));
  EXPECT_EQ(rate("5/m"), std::pair(int64_t{5}, 60'000 * kMs));
  EXPECT_EQ(rate("1000/500ms"), std::pair(int64_t{1000}, 500 * kMs));
  EXPECT_EQ(rate("7/ns"), std::pair(int64_t{7}, int64_t{1}));
  EXPECT_EQ(rate("0").first, 0);
  EXPECT_EQ(rate("infinity").first, 0);
  EXPECT_EQ(options({"-quirks", "-rate", "infinity"}).rate_count, 50);
  EXPECT_EQ(fault({"-rate", "x"}),
            "invalid value \"x\" for flag -rate: strconv.Atoi: parsing \"x\": invalid syntax");
  EXPECT_EQ(fault({"-rate", "1/x"}),
            "invalid value \"1/x\" for flag -rate: time: unknown unit \"x\" in duration \"1x\"");
  EXPECT_NE(fault({"-rate=-5"}), "");
  EXPECT_NE(fault({"-rate=5/0s"}), "");
}

TEST(VegetaAttackFlags, ReadSizes) {
  const auto size = [](const char* text) { return options({"-max-body", text}).max_body; };
  EXPECT_EQ(size("-1"), -1);
  EXPECT_EQ(size("0"), 0);
  EXPECT_EQ(size("10 MB"), 10 << 20);
  EXPECT_EQ(size("1tB"), int64_t{1} << 40);
  EXPECT_EQ(size("28 kilobytes"), 28 << 10);
  EXPECT_EQ(size("3k"), 3 << 10);
  for (const char* text : {"", "x", "1x", "-2", "1 Kb", "9999999999999 EB"}) {
    EXPECT_NE(fault({"-max-body", text}), "") << text;
  }
}

TEST(VegetaAttackFlags, ReadTheOthers) {
  const AttackOptions o =
      options({"-header", "K: V w", "--header=k:v", "-root-certs", "a,b", "-connect-to", "a:1:b:2",
               "-dns-ttl", "-1", "-keepalive=false", "-http2=false", "-timeout", "1m30s",
               "-redirects", "-1", "-max-workers", "18446744073709551615", "-lazy"});
  ASSERT_EQ(o.headers.size(), 2U);
  EXPECT_EQ(o.headers[0].name + "=" + o.headers[0].value, "K=V w");
  EXPECT_EQ(o.headers[1].name + "=" + o.headers[1].value, "k=v");
  EXPECT_EQ(o.root_certificates, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(o.connect_to.at(0), std::pair(std::string("a:1"), std::string("b:2")));
  EXPECT_EQ(o.dns_ttl_ns, -1);
  EXPECT_FALSE(o.keep_alive);
  EXPECT_EQ(o.timeout_ns, 90'000'000'000);
  EXPECT_EQ(o.redirects, AttackOptions::kFollowNone);
  EXPECT_EQ(o.max_workers, AttackOptions::kNoLimit);
  EXPECT_TRUE(o.lazy);
}

TEST(VegetaAttackFlags, RefuseInVegetasWords) {
  EXPECT_EQ(fault({"-x"}), "flag provided but not defined: -x");
  EXPECT_EQ(fault({"-duration", "5"}), "invalid value \"5\" for flag -duration: parse error");
  EXPECT_EQ(fault({"-workers", "-1"}), "invalid value \"-1\" for flag -workers: parse error");
  EXPECT_EQ(fault({"-header", "K"}),
            "invalid value \"K\" for flag -header: header 'K' has a wrong format");
  EXPECT_NE(fault({"-header", "K:"}), "");
  EXPECT_NE(fault({"-header", "a b: c"}), "");
  EXPECT_NE(fault({"-connect-to", "a:b:c"}), "");
}

std::string refusal(const std::vector<std::string>& words) {
  const auto good = check_options(options(words));
  return good ? "" : good.error().text;
}

TEST(VegetaAttackFlags, RefuseWhatIsNotThere) {
  EXPECT_EQ(refusal({"-rate=0"}), "-rate=0 requires setting -max-workers");
  EXPECT_EQ(refusal({"-rate=0", "-max-workers=3"}), "");
  EXPECT_NE(refusal({"-h2c"}).find("HTTP/2 is not there yet"), std::string::npos);
  EXPECT_NE(refusal({"-prometheus-addr", "a:1"}), "");
  EXPECT_NE(refusal({"-resolvers", "1.1.1.1"}), "");
  EXPECT_NE(refusal({"-max-workers=0"}), "");
}

RunSpec spec_of(const std::vector<std::string>& words, int64_t cpus = 0,
                const std::vector<const char*>& urls = {"http://127.0.0.1/"}) {
  AttackHosts hosts({}, {});
  for (const char* url : urls) EXPECT_TRUE(hosts.add(*parse_url(url)).has_value());
  auto spec = attack_spec(options(words), hosts, cpus);
  EXPECT_TRUE(spec.has_value());
  return spec.value_or(RunSpec());
}

TEST(VegetaAttackSpec, FollowsASchedule) {
  const RunSpec spec = spec_of({"-rate", "30/m", "-duration", "10s", "-timeout", "2s"});
  ASSERT_TRUE(spec.rate.has_value());
  EXPECT_DOUBLE_EQ(spec.rate->stages.at(0).segments.at(0).from, 0.5);
  EXPECT_TRUE(spec.rate->connect_on_demand);
  EXPECT_EQ(spec.duration_ns, 10'000'000'000);
  EXPECT_EQ(spec.timeout_ns, 2'000'000'000);
  EXPECT_EQ(spec.connections, 10U);
  EXPECT_EQ(spec.rate->max_connections, 12U);  // all of 2 s, and the 10 that are reckoned with
  EXPECT_EQ(spec.workers, 1U);
  EXPECT_TRUE(spec.tls.verify);
  EXPECT_FALSE(spec.tls.resume);
}

TEST(VegetaAttackSpec, LimitsConnections) {
  EXPECT_EQ(most_connections(spec_of({"-rate", "1000", "-max-workers", "7"})), 7U);
  EXPECT_EQ(spec_of({"-rate", "1000", "-max-workers", "7"}).connections, 7U);
  EXPECT_EQ(most_connections(
                spec_of({"-rate", "1000", "-max-connections", "3"}, 0, {"http://a/", "http://b/"})),
            6U);
  EXPECT_LE(most_connections(spec_of({"-rate", "1000000", "-timeout", "0"})), 65'536U);
  EXPECT_EQ(spec_of({"-connections", "-1"}).reconnect_after, 1U);
  EXPECT_EQ(spec_of({"-keepalive=false"}).reconnect_after, 1U);
}

TEST(VegetaAttackSpec, GoesInCirclesWithoutARate) {
  const RunSpec spec =
      spec_of({"-rate", "0", "-max-workers", "5", "-duration", "1s", "-timeout", "3s"}, 8);
  EXPECT_FALSE(spec.rate.has_value());
  EXPECT_EQ(spec.connections, 5U);
  EXPECT_EQ(spec.workers, 5U);
  EXPECT_EQ(spec.duration_ns, 4'000'000'000);
}

TEST(VegetaAttackSpec, LooksAtCertificates) {
  AttackHosts hosts({}, {});
  const auto refused = [&](const std::vector<std::string>& words) {
    const auto spec = attack_spec(options(words), hosts, 0);
    return spec ? "" : spec.error().text;
  };
  EXPECT_EQ(refused({"-root-certs", "/nowhere"}), "open /nowhere: no such file or directory");
  EXPECT_EQ(refused({"-root-certs", "/dev/null"}), "bad certificate");
  EXPECT_EQ(refused({"-cert", "/nowhere"}), "open /nowhere: no such file or directory");
}

// The page must not lag behind the table.
TEST(VegetaAttackFlags, AreAllOnTheCompatibilityPage) {
  const Expected<std::string> page = base::read_file("docs/compat/vegeta.md");
  ASSERT_TRUE(page.has_value());
  AttackOptions unused;
  for (const cli::Flag& flag : attack_flags(unused)) {
    if (flag.doc.empty()) continue;
    EXPECT_FALSE(flag.compat.empty()) << flag.name;
    EXPECT_NE(page->find("| `-" + flag.name + "`"), std::string::npos) << flag.name;
  }
}

}  // namespace
}  // namespace carronade::dialects::vegeta
