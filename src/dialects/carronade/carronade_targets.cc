#include "dialects/carronade/carronade_targets.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "dialects/carronade/connection_options.h"
#include "dialects/carronade/har_requests.h"

namespace carronade::dialects {
namespace {

// The strict text is that of Node's URL parser and autocannon's help for it.
SpecError url_error(const std::string& word, const std::string& reason, Form form) {
  if (form == Form::kStrict) {
    return {
        "Invalid URL\n\nWhen targeting a path without a hostname, the PORT environment "
        "variable must be available.\nUse a full URL or set the PORT variable.",
        false};
  }
  if (word.starts_with('/') || word.starts_with('?')) {
    return {"\"" + base::printable(word) +
                "\" is a path: give a full URL, or the port of a local "
                "server in the environment variable PORT",
            false};
  }
  // The reason quotes the URL that was made of the word; what was typed says more.
  const std::string made = "\"http://" + word + "\"";
  const size_t at = reason.find(made);
  if (at == std::string::npos) return {reason, false};
  return {std::string(reason).replace(at, made.size(), "\"" + word + "\""), false};
}

// A word that is a command, but stands where a URL is expected; "" for others.
std::string misplaced_command(const std::string& word) {
  std::string hint;
  if (word == "serve" || word == "autocannon") {
    hint = "is a command and must come first: carronade " + word + " [options]";
  } else if (word == "help" || word == "version") {
    hint = "is no URL: did you mean carronade --" + word + "?";
  } else {
    return "";
  }
  return word + " " + hint + " (a host of that name is http://" + word + ")";
}

// What all targets send, without the body.
tl::expected<Request, SpecError> make_request(const Options& o, const std::string& content_type,
                                              Form form) {
  Expected<std::vector<Header>> headers = parse_headers(o.headers, form);
  if (!headers) return fault(headers.error().text);
  Request request;
  request.headers = std::move(*headers);
  const bool has_form = !content_type.empty();
  // autocannon's command line has GET as its default for a form too.
  const bool posts = has_form && form == Form::kPlain;
  request.method = o.method.value_or(posts ? "POST" : "GET");
  if (!has_form) return request;
  if (form == Form::kPlain) {
    std::erase_if(request.headers,
                  [](const Header& header) { return base::iequals(header.name, "Content-Type"); });
    request.headers.push_back({"Content-Type", content_type});
    return request;
  }
  const auto same = std::find_if(request.headers.begin(), request.headers.end(),
                                 [](const Header& known) { return known.name == "content-type"; });
  if (same != request.headers.end()) {
    same->value = content_type;
  } else {
    request.headers.push_back({"content-type", content_type});
  }
  return request;
}

}  // namespace

tl::expected<TargetList, SpecError> make_targets(const Options& o, RequestFiles files,
                                                 const std::vector<std::string>& words,
                                                 const std::optional<std::string>& port,
                                                 Form form) {
  const bool from_har = !files.har.empty();
  if (from_har && form == Form::kPlain) files.body = files.content_type = "";
  const auto request = make_request(o, files.content_type, form);
  if (!request) return tl::unexpected(request.error());
  TargetList list;
  for (const std::string& word : words) {
    if (form == Form::kPlain) {
      if (std::string hint = misplaced_command(word); !hint.empty()) return fault(std::move(hint));
    }
    const std::string text = complete_url(word, port, form);
    const Expected<Url> url =
        parse_url(text, form == Form::kPlain ? Schemes::kHttpAndWebSocket : Schemes::kHttp);
    if (!url) return tl::unexpected(url_error(word, url.error().text, form));
    list.targets.push_back(Target{*url, *request, {}});
    list.urls.push_back(text);
  }
  if (list.targets.empty()) return list;
  // Bodies may be large: the last target gets the one that there is.
  for (size_t i = 0; i + 1 < list.targets.size(); ++i) list.targets[i].request.body = files.body;
  list.targets.back().request.body = std::move(files.body);
  if (SpecResult done = set_websocket(o, list.targets); !done) {
    return tl::unexpected(done.error());
  }
  if (!from_har) return list;
  list.skipped = skipped_origins(files.har, list.targets);
  if (SpecResult done = apply_har(files.har, o.har_file, form, list.targets); !done) {
    return tl::unexpected(done.error());
  }
  return list;
}

}  // namespace carronade::dialects
