#include "base/digest.h"

#include <openssl/evp.h>

#include <cstddef>

#include "base/check.h"

namespace carronade::base {
namespace {

std::string hex_digest(const EVP_MD* algorithm, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  // Fails only without memory, or where a policy of the machine forbids the algorithm.
  CHECK(EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm, nullptr) == 1);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(size_t{2} * size);
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace

std::string md5_hex(std::string_view bytes) { return hex_digest(EVP_md5(), bytes); }
std::string sha256_hex(std::string_view bytes) { return hex_digest(EVP_sha256(), bytes); }

}  // namespace carronade::base
