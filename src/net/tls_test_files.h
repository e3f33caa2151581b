// PEM and PKCS#12 files for the tests of TLS.
#pragma once

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>

#include <string>
#include <utility>
#include <vector>

#include "carronade/run_spec.h"
#include "net/tls_self_signed.h"

namespace carronade::net {

inline TlsSpec trusting(std::vector<std::string> ca_files) {
  TlsSpec spec;
  spec.verify = true;
  spec.ca_files = std::move(ca_files);
  return spec;
}

inline TlsSpec showing(const std::string& certificate_file, const std::string& key_file = "",
                       const std::string& passphrase = "") {
  TlsSpec spec;
  spec.certificate_file = certificate_file;
  spec.key_file = key_file;
  spec.passphrase = passphrase;
  return spec;
}

inline TlsSpec showing_pkcs12(const std::string& file, const std::string& passphrase = "") {
  TlsSpec spec;
  spec.pkcs12_file = file;
  spec.passphrase = passphrase;
  return spec;
}

inline TlsSpec trusting_text(std::vector<std::string> ca_pem) {
  TlsSpec spec;
  spec.verify = true;
  spec.ca_pem = std::move(ca_pem);
  return spec;
}

inline TlsSpec showing_text(const std::string& certificate_pem, const std::string& key_pem = "",
                            const std::string& passphrase = "") {
  TlsSpec spec;
  spec.certificate_pem = certificate_pem;
  spec.key_pem = key_pem;
  spec.passphrase = passphrase;
  return spec;
}

inline void write_certificate(const CertificateAndKey& identity, const std::string& file) {
  const OpensslOwner<BIO> bio(BIO_new_file(file.c_str(), "a"));
  ASSERT_EQ(PEM_write_bio_X509(bio.get(), identity.certificate.get()), 1);
}

// With a passphrase unless that is "".
inline void write_key(const CertificateAndKey& identity, const std::string& file,
                      const std::string& passphrase) {
  const OpensslOwner<BIO> bio(BIO_new_file(file.c_str(), "a"));
  const EVP_CIPHER* cipher = passphrase.empty() ? nullptr : EVP_aes_128_cbc();
  ASSERT_EQ(PEM_write_bio_PKCS8PrivateKey(bio.get(), identity.key.get(), cipher, passphrase.data(),
                                          static_cast<int>(passphrase.size()), nullptr, nullptr),
            1);
}

inline void write_pkcs12(const CertificateAndKey& identity, const std::string& file,
                         const std::string& passphrase) {
  const OpensslOwner<PKCS12> bundle(PKCS12_create(passphrase.c_str(), "test", identity.key.get(),
                                                  identity.certificate.get(), nullptr, 0, 0, 0, 0,
                                                  0));
  ASSERT_NE(bundle, nullptr);
  const OpensslOwner<BIO> bio(BIO_new_file(file.c_str(), "wb"));
  ASSERT_EQ(i2d_PKCS12_bio(bio.get(), bundle.get()), 1);
}

}  // namespace carronade::net
