#include "base/digest.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"

namespace carronade::base {
namespace {

// The examples of RFC 1321 A.5 and of NIST's FIPS 180.
TEST(Digest, Md5) {
  EXPECT_EQ(md5_hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5_hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(md5_hex("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
}

// The example of RFC 6455 1.3.
TEST(Digest, Sha1) {
  EXPECT_EQ(base64(sha1("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11")),
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(sha1("").size(), 20u);
}

TEST(Digest, Sha256) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, TakesAnyBytes) {
  EXPECT_EQ(md5_hex(std::string("\0", 1)), "93b885adfe0da089cdf634904fd59f71");
}

}  // namespace
}  // namespace carronade::base
