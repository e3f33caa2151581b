// The proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name, by the rules of Go's client.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "dialects/vegeta/vegeta_attack_request.h"

namespace carronade::dialects::vegeta {

class Proxies {
 public:
  // The value of an environment variable; "" when it is not set.
  using Environment = std::function<std::string(const std::string& name)>;

  Proxies() = default;
  // The error names the variable and what is wrong with its value.
  static Expected<Proxies> from(const Environment& environment);

  // Null: none, as for this machine's own addresses and what NO_PROXY lists.
  const Proxy* of(const Url& url) const;

 private:
  bool passed_over(const Url& url) const;

  std::optional<Proxy> http_;
  std::optional<Proxy> https_;
  std::vector<std::string> without_;
};

}  // namespace carronade::dialects::vegeta
