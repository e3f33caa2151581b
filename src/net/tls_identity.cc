#include "net/tls_identity.h"

#include <fmt/format.h>
#include <openssl/pem.h>

#include <cstring>

#include "net/tls_error.h"

namespace carronade::net {

namespace {

struct Passphrase {
  const std::string& text;
  bool asked = false;  // the file is encrypted
};

int give_passphrase(char* into, int capacity, int, void* data) {
  auto* passphrase = static_cast<Passphrase*>(data);
  if (passphrase == nullptr) return -1;
  passphrase->asked = true;
  const size_t size = passphrase->text.size();
  if (size == 0 || size > static_cast<size_t>(capacity)) return -1;
  std::memcpy(into, passphrase->text.data(), size);
  return static_cast<int>(size);
}

tl::unexpected<Error> file_error(std::string_view what, const std::string& file,
                                 std::string_view reason) {
  ERR_clear_error();
  return unexpected(fmt::format("{} {}: {}", what, file, reason));
}

// Why a PEM file did not give what it should.
std::string pem_reason(std::string_view wanted) {
  const unsigned long code = ERR_peek_error();
  const bool absent =
      ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
  // The decoders of OpenSSL 3 say "unsupported" when nothing in the file suits them.
  const bool unsuited = ERR_GET_LIB(code) == ERR_LIB_OSSL_DECODER || code == 0;
  if (absent || unsuited) return fmt::format("no {} in PEM form in it", wanted);
  return take_tls_reason();
}

Expected<void> use_chain(SSL_CTX* context, std::string_view what, const std::string& file) {
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(context, file.c_str()) == 1) return {};
  return file_error(what, file, pem_reason("certificate"));
}

Expected<OpensslOwner<EVP_PKEY>> read_key(std::string_view what, const std::string& file,
                                          const std::string& passphrase) {
  ERR_clear_error();
  const OpensslOwner<BIO> bio(BIO_new_file(file.c_str(), "r"));
  if (bio == nullptr) return file_error(what, file, take_tls_reason());
  Passphrase answer{passphrase};
  OpensslOwner<EVP_PKEY> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &answer));
  if (key != nullptr) return key;
  if (!answer.asked) return file_error(what, file, pem_reason("private key"));
  if (passphrase.empty()) return file_error(what, file, "is encrypted and needs a passphrase");
  return file_error(what, file, "bad decrypt (wrong passphrase?)");
}

}  // namespace

void forbid_passphrase_prompt(SSL_CTX* context) {
  SSL_CTX_set_default_passwd_cb(context, give_passphrase);
  SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
}

Expected<void> use_pem_identity(SSL_CTX* context, std::string_view who,
                                const std::string& certificate_file, const std::string& key_file,
                                const std::string& passphrase) {
  const std::string key_label = fmt::format("{} key", who);
  if (certificate_file.empty()) {
    return file_error(key_label, key_file, "a certificate is needed with it");
  }
  Expected<void> chain = use_chain(context, fmt::format("{} certificate", who), certificate_file);
  if (!chain) return chain;
  const std::string& file = key_file.empty() ? certificate_file : key_file;
  Expected<OpensslOwner<EVP_PKEY>> key = read_key(key_label, file, passphrase);
  if (!key) return unexpected(key.error());
  if (X509_check_private_key(SSL_CTX_get0_certificate(context), key->get()) != 1) {
    return file_error(key_label, file,
                      fmt::format("does not match the certificate {}", certificate_file));
  }
  if (SSL_CTX_use_PrivateKey(context, key->get()) != 1) {
    return file_error(key_label, file, take_tls_reason());
  }
  return {};
}

Expected<void> use_pkcs12_identity(SSL_CTX* context, std::string_view who, const std::string& file,
                                   const std::string& passphrase) {
  const std::string what = fmt::format("{} PKCS#12 file", who);
  ERR_clear_error();
  const OpensslOwner<BIO> bio(BIO_new_file(file.c_str(), "rb"));
  if (bio == nullptr) return file_error(what, file, take_tls_reason());
  const OpensslOwner<PKCS12> bundle(d2i_PKCS12_bio(bio.get(), nullptr));
  if (bundle == nullptr) return file_error(what, file, "not in PKCS#12 form");
  EVP_PKEY* raw_key = nullptr;
  X509* raw_certificate = nullptr;
  STACK_OF(X509)* raw_chain = nullptr;
  const int parsed =
      PKCS12_parse(bundle.get(), passphrase.c_str(), &raw_key, &raw_certificate, &raw_chain);
  const OpensslOwner<EVP_PKEY> key(raw_key);
  const OpensslOwner<X509> certificate(raw_certificate);
  const OpensslOwner<STACK_OF(X509)> chain(raw_chain);
  if (parsed != 1) {
    const unsigned long code = ERR_peek_last_error();
    const bool bad_mac =
        ERR_GET_LIB(code) == ERR_LIB_PKCS12 && ERR_GET_REASON(code) == PKCS12_R_MAC_VERIFY_FAILURE;
    std::string reason = tls_reason(code);
    return file_error(what, file, bad_mac ? reason + " (wrong passphrase?)" : reason);
  }
  if (key == nullptr || certificate == nullptr) {
    return file_error(what, file, "holds no pair of certificate and key");
  }
  if (SSL_CTX_use_cert_and_key(context, certificate.get(), key.get(), chain.get(), 1) != 1) {
    return file_error(what, file, take_tls_reason());
  }
  return {};
}

}  // namespace carronade::net
