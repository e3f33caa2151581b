#include "http/url_reference.h"

#include <gtest/gtest.h>

#include <string>

namespace carronade::http {
namespace {

std::string resolved(const std::string& base, const std::string& reference) {
  const auto from = parse_url(base);
  if (!from) return "base: " + from.error().text;
  const auto url = resolve_reference(*from, reference);
  return url ? url->origin() + url->target : "error: " + url.error().text;
}

// The examples of RFC 3986 5.4, without those whose scheme is not HTTP's.
TEST(UrlReference, ResolvesTheExamplesOfTheRfc) {
  const std::string base = "http://a/b/c/d;p?q";
  const std::pair<const char*, const char*> cases[] = {
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g/"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q"},
      {"g#s", "http://a/b/c/g"},
      {"g?y#s", "http://a/b/c/g?y"},
      {";x", "http://a/b/c/;x"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g#s/../x", "http://a/b/c/g"},
  };
  for (const auto& [reference, whole] : cases) EXPECT_EQ(resolved(base, reference), whole);
}

TEST(UrlReference, TakesWholeUrls) {
  EXPECT_EQ(resolved("http://a:81/x", "https://b:444/y/../z?q#f"), "https://b:444/z?q");
  EXPECT_EQ(resolved("https://a/x", "//b:82/y"), "https://b:82/y");
  EXPECT_EQ(resolved("http://a/x", "HTTP://B"), "http://b/");
}

TEST(UrlReference, KeepsPortAndCredentialsWithoutAHostOfItsOwn) {
  const Url base = *parse_url("http://u:p@[::1]:8080/x/y?q=1");
  const Url url = *resolve_reference(base, "z");
  EXPECT_EQ(url.origin() + url.target, "http://[::1]:8080/x/z");
  EXPECT_TRUE(url.has_credentials);
  EXPECT_EQ(url.user, "u");
  EXPECT_FALSE(resolve_reference(base, "http://[::1]:8080/x")->has_credentials);
}

TEST(UrlReference, EncodesWhatMayNotStandInARequestLine) {
  EXPECT_EQ(resolved("http://a/", "/s p?x y"), "http://a/s%20p?x%20y");
}

TEST(UrlReference, NamesWhatIsWrong) {
  EXPECT_NE(resolved("http://a/", "ftp://b/").find("scheme"), std::string::npos);
  EXPECT_NE(resolved("http://a/", "mailto:x").find("mailto:x"), std::string::npos);
  EXPECT_NE(resolved("http://a/", "http://:80/").find("no host"), std::string::npos);
}

}  // namespace
}  // namespace carronade::http
