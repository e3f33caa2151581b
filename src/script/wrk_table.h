// The table `wrk` that a script finds, with what it says about the site and the functions
// format, lookup and connect; and the address objects that these deal in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carronade/request.h"
#include "script/script_address.h"

struct lua_State;

namespace carronade::script {

// What the URL says.
struct ScriptSite {
  std::string scheme = "http";
  std::string host{};                 // a name, or a literal without brackets
  std::optional<std::string> port{};  // as written
  std::string path = "/";             // with query and fragment

  std::string service() const { return port.value_or(scheme); }
  std::string host_header() const;  // "name", "name:8080", "[::1]:80"
};

struct WrkFacts {
  ScriptSite site{};
  std::vector<Header> headers{};   // of one name the last holds
  int64_t connect_timeout_ns = 0;  // of wrk.connect
};

// Sets the global. `facts` and `scratch` must outlive the state.
void install_wrk(lua_State* state, const WrkFacts& facts, std::string& scratch);

// Sets the Host header where the script has not, as the last thing before init().
void set_default_host(lua_State* state, const ScriptSite& site);
// Sets wrk.addrs.
void set_addresses(lua_State* state, const std::vector<SocketAddress>& addresses);

void push_address(lua_State* state, const SocketAddress& address);
// The address object at `index`; a Lua error when it is none.
const SocketAddress& check_address(lua_State* state, int index);

}  // namespace carronade::script
