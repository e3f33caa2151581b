#include "base/digest.h"

#include <openssl/evp.h>

#include <cstddef>

#include "base/check.h"

namespace carronade::base {
namespace {

std::string digest_of(const EVP_MD* algorithm, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  // Fails only without memory, or where a policy of the machine forbids the algorithm.
  CHECK(EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm, nullptr) == 1);
  return std::string(digest, digest + size);
}

std::string hex_digest(const EVP_MD* algorithm, std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : digest_of(algorithm, bytes)) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

}  // namespace

std::string md5_hex(std::string_view bytes) { return hex_digest(EVP_md5(), bytes); }
std::string sha1(std::string_view bytes) { return digest_of(EVP_sha1(), bytes); }
std::string sha256_hex(std::string_view bytes) { return hex_digest(EVP_sha256(), bytes); }

}  // namespace carronade::base
