// What all users of a siege share, and never change: the settings, the list of requests, the
// places they go to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "dialects/siege/siege_requests.h"
#include "dialects/siege/siege_settings.h"
#include "http/cookie_jar.h"

namespace carronade::dialects::siege {

struct SiegePlan {
  SiegeSettings settings;
  uint32_t users = 1;
  std::vector<SiegeRequest> list;         // at least one
  std::vector<SiegeRequest> logins;       // user i begins with number i mod n; may be empty
  std::vector<SiegeRequest> authorizers;  // of auth-url
  std::vector<http::Cookie> cookies;      // that every user begins with
  Origins origins{std::nullopt};
  std::optional<RequestMaker> maker;  // always there; refers to `settings`

  SiegePlan() = default;
  SiegePlan(const SiegePlan&) = delete;
  SiegePlan& operator=(const SiegePlan&) = delete;
};

// Fills a plan from its settings: reads the list of URLs (a URL in `settings.url` comes instead),
// and what goes beside it. The error is one line.
Expected<void> complete_plan(SiegePlan& plan);

}  // namespace carronade::dialects::siege
