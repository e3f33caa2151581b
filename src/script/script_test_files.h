// Scripts in temporary files, and a listening port, for the tests of this folder.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/unique_fd.h"

namespace carronade::script {

class ScriptFile {
 public:
  explicit ScriptFile(const std::string& text) {
    const base::UniqueFd file(mkstemp(path_.data()));
    std::ofstream(path_) << text;
  }
  ~ScriptFile() { unlink(path_.c_str()); }
  ScriptFile(const ScriptFile&) = delete;
  ScriptFile& operator=(const ScriptFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/carronade-script-XXXXXX";
};

// On 127.0.0.1; takes connections into the kernel's queue.
class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_.get(), name, size) != 0 || listen(socket_.get(), 64) != 0) return;
    if (getsockname(socket_.get(), name, &size) == 0) port_ = ntohs(address.sin_port);
  }
  std::string port() const { return std::to_string(port_); }

 private:
  base::UniqueFd socket_;
  uint16_t port_ = 0;
};

}  // namespace carronade::script
