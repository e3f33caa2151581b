// Names to addresses, bounded in time.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "net/address.h"

namespace carronade::net {

// All addresses of `host` (a name or an IP literal) in getaddrinfo's order, duplicates removed.
// Gives up after `timeout_ns`, or soon after `*cancel` becomes true (may be null). The lookup
// runs on a thread of its own, because getaddrinfo cannot be interrupted; that thread owns all
// it touches and may outlive the call. The error is `resolve HOST: REASON`.
Expected<std::vector<Address>> resolve(const std::string& host, uint16_t port, int64_t timeout_ns,
                                       const std::atomic<bool>* cancel);

}  // namespace carronade::net
