#include "net/resolve.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

namespace carronade::net {

namespace {

constexpr int64_t kCancelPollNs = 20'000'000;

// What the caller and the lookup thread share. The last of the two owners deletes it, since
// either may be gone first.
struct Lookup {
  Lookup(std::string name, uint16_t port_number, LookupFunction look_up)
      : host(std::move(name)), port(port_number), function(look_up) {}

  const std::string host;
  const uint16_t port;
  const LookupFunction function;
  std::atomic<int> owners{2};
  std::mutex mutex;  // guards all below
  std::condition_variable finished;
  bool done = false;
  std::string failure;  // "" when addresses were found
  std::vector<Address> addresses;
};

struct LookupRelease {
  void operator()(Lookup* lookup) const {
    if (lookup->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete lookup;
  }
};
using LookupOwner = std::unique_ptr<Lookup, LookupRelease>;

bool same_address(const Address& a, const Address& b) {
  return a.length == b.length && std::memcmp(&a.storage, &b.storage, a.length) == 0;
}

std::vector<Address> unique_addresses(const addrinfo* list) {
  std::vector<Address> addresses;
  for (const addrinfo* info = list; info != nullptr; info = info->ai_next) {
    if (info->ai_addrlen > sizeof(sockaddr_storage)) continue;
    Address address;
    std::memcpy(&address.storage, info->ai_addr, info->ai_addrlen);
    address.length = info->ai_addrlen;
    const bool known = std::any_of(addresses.begin(), addresses.end(), [&](const Address& other) {
      return same_address(address, other);
    });
    if (!known) addresses.push_back(address);
  }
  return addresses;
}

void run_lookup(LookupOwner lookup) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  // Not AI_ADDRCONFIG: it would hide ::1 on a machine whose only IPv6 address is the loopback.
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const std::string service = std::to_string(lookup->port);
  const int status = lookup->function(lookup->host.c_str(), service.c_str(), &hints, &list);
  std::string failure;
  if (status == EAI_SYSTEM) {
    failure = base::errno_text(errno);
  } else if (status != 0) {
    failure = gai_strerror(status);
  }
  std::vector<Address> addresses = unique_addresses(list);
  if (list != nullptr) freeaddrinfo(list);
  if (failure.empty() && addresses.empty()) failure = gai_strerror(EAI_NONAME);

  const std::lock_guard<std::mutex> lock(lookup->mutex);
  lookup->failure = std::move(failure);
  lookup->addresses = std::move(addresses);
  lookup->done = true;
  lookup->finished.notify_one();
}

// False when the system gives no thread.
bool start_thread(LookupOwner lookup) {
  // Signals are for the program's own threads: this one may be blocked for long.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    std::thread(run_lookup, std::move(lookup)).detach();
  } catch (const std::system_error&) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace

Expected<std::vector<Address>> resolve(const std::string& host, uint16_t port, int64_t timeout_ns,
                                       const std::atomic<bool>* cancel, LookupFunction look_up) {
  if (Expected<Address> literal = Address::from_ip(host, port)) {
    return std::vector<Address>{*literal};
  }
  const int64_t deadline_ns = base::now_ns() + timeout_ns;
  const LookupOwner lookup(new Lookup(host, port, look_up));
  if (!start_thread(LookupOwner(lookup.get()))) {
    return unexpected(fmt::format("resolve {}: the system allows no further thread", host));
  }
  std::unique_lock<std::mutex> lock(lookup->mutex);
  while (!lookup->done) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) {
      return unexpected(fmt::format("resolve {}: cancelled", host));
    }
    const int64_t left_ns = deadline_ns - base::now_ns();
    if (left_ns <= 0) {
      return unexpected(
          fmt::format("resolve {}: no answer within {}", host, base::format_span(timeout_ns)));
    }
    lookup->finished.wait_for(lock, std::chrono::nanoseconds(std::min(left_ns, kCancelPollNs)));
  }
  if (!lookup->failure.empty()) {
    return unexpected(fmt::format("resolve {}: {}", host, lookup->failure));
  }
  return std::move(lookup->addresses);
}

}  // namespace carronade::net
