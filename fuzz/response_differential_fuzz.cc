// Against Node's old http-parser: of the final responses that both find at the beginning of the
// same bytes, status, body and whether the connection is kept must agree.
//
// Where either refuses, the comparison ends: we are stricter on purpose (obs-fold, spaces around
// names, versions other than 1.0 and 1.1, status codes that are not three digits, bare CR, NUL,
// codings after or beside chunked), and each such refusal is a transcript. Deliberate differences
// that remain although both accept, and how they are taken out of the comparison:
//  - 1xx answers: http-parser reports each as a message, we skip them. They are left out.
//  - 204, 304 with a length: http-parser reads the body that they must not have, unless told to
//    skip it, which is done.
//  - Content-Length as a list: we take equal values for one, http-parser refuses. It ends.
//  - Transfer-Encoding with more than one word: http-parser misses the coding behind tabs and
//    empty elements. It ends.
//  - Chunked bodies in an input with a bare LF: behind a chunk http-parser skips two bytes
//    whatever they are, and an extension it reads up to the next CR. It ends.
// In these the closing alone is not compared:
//  - HTTP/1.0 with Transfer-Encoding, of whatever value: we close, as RFC 9112 6.1 says.
//  - HTTP/1.0 with both close and keep-alive: http-parser keeps the connection, we close it.
//  - Connection with more than one word: http-parser misses options behind a tab, behind spaces
//    before a comma, and behind a word that begins like the one it looks for.
//  - Trailers: http-parser obeys a Connection or Transfer-Encoding among them.
//  - Proxy-Connection: http-parser takes it for Connection.
#include <http_parser.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "fuzz_input.h"
#include "http/h1_session.h"

namespace {

using carronade::fuzz::disagree;
using carronade::fuzz::FuzzInput;
using carronade::http::BodySink;
using carronade::http::H1Expect;
using carronade::http::H1Feed;
using carronade::http::H1Response;
using carronade::http::H1Session;
using carronade::http::HeadBufferPool;

struct Found {
  int status = 0;
  std::string body;
  bool close = false;
  bool close_compared = true;

  std::string text() const {
    return std::to_string(status) + (close ? " close " : " keep ") + body;
  }
  bool operator==(const Found&) const = default;
};

struct Peer {
  std::vector<Found> found;
  std::string body;
  bool head_request = false;
  bool bare_lf = false;  // somewhere in the input
  bool interim = false;
  bool in_connection = false;       // the present header is Connection
  bool in_coding = false;           // it is Transfer-Encoding
  bool coded = false;               // this message has one, whatever its value
  bool closing_comparable = false;  // in this message, so far
};

Peer& peer_of(http_parser* parser) { return *static_cast<Peer*>(parser->data); }

// One word of letters and '-'.
bool one_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '-';
  });
}

int on_message_begin(http_parser* parser) {
  peer_of(parser).closing_comparable = true;
  peer_of(parser).coded = false;
  return 0;
}

int on_header_field(http_parser* parser, const char* at, size_t length) {
  const std::string_view name(at, length);
  peer_of(parser).in_connection = carronade::base::iequals(name, "Connection");
  peer_of(parser).in_coding = carronade::base::iequals(name, "Transfer-Encoding");
  if (peer_of(parser).in_coding) peer_of(parser).coded = true;
  const bool trailing = (parser->flags & F_TRAILING) != 0;
  if (trailing || carronade::base::iequals(name, "Proxy-Connection")) {
    peer_of(parser).closing_comparable = false;
  }
  return 0;
}

int on_header_value(http_parser* parser, const char* at, size_t length) {
  const bool plain = one_word({at, length});
  if (peer_of(parser).in_connection && !plain) peer_of(parser).closing_comparable = false;
  return peer_of(parser).in_coding && !plain ? 1 : 0;  // 1 ends the comparison
}

int on_headers_complete(http_parser* parser) {
  Peer& peer = peer_of(parser);
  const unsigned status = parser->status_code;
  peer.interim = status / 100 == 1;
  peer.body.clear();
  if (peer.bare_lf && (parser->flags & F_CHUNKED) != 0) return -1;  // ends the comparison
  return peer.head_request || peer.interim || status == 204 || status == 304 ? 1 : 0;
}

int on_body(http_parser* parser, const char* at, size_t length) {
  peer_of(parser).body.append(at, length);
  return 0;
}

int on_message_complete(http_parser* parser) {
  Peer& peer = peer_of(parser);
  if (peer.interim) return 0;
  constexpr unsigned kBoth = F_CONNECTION_KEEP_ALIVE | F_CONNECTION_CLOSE;
  const bool odd_1_0 = parser->http_minor == 0 && (peer.coded || (parser->flags & kBoth) == kBoth);
  peer.found.push_back({.status = static_cast<int>(parser->status_code),
                        .body = peer.body,
                        .close = http_should_keep_alive(parser) == 0,
                        .close_compared = peer.closing_comparable && !odd_1_0});
  return 0;
}

// A line end without a CR.
bool has_bare_lf(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) return true;
  }
  return false;
}

std::vector<Found> by_http_parser(std::string_view text, bool head_request, bool eof) {
  http_parser_settings settings;
  http_parser_settings_init(&settings);
  settings.on_message_begin = on_message_begin;
  settings.on_header_field = on_header_field;
  settings.on_header_value = on_header_value;
  settings.on_headers_complete = on_headers_complete;
  settings.on_body = on_body;
  settings.on_message_complete = on_message_complete;
  Peer peer;
  peer.head_request = head_request;
  peer.bare_lf = has_bare_lf(text);
  http_parser parser;
  http_parser_init(&parser, HTTP_RESPONSE);
  parser.data = &peer;
  const size_t used = http_parser_execute(&parser, &settings, text.data(), text.size());
  if (eof && used == text.size() && parser.http_errno == HPE_OK) {
    http_parser_execute(&parser, &settings, nullptr, 0);
  }
  return peer.found;
}

class Collector : public BodySink {
 public:
  void on_body(std::string_view piece) override { body_ += piece; }
  void on_response_end() override {
    bodies_.push_back(body_);
    body_.clear();
  }
  const std::string& body(size_t i) const { return bodies_[i]; }

 private:
  std::string body_;
  std::vector<std::string> bodies_;
};

std::vector<Found> by_session(std::string_view text, bool head_request, bool eof) {
  H1Session session;
  HeadBufferPool pool;
  H1Feed out;
  Collector collector;
  std::vector<Found> found;
  const auto take = [&] {
    for (const H1Response& response : out.finished()) {
      found.push_back({.status = response.status,
                       .body = collector.body(found.size()),
                       .close = response.close_after,
                       .close_compared = true});
    }
  };
  while (!text.empty()) {
    const H1Expect expect{.count = 1000, .head = head_request};
    text.remove_prefix(session.feed(text, expect, pool, &collector, out));
    take();
    if (out.fault || (!found.empty() && found.back().close)) return found;
  }
  if (eof) {
    session.feed_eof(&collector, out);
    take();
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const uint8_t number = input.number();
  const bool head_request = (number & 1) != 0;
  const bool eof = (number & 2) != 0;
  const std::vector<Found> theirs = by_http_parser(input.text(), head_request, eof);
  const std::vector<Found> ours = by_session(input.text(), head_request, eof);
  for (size_t i = 0; i < ours.size() && i < theirs.size(); ++i) {
    Found one = ours[i];
    if (!theirs[i].close_compared) one.close = theirs[i].close;
    one.close_compared = theirs[i].close_compared;
    if (one != theirs[i]) disagree("ours and http-parser's", ours[i].text(), theirs[i].text());
  }
  return 0;
}
