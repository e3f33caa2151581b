#include "http/multipart.h"

#include <gtest/gtest.h>

namespace carronade::http {
namespace {

TEST(Multipart, PartsInTheirOrder) {
  const std::vector<FormPart> parts = {
      {"name", std::nullopt, "", "J. Doe"},
      {"photo", "me.png", "image/png", std::string("\x89PNG\r\n\0", 7)},
      {"empty", std::nullopt, "", ""},
  };
  EXPECT_EQ(multipart_body(parts, "XX"),
            std::string("--XX\r\n"
                        "Content-Disposition: form-data; name=\"name\"\r\n\r\n"
                        "J. Doe\r\n"
                        "--XX\r\n"
                        "Content-Disposition: form-data; name=\"photo\"; filename=\"me.png\"\r\n"
                        "Content-Type: image/png\r\n\r\n"
                        "\x89PNG\r\n") +
                std::string("\0", 1) +
                "\r\n"
                "--XX\r\n"
                "Content-Disposition: form-data; name=\"empty\"\r\n\r\n"
                "\r\n"
                "--XX--\r\n");
  EXPECT_EQ(multipart_body({}, "XX"), "--XX--\r\n");
}

TEST(Multipart, NamesCannotEndTheirLine) {
  const std::string body = multipart_body({{"a\"b\r\nc", "d\"\n", "", ""}}, "X");
  EXPECT_NE(body.find("name=\"a%22b%0D%0Ac\"; filename=\"d%22%0A\"\r\n\r\n"), std::string::npos)
      << body;
}

TEST(Multipart, EveryBoundaryIsANewOne) {
  const std::string one = multipart_boundary();
  EXPECT_EQ(one.size(), 50U);
  EXPECT_EQ(one.find_first_not_of('-'), 26U);
  EXPECT_EQ(one.find_first_not_of("0123456789abcdef", 26), std::string::npos);
  EXPECT_NE(one, multipart_boundary());
  EXPECT_EQ(multipart_type("b"), "multipart/form-data; boundary=b");
}

TEST(Multipart, MediaTypesByExtension) {
  EXPECT_EQ(media_type_of("a.json"), "application/json");
  EXPECT_EQ(media_type_of("/x.y/A.JPG"), "image/jpeg");
  EXPECT_EQ(media_type_of("archive.tar.gz"), "application/gzip");
  for (const char* path : {"", "x", "/a.png/x", "a.", "a.nothing", "a.zipp"}) {
    EXPECT_EQ(media_type_of(path), "application/octet-stream") << path;
  }
}

}  // namespace
}  // namespace carronade::http
