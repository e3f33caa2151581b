#include "dialects/siege/siege_config.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "dialects/siege/siege_numbers.h"
#include "dialects/siege/siege_variables.h"

namespace carronade::dialects::siege {
namespace {

SiegeSettings read(const std::string& text) {
  SiegeSettings settings;
  const Expected<void> applied = apply_config(text, "rc", settings);
  EXPECT_TRUE(applied.has_value()) << applied.error().text;
  return settings;
}

std::string refusal(const std::string& text) {
  SiegeSettings settings;
  const Expected<void> applied = apply_config(text, "rc", settings);
  return applied ? "" : applied.error().text;
}

TEST(SiegeConfig, EverySeparatorAndComments) {
  const SiegeSettings s = read(
      "# verbose = true\n\nconcurrent = 7 # users\n  limit:9\r\nuser-agent   Limey : the dog\n"
      "protocol=HTTP/1.1\nfile\n");
  EXPECT_FALSE(s.verbose);
  EXPECT_EQ(s.concurrent, 7);
  EXPECT_EQ(s.limit, 9);
  EXPECT_EQ(s.user_agent, "Limey : the dog");
  EXPECT_EQ(s.protocol, "HTTP/1.1");
  EXPECT_EQ(s.file, "");
}

TEST(SiegeConfig, OnlyTrueIsTrue) {
  EXPECT_TRUE(read("verbose = TRUE").verbose);
  EXPECT_FALSE(read("verbose = yes").verbose);
  EXPECT_TRUE(read("color = on").colour);
  EXPECT_FALSE(read("color = OFF").colour);
  EXPECT_FALSE(read("color = false").colour);
  EXPECT_TRUE(read("url-escaping = no").url_escaping);
  EXPECT_FALSE(read("url-escaping = false").url_escaping);
  EXPECT_TRUE(read("connection = keep-alive").keep_alive);
  EXPECT_FALSE(read("connection = close").keep_alive);
  EXPECT_FALSE(read("follow-location = off").follow);
  EXPECT_FALSE(read("cookies = false").cookies);
}

TEST(SiegeConfig, Variables) {
  ::setenv("SIEGE_TEST_VARIABLE", "from outside", 1);
  const SiegeSettings s = read(
      "HOST = www.example.org\nurl = http://$(HOST)/a\nfile = ${SIEGE_TEST_VARIABLE}\n"
      "logfile = $HOST/x$NOBODY_HAS_THIS/y\\$z\n");
  EXPECT_EQ(s.url, "http://www.example.org/a");
  EXPECT_EQ(s.file, "from outside");
  EXPECT_EQ(s.logfile, "www.example.org/x/y$z");
}

TEST(SiegeConfig, RepeatedKeys) {
  const SiegeSettings s = read(
      "login = jeff:se#cret:Admin\nlogin = all:x:all\nnofollow = ads.example\nnofollow = abc\n"
      "header = A: 1\nheader = B: 2\nlogin-url = http://a/ POST x=y\n");
  ASSERT_EQ(s.logins.size(), 2U);
  EXPECT_EQ(s.logins[0].user, "jeff");
  EXPECT_EQ(s.logins[0].password, "se#cret");
  EXPECT_EQ(s.logins[0].realm, "Admin");
  EXPECT_EQ(s.logins[1].realm, "");
  EXPECT_EQ(s.no_follow_hosts, std::vector<std::string>{"ads.example"});
  EXPECT_EQ(s.headers.size(), 2U);
  EXPECT_EQ(s.login_urls, std::vector<std::string>{"http://a/ POST x=y"});
}

TEST(SiegeConfig, BadNumbersNameTheirLine) {
  EXPECT_EQ(refusal("\nconcurrent = many\n"),
            "rc line 2: concurrent: \"many\" is not a number such as 25");
  EXPECT_NE(refusal("time = 5X"), "");
  EXPECT_NE(refusal("delay = -1"), "");
  EXPECT_EQ(refusal("time =\nreps =\n"), "");
}

TEST(SiegeConfig, TheTemplateAndTheFallbacksDiffer) {
  const SiegeSettings bare;
  EXPECT_EQ(bare.protocol, "HTTP/1.0");
  EXPECT_FALSE(bare.verbose);
  const SiegeSettings s = read(std::string(config_template()));
  EXPECT_TRUE(s.verbose);
  EXPECT_TRUE(s.parser);
  EXPECT_FALSE(s.json);
  EXPECT_EQ(s.protocol, "HTTP/1.1");
  EXPECT_EQ(s.concurrent, 25);
  EXPECT_EQ(s.accept_encoding, "gzip, deflate");
  EXPECT_EQ(s.no_follow_hosts.size(), 4U);
}

TEST(SiegeConfig, AFileThatIsNotThere) {
  SiegeSettings settings;
  const Expected<void> loaded = load_config("/nonexistent/rc", settings);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_NE(loaded.error().text.find("siege: could not open /nonexistent/rc"), std::string::npos);
}

TEST(SiegeNumbers, Times) {
  EXPECT_EQ(parse_time("10S").value(), 10'000'000'000);
  EXPECT_EQ(parse_time("2m").value(), 120'000'000'000);
  EXPECT_EQ(parse_time("1H").value(), 3'600'000'000'000);
  EXPECT_EQ(parse_time("1").value(), 60'000'000'000) << "minutes";
  for (const char* bad : {"", "x", "S", "-1S", "1.5M", "1d", "99999999999S"}) {
    EXPECT_FALSE(parse_time(bad).has_value()) << bad;
  }
}

TEST(SiegeNumbers, Seconds) {
  EXPECT_EQ(parse_seconds(".5").value(), 0.5);
  EXPECT_EQ(parse_seconds("3").value(), 3);
  for (const char* bad : {"", "-1", "nan", "inf", "1e99", "2x"}) {
    EXPECT_FALSE(parse_seconds(bad).has_value()) << bad;
  }
}

TEST(SiegeNumbers, Reps) {
  SiegeSettings s;
  EXPECT_TRUE(parse_reps("12", s).has_value());
  EXPECT_EQ(s.reps, 12);
  EXPECT_TRUE(parse_reps("ONCE", s).has_value());
  EXPECT_TRUE(s.once);
  EXPECT_FALSE(s.reps.has_value());
  EXPECT_FALSE(parse_reps("twice", s).has_value());
}

TEST(SiegeVariables, Expands) {
  const Variables vars = {{"HOST", "h"}, {"a-b", "dash"}};
  EXPECT_EQ(expand("http://$HOST:80/$(HOST)${HOST}$HOST", vars), "http://h:80/hhh");
  EXPECT_EQ(expand("${a-b} \\$HOST $ $( ${x", vars), "dash $HOST $ $( ${x");
}

}  // namespace
}  // namespace carronade::dialects::siege
