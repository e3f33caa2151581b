#include <gtest/gtest.h>

#include "dialects/carronade/har_file.h"
#include "dialects/carronade/har_requests.h"

namespace carronade::dialects {
namespace {

constexpr const char* kOrigin = "http://127.0.0.1:8080";

std::string har(const std::string& entries) { return R"({"log": {"entries": [)" + entries + "]}}"; }

std::string entry(const std::string& method, const std::string& url,
                  const std::string& headers = "", const std::string& more = "") {
  return R"({"request": {"method": ")" + method + R"(", "url": ")" + url + R"(", "headers": [)" +
         headers + "]" + more + "}}";
}

std::string field(const std::string& name, const std::string& value) {
  return R"({"name": ")" + name + R"(", "value": ")" + value + "\"}";
}

std::string parse_error(const std::string& text, Form form = Form::kPlain) {
  const auto entries = parse_har(text, "x.har", form);
  return entries ? "" : entries.error().text;
}

struct Applied {
  std::vector<Target> targets;
  std::string error;
  bool exits_ok = false;

  const std::vector<Request>& sequence(size_t i = 0) const { return targets.at(i).sequence; }
};

Applied applied_to(const std::string& text, Form form = Form::kPlain, Request given = {},
                   const std::vector<std::string>& urls = {std::string(kOrigin) + "/mine"}) {
  Applied applied;
  const auto entries = parse_har(text, "x.har", form);
  if (!entries) return {{}, entries.error().text};
  for (const std::string& url : urls) {
    applied.targets.push_back(Target{parse_url(url).value(), given, {}});
  }
  const SpecResult done = apply_har(*entries, "x.har", form, applied.targets);
  if (!done) return {{}, done.error().text, done.error().strict_exits_ok};
  return applied;
}

std::string headers_of(const Request& request) {
  std::string all;
  for (const Header& header : request.headers) all += header.name + ": " + header.value + "\n";
  return all;
}

TEST(HarFile, Entries) {
  const auto entries =
      parse_har(har(entry("GET", "HTTPS://Httpbin.org:443/get?a=b c#fr ag", field("X", "1")) + "," +
                    entry("POST", "http://h:81", "",
                          R"(, "postData": {"mimeType": "a/b", "text": "x\u00e9"})")),
                "x.har", Form::kPlain);
  ASSERT_TRUE(entries) << entries.error().text;
  ASSERT_EQ(entries->size(), 2U);
  const HarEntry& first = entries->at(0);
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(first.origin, "https://httpbin.org");
  EXPECT_EQ(first.url->target, "/get?a=b%20c");
  EXPECT_EQ(first.fragment, "#fr%20ag");
  EXPECT_EQ(headers_of(first.request), "X: 1\n");
  EXPECT_FALSE(first.has_body);
  EXPECT_EQ(entries->at(1).origin, "http://h:81");
  EXPECT_EQ(entries->at(1).request.body, "x\xc3\xa9");
  EXPECT_TRUE(entries->at(1).has_body);
}

TEST(HarFile, OtherSchemesAreNoFault) {
  const auto entries =
      parse_har(har(entry("GET", "wss://h/x") + "," + entry("GET", "data:text/plain,x")), "x.har",
                Form::kPlain);
  ASSERT_TRUE(entries) << entries.error().text;
  EXPECT_FALSE(entries->at(0).url);
  EXPECT_EQ(entries->at(0).origin, "wss://h");
  EXPECT_EQ(entries->at(1).origin, "data:");
}

TEST(HarFile, BodiesRecordedAsFields) {
  const std::string params = R"(, "postData": {"mimeType": "TYPE", "params": [)"
                             R"({"name": "a b", "value": "\u00e9&"}, {"name": "c"}]})";
  std::string form = params;
  form.replace(form.find("TYPE"), 4, "application/x-www-form-urlencoded; charset=utf-8");
  const Applied applied = applied_to(har(entry("POST", kOrigin, "", form)));
  EXPECT_EQ(applied.sequence().at(0).body, "a+b=%C3%A9%26&c=");
  EXPECT_EQ(parse_error(har(entry("POST", kOrigin, "", params))),
            "--har x.har: entry #1: its body is not recorded, only the names of the parts");
}

TEST(HarFile, Errors) {
  const std::string bad_url = entry("GET", "http://");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{}", "no entries found"},
      {R"({"log": {"entries": []}})", "no entries found"},
      {"[]", "no entries found"},
      {har(R"({"request": 1})"), "invalid request in entry #1"},
      {har(entry("GET", kOrigin) + R"(, {"request": {"url": "x"}})"),
       "invalid headers array in entry #2"},
      {har(entry("GET", kOrigin, field("a", "b") + R"(, {"name": "c"})")),
       "invalid name or value in header #2 of entry #1"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_EQ(parse_error(text), "--har x.har: " + reason);
    EXPECT_EQ(parse_error(text, Form::kStrict),
              "Error: Failed to load HAR file content: Could not parse HAR content: " + reason);
  }
  EXPECT_TRUE(parse_error(har(bad_url)).starts_with("--har x.har: invalid URL in entry #1: URL "));
  EXPECT_EQ(parse_error(har(bad_url), Form::kStrict),
            "Error: Failed to load HAR file content: Could not parse HAR content: Invalid URL");
  EXPECT_EQ(parse_error(har(R"({"request": {"url": "http://h", "headers": []}})")),
            "--har x.har: entry #1 has no method");
  EXPECT_EQ(parse_error("{\"a\":\n x}"),
            "--har x.har: it is no JSON: unexpected 'x' in line 2, column 2");
  EXPECT_EQ(parse_error("hello", Form::kStrict),
            "Error: Failed to load HAR file content: Unexpected token 'h' in line 1, column 1");
  EXPECT_EQ(parse_error("{", Form::kStrict),
            "Error: Failed to load HAR file content: Unexpected end of JSON input");
  EXPECT_EQ(read_har("/nowhere", Form::kPlain).error().text,
            "--har: open /nowhere: No such file or directory");
  EXPECT_EQ(read_har("/nowhere", Form::kStrict).error().text,
            "Error: Failed to load HAR file content: ENOENT: no such file or directory, open "
            "'/nowhere'");
}

TEST(HarRequests, EachTargetHasTheEntriesOfItsOrigin) {
  const std::string text =
      har(entry("GET", "http://a/1") + "," + entry("GET", "https://b:8443/2") + "," +
          entry("PUT", "http://a:80/3") + "," + entry("GET", "http://c/4"));
  const Applied applied = applied_to(text, Form::kPlain, {}, {"http://a/", "https://b:8443/x"});
  ASSERT_EQ(applied.error, "");
  ASSERT_EQ(applied.sequence(0).size(), 2U);
  EXPECT_EQ(applied.sequence(0)[0].path, "/1");
  EXPECT_EQ(applied.sequence(0)[1].path, "/3");
  EXPECT_EQ(applied.sequence(0)[1].method, "PUT");
  ASSERT_EQ(applied.sequence(1).size(), 1U);
  EXPECT_EQ(applied.sequence(1)[0].path, "/2");
  const auto entries = parse_har(text, "x.har", Form::kPlain);
  EXPECT_EQ(skipped_origins(*entries, applied.targets),
            std::vector<std::string>{
                "skipping requests to 'http://c' as the target is http://a, https://b:8443"});
}

TEST(HarRequests, ATargetWithoutEntries) {
  const std::string text = har(entry("GET", "https://b/2") + "," + entry("GET", "https://c/2"));
  EXPECT_EQ(applied_to(text).error,
            "--har x.har has no entry for http://127.0.0.1:8080; it has them for https://b, "
            "https://c");
  EXPECT_TRUE(applied_to(text, Form::kStrict).sequence().empty());
}

TEST(HarRequests, PlainHeaders) {
  const std::string recorded =
      field(":authority", "h") + "," + field("Connection", "X-Hop, close") + "," +
      field("x-hop", "1") + "," + field("Host", "other") + "," + field("content-length", "9") +
      "," + field("Transfer-Encoding", "chunked") + "," + field("accept", "b") + "," +
      field("Cookie", "c=1") + "," + field("Cookie", "d=2");
  Request given;
  given.headers = {{"Accept", "a"}, {"X-Mine", "1"}, {"Host", "virtual"}};
  given.body = "unused";
  const Applied applied = applied_to(
      har(entry("PURGE", std::string(kOrigin) + "/p#frag", recorded)), Form::kPlain, given);
  ASSERT_EQ(applied.error, "");
  const Request& request = applied.sequence().at(0);
  EXPECT_EQ(headers_of(request), "X-Mine: 1\nHost: virtual\naccept: b\nCookie: c=1\nCookie: d=2\n");
  EXPECT_EQ(request.method, "PURGE");
  EXPECT_EQ(request.path, "/p");
  EXPECT_EQ(request.body, "");
}

TEST(HarRequests, StrictHeaders) {
  const std::string recorded = field(":authority", "h") + "," + field("X-D", "1") + "," +
                               field("Host", "httpbin.org") + "," + field("X-D", "2") + "," +
                               field("Connection", "keep-alive") + "," + field("user-agent", "har");
  Request given;
  given.headers = {{"User-Agent", "mine"}, {"X-D", "0"}};
  given.body = "sent";
  const Applied applied =
      applied_to(har(entry("GET", std::string(kOrigin) + "/p?a#frag", recorded) + "," +
                     entry("POST", kOrigin, "", R"(, "postData": {"text": ""})")),
                 Form::kStrict, given);
  ASSERT_EQ(applied.error, "");
  const Request& request = applied.sequence().at(0);
  EXPECT_EQ(headers_of(request),
            "Connection: keep-alive\nUser-Agent: mine\nX-D: 2\nHost: httpbin.org\n"
            "Connection: keep-alive\nuser-agent: har\n");
  EXPECT_EQ(request.path, "/p?a#frag");
  EXPECT_EQ(request.body, "sent");
  EXPECT_EQ(applied.sequence().at(1).body, "");
}

TEST(HarRequests, RequestsThatCannotBeSent) {
  EXPECT_EQ(applied_to(har(entry("A B", kOrigin))).error,
            "--har x.har: entry #1: method \"A B\" is not an HTTP token");
  EXPECT_EQ(
      applied_to(har(entry("GET", kOrigin) + "," + entry("GET", kOrigin, field("a b", "")))).error,
      "--har x.har: entry #2: \"a b\" is no name of a header");
  EXPECT_EQ(applied_to(har(entry("GET", kOrigin, field("a", "b\\r\\nc")))).error,
            "--har x.har: entry #1: the value of header a holds a line break or a NUL");
  EXPECT_TRUE(
      applied_to(har(entry("CONNECT", kOrigin))).error.starts_with("--har x.har: entry #1: "));
  const Applied strict = applied_to(har(entry("FOO", kOrigin)), Form::kStrict);
  EXPECT_EQ(strict.error, "FOO HTTP method is not supported");
  EXPECT_TRUE(strict.exits_ok);
}

}  // namespace
}  // namespace carronade::dialects
