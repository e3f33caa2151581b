// A request as bytes. Order, after autocannon: request line, Host (unless the user gave one),
// `Connection: keep-alive`, the user's headers in order, Authorization from the URL's
// credentials (unless given), Content-Length when there is a body or the method is POST, PUT or
// PATCH. A user header with a default's name in any case replaces the default once, in the
// user's position; repeated names are all sent. A user's Content-Length is dropped in favour of
// the right one; a user who gives a Transfer-Encoding frames the body himself and gets none.
// A path of the request's own takes the place of the URL's; bytes that may not stand in a request
// line (space, control, non-ASCII) are percent-encoded in it, as parse_url does with a URL's.
// A verbatim request is checked for its shape and sent as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/run_spec.h"

namespace carronade::http {

// A checked request in its parts, for what is filled in before it is sent (load/template_text.h).
// The body is the Request's, with Content-Length behind the headers when `with_length`.
struct RequestParts {
  std::string target;           // as in the request line
  std::vector<Header> headers;  // all that are sent but Content-Length
  bool with_length = false;
};

// Method, header names and values are checked (token, no CR LF NUL); the error quotes the fault.
Expected<RequestParts> request_parts(const Url& url, const Request& request);
Expected<std::string> write_request(const Url& url, const Request& request);
// The target's own request, not its sequence.
Expected<std::string> write_request(const Target& target);

// GET HEAD PUT DELETE OPTIONS TRACE: may be sent again when it is unclear whether it arrived.
bool is_idempotent(std::string_view method);

// A request that says `Connection: close` is the last one on its socket.
bool asks_to_close(const Request& request);
// The same of a request's bytes: HTTP/1.0 closes unless it says `Connection: keep-alive`.
bool closes_socket(std::string_view request);
// Whether it is one of HTTP/1.0, which only a verbatim one can be.
bool is_http10(const Request& request);
// The request's method, verbatim or not.
std::string_view method_of(const Request& request);

}  // namespace carronade::http
