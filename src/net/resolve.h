// Names to addresses, bounded in time.
#pragma once

#include <netdb.h>

#include <atomic>
#include <string>
#include <vector>

#include "net/address.h"

namespace carronade::net {

// getaddrinfo; freeaddrinfo must suit its list.
using LookupFunction = int (*)(const char* host, const char* service, const addrinfo* hints,
                               addrinfo** list);

// All addresses of `host` (a name or an IP literal) in getaddrinfo's order, duplicates removed.
// Gives up after `timeout_ns`, or soon after `*cancel` becomes true (may be null). The lookup
// runs on a thread of its own, because getaddrinfo cannot be interrupted; that thread owns all
// it touches and may outlive the call. The error is `resolve HOST: REASON`. `look_up` is for
// tests that need a slow or odd answer.
Expected<std::vector<Address>> resolve(const std::string& host, uint16_t port, int64_t timeout_ns,
                                       const std::atomic<bool>* cancel,
                                       LookupFunction look_up = getaddrinfo);

}  // namespace carronade::net
