#include "script/lua_state.h"

#include <lua.hpp>

namespace carronade::script {

void LuaState::Close::operator()(lua_State* state) const { lua_close(state); }

Expected<LuaState> LuaState::create() {
  lua_State* const state = luaL_newstate();
  if (state == nullptr) return unexpected(std::string("no memory for another Lua state"));
  luaL_openlibs(state);
  return LuaState(state);
}

Expected<void> LuaState::run_file(const std::string& path) {
  if (luaL_loadfile(get(), path.c_str()) != 0) return unexpected(take_error(get()));
  return call(0, 0);
}

Expected<void> LuaState::run_text(const std::string& text, const std::string& name) {
  if (luaL_loadbuffer(get(), text.data(), text.size(), name.c_str()) != 0) {
    return unexpected(take_error(get()));
  }
  return call(0, 0);
}

Expected<void> LuaState::call(int arguments, int results) {
  if (lua_pcall(get(), arguments, results, 0) != 0) return unexpected(take_error(get()));
  return {};
}

bool LuaState::push_function(const char* name) {
  push_global(get(), name);
  if (lua_isfunction(get(), -1)) return true;
  lua_pop(get(), 1);
  return false;
}

void push_global(lua_State* state, const char* name) {
  lua_pushstring(state, name);
  lua_rawget(state, LUA_GLOBALSINDEX);
}

void push_field(lua_State* state, int index, const char* name) {
  lua_pushstring(state, name);
  lua_rawget(state, index - 1);
}

std::string take_error(lua_State* state) {
  std::string text;
  size_t size = 0;
  if (const char* const message = lua_tolstring(state, -1, &size)) {
    text.assign(message, size);
  } else {
    text = std::string("an error that is a ") + luaL_typename(state, -1) + " value";
  }
  lua_pop(state, 1);
  return text;
}

}  // namespace carronade::script
