#include "script/value_transfer.h"

#include <lua.hpp>

namespace carronade::script {
namespace {

constexpr int kDeepest = 64;

const char* copy(lua_State* from, int index, lua_State* to, int depth);

const char* copy_table(lua_State* from, int index, lua_State* to, int depth) {
  const char* const too_deep = "table (nested too deeply)";
  if (depth >= kDeepest || !lua_checkstack(from, 4) || !lua_checkstack(to, 4)) return too_deep;
  lua_newtable(to);
  const int made = lua_gettop(to);
  lua_pushnil(from);
  while (lua_next(from, index) != 0) {
    const int value = lua_gettop(from);
    const char* fault = copy(from, value - 1, to, depth + 1);
    if (fault == nullptr) fault = copy(from, value, to, depth + 1);
    if (fault != nullptr) {
      lua_settop(from, value - 2);
      lua_settop(to, made - 1);
      return fault;
    }
    if (from == to) {
      lua_rawset(to, made);
      lua_settop(from, value - 1);
    } else {
      lua_rawset(to, made);
      lua_pop(from, 1);
    }
  }
  return nullptr;
}

const char* copy(lua_State* from, int index, lua_State* to, int depth) {
  switch (lua_type(from, index)) {
    case LUA_TNIL:
      lua_pushnil(to);
      return nullptr;
    case LUA_TBOOLEAN:
      lua_pushboolean(to, lua_toboolean(from, index));
      return nullptr;
    case LUA_TNUMBER:
      lua_pushnumber(to, lua_tonumber(from, index));
      return nullptr;
    case LUA_TSTRING: {
      size_t size = 0;
      const char* const text = lua_tolstring(from, index, &size);
      lua_pushlstring(to, text, size);
      return nullptr;
    }
    case LUA_TTABLE:
      return copy_table(from, index, to, depth);
    default:
      return luaL_typename(from, index);
  }
}

}  // namespace

const char* transfer(lua_State* from, int index, lua_State* to) {
  const int absolute = index < 0 ? lua_gettop(from) + index + 1 : index;
  return copy(from, absolute, to, 0);
}

}  // namespace carronade::script
