#include "run/validate.h"

#include <gtest/gtest.h>

#include <functional>

namespace carronade::run {
namespace {

RunSpec good_spec() {
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:1/"), {}});
  spec.duration_ns = 1'000'000'000;
  return spec;
}

TEST(Validate, AcceptsTheDefaults) { EXPECT_TRUE(validate(good_spec())); }

TEST(Validate, RefusesEachBadFieldWithItsOwnText) {
  const std::pair<const char*, std::function<void(RunSpec&)>> cases[] = {
      {"no target", [](RunSpec& s) { s.targets.clear(); }},
      {"connections can not be less than 1", [](RunSpec& s) { s.connections = 0; }},
      {"connections can not be more", [](RunSpec& s) { s.connections = 1'000'001; }},
      {"pipelining factor can not be less than 1", [](RunSpec& s) { s.pipelining = 0; }},
      {"pipelining factor can not be more", [](RunSpec& s) { s.pipelining = 10'001; }},
      {"workers can not be less", [](RunSpec& s) { s.workers = 0; }},
      {"workers can not be more", [](RunSpec& s) { s.workers = 1025; }},
      {"no end", [](RunSpec& s) { s.duration_ns.reset(); }},
      {"duration must be", [](RunSpec& s) { s.duration_ns = 0; }},
      {"amount can not", [](RunSpec& s) { s.amount = 0; }},
      {"maxConnectionRequests", [](RunSpec& s) { s.max_connection_requests = 0; }},
      {"bailout", [](RunSpec& s) { s.bailout = 0; }},
      {"timeout", [](RunSpec& s) { s.timeout_ns = 0; }},
      {"sampling", [](RunSpec& s) { s.sample_interval_ns = 1000; }},
      {"100 years", [](RunSpec& s) { s.duration_ns = INT64_MAX; }},
      {"100 years", [](RunSpec& s) { s.timeout_ns = INT64_MAX; }},
      {"server name", [](RunSpec& s) { s.tls.server_name = "."; }},
      {"server name", [](RunSpec& s) { s.tls.server_name = std::string(300, 'a'); }},
      {"client key needs", [](RunSpec& s) { s.tls.key_file = "k.pem"; }},
      {"not both",
       [](RunSpec& s) {
         s.tls.pkcs12_file = "a.p12";
         s.tls.certificate_file = "a.pem";
       }},
  };
  for (const auto& [text, spoil] : cases) {
    RunSpec spec = good_spec();
    spoil(spec);
    const auto valid = validate(spec);
    ASSERT_FALSE(valid) << text;
    EXPECT_NE(valid.error().text.find(text), std::string::npos) << valid.error().text;
    EXPECT_EQ(valid.error().text.find('\n'), std::string::npos);
  }
}

TEST(Validate, ContentsExcludeTheirFiles) {
  const std::pair<const char*, std::function<void(TlsSpec&)>> cases[] = {
      {"CA certificates as files or",
       [](TlsSpec& s) {
         s.ca_files = {"ca.pem"};
         s.ca_pem = {"text"};
       }},
      {"client certificate as a file or",
       [](TlsSpec& s) { s.certificate_file = s.certificate_pem = "a"; }},
      {"client key as a file or", [](TlsSpec& s) { s.key_file = s.key_pem = "a"; }},
      {"PKCS#12 as a file or", [](TlsSpec& s) { s.pkcs12_file = s.pkcs12 = "a"; }},
      {"as PEM or as PKCS#12", [](TlsSpec& s) { s.pkcs12 = s.certificate_file = "a"; }},
      {"as PEM or as PKCS#12", [](TlsSpec& s) { s.pkcs12_file = s.certificate_pem = "a"; }},
      {"client key needs", [](TlsSpec& s) { s.key_pem = "a"; }},
      {"", [](TlsSpec& s) { s.certificate_pem = s.key_file = s.ca_files.emplace_back("a"); }},
      {"", [](TlsSpec& s) { s.pkcs12 = s.ca_pem.emplace_back("a"); }},
  };
  for (const auto& [text, spoil] : cases) {
    RunSpec spec = good_spec();
    spoil(spec.tls);
    const auto valid = validate(spec);
    EXPECT_EQ(valid.has_value(), *text == '\0') << text;
    if (!valid) {
      EXPECT_NE(valid.error().text.find(text), std::string::npos) << valid.error().text;
    }
  }
}

}  // namespace
}  // namespace carronade::run
