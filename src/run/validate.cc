#include "run/validate.h"

#include <string>

#include "base/limits.h"
#include "run/validate_load_shape.h"

namespace carronade::run {
namespace {

struct Rule {
  bool broken;
  const char* text;
};

}  // namespace

Expected<void> validate(const RunSpec& spec) {
  constexpr int64_t kMillisecond = 1'000'000;
  constexpr size_t kLongestName = 255;
  const std::string& name = spec.tls.server_name.value_or("");
  constexpr int64_t kHour = 3'600'000'000'000;
  const Rule rules[] = {
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
      {name == "." || name.size() > kLongestName,
       "the server name (SNI) must be a host name of at most 255 bytes"},
      {spec.amount && *spec.amount == 0, "amount can not be less than 1"},
      {spec.max_connection_requests && *spec.max_connection_requests == 0,
       "maxConnectionRequests can not be less than 1"},
      {spec.bailout && *spec.bailout == 0, "bailout threshold can not be less than 1"},
      {spec.timeout_ns <= 0, "timeout must be greater than 0"},
      {spec.sample_interval_ns < kMillisecond || spec.sample_interval_ns > kHour,
       "the sampling interval must be between 1 ms and 1 h"},
      {!spec.tls.pkcs12_file.empty() && !spec.tls.certificate_file.empty(),
       "give the client certificate as PEM or as PKCS#12, not both"},
      {!spec.tls.key_file.empty() && spec.tls.certificate_file.empty(),
       "a client key needs its certificate too"},
  };
  for (const Rule& rule : rules) {
    if (rule.broken) return unexpected(std::string(rule.text));
  }
  return validate_load_shape(spec);
}

}  // namespace carronade::run
