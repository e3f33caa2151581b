#include "net/tls_identity.h"

#include <fmt/format.h>
#include <openssl/pem.h>

#include <climits>
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

// "client certificate /x.pem", "client certificate (given as text)".
std::string named(std::string_view who, std::string_view what, const TlsSource& source) {
  if (source.contents.empty()) return fmt::format("{} {} {}", who, what, source.file);
  return fmt::format("{} {} (given as text)", who, what);
}

tl::unexpected<Error> failure(std::string_view name, std::string_view reason) {
  ERR_clear_error();
  return unexpected(fmt::format("{}: {}", name, reason));
}

// Null when a file cannot be opened, or contents are too large for OpenSSL. `source` must outlive
// it.
OpensslOwner<BIO> open_source(const TlsSource& source) {
  ERR_clear_error();
  if (source.contents.empty()) return OpensslOwner<BIO>(BIO_new_file(source.file.c_str(), "rb"));
  if (source.contents.size() > INT_MAX) return nullptr;
  return OpensslOwner<BIO>(
      BIO_new_mem_buf(source.contents.data(), static_cast<int>(source.contents.size())));
}

bool no_pem(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
}

// Why PEM did not give what it should.
std::string pem_reason(std::string_view wanted) {
  const unsigned long code = ERR_peek_error();
  // The decoders of OpenSSL 3 say "unsupported" when nothing in the file suits them.
  const bool unsuited = ERR_GET_LIB(code) == ERR_LIB_OSSL_DECODER || code == 0;
  if (no_pem(code) || unsuited) return fmt::format("no {} in PEM form in it", wanted);
  return take_tls_reason();
}

// Calls use(certificate) for each one, which says whether OpenSSL took it. False when there is
// none, or one is damaged or refused; OpenSSL's errors say why.
template <class Use>
bool each_certificate(BIO* bio, Use use) {
  int count = 0;
  while (const OpensslOwner<X509> certificate{
      PEM_read_bio_X509_AUX(bio, nullptr, give_passphrase, nullptr)}) {
    if (!use(certificate.get(), count)) return false;
    ++count;
  }
  if (count == 0 || !no_pem(ERR_peek_last_error())) return false;
  ERR_clear_error();
  return true;
}

Expected<void> use_chain(SSL_CTX* context, const std::string& name, const TlsSource& source) {
  const OpensslOwner<BIO> bio = open_source(source);
  if (bio == nullptr) return failure(name, take_tls_reason());
  const bool used = each_certificate(bio.get(), [context](X509* certificate, int place) {
    if (place == 0) return SSL_CTX_use_certificate(context, certificate) == 1;
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
  });
  if (used) return {};
  return failure(name, pem_reason("certificate"));
}

Expected<OpensslOwner<EVP_PKEY>> read_key(const std::string& name, const TlsSource& source,
                                          const std::string& passphrase) {
  const OpensslOwner<BIO> bio = open_source(source);
  if (bio == nullptr) return failure(name, take_tls_reason());
  Passphrase answer{passphrase};
  OpensslOwner<EVP_PKEY> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &answer));
  if (key != nullptr) return key;
  if (!answer.asked) return failure(name, pem_reason("private key"));
  if (passphrase.empty()) return failure(name, "is encrypted and needs a passphrase");
  return failure(name, "bad decrypt (wrong passphrase?)");
}

std::string pkcs12_reason() {
  const unsigned long code = ERR_peek_last_error();
  const bool bad_mac =
      ERR_GET_LIB(code) == ERR_LIB_PKCS12 && ERR_GET_REASON(code) == PKCS12_R_MAC_VERIFY_FAILURE;
  std::string reason = tls_reason(code);
  return bad_mac ? reason + " (wrong passphrase?)" : reason;
}

}  // namespace

void forbid_passphrase_prompt(SSL_CTX* context) {
  SSL_CTX_set_default_passwd_cb(context, give_passphrase);
  SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
}

Expected<void> use_pem_identity(SSL_CTX* context, std::string_view who,
                                const TlsSource& certificate, const TlsSource& key,
                                const std::string& passphrase) {
  const std::string certificate_name = named(who, "certificate", certificate);
  const TlsSource& key_source = key.empty() ? certificate : key;
  const std::string key_name = named(who, "key", key_source);
  if (certificate.empty()) return failure(key_name, "a certificate is needed with it");
  Expected<void> chain = use_chain(context, certificate_name, certificate);
  if (!chain) return chain;
  Expected<OpensslOwner<EVP_PKEY>> own = read_key(key_name, key_source, passphrase);
  if (!own) return unexpected(own.error());
  if (X509_check_private_key(SSL_CTX_get0_certificate(context), own->get()) != 1) {
    const std::string of = certificate.contents.empty() ? " " + certificate.file : "";
    return failure(key_name, "does not match the certificate" + of);
  }
  if (SSL_CTX_use_PrivateKey(context, own->get()) != 1) {
    return failure(key_name, take_tls_reason());
  }
  return {};
}

Expected<void> use_pkcs12_identity(SSL_CTX* context, std::string_view who, const TlsSource& source,
                                   const std::string& passphrase) {
  const std::string name = source.contents.empty()
                               ? fmt::format("{} PKCS#12 file {}", who, source.file)
                               : fmt::format("{} PKCS#12 (given as bytes)", who);
  const OpensslOwner<BIO> bio = open_source(source);
  if (bio == nullptr) return failure(name, take_tls_reason());
  const OpensslOwner<PKCS12> bundle(d2i_PKCS12_bio(bio.get(), nullptr));
  if (bundle == nullptr) return failure(name, "not in PKCS#12 form");
  EVP_PKEY* raw_key = nullptr;
  X509* raw_certificate = nullptr;
  STACK_OF(X509)* raw_chain = nullptr;
  const int parsed =
      PKCS12_parse(bundle.get(), passphrase.c_str(), &raw_key, &raw_certificate, &raw_chain);
  const OpensslOwner<EVP_PKEY> key(raw_key);
  const OpensslOwner<X509> certificate(raw_certificate);
  const OpensslOwner<STACK_OF(X509)> chain(raw_chain);
  if (parsed != 1) return failure(name, pkcs12_reason());
  if (key == nullptr || certificate == nullptr) {
    return failure(name, "holds no pair of certificate and key");
  }
  if (SSL_CTX_use_cert_and_key(context, certificate.get(), key.get(), chain.get(), 1) != 1) {
    return failure(name, take_tls_reason());
  }
  return {};
}

Expected<void> trust_pem_text(SSL_CTX* context, const std::string& text) {
  const std::string name = "CA certificate (given as text)";
  const TlsSource source{"", text};
  const OpensslOwner<BIO> bio = open_source(source);
  if (bio == nullptr) return failure(name, take_tls_reason());
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  const bool trusted = each_certificate(bio.get(), [store](X509* certificate, int) {
    return X509_STORE_add_cert(store, certificate) == 1;
  });
  if (trusted) return {};
  return failure(name, pem_reason("certificate"));
}

}  // namespace carronade::net
