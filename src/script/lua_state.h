// One Lua state with the standard libraries. Used by one thread at a time.
#pragma once

#include <memory>
#include <string>

#include "carronade/expected.h"

struct lua_State;

namespace carronade::script {

class LuaState {
 public:
  // The error is that of want of memory.
  static Expected<LuaState> create();

  lua_State* get() const { return state_.get(); }

  // Loads and runs a file. The error is Lua's message, with file and line where it has them.
  Expected<void> run_file(const std::string& path);
  // The same of a piece of text; `name` stands for it in messages.
  Expected<void> run_text(const std::string& text, const std::string& name);
  // Calls the function that lies below its `arguments` on the stack; leaves `results`, or nothing
  // after an error.
  Expected<void> call(int arguments, int results);

  // Pushes the global, and says whether it is a function; otherwise nothing is pushed.
  bool push_function(const char* name);

 private:
  struct Close {
    void operator()(lua_State* state) const;
  };
  explicit LuaState(lua_State* state) : state_(state) {}

  std::unique_ptr<lua_State, Close> state_;
};

// Pushes a global, past any metatable of the globals, which might raise an error that nobody
// catches.
void push_global(lua_State* state, const char* name);
// The same of a field of the table at `index`, which must be one and is counted from the top.
void push_field(lua_State* state, int index, const char* name);

// Takes the error value off the stack: its text, or what it is.
std::string take_error(lua_State* state);

}  // namespace carronade::script
