// OpenSSL's objects as owners, and its error queue as text.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

#include "net/tls_context.h"

namespace carronade::net {

struct OpensslDeleter {
  void operator()(BIO* bio) const { BIO_free_all(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(PKCS12* file) const { PKCS12_free(file); }
  void operator()(SSL_SESSION* session) const { SSL_SESSION_free(session); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(STACK_OF(X509) * chain) const { sk_X509_pop_free(chain, X509_free); }
};
template <class T>
using OpensslOwner = std::unique_ptr<T, OpensslDeleter>;
using SslCtxOwner = std::unique_ptr<SSL_CTX, SslCtxDeleter>;

// The reason of one packed OpenSSL error ("bad decrypt", "No such file or directory").
std::string tls_reason(unsigned long code);
// The reason of this thread's first queued error, that is the innermost one; empties the queue.
std::string take_tls_reason();

}  // namespace carronade::net
