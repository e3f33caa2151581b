#include "script/wrk_table.h"

#include <lua.hpp>
#include <new>
#include <type_traits>

#include "script/lua_state.h"
#include "script/wrk_format.h"

namespace carronade::script {
namespace {

constexpr char kAddressType[] = "wrk.addr";
static_assert(std::is_trivially_copyable_v<SocketAddress>);

void push_text(lua_State* state, const std::string& text) {
  lua_pushlstring(state, text.data(), text.size());
}

void set_text(lua_State* state, const char* field, const std::string& text) {
  lua_pushstring(state, field);
  push_text(state, text);
  lua_rawset(state, -3);
}

int address_to_string(lua_State* state) {
  push_text(state, address_text(check_address(state, 1)));
  return 1;
}

// Pushes a table of addresses; when there are none a text that says why, and false.
bool push_lookup(lua_State* state, const std::string& host, const std::string& service) {
  const auto found = look_up(host, service);
  if (!found) {
    push_text(state, "unable to resolve " + host + ":" + service + " " + found.error().text);
    return false;
  }
  lua_createtable(state, static_cast<int>(found->size()), 0);
  int number = 0;
  for (const SocketAddress& address : *found) {
    push_address(state, address);
    lua_rawseti(state, -2, ++number);
  }
  return true;
}

int wrk_lookup(lua_State* state) {
  const char* const host = luaL_checkstring(state, 1);
  const char* const service = luaL_checkstring(state, 2);
  // A Lua error leaves no C++ object behind: they end in push_lookup.
  if (!push_lookup(state, host, service)) return lua_error(state);
  return 1;
}

int wrk_connect(lua_State* state) {
  const auto& facts = *static_cast<const WrkFacts*>(lua_touserdata(state, lua_upvalueindex(1)));
  const SocketAddress& address = check_address(state, 1);
  lua_pushboolean(state, try_connect(address, facts.connect_timeout_ns).has_value());
  return 1;
}

void make_address_type(lua_State* state) {
  luaL_newmetatable(state, kAddressType);
  lua_pushcfunction(state, address_to_string);
  lua_setfield(state, -2, "__tostring");
  lua_pop(state, 1);
}

}  // namespace

std::string ScriptSite::host_header() const {
  std::string text = host.find(':') == std::string::npos ? host : "[" + host + "]";
  if (port) text += ":" + *port;
  return text;
}

void install_wrk(lua_State* state, const WrkFacts& facts, std::string& scratch) {
  make_address_type(state);
  lua_newtable(state);
  set_text(state, "scheme", facts.site.scheme);
  set_text(state, "host", facts.site.host);
  if (facts.site.port) set_text(state, "port", *facts.site.port);
  set_text(state, "method", "GET");
  set_text(state, "path", facts.site.path);
  lua_newtable(state);
  for (const Header& header : facts.headers) {
    push_text(state, header.name);
    push_text(state, header.value);
    lua_rawset(state, -3);
  }
  lua_setfield(state, -2, "headers");
  push_format(state, -1, scratch);
  lua_setfield(state, -2, "format");
  lua_pushcfunction(state, wrk_lookup);
  lua_setfield(state, -2, "lookup");
  // Lua only hands the pointer back, and what it points to is read.
  lua_pushlightuserdata(state, const_cast<WrkFacts*>(&facts));
  lua_pushcclosure(state, wrk_connect, 1);
  lua_setfield(state, -2, "connect");
  lua_setglobal(state, "wrk");
}

void set_default_host(lua_State* state, const ScriptSite& site) {
  push_global(state, "wrk");
  if (!lua_istable(state, -1)) return lua_pop(state, 1);
  push_field(state, -1, "headers");
  if (lua_istable(state, -1)) {
    push_field(state, -1, "Host");
    const bool has = lua_toboolean(state, -1) != 0;
    lua_pop(state, 1);
    if (!has) set_text(state, "Host", site.host_header());
  }
  lua_pop(state, 2);
}

void set_addresses(lua_State* state, const std::vector<SocketAddress>& addresses) {
  push_global(state, "wrk");
  if (!lua_istable(state, -1)) return lua_pop(state, 1);
  lua_pushstring(state, "addrs");
  lua_newtable(state);
  int number = 0;
  for (const SocketAddress& address : addresses) {
    push_address(state, address);
    lua_rawseti(state, -2, ++number);
  }
  lua_rawset(state, -3);
  lua_pop(state, 1);
}

void push_address(lua_State* state, const SocketAddress& address) {
  new (lua_newuserdata(state, sizeof address)) SocketAddress(address);
  luaL_getmetatable(state, kAddressType);
  lua_setmetatable(state, -2);
}

const SocketAddress& check_address(lua_State* state, int index) {
  return *static_cast<const SocketAddress*>(luaL_checkudata(state, index, kAddressType));
}

}  // namespace carronade::script
