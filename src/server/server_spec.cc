#include "server/server_spec.h"

#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "base/units.h"
#include "server/service_truth.h"

namespace carronade::server {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int kQueueMax = 100'000;
constexpr double kCapacityMax = 1e6;

Expected<void> out_of_range(std::string_view field, std::string_view range) {
  return unexpected(fmt::format("serve: {} must be {}", field, range));
}

Expected<void> check_law(const ServerSpec& spec) {
  if (spec.service && spec.delay_ns > 0) {
    return unexpected("serve: delay and service both say how long an answer takes; give one");
  }
  if (spec.queue < 0 || spec.queue > kQueueMax) {
    return out_of_range("queue", fmt::format("1 to {} servers", kQueueMax));
  }
  if (spec.queue > 0 && !spec.service) {
    return unexpected("serve: a queue is given without the time its servers take; add service");
  }
  if (!(spec.capacity >= 0 && spec.capacity <= kCapacityMax)) {
    return out_of_range("capacity", fmt::format("at most {}/s", kCapacityMax));
  }
  if (spec.record_arrivals > ArrivalRecord::kKeptMax) {
    return out_of_range("record-arrivals", fmt::format("1 to {}", ArrivalRecord::kKeptMax));
  }
  return {};
}

}  // namespace

Expected<StallSpec> parse_stall(std::string_view text) {
  const auto refuse = [&](std::string_view reason) {
    return unexpected(
        fmt::format("stall '{}': {}; write it like '1s every 5s'", base::printable(text), reason));
  };
  constexpr std::string_view kEvery = "every";
  const size_t every = text.find(kEvery);
  if (every == std::string_view::npos) return refuse("the word 'every' is missing");
  const auto duration = base::parse_duration(base::trim(text.substr(0, every)), kMillisecond);
  if (!duration) return refuse(duration.error().text);
  const auto period =
      base::parse_duration(base::trim(text.substr(every + kEvery.size())), kMillisecond);
  if (!period) return refuse(period.error().text);
  if (*duration <= 0) return refuse("the stall has no length");
  if (*period <= *duration) return refuse("the period must be longer than the stall");
  return StallSpec{*duration, *period};
}

Expected<double> parse_capacity(std::string_view text) {
  const auto rate = base::parse_rate(text);
  if (!rate) return unexpected(rate.error());
  if (*rate > 0 && *rate <= kCapacityMax) return *rate;
  return unexpected(fmt::format("capacity '{}' must be above 0 and at most {}/s",
                                base::printable(text), kCapacityMax));
}

Expected<void> check_spec(const ServerSpec& spec) {
  if (spec.threads < 1 || spec.threads > 256) return out_of_range("threads", "1 to 256");
  if (spec.delay_ns < 0) return out_of_range("delay", "0 or more");
  if (spec.error_status != 0 && (spec.error_status < 200 || spec.error_status > 599)) {
    return out_of_range("error", "a status from 200 to 599");
  }
  if (!(spec.error_percent >= 0 && spec.error_percent <= 100)) {
    return out_of_range("percent", "0 to 100");
  }
  if (spec.body_bytes < -1) return out_of_range("bytes", "0 or more");
  if (spec.page && (spec.body_bytes >= 0 || spec.chunked)) {
    return unexpected("serve: a fixed page has its own size and is not sent chunked");
  }
  if (spec.stall.duration_ns < 0 ||
      (spec.stall.duration_ns > 0 && spec.stall.period_ns <= spec.stall.duration_ns)) {
    return out_of_range("stall", "shorter than its period");
  }
  if (auto law = check_law(spec); !law) return law;
  if (!spec.tls && !(spec.certificate_file.empty() && spec.key_file.empty())) {
    return unexpected("serve: a certificate or key is given without TLS; turn TLS on too");
  }
  if (spec.certificate_file.empty() && !spec.key_file.empty()) {
    return unexpected("serve: a key is given without a certificate; give both or neither");
  }
  return {};
}

}  // namespace carronade::server
