// HOT. The requests and the listener of one worker, from the hooks of its script: request(),
// response() and delay(). A hook that fails ends the requests of its thread and is reported.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/request_source.h"
#include "script/request_text.h"
#include "script/script_thread.h"

struct lua_State;

namespace carronade::script {

class ScriptSource : public RequestSource {
 public:
  // `connections`: of the whole run. `thread` must outlive this.
  ScriptSource(ScriptThread& thread, uint32_t connections);

  SourceWants wants() const override;
  NextRequest next(uint32_t connection, std::string& out) override;
  bool on_response(const Response& response) override;
  uint32_t target() const override { return thread_.target; }
  int64_t pause_ns(uint32_t connection) override;

 private:
  // What a connection still has of a text with several requests.
  struct Rest {
    std::string text{};  // unless it is the known one
    size_t at = 0;
    size_t known_at = 0;  // in KnownText::cuts; 0: none
    bool empty() const { return known_at == 0 && at == text.size(); }
  };
  // The first text that request() gave, kept alive in the state: strings of Lua that are the same
  // are one, so that it is known by its address and is cut only once.
  struct KnownText {
    std::string_view text{};
    std::vector<RequestCut> cuts{};  // from the text's begin
  };
  NextRequest make(uint32_t connection, std::string& out);
  NextRequest give(std::string_view text, size_t& at, std::string& out);
  NextRequest give_known(uint32_t connection, size_t number, std::string& out);
  NextRequest give_static(std::string& out) const;
  void learn(std::string_view text);
  Rest& rest_of(uint32_t connection);
  int parameters_of_hook();
  void fail(const char* hook, const std::string& text);

  ScriptThread& thread_;
  lua_State* const lua_;
  uint32_t connections_;
  std::vector<Rest> rests_;  // by connection; empty until a text has several requests
  KnownText known_;
  // Of the response() that was called last, kept alive so that no other gets its address.
  int known_hook_;
  int known_parameters_ = 0;
  bool static_is_last_ = false;  // on its socket
};

// Keeps what the counting of a function's parameters needs, before a script can change it.
void keep_parameter_counter(lua_State* state);

}  // namespace carronade::script
