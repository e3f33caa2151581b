#include "run/validate.h"

#include <initializer_list>
#include <string>

#include "base/limits.h"
#include "run/validate_load_shape.h"
#include "run/validate_targets.h"

namespace carronade::run {
namespace {

struct Rule {
  bool broken;
  const char* text;
};

Expected<void> first_broken(std::initializer_list<Rule> rules) {
  for (const Rule& rule : rules) {
    if (rule.broken) return unexpected(std::string(rule.text));
  }
  return {};
}

bool known_version(uint16_t version) {
  return version == 0 || (version >= 0x0301 && version <= 0x0304);
}

Expected<void> validate_tls(const TlsSpec& tls) {
  constexpr size_t kLongestName = 255;
  const std::string& name = tls.server_name.value_or("");
  const bool certificate = !tls.certificate_file.empty() || !tls.certificate_pem.empty();
  const bool key = !tls.key_file.empty() || !tls.key_pem.empty();
  const bool pkcs12 = !tls.pkcs12_file.empty() || !tls.pkcs12.empty();
  return first_broken({
      {name == "." || name.size() > kLongestName,
       "the server name (SNI) must be a host name of at most 255 bytes"},
      {!tls.ca_files.empty() && !tls.ca_pem.empty(),
       "give the CA certificates as files or as text, not both"},
      {!tls.certificate_file.empty() && !tls.certificate_pem.empty(),
       "give the client certificate as a file or as text, not both"},
      {!tls.key_file.empty() && !tls.key_pem.empty(),
       "give the client key as a file or as text, not both"},
      {!tls.pkcs12_file.empty() && !tls.pkcs12.empty(),
       "give PKCS#12 as a file or as bytes, not both"},
      {pkcs12 && certificate, "give the client certificate as PEM or as PKCS#12, not both"},
      {key && !certificate, "a client key needs its certificate too"},
      {!known_version(tls.min_version) || !known_version(tls.max_version),
       "TLS versions are 0x0301 (TLS 1.0) to 0x0304 (TLS 1.3)"},
      {tls.max_version != 0 && tls.max_version < tls.min_version,
       "the highest TLS version is below the lowest"},
  });
}

}  // namespace

Expected<void> validate(const RunSpec& spec) {
  constexpr int64_t kMillisecond = 1'000'000;
  constexpr int64_t kHour = 3'600'000'000'000;
  Expected<void> plain = first_broken({
      {spec.targets.empty(), "no target: give at least one URL"},
      {spec.connections < 1, "connections can not be less than 1"},
      {spec.connections > base::kMostConnections, "connections can not be more than 1,000,000"},
      {spec.pipelining < 1, "pipelining factor can not be less than 1"},
      {spec.pipelining > 10'000, "pipelining factor can not be more than 10,000"},
      {spec.workers < 1, "workers can not be less than 1"},
      {spec.workers > 1024, "workers can not be more than 1,024"},
      {!spec.duration_ns && !spec.amount && !spec.max_connection_requests && !spec.rate &&
           spec.connection_stages.empty(),
       "the run has no end: give a duration, an amount or a maximum of requests per connection"},
      {spec.duration_ns && *spec.duration_ns <= 0, "duration must be greater than 0"},
      {spec.duration_ns && *spec.duration_ns > base::kLongestNs,
       "duration can not be above 100 years"},
      {spec.timeout_ns > base::kLongestNs, "timeout can not be above 100 years"},
      {spec.amount && *spec.amount == 0, "amount can not be less than 1"},
      {spec.max_connection_requests && *spec.max_connection_requests == 0,
       "maxConnectionRequests can not be less than 1"},
      {spec.bailout && *spec.bailout == 0, "bailout threshold can not be less than 1"},
      {spec.timeout_ns <= 0, "timeout must be greater than 0"},
      {spec.sample_interval_ns < kMillisecond || spec.sample_interval_ns > kHour,
       "the sampling interval must be between 1 ms and 1 h"},
  });
  if (!plain) return plain;
  if (Expected<void> tls = validate_tls(spec.tls); !tls) return tls;
  if (Expected<void> targets = validate_targets(spec); !targets) return targets;
  return validate_load_shape(spec);
}

}  // namespace carronade::run
