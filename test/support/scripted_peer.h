// A server for tests whose every connection follows a script, on a port of its own. Blocking
// and threaded, so that a script reads from top to bottom.
//
//   ScriptedPeer peer([](ScriptedPeer::Talk& talk) {
//     while (talk.read_request()) talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
//   });
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace carronade::test {

class ScriptedPeer {
 public:
  // One connection as its script sees it.
  class Talk {
   public:
    Talk(int fd, int index, ScriptedPeer& peer) : fd_(fd), index_(index), peer_(peer) {}
    int index() const { return index_; }  // 0 for the first connection
    // Reads one request (head and Content-Length body); "" when the client closed. Counts it.
    std::string read_request();
    bool send(const std::string& bytes) {
      return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
             static_cast<ssize_t>(bytes.size());
    }
    // The next `size` bytes; "" when the client closed before.
    std::string read_bytes(size_t size);
    // Waits for the first bytes of the next request without counting it; false when the client
    // closed.
    bool wait_for_bytes() { return !buffer_.empty() || fill(); }
    // Waits until the client closes or the peer stops.
    void wait_for_close();
    // Reads nothing until the peer stops.
    void never_read();
    // Close with RST instead of FIN.
    void reset() {
      const linger now{1, 0};
      setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }

   private:
    bool fill();
    int fd_;
    int index_;
    ScriptedPeer& peer_;
    std::string buffer_;
  };
  using Script = std::function<void(Talk&)>;

  explicit ScriptedPeer(Script script);
  ~ScriptedPeer();

  uint16_t port() const { return port_; }
  int connections() const { return connections_; }
  int requests() const { return requests_; }
  // Waits until the script of every connection so far has come to its end, which it does when the
  // client has closed: what scripts wrote down is all there then. False after ten seconds.
  bool wait_for_scripts() const;

 private:
  void accept_all();

  Script script_;
  int listener_;
  uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> connections_{0};
  std::atomic<int> requests_{0};
  std::atomic<int> scripts_ended_{0};
  std::vector<std::thread> talks_;
  std::thread acceptor_;
};

}  // namespace carronade::test
