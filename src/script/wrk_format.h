// HOT. wrk.format: a request as text, from a method, a path, a table of headers and a body.
#pragma once

#include <string>

struct lua_State;

namespace carronade::script {

// Pushes the function. It takes what is nil from the table `wrk`, which lies at `wrk_index` of the
// stack, and puts Host and Content-Length into the table of headers as wrk does. `scratch` is where
// it writes; it must outlive the state's last call.
void push_format(lua_State* state, int wrk_index, std::string& scratch);

}  // namespace carronade::script
