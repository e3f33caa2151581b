// An HTTP proxy that all connections of a run go through. To https, ws and wss targets it makes a
// tunnel (CONNECT, RFC 9110 9.3.6); what is for an http target it is asked in absolute form
// (RFC 9112 3.2.2). Credentials of its URL are sent as `Proxy-Authorization: Basic`.
#pragma once

#include <vector>

#include "carronade/request.h"
#include "carronade/url.h"

namespace carronade {

struct ProxySpec {
  Url url;                      // http: only; path and query are not used
  std::vector<Header> headers;  // sent to the proxy alone: with CONNECT, or with each request
};

// Writes the request for a proxy: an absolute target, and the proxy's headers. Front ends whose
// own sources write requests call it for http targets; Run does so for all that are in RunSpec.
// A verbatim request is not changed.
void ask_through_proxy(Request& request, const Url& target, const ProxySpec& proxy);

}  // namespace carronade
