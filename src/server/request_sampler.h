// One of the requests that come in, now and then, for a person to look at: asked for from one
// thread, caught by whichever worker has the next one.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace carronade::server {

struct RequestSample {
  static constexpr size_t kBodyBytesMax = 64 * 1024;
  std::string head;  // request line and headers as received; "" for a WebSocket message
  std::string body;  // the first kBodyBytesMax of it, or of the message
};

// From any thread.
class RequestSampler {
 public:
  // The next request is wanted.
  void ask() { wanted_.store(true, std::memory_order_relaxed); }
  bool wanted() const { return wanted_.load(std::memory_order_relaxed); }
  // Whether the request at hand is the one: of all who ask, one hears yes.
  bool claim() { return wanted() && wanted_.exchange(false, std::memory_order_relaxed); }
  // The claimed request, complete; one whose client goes away before is never given.
  void give(RequestSample sample) {
    const std::lock_guard lock(mutex_);
    sample_ = std::move(sample);
  }
  // What was given last, once.
  std::optional<RequestSample> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sample_, std::nullopt);
  }

 private:
  std::atomic<bool> wanted_{false};
  std::mutex mutex_;
  std::optional<RequestSample> sample_;
};

}  // namespace carronade::server
