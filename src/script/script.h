// A Lua script as wrk runs it, or none: one state for setup() and done(), and one for each thread,
// whose hooks make the requests of one worker. Everything but the sources is used on the thread
// that starts the run.
//
//   auto script = Script::load(settings);      // runs the file in each state
//   (*script)->resolve();                      // wrk.addrs
//   (*script)->set_up();                       // setup() and init() of each thread
//   … a run with request() or make_source() …
//   (*script)->done(summary, latency, requests);
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "carronade/request_source.h"
#include "script/lua_state.h"
#include "script/script_stats.h"
#include "script/script_thread.h"
#include "script/wrk_table.h"

namespace carronade::script {

struct ScriptSettings {
  WrkFacts facts{};
  std::string file{};               // "": no script
  uint32_t threads = 1;             // of the run, ≥ 1
  uint32_t connections = 1;         // of the run
  std::vector<std::string> args{};  // for init(): the URL, then the user's own
  bool ignore_load_errors = false;  // a state whose script fails goes on without it, as in wrk
  bool delays = true;               // delay() is heeded; false in a run by a schedule
};

// What done() is told first. Counts.
struct ScriptSummary {
  int64_t duration_us = 0;
  uint64_t requests = 0;
  uint64_t bytes = 0;
  uint64_t connect_errors = 0;
  uint64_t read_errors = 0;
  uint64_t write_errors = 0;
  uint64_t status_errors = 0;
  uint64_t timeouts = 0;
};

class Script : private ScriptFailure {
 public:
  // The error is "FILE: Lua's message".
  static Expected<std::unique_ptr<Script>> load(ScriptSettings settings);
  ~Script() override = default;
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  // What was ignored while it was loaded.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Looks up the site's host and keeps the addresses that take a connection. The error is wrk's:
  // "unable to connect to HOST:SERVICE Connection refused".
  Expected<void> resolve();
  // setup() and init() of every thread, in turn; then the first thread's request() is tried once.
  Expected<void> set_up();

  // Whether the requests have to come from make_source(); otherwise all are request().
  bool needs_source() const { return needs_source_; }
  const std::string& request() const { return main_request_; }
  // How many requests the first text has.
  uint32_t pipelining() const { return pipelining_; }
  // Where they go. chosen(): the source says which for each request; otherwise thread i sends to
  // address_of(i).
  const std::vector<SocketAddress>& addresses() const { return targets_.addresses; }
  bool chosen() const { return targets_.chosen; }
  uint32_t target_of(uint32_t thread) const;

  // The source of one worker; this object must outlive it. Once for each thread.
  std::unique_ptr<RequestSource> make_source(uint32_t thread);

  // `stop` is called by the thread whose hook fails first; nullptr forgets it.
  void on_failure(std::function<void()> stop);
  // "request(): file:line: message" of the hook that failed first; "" when none did.
  std::string failure() const;

  // Calls done(), when there is one. No source may be in use any more.
  Expected<void> done(const ScriptSummary& summary, const ScriptStats& latency,
                      const ScriptStats& requests);

  // What scripts printed reaches standard output now. The error is the system's reason.
  static Expected<void> flush_output();

 private:
  Script(ScriptSettings settings, LuaState main);
  void report(std::string text) override;
  Expected<void> load_file(LuaState& state);
  Expected<void> add_thread();
  Expected<void> set_up_thread(ScriptThread& thread);
  Expected<void> init_thread(ScriptThread& thread);
  Expected<void> try_request(ScriptThread& thread);
  Expected<std::string> format_request(LuaState& state);
  void plan_targets();

  ScriptSettings settings_;
  std::string scratch_;  // of the main state's wrk.format
  LuaState main_;
  std::vector<std::unique_ptr<ScriptThread>> threads_;  // none without a file
  ScriptTargets targets_;
  std::vector<std::string> warnings_;
  std::string main_request_;
  bool needs_source_ = false;
  uint32_t pipelining_ = 1;
  mutable std::mutex mutex_;  // guards the next two
  std::string failure_;
  std::function<void()> stop_;
};

}  // namespace carronade::script
