#include "net/socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "net/net_test_support.h"

namespace carronade::net {
namespace {

TEST(Socket, OpensWithTheOptionsThisProgramWants) {
  const base::UniqueFd fd = open_stream_socket(AF_INET);
  ASSERT_TRUE(fd.valid());
  EXPECT_NE(fcntl(fd.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
  int no_delay = 0;
  socklen_t length = sizeof no_delay;
  ASSERT_EQ(getsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &no_delay, &length), 0);
  EXPECT_NE(no_delay, 0);
  EXPECT_TRUE(open_stream_socket(AF_UNIX).valid());
}

TEST(Socket, ConnectsToAListener) {
  const auto listener = listen_stream(*Address::from_ip("127.0.0.1", 0), 8, true);
  ASSERT_TRUE(listener) << listener.error().text;
  const Address address = local_address(listener->get());
  EXPECT_NE(address.port(), 0);
  const base::UniqueFd client = open_stream_socket(AF_INET);
  const int started = start_connect(client.get(), address);
  EXPECT_TRUE(started == 0 || started == EINPROGRESS) << started;
  wait_ready(client.get(), POLLOUT);
  EXPECT_EQ(connect_result(client.get()), 0);
}

TEST(Socket, RefusedConnection) {
  Address nobody;
  {
    const auto listener = listen_stream(*Address::from_ip("127.0.0.1", 0), 8, false);
    nobody = local_address(listener->get());
  }
  const base::UniqueFd client = open_stream_socket(AF_INET);
  int error = start_connect(client.get(), nobody);
  if (error == EINPROGRESS) {
    wait_ready(client.get(), POLLOUT);
    error = connect_result(client.get());
  }
  EXPECT_EQ(error, ECONNREFUSED);
}

TEST(Socket, TwoListenersSharePortOnlyWhenAsked) {
  const auto first = listen_stream(*Address::from_ip("127.0.0.1", 0), 8, true);
  ASSERT_TRUE(first);
  const Address address = local_address(first->get());
  EXPECT_TRUE(listen_stream(address, 8, true));
  const auto refused = listen_stream(address, 8, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "listen " + address.text() + ": Address already in use");
}

TEST(Socket, StaleUnixSocketIsReplaced) {
  const TempDir directory;
  const Address address = *Address::from_unix_path(directory.file("s.sock"));
  { ASSERT_TRUE(listen_stream(address, 8, false)); }
  ASSERT_TRUE(std::filesystem::exists(directory.file("s.sock")));
  const auto again = listen_stream(address, 8, false);
  ASSERT_TRUE(again) << again.error().text;
  const base::UniqueFd client = open_stream_socket(AF_UNIX);
  EXPECT_EQ(start_connect(client.get(), address), 0);
}

TEST(Socket, LiveUnixSocketStays) {
  const TempDir directory;
  const Address address = *Address::from_unix_path(directory.file("s.sock"));
  const auto live = listen_stream(address, 8, false);
  ASSERT_TRUE(live);
  const auto second = listen_stream(address, 8, false);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().text, "listen " + address.text() + ": already in use");
  const base::UniqueFd client = open_stream_socket(AF_UNIX);
  EXPECT_EQ(start_connect(client.get(), address), 0);
}

TEST(Socket, OrdinaryFileIsNeverRemoved) {
  const TempDir directory;
  std::ofstream(directory.file("notes")) << "mine";
  const Address address = *Address::from_unix_path(directory.file("notes"));
  const auto refused = listen_stream(address, 8, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text,
            "listen " + address.text() + ": a file that is not a socket has this name");
  EXPECT_TRUE(std::filesystem::exists(directory.file("notes")));
}

TEST(Socket, FullUnixBacklogAnswersEagain) {
  const TempDir directory;
  const Address address = *Address::from_unix_path(directory.file("s.sock"));
  const auto listener = listen_stream(address, 0, false);
  ASSERT_TRUE(listener);
  std::vector<base::UniqueFd> clients;
  int error = 0;
  for (int i = 0; i < 8 && error == 0; ++i) {
    clients.push_back(open_stream_socket(AF_UNIX));
    error = start_connect(clients.back().get(), address);
  }
  EXPECT_EQ(error, EAGAIN);
}

}  // namespace
}  // namespace carronade::net
