#include "dialects/vegeta/vegeta_targets.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "dialects/vegeta/vegeta_target_json.h"

namespace carronade::dialects::vegeta {
namespace {

base::UniqueFd file_of(const std::string& text) {
  base::UniqueFd fd(::memfd_create("targets", MFD_CLOEXEC));
  EXPECT_EQ(::write(fd.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

// Each target as "METHOD URL|name: value|…|body"; an error ends the list as "error: …".
std::vector<std::string> read(const char* format, const std::string& text,
                              TargetDefaults defaults = {}) {
  auto reader = make_target_reader(format, LineReader(file_of(text)), std::move(defaults));
  std::vector<std::string> seen;
  while (true) {
    const auto target = (*reader)->next();
    if (!target) {
      seen.push_back("error: " + target.error().text);
      return seen;
    }
    if (!*target) return seen;
    std::string shown = (*target)->method + " " + (*target)->url_text;
    for (const Header& header : (*target)->headers) {
      shown += "|" + header.name + ": " + header.value;
    }
    if ((*target)->body) shown += "|" + *(*target)->body;
    seen.push_back(shown);
  }
}

using Seen = std::vector<std::string>;

TEST(VegetaHttpTargets, ReadsBlocks) {
  EXPECT_EQ(read("http", "# first\n\nGET http://h/a\nX-A: 1\nx-a:2\n\nPOST http://h/b\n"),
            (Seen{"GET http://h/a|X-A: 1|x-a: 2", "POST http://h/b"}));
}

TEST(VegetaHttpTargets, TakesCrlfBlanksAndAMissingLineEnd) {
  EXPECT_EQ(read("http", "  GET http://h/a \r\n\tK : v w \r\n\r\n\r\nPUT http://h/b"),
            (Seen{"GET http://h/a|K: v w", "PUT http://h/b"}));
}

TEST(VegetaHttpTargets, NeedsNoEmptyLineBetweenTargets) {
  EXPECT_EQ(read("http", "GET http://h/1\nGET http://h/2\nSUBSCRIBE http://h/3\n"),
            (Seen{"GET http://h/1", "GET http://h/2", "SUBSCRIBE http://h/3"}));
  // vegeta takes these for headers.
  EXPECT_EQ(read("http", "GET http://h/1\n# c\nGET http://h/2\nK: v\nGET http://h/3\n"),
            (Seen{"GET http://h/1", "GET http://h/2|K: v", "GET http://h/3"}));
  EXPECT_EQ(read("http", "GET http://h/1\nHOST : x\n"), (Seen{"GET http://h/1|HOST: x"}));
}

TEST(VegetaHttpTargets, ReadsBodies) {
  const std::string path = ::testing::TempDir() + "vegeta_targets_body";
  const base::UniqueFd fd(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600));
  ASSERT_EQ(::write(fd.get(), "bytes\n", 6), 6);
  TargetDefaults defaults{.headers = {{"D", "1"}},
                          .body = std::make_shared<const std::string>("default"),
                          .share_bodies = true};
  EXPECT_EQ(read("http",
                 "POST http://h/\nK: v\n@" + path + "\nPOST http://h/2\n@" + path +
                     "\n\nGET http://h/3\n",
                 defaults),
            (Seen{"POST http://h/|D: 1|K: v|bytes\n", "POST http://h/2|D: 1|bytes\n",
                  "GET http://h/3|D: 1|default"}));
  ::unlink(path.c_str());
}

TEST(VegetaHttpTargets, NamesTheFaultAndItsLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"\nGET\n", "error: bad target: GET (line 2)"},
      {"get http://h/\n", "error: bad method: get (line 1)"},
      {"GET\thttp://h/\n", "error: bad target: GET\thttp://h/ (line 1)"},
      {"GET http://h/\nnocolon\n", "error: bad header: nocolon (line 2)"},
      {"GET http://h/\nk:\n", "error: bad header: k: (line 2)"},
      {"GET http://h/\n: v\n", "error: bad header: : v (line 2)"},
      {"GET http://h/\n@/nowhere\n",
       "error: bad body: open /nowhere: no such file or directory (line 2)"},
      {"CONNECT http://h/\n",
       "error: bad method: CONNECT asks for a tunnel, not for an answer (line 1)"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(read("http", text), Seen{error});
  for (const char* url : {" http://h/", "/path", "ftp://h/", "http://h:x/"}) {
    const Seen seen = read("http", "GET http://h/\n\nGET " + std::string(url) + "\n");
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[1].rfind("error: bad URL: " + std::string(url) + ", ", 0), 0U) << seen[1];
    EXPECT_TRUE(seen[1].ends_with("(line 3)")) << seen[1];
  }
}

TEST(VegetaHttpTargets, TakesLinesOfAnyLength) {
  const std::string value(200'000, 'v');
  EXPECT_EQ(read("http", "GET http://h/\nK: " + value + "\n\nGET http://h/2\n"),
            (Seen{"GET http://h/|K: " + value, "GET http://h/2"}));
}

TEST(VegetaJsonTargets, ReadsLines) {
  const TargetDefaults defaults{.headers = {{"x", "bar"}},
                                .body = std::make_shared<const std::string>("default")};
  EXPECT_EQ(read("json",
                 "\n  {\"method\":\"POST\",\"url\":\"http://h/\",\"body\":\"Rk9P\","
                 "\"header\":{\"x\":[\"foo\",\"fuu\"]},\"other\":1} \n"
                 "{\"method\":\"GET\",\"url\":\"http://h/2\"}",
                 defaults),
            (Seen{"POST http://h/|x: bar|x: foo|x: fuu|FOO", "GET http://h/2|x: bar|default"}));
}

TEST(VegetaJsonTargets, NamesTheFaultAndItsLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}\n", "error: target: required method is missing (line 1)"},
      {"\n{\"method\":\"\"}\n", "error: target: required method is missing (line 2)"},
      {"{\"method\":\"GET\"}\n", "error: target: required url is missing (line 1)"},
      {"{\"method\":\"GET\",\"url\":\"http://h\",\"body\":\"NOT BASE64\"}\n",
       "error: parse error: illegal base64 data in body (line 1)"},
      {"nonsense\n", "error: parse error: this is no JSON (line 1)"},
      {"[1]\n", "error: parse error: this is no object (line 1)"},
      {"{\"method\":1}\n", "error: parse error: method is no string (line 1)"},
      {"{\"method\":\"a b\",\"url\":\"http://h\"}\n", "error: bad method: a b (line 1)"},
      {"{\"method\":\"GET\",\"url\":\"http://h\",\"header\":{\"a\":[\"b\\r\\nc\"]}}\n",
       "error: bad header: a: b\r\nc (line 1)"},
      {"{\"method\":\"GET\",\"url\":\"http://h\",\"header\":{\"a\":\"b\"}}\n",
       "error: parse error: header is no object of lists of strings, as {\"K\":[\"v\"]} (line 1)"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(read("json", text), Seen{error});
}

TEST(VegetaTargets, KnowsTwoFormats) {
  const auto reader = make_target_reader("x", LineReader(file_of("")), {});
  ASSERT_FALSE(reader.has_value());
  EXPECT_EQ(reader.error().text, "format \"x\" isn't one of [http, json]");
}

}  // namespace
}  // namespace carronade::dialects::vegeta
