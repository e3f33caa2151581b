// HOT. Clients that walk through a list of URLs, each in order and from the first one on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carronade/request_source.h"

namespace carronade::dialects::gobench {

// What each URL of the list asks for. Shared by all workers and const.
struct WalkList {
  std::vector<std::string> heads;  // up to and with the empty line
  std::vector<uint32_t> targets;   // of the spec, one for each head
  std::string body;                // the same for all
  bool several_targets = false;
  bool keep_alive = true;
};

class WalkSource final : public RequestSource {
 public:
  // `list` is not empty and outlives the source.
  explicit WalkSource(const WalkList& list) : list_(list) {}

  SourceWants wants() const override { return {.targets = list_.several_targets}; }
  NextRequest next(uint32_t connection, std::string& out) override;
  uint32_t target() const override { return target_; }

 private:
  const WalkList& list_;
  std::vector<uint32_t> positions_;  // by connection; grows with the connections that ask
  uint32_t target_ = 0;
};

}  // namespace carronade::dialects::gobench
