// HOT.
#include "net/tls_transport.h"

#include <fmt/format.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "base/check.h"
#include "net/tls_bio.h"
#include "net/tls_error.h"

namespace carronade::net {

namespace {

// At least a whole record is read ahead. 32 and 64 KiB were no faster for large bodies, and a
// connection holds the buffer while a record is incomplete.
constexpr size_t kReadAheadBytes = 16 * 1024;
constexpr size_t kScratchBytes = 16 * 1024;

std::string without_last_dot(std::string name) {
  if (!name.empty() && name.back() == '.') name.pop_back();
  return name;
}

// Where an SSL keeps a failure that came behind bytes that had to be handed out first: the
// errno, and OpenSSL's code in the upper half.
int late_failure_index() {
  static const int kIndex = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return kIndex;
}

class TlsTransport final : public Transport {
 public:
  explicit TlsTransport(TlsTransportOptions options) : options_(std::move(options)) {
    options_.sni = without_last_dot(std::move(options_.sni));
    options_.verify_host = without_last_dot(std::move(options_.verify_host));
    // OpenSSL takes an empty name for "any name will do".
    CHECK(!options_.verify || !options_.verify_host.empty());
  }

  IoResult handshake(Stream& stream) override;
  IoResult read(Stream& stream, char* into, size_t capacity) override;
  IoResult write(Stream& stream, const char* from, size_t size) override;
  IoResult discard(Stream& stream, size_t size) override {
    return read(stream, scratch_.data(), std::min(size, scratch_.size()));
  }
  bool can_discard() const override { return false; }
  void close(Stream& stream) override;

  std::string failure_text() const override;
  bool failure_is_certificate() const override {
    return ERR_GET_LIB(failure_code_) == ERR_LIB_SSL &&
           ERR_GET_REASON(failure_code_) == SSL_R_CERTIFICATE_VERIFY_FAILED;
  }
  bool resumed(const Stream& stream) const override {
    return stream.ssl != nullptr && SSL_session_reused(stream.ssl.get()) == 1;
  }
  std::string protocol(const Stream& stream) const override {
    return stream.ssl == nullptr ? "" : SSL_get_version(stream.ssl.get());
  }

  std::optional<TlsFacts> facts(const Stream& stream) const override;

  void keep(SSL_SESSION* session) { session_.reset(session); }

 private:
  bool open(Stream& stream);
  bool set_up_client(SSL* ssl);
  IoResult not_done(SSL* ssl, int result);
  IoResult explain_failed_write(SSL* ssl, IoResult failure);
  IoResult fail(int error, unsigned long code = 0);

  TlsTransportOptions options_;
  TlsSocket socket_;
  OpensslOwner<SSL_SESSION> session_;
  // The last failure: 0 when the peer ended the connection inside the handshake.
  unsigned long failure_code_ = 0;
  long verify_result_ = X509_V_OK;
  std::array<char, kScratchBytes> scratch_;
};

IoResult TlsTransport::fail(int error, unsigned long code) {
  failure_code_ = code;
  return {.status = IoStatus::kFail, .error = error};
}

std::optional<TlsFacts> TlsTransport::facts(const Stream& stream) const {
  SSL* const ssl = stream.ssl.get();
  if (ssl == nullptr) return std::nullopt;
  TlsFacts facts;
  facts.protocol = SSL_get_version(ssl);
  facts.cipher = SSL_get_cipher_name(ssl);
  facts.cipher_bits = SSL_get_cipher_bits(ssl, nullptr);
  if (X509* const certificate = SSL_get0_peer_certificate(ssl)) {
    if (EVP_PKEY* const key = X509_get0_pubkey(certificate)) {
      facts.peer_key_bits = EVP_PKEY_get_bits(key);
    }
  }
  EVP_PKEY* temporary = nullptr;
  if (SSL_get_peer_tmp_key(ssl, &temporary) == 1) {
    const OpensslOwner<EVP_PKEY> owner(temporary);
    std::array<char, 64> group{};
    size_t length = 0;
    const bool named = EVP_PKEY_get_group_name(temporary, group.data(), group.size(), &length) == 1;
    facts.temporary_key =
        named ? std::string(group.data(), length) : EVP_PKEY_get0_type_name(temporary);
    facts.temporary_key_bits = EVP_PKEY_get_bits(temporary);
  }
  return facts;
}

bool TlsTransport::open(Stream& stream) {
  stream.ssl.reset(SSL_new(options_.context));
  SSL* ssl = stream.ssl.get();
  BIO* bio = ssl == nullptr ? nullptr : new_tls_bio(&socket_);
  if (bio == nullptr) return false;
  SSL_set_bio(ssl, bio, bio);
  SSL_set_app_data(ssl, this);
  if (options_.server) {
    SSL_set_accept_state(ssl);
    return true;
  }
  SSL_set_connect_state(ssl);
  return set_up_client(ssl);
}

bool TlsTransport::set_up_client(SSL* ssl) {
  if (!options_.sni.empty() && SSL_set_tlsext_host_name(ssl, options_.sni.c_str()) != 1) {
    return false;
  }
  if (options_.verify) {
    const std::string& host = options_.verify_host;
    X509_VERIFY_PARAM* parameters = SSL_get0_param(ssl);
    // The zone of fe80::1%eth0 means something on this machine only.
    const std::string address = host.substr(0, host.find('%'));
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, address.c_str()) != 1) {
      ERR_clear_error();
      X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
      if (X509_VERIFY_PARAM_set1_host(parameters, host.data(), host.size()) != 1) return false;
    }
  }
  if (session_ != nullptr && SSL_SESSION_is_resumable(session_.get()) == 1) {
    SSL_set_session(ssl, session_.get());
  }
  return true;
}

// What a call that did not succeed means. Bytes that came before are the caller's concern.
IoResult TlsTransport::not_done(SSL* ssl, int result) {
  switch (SSL_get_error(ssl, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return {.status = IoStatus::kRetry};
    case SSL_ERROR_ZERO_RETURN:
      return {.status = IoStatus::kOk, .bytes = 0};
    default:
      break;
  }
  // The queue's last error is OpenSSL's TLS layer summing up what the layers below said.
  const unsigned long code = ERR_peek_last_error();
  if (socket_.error != 0) return fail(socket_.error);
  if (code == 0 && socket_.eof) return {.status = IoStatus::kOk, .bytes = 0};
  verify_result_ = SSL_get_verify_result(ssl);
  return fail(0, code == 0 ? ERR_PACK(ERR_LIB_SSL, 0, ERR_R_INTERNAL_ERROR) : code);
}

IoResult TlsTransport::handshake(Stream& stream) {
  ERR_clear_error();
  // Every event is used up to EAGAIN: a peer that hangs up is seen at once.
  socket_.begin(stream.fd.get(), false);
  if (stream.ssl == nullptr && !open(stream)) {
    stream.ssl.reset();
    const unsigned long code = ERR_peek_last_error();
    return code == 0 ? fail(ENOMEM) : fail(0, code);
  }
  SSL* ssl = stream.ssl.get();
  const int result = SSL_do_handshake(ssl);
  if (result == 1) {
    const bool drained = socket_.drained && SSL_has_pending(ssl) == 0;
    return {.status = IoStatus::kOk, .drained = drained};
  }
  const IoResult outcome = not_done(ssl, result);
  if (outcome.status == IoStatus::kOk) return fail(0);  // end of file
  return outcome;
}

IoResult TlsTransport::read(Stream& stream, char* into, size_t capacity) {
  DCHECK(capacity > 0);
  SSL* ssl = stream.ssl.get();
  if (void* late = SSL_get_ex_data(ssl, late_failure_index())) {
    const auto packed = reinterpret_cast<uintptr_t>(late);
    return fail(static_cast<int>(packed & 0xffffffffu), packed >> 32);
  }
  ERR_clear_error();
  socket_.begin(stream.fd.get(), true);
  size_t got = 0;
  while (got < capacity) {
    size_t bytes = 0;
    const int result = SSL_read_ex(ssl, into + got, capacity - got, &bytes);
    if (result != 1) {
      const IoResult outcome = not_done(ssl, result);
      if (got == 0) {
        // Tickets or part of a record came, perhaps with an end of file right behind them.
        const bool looked = socket_.would_block || !socket_.stop_when_drained;
        if (outcome.status != IoStatus::kRetry || looked) return outcome;
        socket_.stop_when_drained = false;
        continue;
      }
      if (outcome.status == IoStatus::kFail) {
        const uintptr_t packed =
            uintptr_t{failure_code_} << 32 | static_cast<unsigned>(outcome.error);
        SSL_set_ex_data(ssl, late_failure_index(), reinterpret_cast<void*>(packed));
      }
      const bool drained = outcome.status == IoStatus::kRetry;
      return {.status = IoStatus::kOk, .bytes = got, .drained = drained};
    }
    got += bytes;
    if (socket_.drained && SSL_has_pending(ssl) == 0) {
      return {.status = IoStatus::kOk, .bytes = got, .drained = true};
    }
  }
  return {.status = IoStatus::kOk, .bytes = got, .drained = false};
}

IoResult TlsTransport::write(Stream& stream, const char* from, size_t size) {
  SSL* ssl = stream.ssl.get();
  ERR_clear_error();
  socket_.begin(stream.fd.get(), false);
  size_t sent = 0;
  while (sent < size) {
    size_t bytes = 0;
    const int result = SSL_write_ex(ssl, from + sent, size - sent, &bytes);
    if (result == 1) {
      sent += bytes;
      continue;
    }
    const IoResult outcome = not_done(ssl, result);
    if (outcome.status == IoStatus::kFail) return explain_failed_write(ssl, outcome);
    if (outcome.status == IoStatus::kOk) return fail(EPIPE);  // closed for writing
    if (sent == 0) return outcome;
    break;
  }
  return {.status = IoStatus::kOk, .bytes = sent};
}

// A peer that refuses us sends an alert and closes: the write fails with "broken pipe" while the
// reason waits to be read.
IoResult TlsTransport::explain_failed_write(SSL* ssl, IoResult failure) {
  if (failure.error != EPIPE && failure.error != ECONNRESET) return failure;
  ERR_clear_error();
  socket_.begin(socket_.fd, true);
  char byte;
  size_t bytes = 0;
  const int result = SSL_peek_ex(ssl, &byte, 1, &bytes);
  if (result == 1) return failure;
  const IoResult reason = not_done(ssl, result);
  if (reason.status == IoStatus::kFail && reason.error == 0) return reason;
  return failure;
}

void TlsTransport::close(Stream& stream) {
  if (stream.ssl != nullptr) {
    ERR_clear_error();
    socket_.begin(stream.fd.get(), true);
    if (SSL_is_init_finished(stream.ssl.get()) == 1) SSL_shutdown(stream.ssl.get());
    ERR_clear_error();
    stream.ssl.reset();
  }
  stream.fd.reset();
}

std::string TlsTransport::failure_text() const {
  if (failure_code_ == 0) {
    return fmt::format("closed by the {} during the TLS handshake",
                       options_.server ? "client" : "server");
  }
  if (failure_is_certificate()) {
    std::string text =
        fmt::format("certificate verify failed: {}", X509_verify_cert_error_string(verify_result_));
    if (verify_result_ == X509_V_ERR_HOSTNAME_MISMATCH ||
        verify_result_ == X509_V_ERR_IP_ADDRESS_MISMATCH) {
      text += fmt::format(" (the certificate is not for {})", options_.verify_host);
    }
    return text;
  }
  std::string text = tls_reason(failure_code_);
  if (!options_.server && ERR_GET_LIB(failure_code_) == ERR_LIB_SSL &&
      ERR_GET_REASON(failure_code_) == SSL_R_WRONG_VERSION_NUMBER) {
    text += " (the server does not speak TLS here)";
  }
  return text;
}

int on_new_session(SSL* ssl, SSL_SESSION* session) {
  static_cast<TlsTransport*>(SSL_get_app_data(ssl))->keep(session);
  return 1;  // the reference is ours now
}

}  // namespace

void SslDeleter::operator()(SSL* ssl) const {
  // As if both sides had said goodbye: OpenSSL bars the session of an unclean end from resumption.
  SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  SSL_free(ssl);
}

std::unique_ptr<Transport> make_tls_transport(TlsTransportOptions options) {
  return std::make_unique<TlsTransport>(std::move(options));
}

void prepare_tls_io(SSL_CTX* context) {
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  // HTTP frames its messages itself, and many servers close without the goodbye of TLS.
  SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, kReadAheadBytes);
}

void keep_tls_sessions(SSL_CTX* context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, on_new_session);
}

}  // namespace carronade::net
