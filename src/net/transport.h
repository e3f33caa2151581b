// HOT. Five calls with a three-way answer: what differs between plain and TLS sockets. A
// transport holds no connection state (that is in Stream), so one serves all connections of a
// thread that go to the same kind of target. Not thread-safe: one per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "carronade/run_result.h"

typedef struct ssl_st SSL;

namespace carronade::net {

enum class IoStatus : uint8_t { kOk, kRetry, kFail };

struct IoResult {
  IoStatus status;
  // kOk only. read: 0 means end of file.
  size_t bytes = 0;
  // read, discard and handshake, kOk: nothing more is there for now; the next bytes bring a new
  // event. When false the caller must read again without waiting for one. True does not tell of
  // an end of file that came with the last bytes: after a hang-up event read until 0 bytes.
  bool drained = true;
  // kFail: the errno, or 0 when only failure_text has the reason.
  int error = 0;
};

struct SslDeleter {
  void operator()(SSL* ssl) const;
};

// The state of one connection's bytes.
struct Stream {
  base::UniqueFd fd;
  std::unique_ptr<SSL, SslDeleter> ssl;  // TLS only
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Drives the handshake once the socket is connected: kOk when bytes can flow, kRetry to call
  // again on the next event of either kind.
  virtual IoResult handshake(Stream& stream) = 0;
  // At least one byte of capacity. kRetry: nothing is there, not even an end of file.
  virtual IoResult read(Stream& stream, char* into, size_t capacity) = 0;
  // kOk with fewer bytes than `size`, or kRetry: the socket is full, call again on EPOLLOUT with
  // the rest. The rest must begin with the same bytes (they may have moved) and not be shorter:
  // a TLS record may be under way with them.
  virtual IoResult write(Stream& stream, const char* from, size_t size) = 0;
  // Throws away up to `size` received bytes; same answer as read. can_discard: without copying
  // them to user space; otherwise it is no cheaper than read.
  virtual IoResult discard(Stream& stream, size_t size) = 0;
  virtual bool can_discard() const = 0;
  // Says goodbye (TLS close_notify, best effort) and closes the descriptor.
  virtual void close(Stream& stream) = 0;

  // Why the last call on this thread failed with error 0; one line without the address.
  virtual std::string failure_text() const = 0;
  // The failure was the peer's certificate being refused.
  virtual bool failure_is_certificate() const { return false; }
  // Whether the handshake resumed an earlier session, and what was agreed ("TLSv1.3").
  virtual bool resumed(const Stream&) const { return false; }
  virtual std::string protocol(const Stream&) const { return ""; }
  // All that the handshake agreed on; nothing without TLS.
  virtual std::optional<TlsFacts> facts(const Stream&) const { return std::nullopt; }
};

// `tcp` false: for Unix sockets, where the kernel cannot discard.
std::unique_ptr<Transport> make_plain_transport(bool tcp);

}  // namespace carronade::net
