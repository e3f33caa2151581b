// Copies a Lua value from one state to another: nil, booleans, numbers, strings, and tables of
// these, nested up to a depth that no honest table reaches.
#pragma once

struct lua_State;

namespace carronade::script {

// Pushes onto `to` a copy of the value at `index` of `from`. Null when it went well; else nothing
// is pushed, and the text is the name of a type that cannot be copied, or "table (nested too
// deeply)". The two states may be the same.
const char* transfer(lua_State* from, int index, lua_State* to);

}  // namespace carronade::script
