// What a run tells while it goes on, kept for the JavaScript thread to fetch.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "carronade/observer.h"

namespace carronade::node {

// Told on one thread and asked on another.
class RunListener final : public Observer {
 public:
  // Errors are kept only when somebody will take them.
  explicit RunListener(bool keep_errors) : keep_errors_(keep_errors) {}
  // Called on the telling thread when there are errors to take. Before the run starts.
  void on_news(std::function<void()> ring) { ring_ = std::move(ring); }

  void on_progress(const Progress& progress) override {
    bool news = false;
    {
      const std::lock_guard lock(mutex_);
      progress_ = progress;
      news = !errors_.empty();
    }
    if (news && ring_) ring_();
  }
  void on_errors(const ErrorCount& fresh) override {
    if (!keep_errors_) return;
    const std::lock_guard lock(mutex_);
    errors_.push_back(fresh);
  }

  Progress progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
  }
  // What came since the last call.
  std::vector<ErrorCount> take_errors() {
    const std::lock_guard lock(mutex_);
    return std::exchange(errors_, {});
  }

 private:
  const bool keep_errors_;
  std::function<void()> ring_;
  mutable std::mutex mutex_;
  Progress progress_;
  std::vector<ErrorCount> errors_;
};

}  // namespace carronade::node
