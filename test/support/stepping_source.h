// A RequestSource whose steps a test decides: where its requests go, whether exchanges go on, how
// long connections wait.
#pragma once

#include <functional>
#include <string>

#include "numbering_source.h"

namespace carronade::test {

class SteppingSource : public NumberingSource {
 public:
  using NumberingSource::NumberingSource;
  uint32_t target() const override { return choose ? choose() : 0; }
  bool follow_up(const Response& response, std::string& out) override {
    return follow && follow(response, out);
  }
  int64_t pause_ns(uint32_t) override { return pause ? pause() : 0; }

  std::function<uint32_t()> choose;
  std::function<bool(const Response&, std::string&)> follow;
  std::function<int64_t()> pause;
};

// Where nobody listens.
inline uint16_t closed_port() {
  ScriptedPeer gone([](ScriptedPeer::Talk&) {});
  return gone.port();
}

inline Target target_at(uint16_t port) {
  return {*parse_url("http://127.0.0.1:" + std::to_string(port) + "/"), {}};
}

}  // namespace carronade::test
