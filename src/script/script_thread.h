// What one worker of a script has: its Lua state, and what the script says of it through the
// object that setup() gets and wrk.thread is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "script/lua_state.h"
#include "script/script_address.h"

namespace carronade::script {

// What came of the hooks of all threads, and how a run hears of the first that failed.
class ScriptFailure {
 public:
  virtual ~ScriptFailure() = default;
  // From any thread; the first text is kept.
  virtual void report(std::string text) = 0;
};

// Where the requests of a run may go. Fixed before it starts.
struct ScriptTargets {
  std::vector<SocketAddress> addresses{};
  bool fixed = false;   // the run goes on: only these can be chosen
  bool chosen = false;  // each request goes where its thread's address says

  std::optional<uint32_t> find(const SocketAddress& address) const;
};

struct ScriptThread {
  LuaState state;
  ScriptTargets* targets;
  ScriptFailure* failure;
  std::string scratch{};  // of wrk.format
  SocketAddress address{};
  uint32_t target = 0;   // number of `address` in the targets, once these are fixed
  bool stopped = false;  // by thread:stop(), or after an error
  // Which hooks its script defines, after init().
  bool has_request = false;
  bool has_response = false;
  bool has_delay = false;
  std::string static_request{};  // what wrk.format() gives after init()
};

// Pushes an object for `thread` onto `state`, which may be another than its own: addr, get, set
// and stop. `thread` must outlive the state.
void push_thread(lua_State* state, ScriptThread& thread);

}  // namespace carronade::script
