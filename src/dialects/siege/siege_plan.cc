#include "dialects/siege/siege_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "dialects/siege/siege_urls.h"

namespace carronade::dialects::siege {
namespace {

Expected<std::vector<SiegeUrl>> read_list(const SiegeSettings& settings) {
  if (!settings.url.empty()) {
    Expected<SiegeUrl> url = parse_siege_url(settings.url, settings);
    if (!url) return unexpected(url.error());
    return std::vector<SiegeUrl>{std::move(*url)};
  }
  const Expected<std::string> text = base::read_file(settings.file);
  if (!text) return unexpected("unable to open file: " + text.error().text);
  return parse_url_list(*text, settings.file, settings);
}

Expected<std::vector<SiegeUrl>> parse_all(const std::vector<std::string>& texts,
                                          const std::string& key, const SiegeSettings& settings) {
  std::vector<SiegeUrl> urls;
  for (const std::string& text : texts) {
    Expected<SiegeUrl> url = parse_siege_url(text, settings);
    if (!url) return unexpected(key + ": " + url.error().text);
    urls.push_back(std::move(*url));
  }
  return urls;
}

Expected<std::optional<Url>> proxy_of(const SiegeSettings& settings) {
  if (settings.proxy_host.empty()) return std::optional<Url>();
  Expected<Url> url =
      parse_url(fmt::format("http://{}:{}/", settings.proxy_host, settings.proxy_port));
  if (!url) return unexpected("proxy-host: " + url.error().text);
  return std::optional<Url>(std::move(*url));
}

void place(SiegePlan& plan, const std::vector<SiegeUrl>& urls,
           std::vector<SiegeRequest>& requests) {
  for (const SiegeUrl& url : urls) {
    plan.origins.add(url.url);
    SiegeRequest request =
        plan.maker->make(url, plan.origins.find(url.url).value_or(0), plan.origins.proxied());
    request.line = static_cast<int64_t>(requests.size());
    requests.push_back(std::move(request));
  }
}

}  // namespace

Expected<void> complete_plan(SiegePlan& plan) {
  const SiegeSettings& settings = plan.settings;
  plan.users = static_cast<uint32_t>(std::clamp<int64_t>(settings.concurrent, 1, 1'000'000));
  Expected<RequestMaker> maker = RequestMaker::create(settings);
  if (!maker) return unexpected(maker.error());
  plan.maker = std::move(*maker);
  Expected<std::optional<Url>> proxy = proxy_of(settings);
  if (!proxy) return unexpected(proxy.error());
  plan.origins = Origins(std::move(*proxy));

  const auto list = read_list(settings);
  if (!list) return unexpected(list.error());
  if (list->empty()) return unexpected(fmt::format("no URL in {}", settings.file));
  place(plan, *list, plan.list);
  const auto logins = parse_all(settings.login_urls, "login-url", settings);
  if (!logins) return unexpected(logins.error());
  place(plan, *logins, plan.logins);
  const auto authorizers = parse_all(settings.auth_urls, "auth-url", settings);
  if (!authorizers) return unexpected(authorizers.error());
  place(plan, *authorizers, plan.authorizers);
  return {};
}

}  // namespace carronade::dialects::siege
