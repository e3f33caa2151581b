#include <atomic>

#include "carronade/run.h"
#include "run/plan.h"

namespace carronade {

Expected<std::vector<DryTarget>> dry_run(const RunSpec& spec) {
  auto made = run::make_plan(spec);
  if (!made) return unexpected(made.error());
  run::Plan& plan = **made;
  const std::atomic<bool> never{false};
  std::vector<DryTarget> targets;
  run::resolve_targets(plan, never);
  const auto source =
      plan.sources_of_requests == nullptr ? nullptr : plan.sources_of_requests->make(0, 1);
  const bool sourced = source != nullptr && source->wants().requests;
  for (size_t i = 0; i < plan.load.targets.size(); ++i) {
    const load::PreparedTarget& prepared = plan.load.targets[i];
    DryTarget target;
    target.origin = prepared.origin;
    if (sourced) {
      (void)source->next(static_cast<uint32_t>(i), target.request);
    } else if (prepared.openings.ws_request.empty()) {
      target.request = prepared.block.request();
    }
    const load::Openings& openings = prepared.openings;
    target.request = openings.connect_request + openings.ws_request + target.request;
    target.resolve_error = plan.resolve_error[i];
    for (const net::Address& address : prepared.addresses) {
      target.addresses.push_back(address.text());
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

}  // namespace carronade
