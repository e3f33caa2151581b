#pragma once

#include <memory>
#include <string>
#include <vector>

namespace carronade::http {

// Buffers for split header blocks, shared by the connections of one thread.
class HeadBufferPool {
 public:
  std::unique_ptr<std::string> take();
  void give(std::unique_ptr<std::string> buffer);

 private:
  std::vector<std::unique_ptr<std::string>> free_;
};

}  // namespace carronade::http
