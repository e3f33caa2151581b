// Tells the user's Observer what the workers published. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carronade/observer.h"
#include "load/worker.h"

namespace carronade::run {

class Observing {
 public:
  // `observer` may be null: then nothing is read either.
  explicit Observing(Observer* observer) : observer_(observer) {}
  // Errors of the set-up, which no worker knows.
  void tell_setup(const std::vector<ErrorCount>& errors);
  // Sums the workers' snapshots and delivers what is new.
  void tell(const std::vector<std::unique_ptr<load::Worker>>& workers, int64_t elapsed_ns);

 private:
  Observer* observer_;
};

}  // namespace carronade::run
