// A request as bytes. Order, after autocannon: request line, Host (unless the user gave one),
// `Connection: keep-alive`, the user's headers in order, Authorization from the URL's
// credentials (unless given), Content-Length when there is a body or the method is POST, PUT or
// PATCH. A user header with a default's name in any case replaces the default once, in the
// user's position; repeated names are all sent. A user's Content-Length is dropped in favour of
// the right one; a user who gives a Transfer-Encoding frames the body himself and gets none.
#pragma once

#include <string>

#include "carronade/expected.h"
#include "carronade/run_spec.h"

namespace carronade::http {

// Method, header names and values are checked (token, no CR LF NUL); the error quotes the fault.
Expected<std::string> write_request(const Target& target);

// GET HEAD PUT DELETE OPTIONS TRACE: may be sent again when it is unclear whether it arrived.
bool is_idempotent(std::string_view method);

}  // namespace carronade::http
