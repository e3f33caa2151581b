#include "script/script.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <lua.hpp>
#include <utility>

#include "base/text.h"
#include "script/request_fault.h"
#include "script/request_text.h"
#include "script/script_source.h"

namespace carronade::script {
namespace {

void set_number(lua_State* state, const char* field, double value) {
  lua_pushnumber(state, value);
  lua_setfield(state, -2, field);
}

void push_summary(lua_State* state, const ScriptSummary& summary) {
  lua_newtable(state);
  set_number(state, "duration", static_cast<double>(summary.duration_us));
  set_number(state, "requests", static_cast<double>(summary.requests));
  set_number(state, "bytes", static_cast<double>(summary.bytes));
  lua_newtable(state);
  set_number(state, "connect", static_cast<double>(summary.connect_errors));
  set_number(state, "read", static_cast<double>(summary.read_errors));
  set_number(state, "write", static_cast<double>(summary.write_errors));
  set_number(state, "status", static_cast<double>(summary.status_errors));
  set_number(state, "timeout", static_cast<double>(summary.timeouts));
  lua_setfield(state, -2, "errors");
}

// args[0] is the URL, so that #args counts the user's own.
void push_args(lua_State* state, const std::vector<std::string>& args) {
  lua_newtable(state);
  int number = 0;
  for (const std::string& arg : args) {
    lua_pushlstring(state, arg.data(), arg.size());
    lua_rawseti(state, -2, number++);
  }
}

Expected<void> in_hook(const char* hook, Expected<void> outcome) {
  if (outcome) return outcome;
  return unexpected(std::string(hook) + ": " + outcome.error().text);
}

bool defines(LuaState& state, const char* hook) {
  if (!state.push_function(hook)) return false;
  lua_pop(state.get(), 1);
  return true;
}

// The same but for the order of the headers, which differs from state to state: Lua's tables have
// none.
bool alike(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const size_t head = std::min(a.find("\r\n\r\n"), a.size());
  if (a.substr(head) != b.substr(head)) return false;
  std::vector<std::string_view> lines = base::split(a.substr(0, head), '\n');
  std::vector<std::string_view> others = base::split(b.substr(0, head), '\n');
  // Each ends with a CR but the last one.
  for (auto* list : {&lines, &others}) {
    for (std::string_view& line : *list) line = base::trim(line);
    std::sort(list->begin() + 1, list->end());
  }
  return lines == others;
}

// wrk.request() gives the request that is sent when the script defines none.
void set_default_request(lua_State* state, const std::string& request) {
  push_global(state, "wrk");
  if (lua_istable(state, -1)) {
    lua_pushlstring(state, request.data(), request.size());
    lua_pushcclosure(
        state,
        [](lua_State* own) {
          lua_pushvalue(own, lua_upvalueindex(1));
          return 1;
        },
        1);
    lua_pushstring(state, "request");
    lua_insert(state, -2);
    lua_rawset(state, -3);
  }
  lua_pop(state, 1);
}

}  // namespace

Script::Script(ScriptSettings settings, LuaState main)
    : settings_(std::move(settings)), main_(std::move(main)) {}

Expected<std::unique_ptr<Script>> Script::load(ScriptSettings settings) {
  auto main = LuaState::create();
  if (!main) return unexpected(main.error());
  std::unique_ptr<Script> script(new Script(std::move(settings), std::move(*main)));
  install_wrk(script->main_.get(), script->settings_.facts, script->scratch_);
  if (script->settings_.file.empty()) return script;
  if (auto loaded = script->load_file(script->main_); !loaded) return unexpected(loaded.error());
  for (uint32_t i = 0; i < script->settings_.threads; ++i) {
    if (auto added = script->add_thread(); !added) return unexpected(added.error());
  }
  return script;
}

Expected<void> Script::load_file(LuaState& state) {
  Expected<void> ran = state.run_file(settings_.file);
  if (ran) return ran;
  const std::string text = settings_.file + ": " + ran.error().text;
  if (!settings_.ignore_load_errors) return unexpected(text);
  warnings_.push_back(text);
  return {};
}

Expected<void> Script::add_thread() {
  auto state = LuaState::create();
  if (!state) return unexpected(state.error());
  threads_.push_back(std::make_unique<ScriptThread>(
      ScriptThread{.state = std::move(*state), .targets = &targets_, .failure = this}));
  ScriptThread& thread = *threads_.back();
  lua_State* const lua = thread.state.get();
  install_wrk(lua, settings_.facts, thread.scratch);
  push_global(lua, "wrk");
  push_thread(lua, thread);
  lua_setfield(lua, -2, "thread");
  lua_pop(lua, 1);
  keep_parameter_counter(lua);
  return load_file(thread.state);
}

Expected<void> Script::resolve() {
  const ScriptSite& site = settings_.facts.site;
  const std::string where = site.host + ":" + site.service() + " ";
  auto found = look_up(site.host, site.service());
  if (!found) return unexpected("unable to resolve " + where + found.error().text);
  std::string reason = "no address";
  for (const SocketAddress& address : *found) {
    const auto tried = try_connect(address, settings_.facts.connect_timeout_ns);
    if (tried) {
      targets_.addresses.push_back(address);
    } else {
      reason = tried.error().text;
    }
  }
  if (targets_.addresses.empty()) return unexpected("unable to connect to " + where + reason);
  set_addresses(main_.get(), targets_.addresses);
  for (const auto& thread : threads_) {
    set_addresses(thread->state.get(), targets_.addresses);
    thread->address = targets_.addresses.front();
  }
  return {};
}

Expected<void> Script::set_up() {
  set_default_host(main_.get(), settings_.facts.site);
  for (const auto& thread : threads_) {
    if (auto done = set_up_thread(*thread); !done) return done;
    if (thread != threads_.front() || !thread->has_request) continue;
    if (auto tried = try_request(*thread); !tried) return tried;
  }
  plan_targets();
  if (threads_.empty()) {
    auto request = format_request(main_);
    if (!request) return unexpected(request.error());
    main_request_ = std::move(*request);
    return {};
  }
  main_request_ = threads_.front()->static_request;
  needs_source_ = std::any_of(threads_.begin(), threads_.end(), [this](const auto& thread) {
    return thread->has_request || thread->has_response || thread->has_delay ||
           !alike(thread->static_request, main_request_) ||
           thread->target != threads_.front()->target;
  });
  return {};
}

Expected<void> Script::set_up_thread(ScriptThread& thread) {
  if (main_.push_function("setup")) {
    push_thread(main_.get(), thread);
    if (auto done = in_hook("setup()", main_.call(1, 0)); !done) return done;
  }
  if (auto done = init_thread(thread); !done) return done;
  thread.stopped = false;  // thread:stop() is for a thread that runs
  thread.has_request = defines(thread.state, "request");
  thread.has_response = defines(thread.state, "response");
  thread.has_delay = settings_.delays && defines(thread.state, "delay");
  return {};
}

Expected<void> Script::init_thread(ScriptThread& thread) {
  lua_State* const lua = thread.state.get();
  set_default_host(lua, settings_.facts.site);
  if (thread.state.push_function("init")) {
    push_args(lua, settings_.args);
    if (auto done = in_hook("init()", thread.state.call(1, 0)); !done) return done;
  }
  // A script may leave wrk in a shape that makes no request, as long as it makes its own.
  auto request = format_request(thread.state);
  if (!request && !defines(thread.state, "request")) return unexpected(request.error());
  thread.static_request = request.value_or("");
  set_default_request(lua, thread.static_request);
  return {};
}

Expected<std::string> Script::format_request(LuaState& state) {
  lua_State* const lua = state.get();
  push_global(lua, "wrk");
  if (lua_istable(lua, -1)) {
    push_field(lua, -1, "format");
    lua_remove(lua, -2);
  }
  if (auto made = in_hook("wrk.format()", state.call(0, 1)); !made) return unexpected(made.error());
  size_t size = 0;
  const char* const bytes = lua_tolstring(lua, -1, &size);
  const std::string text(bytes != nullptr ? bytes : "", size);
  lua_pop(lua, 1);
  const RequestCut cut = cut_request(text);
  if (cut.fault != CutFault::kNone) return unexpected(describe_fault(text, cut));
  if (cut.none()) return unexpected(std::string("wrk.format() gave no request"));
  return text;
}

// wrk does the same before the run: it learns how many requests a text has.
Expected<void> Script::try_request(ScriptThread& thread) {
  lua_State* const lua = thread.state.get();
  if (!thread.state.push_function("request")) return {};
  if (auto made = in_hook("request()", thread.state.call(0, 1)); !made) return made;
  size_t size = 0;
  const char* const bytes = lua_tolstring(lua, -1, &size);
  const std::string text(bytes != nullptr ? bytes : "", size);
  lua_pop(lua, 1);
  uint32_t count = 0;
  for (size_t at = 0; at < text.size();) {
    RequestCut cut = cut_request(std::string_view(text).substr(at));
    cut.end += at;
    if (cut.fault != CutFault::kNone) return unexpected(describe_fault(text, cut));
    count += cut.none() ? 0 : 1;
    at = cut.end;
  }
  if (count == 0) return unexpected(std::string("incomplete request at 1:1"));
  pipelining_ = count;
  return {};
}

// Sources choose a request's target where threads differ or a hook may want another one; the
// engine does that without pipelining only.
void Script::plan_targets() {
  bool hooks = false;
  const std::vector<SocketAddress> reachable = std::exchange(targets_.addresses, {});
  for (const auto& thread : threads_) {
    hooks = hooks || thread->has_request || thread->has_response || thread->has_delay;
    if (!targets_.find(thread->address)) targets_.addresses.push_back(thread->address);
  }
  if (threads_.empty()) targets_.addresses.push_back(reachable.front());
  if (pipelining_ == 1 && hooks) {
    for (const SocketAddress& address : reachable) {
      if (!targets_.find(address)) targets_.addresses.push_back(address);
    }
  }
  for (const auto& thread : threads_) thread->target = *targets_.find(thread->address);
  targets_.chosen = pipelining_ == 1 && targets_.addresses.size() > 1;
  targets_.fixed = true;
}

uint32_t Script::target_of(uint32_t thread) const {
  return threads_.empty() ? 0 : threads_[thread]->target;
}

std::unique_ptr<RequestSource> Script::make_source(uint32_t thread) {
  return std::make_unique<ScriptSource>(*threads_[thread], settings_.connections);
}

void Script::on_failure(std::function<void()> stop) {
  const std::lock_guard lock(mutex_);
  stop_ = std::move(stop);
}

std::string Script::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Script::report(std::string text) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = std::move(text);
  if (stop_) stop_();
}

Expected<void> Script::done(const ScriptSummary& summary, const ScriptStats& latency,
                            const ScriptStats& requests) {
  if (!main_.push_function("done")) return {};
  push_summary(main_.get(), summary);
  push_stats(main_.get(), latency);
  push_stats(main_.get(), requests);
  return in_hook("done()", main_.call(3, 0));
}

Expected<void> Script::flush_output() {
  if (std::fflush(nullptr) == 0) return {};
  return unexpected("standard output: " + base::errno_text(errno));
}

}  // namespace carronade::script
