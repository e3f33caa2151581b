#include "net/source_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/text.h"
#include "net/socket.h"

namespace carronade::net {
namespace {

// The address's bytes, in network order, within its sockaddr.
uint8_t* bytes_of(Address& address) {
  if (address.family() == AF_INET) {
    return reinterpret_cast<uint8_t*>(&reinterpret_cast<sockaddr_in*>(&address.storage)->sin_addr);
  }
  return reinterpret_cast<uint8_t*>(&reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_addr);
}

// The address `offset` after `base`; offsets reach into the last four bytes only.
Address after(Address base, uint32_t offset) {
  uint8_t* const last = bytes_of(base) + (base.family() == AF_INET ? 0 : 12);
  uint32_t value;
  std::memcpy(&value, last, sizeof value);
  value = htonl(ntohl(value) + offset);
  std::memcpy(last, &value, sizeof value);
  return base;
}

// Clears the bits behind the prefix.
void mask(Address& address, int prefix) {
  const int bits = address.family() == AF_INET ? 32 : 128;
  uint8_t* const bytes = bytes_of(address);
  for (int bit = prefix; bit < bits; ++bit) {
    bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] & ~(0x80 >> bit % 8));
  }
}

tl::unexpected<Error> bad(std::string_view text, std::string_view why) {
  return unexpected(fmt::format("local address \"{}\": {}", base::printable(text), why));
}

}  // namespace

Expected<std::vector<Address>> parse_source_addresses(std::string_view text) {
  const size_t slash = text.find('/');
  Expected<Address> first = Address::from_ip(text.substr(0, slash), 0);
  if (!first) return bad(text, "not an IP address or a block such as 10.0.0.0/24");
  if (slash == std::string_view::npos) return std::vector{*first};

  const int bits = first->family() == AF_INET ? 32 : 128;
  const std::string_view digits = text.substr(slash + 1);
  int prefix = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
  if (error != std::errc() || end != digits.data() + digits.size() || prefix < 0 || prefix > bits) {
    return bad(text, fmt::format("the prefix length is a number from 0 to {}", bits));
  }
  mask(*first, prefix);
  // Of a larger block the first addresses are enough for any number of connections.
  const int free_bits = std::min(bits - prefix, std::countr_zero(kMaxSourceAddresses) + 1);
  const uint64_t size = uint64_t{1} << free_bits;
  const bool edges = first->family() == AF_INET && bits - prefix >= 2;
  const uint64_t begin = edges ? 1 : 0;
  const uint64_t stop = edges && bits - prefix == free_bits ? size - 1 : size;
  std::vector<Address> sources;
  for (uint64_t i = begin; i < stop && sources.size() < kMaxSourceAddresses; ++i) {
    sources.push_back(after(*first, static_cast<uint32_t>(i)));
  }
  return sources;
}

std::vector<Address> loopback_sources(size_t count) {
  const Address first = *Address::from_ip("127.0.0.1", 0);
  std::vector<Address> sources;
  for (size_t i = 0; i < count; ++i) sources.push_back(after(first, static_cast<uint32_t>(i)));
  return sources;
}

bool is_ipv4_loopback(const Address& address) {
  Address copy = address;
  return address.family() == AF_INET && bytes_of(copy)[0] == 127;
}

int bind_source(int fd, const Address& source) {
  const int on = 1;
  if (setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on) != 0) return errno;
  return bind(fd, source.raw(), source.length) == 0 ? 0 : errno;
}

Expected<void> check_source(const Address& source) {
  const base::UniqueFd fd = open_stream_socket(source.family());
  const int error = fd.valid() ? bind_source(fd.get(), source) : errno;
  if (error == 0) return {};
  return bad(source.text(),
             error == EADDRNOTAVAIL ? "not an address of this machine" : base::errno_text(error));
}

}  // namespace carronade::net
