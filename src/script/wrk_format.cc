// HOT.
#include "script/wrk_format.h"

#include <lua.hpp>

namespace carronade::script {
namespace {

// Upvalues of the function, and its arguments.
constexpr int kWrk = lua_upvalueindex(1);
constexpr int kScratch = lua_upvalueindex(2);
constexpr int kToString = lua_upvalueindex(3);
constexpr int kMethod = 1;
constexpr int kPath = 2;
constexpr int kHeaders = 3;
constexpr int kBody = 4;

void append(lua_State* state, int index, std::string& out) {
  size_t size = 0;
  if (lua_type(state, index) == LUA_TSTRING) {
    const char* const text = lua_tolstring(state, index, &size);
    out.append(text, size);
    return;
  }
  // Of a copy: the conversion of a key in its place would confuse lua_next.
  lua_pushvalue(state, kToString);
  lua_pushvalue(state, index < 0 ? index - 1 : index);
  lua_call(state, 1, 1);
  if (const char* const text = lua_tolstring(state, -1, &size)) out.append(text, size);
  lua_pop(state, 1);
}

void set_default(lua_State* state, int argument, const char* field) {
  if (!lua_isnil(state, argument)) return;
  lua_getfield(state, kWrk, field);
  lua_replace(state, argument);
}

// A host that the table lacks comes from wrk.headers.
void complete_host(lua_State* state) {
  lua_getfield(state, kHeaders, "Host");
  const bool has = lua_toboolean(state, -1) != 0;
  lua_pop(state, 1);
  if (has) return;
  lua_getfield(state, kWrk, "headers");
  if (lua_istable(state, -1)) {
    lua_getfield(state, -1, "Host");
    if (lua_isnil(state, -1)) {
      lua_pop(state, 1);
    } else {
      lua_setfield(state, kHeaders, "Host");
    }
  }
  lua_pop(state, 1);
}

void complete_length(lua_State* state, bool has_body, size_t body_size) {
  if (has_body) {
    lua_pushinteger(state, static_cast<lua_Integer>(body_size));
    lua_setfield(state, kHeaders, "Content-Length");
    return;
  }
  lua_getfield(state, kHeaders, "Content-Length");
  const bool has = !lua_isnil(state, -1);
  lua_pop(state, 1);
  if (!has) return;  // to set nil would make room for it in the table
  lua_pushnil(state);
  lua_setfield(state, kHeaders, "Content-Length");
}

int format(lua_State* state) {
  std::string& out = *static_cast<std::string*>(lua_touserdata(state, kScratch));
  lua_settop(state, 4);
  set_default(state, kMethod, "method");
  set_default(state, kPath, "path");
  set_default(state, kHeaders, "headers");
  set_default(state, kBody, "body");
  luaL_checktype(state, kHeaders, LUA_TTABLE);
  const bool has_body = lua_toboolean(state, kBody) != 0;
  size_t body_size = 0;
  const char* const body = has_body ? luaL_checklstring(state, kBody, &body_size) : nullptr;
  complete_host(state);
  complete_length(state, has_body, body_size);

  out.clear();
  append(state, kMethod, out);
  out += ' ';
  append(state, kPath, out);
  out += " HTTP/1.1\r\n";
  lua_pushnil(state);
  while (lua_next(state, kHeaders) != 0) {
    append(state, -2, out);
    out += ": ";
    append(state, -1, out);
    out += "\r\n";
    lua_pop(state, 1);
  }
  out += "\r\n";
  if (has_body) out.append(body, body_size);
  lua_pushlstring(state, out.data(), out.size());
  return 1;
}

}  // namespace

void push_format(lua_State* state, int wrk_index, std::string& scratch) {
  const int wrk = wrk_index < 0 ? lua_gettop(state) + wrk_index + 1 : wrk_index;
  lua_pushvalue(state, wrk);
  lua_pushlightuserdata(state, &scratch);
  lua_getglobal(state, "tostring");
  lua_pushcclosure(state, format, 3);
}

}  // namespace carronade::script
