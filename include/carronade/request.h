// One HTTP request as a person describes it; http/request_writer.h turns it into bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace carronade {

struct Header {
  std::string name;   // sent in the case given
  std::string value;  // sent byte for byte
};

struct Request {
  std::string method = "GET";   // any token (RFC 9110 5.6.2)
  std::string path{};           // origin-form target ("/a?b=1"); "": that of the target's URL
  std::vector<Header> headers;  // order and repetitions kept; a name that equals one of our
                                // defaults in any letter case replaces that default once
  std::string body;             // sent byte for byte; Content-Length follows from it
  // When not empty: one whole HTTP/1.0 or 1.1 request that is sent as it is, in place of all of
  // the above. Head and body must fit together: nothing of it is changed.
  std::string verbatim{};
};

}  // namespace carronade
