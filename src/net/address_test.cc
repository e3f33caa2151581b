#include "net/address.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>

namespace carronade::net {
namespace {

TEST(Address, Ipv4TextAndPort) {
  const auto address = Address::from_ip("127.0.0.1", 8080);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->family(), AF_INET);
  EXPECT_EQ(address->port(), 8080);
  EXPECT_EQ(address->text(), "127.0.0.1:8080");
}

TEST(Address, Ipv6IsBracketedAndShortened) {
  const auto address = Address::from_ip("0:0:0:0:0:0:0:1", 80);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->family(), AF_INET6);
  EXPECT_EQ(address->port(), 80);
  EXPECT_EQ(address->text(), "[::1]:80");
}

TEST(Address, Ipv6KeepsItsZone) {
  const auto address = Address::from_ip("fe80::1%lo", 443);
  ASSERT_TRUE(address);
  EXPECT_NE(reinterpret_cast<const sockaddr_in6*>(address->raw())->sin6_scope_id, 0u);
  EXPECT_EQ(address->text(), "[fe80::1%lo]:443");
  const auto numbered = Address::from_ip("fe80::1%1", 443);
  ASSERT_TRUE(numbered);
  EXPECT_EQ(reinterpret_cast<const sockaddr_in6*>(numbered->raw())->sin6_scope_id, 1u);
}

TEST(Address, UnknownZoneIsNamed) {
  const auto address = Address::from_ip("fe80::1%nosuch0", 443);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().text, "no network interface \"nosuch0\" for address fe80::1%nosuch0");
}

TEST(Address, OtherTextIsQuoted) {
  for (const char* text : {"localhost", "", "127.1", "127.0.0.1%lo", "[::1]", "1.2.3.4.5", ":::"}) {
    const auto address = Address::from_ip(text, 1);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().text, "not an IP address: \"" + std::string(text) + "\"");
  }
  EXPECT_FALSE(Address::from_ip(std::string_view("127.0.0.1\0x", 11), 1));
}

TEST(Address, UnixPath) {
  const auto address = Address::from_unix_path("/run/x.sock");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->family(), AF_UNIX);
  EXPECT_EQ(address->port(), 0);
  EXPECT_EQ(address->text(), "/run/x.sock");
}

TEST(Address, UnixPathLength) {
  EXPECT_EQ(Address::from_unix_path(std::string(107, 'x'))->text(), std::string(107, 'x'));
  const auto longer = Address::from_unix_path(std::string(108, 'x'));
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().text, "Unix socket " + std::string(108, 'x') +
                                     ": the path has 108 bytes, the kernel allows 107");
  EXPECT_FALSE(Address::from_unix_path(""));
  EXPECT_FALSE(Address::from_unix_path(std::string_view("a\0b", 3)));
}

TEST(Address, EmptyAddressHasText) { EXPECT_EQ(Address{}.text(), "(no address)"); }

}  // namespace
}  // namespace carronade::net
