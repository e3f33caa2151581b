#pragma once

#include <memory>
#include <string>
#include <vector>

#include "http/head_cache.h"

namespace carronade::http {

// What the connections of one thread share for reading heads: buffers for lines split over reads,
// and the head read last.
class HeadBufferPool {
 public:
  std::unique_ptr<std::string> take();
  void give(std::unique_ptr<std::string> buffer);
  HeadCache& cache() { return cache_; }

 private:
  std::vector<std::unique_ptr<std::string>> free_;
  HeadCache cache_;
};

}  // namespace carronade::http
