// Source addresses for outgoing connections: one address has only so many local ports for one
// destination (about 28,000 by default), more connections need more addresses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/address.h"

namespace carronade::net {

inline constexpr size_t kMaxSourceAddresses = 65'536;

// "10.0.0.5", "10.0.0.0/28", "fd00::1": an address, or every address of a block (without its
// network and broadcast address where an IPv4 block has more than two); at most
// kMaxSourceAddresses. Ports are 0. The error quotes the text.
Expected<std::vector<Address>> parse_source_addresses(std::string_view text);

// `count` addresses from 127.0.0.1 upwards: this machine answers to all of 127.0.0.0/8.
std::vector<Address> loopback_sources(size_t count);
// In 127.0.0.0/8.
bool is_ipv4_loopback(const Address& address);

// Makes the socket leave from `source`, its port chosen at connect(), when the destination is
// known and a port need be free for that one only. 0 or the errno.
int bind_source(int fd, const Address& source);
// Nothing, or why no connection could leave from `source`: it is not this machine's.
Expected<void> check_source(const Address& source);

}  // namespace carronade::net
