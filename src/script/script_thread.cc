#include "script/script_thread.h"

#include <algorithm>
#include <cstring>
#include <lua.hpp>
#include <new>

#include "script/value_transfer.h"
#include "script/wrk_table.h"

namespace carronade::script {
namespace {

constexpr char kType[] = "wrk.thread";

// What Lua holds.
struct Object {
  ScriptThread* thread;
};

ScriptThread& self(lua_State* state) {
  return *static_cast<const Object*>(luaL_checkudata(state, 1, kType))->thread;
}

int thread_get(lua_State* state) {
  ScriptThread& thread = self(state);
  const char* const name = luaL_checkstring(state, 2);
  lua_State* const other = thread.state.get();
  lua_pushstring(other, name);
  // Raw: an error in the other state would have nobody to catch it.
  lua_rawget(other, LUA_GLOBALSINDEX);
  const char* const fault = transfer(other, -1, state);
  if (other != state) lua_pop(other, 1);
  if (fault != nullptr) return luaL_error(state, "cannot transfer '%s' from thread", fault);
  return 1;
}

int thread_set(lua_State* state) {
  ScriptThread& thread = self(state);
  const char* const name = luaL_checkstring(state, 2);
  luaL_checkany(state, 3);
  lua_State* const other = thread.state.get();
  lua_pushstring(other, name);
  if (const char* const fault = transfer(state, 3, other)) {
    lua_pop(other, 1);
    return luaL_error(state, "cannot transfer '%s' to thread", fault);
  }
  lua_rawset(other, LUA_GLOBALSINDEX);
  return 0;
}

int thread_stop(lua_State* state) {
  self(state).stopped = true;
  return 0;
}

int index(lua_State* state) {
  ScriptThread& thread = self(state);
  const char* const name = luaL_checkstring(state, 2);
  if (std::strcmp(name, "addr") == 0) {
    push_address(state, thread.address);
  } else if (std::strcmp(name, "get") == 0) {
    lua_pushcfunction(state, thread_get);
  } else if (std::strcmp(name, "set") == 0) {
    lua_pushcfunction(state, thread_set);
  } else if (std::strcmp(name, "stop") == 0) {
    lua_pushcfunction(state, thread_stop);
  } else {
    lua_pushnil(state);
  }
  return 1;
}

int new_index(lua_State* state) {
  ScriptThread& thread = self(state);
  const char* const name = luaL_checkstring(state, 2);
  if (std::strcmp(name, "addr") != 0) {
    return luaL_error(state, "cannot set '%s' on thread: thread:set() sets its globals", name);
  }
  const SocketAddress& address = check_address(state, 3);
  if (thread.targets->fixed) {
    const std::optional<uint32_t> target = thread.targets->find(address);
    if (!target || (*target != thread.target && !thread.targets->chosen)) {
      return luaL_error(state,
                        "thread.addr: once the run goes on it can only become another of "
                        "wrk.addrs, and only without pipelining");
    }
    thread.target = *target;
  }
  thread.address = address;
  return 0;
}

}  // namespace

std::optional<uint32_t> ScriptTargets::find(const SocketAddress& address) const {
  const auto found = std::find(addresses.begin(), addresses.end(), address);
  if (found == addresses.end()) return std::nullopt;
  return static_cast<uint32_t>(found - addresses.begin());
}

void push_thread(lua_State* state, ScriptThread& thread) {
  new (lua_newuserdata(state, sizeof(Object))) Object{&thread};
  if (luaL_newmetatable(state, kType) != 0) {
    lua_pushcfunction(state, index);
    lua_setfield(state, -2, "__index");
    lua_pushcfunction(state, new_index);
    lua_setfield(state, -2, "__newindex");
  }
  lua_setmetatable(state, -2);
}

}  // namespace carronade::script
