#include "net/source_address.h"

#include <gtest/gtest.h>

#include "net/socket.h"

namespace carronade::net {
namespace {

std::vector<std::string> texts(std::string_view text) {
  const auto sources = parse_source_addresses(text);
  EXPECT_TRUE(sources) << sources.error().text;
  std::vector<std::string> out;
  for (const Address& source : *sources) out.push_back(source.text());
  return out;
}

TEST(SourceAddress, OneAddressOrABlock) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts("127.0.0.9"), Texts{"127.0.0.9:0"});
  EXPECT_EQ(texts("::1"), Texts{"[::1]:0"});
  EXPECT_EQ(texts("10.1.2.7/32"), Texts{"10.1.2.7:0"});
  EXPECT_EQ(texts("10.1.2.7/31"), (Texts{"10.1.2.6:0", "10.1.2.7:0"}));
  EXPECT_EQ(texts("10.1.2.7/30"), (Texts{"10.1.2.5:0", "10.1.2.6:0"}));
  EXPECT_EQ(texts("10.0.0.0/16").size(), 65'534u);
  EXPECT_EQ(texts("10.0.0.0/16").back(), "10.0.255.254:0");
  EXPECT_EQ(texts("127.0.0.0/8").size(), kMaxSourceAddresses);
  EXPECT_EQ(texts("127.0.0.0/8").front(), "127.0.0.1:0");
  EXPECT_EQ(texts("fd00::8/126"),
            (Texts{"[fd00::8]:0", "[fd00::9]:0", "[fd00::a]:0", "[fd00::b]:0"}));
  EXPECT_EQ(texts("fd00::/64").size(), kMaxSourceAddresses);
}

TEST(SourceAddress, RefusesWhatIsNone) {
  for (const char* text : {"", "host", "10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1",
                           "10.0.0.0/8x", "::1/129", "/8"}) {
    const auto sources = parse_source_addresses(text);
    ASSERT_FALSE(sources) << text;
    EXPECT_NE(sources.error().text.find(text), std::string::npos);
  }
}

TEST(SourceAddress, OnlyThisMachinesAddressesWillDo) {
  EXPECT_TRUE(check_source(*Address::from_ip("127.9.8.7", 0)));
  EXPECT_TRUE(check_source(*Address::from_ip("::1", 0)));
  const auto foreign = check_source(*Address::from_ip("192.0.2.1", 0));
  ASSERT_FALSE(foreign);
  EXPECT_NE(foreign.error().text.find("not an address of this machine"), std::string::npos);
}

TEST(SourceAddress, AConnectionLeavesFromItsSource) {
  const auto listener = listen_stream(*Address::from_ip("127.0.0.1", 0), 4, false);
  ASSERT_TRUE(listener);
  const auto sources = loopback_sources(3);
  ASSERT_EQ(sources.size(), 3u);
  EXPECT_TRUE(is_ipv4_loopback(sources[2]));
  EXPECT_FALSE(is_ipv4_loopback(*Address::from_ip("10.0.0.1", 0)));
  const base::UniqueFd fd = open_stream_socket(AF_INET);
  ASSERT_EQ(bind_source(fd.get(), sources[2]), 0);
  const int error = start_connect(fd.get(), local_address(listener->get()));
  EXPECT_TRUE(error == 0 || error == EINPROGRESS) << error;
  EXPECT_EQ(local_address(fd.get()).text().substr(0, 10), "127.0.0.3:");
}

}  // namespace
}  // namespace carronade::net
