#include "server/service_station.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace carronade::server {
namespace {

// --delay is the law that needs no name.
ServiceLaw law_of(const ServerSpec& spec) {
  return spec.service ? *spec.service : ServiceLaw{.time_ns = spec.delay_ns};
}

std::string describe(const ServerSpec& spec) {
  const ServiceLaw law = law_of(spec);
  std::string text = service_text(law);
  if (spec.queue > 0) text += fmt::format(", queue {}", spec.queue);
  if (spec.capacity > 0) text += fmt::format(", capacity {}/s", spec.capacity);
  if (spec.stall.duration_ns > 0) {
    text += fmt::format(", stall {} every {}", base::format_span(spec.stall.duration_ns),
                        base::format_span(spec.stall.period_ns));
  }
  if (law.is_drawn()) text += fmt::format(", seed {}", spec.seed);
  return text;
}

bool makes_wait(const ServerSpec& spec) {
  return spec.service || spec.delay_ns > 0 || spec.capacity > 0 || spec.stall.duration_ns > 0;
}

}  // namespace

int64_t after_stall(const StallSpec& stall, int64_t start_ns, int64_t when_ns) {
  const int64_t since_start = when_ns - start_ns;
  if (stall.duration_ns == 0 || since_start < stall.period_ns) return when_ns;
  const int64_t into_period = since_start % stall.period_ns;
  return into_period < stall.duration_ns ? when_ns + stall.duration_ns - into_period : when_ns;
}

bool ServiceStation::is_needed(const ServerSpec& spec) {
  return makes_wait(spec) || spec.record_arrivals > 0;
}

ServiceStation::ServiceStation(const ServerSpec& spec, int64_t start_ns)
    : law_(law_of(spec)),
      seed_(spec.seed),
      stall_(spec.stall),
      start_ns_(start_ns),
      delays_(makes_wait(spec)),
      queue_(spec.queue),
      gate_(spec.capacity),
      truth_(spec.record_arrivals) {
  truth_.law = describe(spec);
}

int64_t ServiceStation::admit(int64_t arrival_ns, int64_t service_time_ns, int64_t not_before_ns) {
  const std::lock_guard lock(mutex_);
  if (service_time_ns < 0) service_time_ns = service_ns(law_, seed_, drawn_++);
  const int64_t served_ns = queue_.depart_ns(arrival_ns, service_time_ns);
  const int64_t departure_ns = gate_.depart_ns(served_ns, arrival_ns);
  const int64_t due_ns = std::max(after_stall(stall_, start_ns_, departure_ns), not_before_ns);
  truth_.service_ns.record(service_time_ns);
  truth_.delay_ns.record(due_ns - arrival_ns);
  truth_.arrivals.add(arrival_ns, 1);
  return due_ns;
}

void ServiceStation::note_arrivals(int64_t arrival_ns, uint64_t count) {
  const std::lock_guard lock(mutex_);
  truth_.service_ns.record_many(0, count);
  truth_.delay_ns.record_many(0, count);
  truth_.arrivals.add(arrival_ns, count);
}

void ServiceStation::note_sent(std::span<const int64_t> due_ns, int64_t sent_ns) {
  const std::lock_guard lock(mutex_);
  for (const int64_t due : due_ns) truth_.lateness_ns.record(sent_ns - due);
}

ServiceTruth ServiceStation::truth() const {
  const std::lock_guard lock(mutex_);
  return truth_;
}

// Outside the lock: making text of much must not hold answers up.
std::string ServiceStation::stats_members() const { return truth_members(truth()); }

std::string ServiceStation::arrivals() const { return arrivals_json(truth().arrivals); }

}  // namespace carronade::server
