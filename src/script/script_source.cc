// HOT.
#include "script/script_source.h"

#include <cmath>
#include <lua.hpp>
#include <string_view>

#include "http/head_fields.h"
#include "script/request_fault.h"

namespace carronade::script {
namespace {

constexpr char kCounter[] = "carronade.parameters";
constexpr int kAllParameters = 3;  // status, headers, body
constexpr double kNsPerMs = 1e6;
constexpr double kLongestPauseNs = 1e17;  // three years; the run ends before

// A table with the fields of a head; of one name the last holds.
void push_headers(lua_State* lua, std::string_view head) {
  lua_createtable(lua, 0, 8);
  for (http::FieldCursor cursor(head); const auto field = cursor.next();) {
    lua_pushlstring(lua, field->name.data(), field->name.size());
    lua_pushlstring(lua, field->value.data(), field->value.size());
    lua_rawset(lua, -3);
  }
}

}  // namespace

ScriptSource::ScriptSource(ScriptThread& thread, uint32_t connections)
    : thread_(thread), lua_(thread.state.get()), connections_(connections), known_hook_(LUA_NOREF) {
  static_is_last_ = cut_request(thread.static_request).last_on_socket;
}

SourceWants ScriptSource::wants() const {
  return {.requests = true,
          .responses = thread_.has_response,
          .heads = thread_.has_response,
          .bodies = thread_.has_response,
          .targets = thread_.targets->chosen,
          .batches = true,
          .pauses = thread_.has_delay};
}

NextRequest ScriptSource::next(uint32_t connection, std::string& out) {
  if (thread_.stopped) return NextRequest::kNone;
  if (!thread_.has_request) return give_static(out);
  if (connection < rests_.size() && !rests_[connection].empty()) {
    Rest& rest = rests_[connection];
    if (rest.known_at > 0) return give_known(connection, rest.known_at, out);
    return give(rest.text, rest.at, out);
  }
  return make(connection, out);
}

NextRequest ScriptSource::give_static(std::string& out) const {
  out += thread_.static_request;
  return static_is_last_ ? NextRequest::kLastOnSocket : NextRequest::kGiven;
}

NextRequest ScriptSource::make(uint32_t connection, std::string& out) {
  push_global(lua_, "request");
  if (lua_isnil(lua_, -1)) {  // the script took it away: wrk would end here
    lua_pop(lua_, 1);
    return give_static(out);
  }
  if (lua_pcall(lua_, 0, 1, 0) != 0) {
    fail("request()", take_error(lua_));
    return NextRequest::kNone;
  }
  size_t size = 0;
  const char* const bytes = lua_tolstring(lua_, -1, &size);
  const std::string_view text(bytes != nullptr ? bytes : "", size);
  if (known_.text.data() == nullptr) learn(text);
  size_t at = 0;
  NextRequest given;
  if (text.data() == known_.text.data() && !known_.cuts.empty()) {
    given = give_known(connection, 0, out);
  } else {
    given = give(text, at, out);
    if (given != NextRequest::kNone && at < size) {
      Rest& rest = rest_of(connection);
      rest.text.assign(text);
      rest.at = at;
    }
  }
  lua_pop(lua_, 1);
  return given;
}

// The text is on top of the stack. One that is no whole request stays without cuts.
void ScriptSource::learn(std::string_view text) {
  lua_pushvalue(lua_, -1);
  luaL_ref(lua_, LUA_REGISTRYINDEX);
  known_.text = text;
  for (size_t at = skip_empty_lines(text, 0); at < text.size(); at = skip_empty_lines(text, at)) {
    RequestCut cut = cut_request(text.substr(at));
    if (cut.fault != CutFault::kNone) return known_.cuts.clear();
    cut.begin += at;
    cut.end += at;
    at = cut.end;
    known_.cuts.push_back(cut);
  }
}

NextRequest ScriptSource::give_known(uint32_t connection, size_t number, std::string& out) {
  const RequestCut& cut = known_.cuts[number];
  out += known_.text.substr(cut.begin, cut.end - cut.begin);
  if (known_.cuts.size() > 1) {
    rest_of(connection).known_at = number + 1 < known_.cuts.size() ? number + 1 : 0;
  }
  return cut.last_on_socket ? NextRequest::kLastOnSocket : NextRequest::kGiven;
}

ScriptSource::Rest& ScriptSource::rest_of(uint32_t connection) {
  if (rests_.size() <= connection) rests_.resize(connections_);
  return rests_[connection];
}

// The next request of `text` from `at` on, which moves behind it and the empty lines there.
NextRequest ScriptSource::give(std::string_view text, size_t& at, std::string& out) {
  RequestCut cut = cut_request(text.substr(at));
  if (cut.fault != CutFault::kNone || cut.none()) {
    cut.end += at;
    fail("request()", cut.none() ? "no request in the text" : describe_fault(text, cut));
    return NextRequest::kNone;
  }
  out += text.substr(at + cut.begin, cut.end - cut.begin);
  at = skip_empty_lines(text, at + cut.end);
  return cut.last_on_socket ? NextRequest::kLastOnSocket : NextRequest::kGiven;
}

bool ScriptSource::on_response(const Response& response) {
  if (thread_.stopped) return true;
  push_global(lua_, "response");
  if (lua_isnil(lua_, -1)) {  // the script has heard enough
    lua_pop(lua_, 1);
    return true;
  }
  const int parameters = parameters_of_hook();
  lua_pushinteger(lua_, response.status);
  if (parameters >= 2) push_headers(lua_, response.head);
  if (parameters >= 3) lua_pushlstring(lua_, response.body.data(), response.body.size());
  if (lua_pcall(lua_, parameters < 1 ? 1 : parameters, 0, 0) != 0) {
    fail("response()", take_error(lua_));
  }
  return true;
}

// How many of its three arguments the function on the stack can see: what it cannot is not made.
int ScriptSource::parameters_of_hook() {
  if (known_hook_ != LUA_NOREF) {
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, known_hook_);
    const bool same = lua_rawequal(lua_, -1, -2) != 0;
    lua_pop(lua_, 1);
    if (same) return known_parameters_;
    luaL_unref(lua_, LUA_REGISTRYINDEX, known_hook_);
  }
  lua_pushvalue(lua_, -1);
  known_hook_ = luaL_ref(lua_, LUA_REGISTRYINDEX);
  known_parameters_ = kAllParameters;
  lua_getfield(lua_, LUA_REGISTRYINDEX, kCounter);
  lua_pushvalue(lua_, -2);
  if (lua_pcall(lua_, 1, 1, 0) == 0 && lua_isnumber(lua_, -1)) {
    const auto counted = static_cast<int>(lua_tointeger(lua_, -1));
    known_parameters_ = counted < kAllParameters ? counted : kAllParameters;
  }
  lua_pop(lua_, 1);
  return known_parameters_;
}

int64_t ScriptSource::pause_ns(uint32_t /*connection*/) {
  if (thread_.stopped) return 0;
  push_global(lua_, "delay");
  if (lua_isnil(lua_, -1)) {
    lua_pop(lua_, 1);
    return 0;
  }
  if (lua_pcall(lua_, 0, 1, 0) != 0) {
    fail("delay()", take_error(lua_));
    return 0;
  }
  const double pause_ns = lua_tonumber(lua_, -1) * kNsPerMs;
  lua_pop(lua_, 1);
  if (!(pause_ns > 0)) return 0;  // nor with NaN
  return static_cast<int64_t>(pause_ns < kLongestPauseNs ? pause_ns : kLongestPauseNs);
}

void ScriptSource::fail(const char* hook, const std::string& text) {
  thread_.stopped = true;
  thread_.failure->report(std::string(hook) + ": " + text);
}

void keep_parameter_counter(lua_State* state) {
  constexpr char kText[] =
      "local info = debug.getinfo\n"
      "return function(f)\n"
      "  local facts = info(f, 'u')\n"
      "  if not facts.isvararg then return facts.nparams end\n"
      "end";
  if (luaL_loadstring(state, kText) != 0 || lua_pcall(state, 0, 1, 0) != 0) {
    lua_pop(state, 1);
    return;
  }
  lua_setfield(state, LUA_REGISTRYINDEX, kCounter);
}

}  // namespace carronade::script
