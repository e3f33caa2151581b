// An eventfd: wakes a loop from another thread or from a signal handler.
#pragma once

#include "base/unique_fd.h"

namespace carronade::net {

class Wakeup {
 public:
  Wakeup();
  int fd() const { return fd_.get(); }
  void notify() const;  // any thread, async-signal-safe
  void drain() const;   // owning thread

 private:
  base::UniqueFd fd_;
};

}  // namespace carronade::net
