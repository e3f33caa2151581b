#include "cli/listening_port.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/child_process.h"

namespace carronade::cli {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr const char* kPython = "/usr/bin/python3";

// The ports as soon as there are `count` of them.
std::vector<uint16_t> ports_of(ChildProcess& child, size_t count) {
  const int64_t end_ns = base::now_ns() + 20 * kSecond;
  std::vector<uint16_t> ports;
  while (ports.size() < count && base::now_ns() < end_ns && !child.wait_end(5'000'000)) {
    ports = listening_ports(child.root()).ports;
  }
  return ports;
}

TEST(ListeningSockets, ReadsTheTable) {
  const char* const table =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
      "inode\n"
      "   0: 0100007F:B61B 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
      "5978377 1 00000000eded0f65 100 0 0 10 0\n"
      "   1: 0100007F:C0A4 0100007F:AB33 06 00000000:00000000 03:0000115B 00000000     0        0 "
      "0 3 00000000e0075e1e\n"
      "  12: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A "
      "00000000:00000000 00:00000000 00000000  1000        0 42 1 0 100 0 0 10 0\n"
      "   3: 0100007F:XXXX 00000000:0000 0A 0:0 0:0 0 0 0 7\n"
      "   4: 0100007F 00000000:0000 0A 0:0 0:0 0 0 0 7\n"
      "   5: 0100007F:0001 00000000:0000 0A\n";
  const std::vector<ListeningSocket> found = listening_sockets(table);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].port, 0xB61B);
  EXPECT_EQ(found[0].inode, 5978377U);
  EXPECT_EQ(found[1].port, 8080);
  EXPECT_EQ(found[1].inode, 42U);
  EXPECT_TRUE(listening_sockets("").empty());
}

// A grandchild listens, on two addresses and twice on the same port.
TEST(ListeningPorts, OfAllProcessesBelow) {
  const std::string script =
      "import signal, socket, time\n"
      "signal.signal(2, signal.SIG_DFL)\n"
      "a = socket.create_server(('127.0.0.1', 0))\n"
      "b = socket.create_server(('::1', 0), family=socket.AF_INET6)\n"
      "c = socket.create_server(('127.0.0.2', a.getsockname()[1]))\n"
      "d = socket.socket()\n"
      "d.bind(('127.0.0.1', 0))\n"
      "e = socket.create_connection(a.getsockname())\n"
      "time.sleep(1000)\n";
  auto child = ChildProcess::start({"sh", "-c", "\"$0\" -c \"$1\"; :", kPython, script});
  ASSERT_TRUE(child) << child.error().text;
  const std::vector<uint16_t> ports = ports_of(**child, 2);
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_LT(ports[0], ports[1]);
  EXPECT_EQ(listening_ports((*child)->root()).hidden, 0);
  (*child)->stop();
  EXPECT_TRUE(listening_ports((*child)->root()).ports.empty());
}

TEST(ListeningPorts, NotWhatWasInherited) {
  // The same socket in this process and in the program: it was not the program that opened it.
  const std::string server =
      "import os, socket, sys\n"
      "s = socket.create_server(('127.0.0.1', 0))\n"
      "s.set_inheritable(True)\n"
      "os.execv(sys.argv[1], sys.argv[1:])\n";
  auto outer = ChildProcess::start({kPython, "-c", server, "/bin/sleep", "1000"});
  ASSERT_TRUE(outer) << outer.error().text;
  EXPECT_EQ(ports_of(**outer, 1).size(), 1U);

  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);  // not CLOEXEC
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(fd, 1), 0);
  auto child = ChildProcess::start({"sleep", "1000"});
  ASSERT_TRUE(child) << child.error().text;
  EXPECT_TRUE(listening_ports((*child)->root()).ports.empty());
  ::close(fd);
  EXPECT_EQ(listening_ports((*child)->root()).ports.size(), 1U);
}

}  // namespace
}  // namespace carronade::cli
