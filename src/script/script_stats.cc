#include "script/script_stats.h"

#include <algorithm>
#include <cmath>
#include <lua.hpp>
#include <new>
#include <string_view>

namespace carronade::script {
namespace {

constexpr char kType[] = "wrk.stats";

// What Lua holds.
struct Object {
  const ScriptStats* stats;
};

const ScriptStats& self(lua_State* state) {
  return *static_cast<const Object*>(luaL_checkudata(state, 1, kType))->stats;
}

int percentile_of(lua_State* state) {
  const ScriptStats& stats = self(state);
  const lua_Number percent = luaL_checknumber(state, 2);
  lua_pushnumber(state, static_cast<lua_Number>(stats.percentile(percent)));
  return 1;
}

int index(lua_State* state) {
  const ScriptStats& stats = self(state);
  const std::string_view name = luaL_checkstring(state, 2);
  if (name == "min") {
    lua_pushnumber(state, stats.min);
  } else if (name == "max") {
    lua_pushnumber(state, stats.max);
  } else if (name == "mean") {
    lua_pushnumber(state, stats.mean);
  } else if (name == "stdev") {
    lua_pushnumber(state, stats.stdev);
  } else if (name == "percentile") {
    lua_pushcfunction(state, percentile_of);
  } else {
    lua_pushnil(state);
  }
  return 1;
}

int call(lua_State* state) {
  const ScriptStats& stats = self(state);
  const lua_Integer number = luaL_checkinteger(state, 2);
  if (number < 1 || static_cast<size_t>(number) > stats.values.size()) {
    lua_pushnumber(state, 0);
    lua_pushnumber(state, 0);
    return 2;
  }
  const auto& [value, count] = stats.values[static_cast<size_t>(number) - 1];
  lua_pushnumber(state, static_cast<lua_Number>(value));
  lua_pushnumber(state, static_cast<lua_Number>(count));
  return 2;
}

int size(lua_State* state) {
  lua_pushnumber(state, static_cast<lua_Number>(self(state).values.size()));
  return 1;
}

constexpr luaL_Reg kMethods[] = {
    {"__index", index}, {"__call", call}, {"__len", size}, {nullptr, nullptr}};

}  // namespace

uint64_t ScriptStats::count() const {
  uint64_t sum = 0;
  for (const auto& [value, count] : values) sum += count;
  return sum;
}

uint64_t ScriptStats::percentile(double percent) const {
  const uint64_t total = count();
  if (total == 0) return 0;
  const double share = std::clamp(std::isnan(percent) ? 0 : percent, 0.0, 100.0) / 100;
  const double exact = share * static_cast<double>(total);
  const double rank = rank_above ? std::round(exact + 0.5)
                                 : std::ceil(exact - 1e-6);  // 100 · 0.99 is no more than 99
  uint64_t seen = 0;
  for (const auto& [value, count] : values) {
    seen += count;
    if (static_cast<double>(seen) >= rank) return value;
  }
  return values.back().first;
}

void push_stats(lua_State* state, const ScriptStats& stats) {
  new (lua_newuserdata(state, sizeof(Object))) Object{&stats};
  if (luaL_newmetatable(state, kType) != 0) luaL_setfuncs(state, kMethods, 0);
  lua_setmetatable(state, -2);
}

}  // namespace carronade::script
