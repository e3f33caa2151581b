#include "net/tls_self_signed.h"

#include <fmt/format.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <cstring>

namespace carronade::net {

namespace {

constexpr long kSecondsPerHour = 3600;
constexpr long kValidSeconds = 7 * 24 * kSecondsPerHour;

bool add_extension(X509* certificate, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509V3_set_ctx_nodb(&context);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

// Browsers and OpenSSL mix up two certificates of one issuer with the same serial number.
bool set_random_serial(X509* certificate) {
  uint64_t serial = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) != 1) return false;
  return ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) == 1;
}

bool set_subject(X509* certificate, const std::string& common_name) {
  X509_NAME* subject = X509_get_subject_name(certificate);
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.data());
  return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, text,
                                    static_cast<int>(common_name.size()), -1, 0) == 1 &&
         X509_set_issuer_name(certificate, subject) == 1;
}

}  // namespace

Expected<CertificateAndKey> make_self_signed(const std::string& common_name,
                                             const std::string& names) {
  ERR_clear_error();
  CertificateAndKey made;
  made.key.reset(EVP_EC_gen("P-256"));
  made.certificate.reset(X509_new());
  X509* certificate = made.certificate.get();
  const bool signed_ok =
      made.key != nullptr && certificate != nullptr &&
      X509_set_version(certificate, X509_VERSION_3) == 1 && set_random_serial(certificate) &&
      X509_gmtime_adj(X509_getm_notBefore(certificate), -kSecondsPerHour) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(certificate), kValidSeconds) != nullptr &&
      set_subject(certificate, common_name) && X509_set_pubkey(certificate, made.key.get()) == 1 &&
      add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
      add_extension(certificate, NID_subject_key_identifier, "hash") &&
      add_extension(certificate, NID_subject_alt_name, names.c_str()) &&
      X509_sign(certificate, made.key.get(), EVP_sha256()) != 0;
  if (!signed_ok) {
    return unexpected(fmt::format("self-signed certificate: {}", take_tls_reason()));
  }
  return made;
}

}  // namespace carronade::net
