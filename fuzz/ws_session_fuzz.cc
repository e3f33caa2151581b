// Whatever a WebSocket server sends: the events do not depend on how the bytes are split, on how
// many messages a feed may finish, nor on whether anybody hears the payload; and the session does
// not contradict itself (`BUG`).
#include "fuzz_input.h"
#include "http/ws_event_log.h"

namespace {

using carronade::fuzz::disagree;
using carronade::fuzz::FuzzInput;
using carronade::http::run_ws;
using carronade::http::WsEvents;

void check(const char* what, const WsEvents& one, const WsEvents& other) {
  if (one.log != other.log) disagree(what, one.log, other.log);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint32_t kNoLimit = 1000;
  FuzzInput input(data, size);
  const uint8_t seed = input.number();
  const std::vector<std::string_view> split = input.pieces(seed);
  const std::string_view text = input.text();

  const WsEvents whole = run_ws({&text, 1}, kNoLimit, true);
  // At the start of a line: a payload may say it too.
  if (("\n" + whole.log).find("\nBUG ") != std::string::npos) disagree("bug", whole.log, "");
  const WsEvents in_pieces = run_ws(split, kNoLimit, true);
  check("whole and split differ", whole, in_pieces);
  if (whole.bodies != in_pieces.bodies) disagree("bodies differ", whole.log, in_pieces.log);
  check("few and many messages a feed differ", whole, run_ws(split, 1 + seed % 3, true));
  check("heard and unheard payloads differ", whole, run_ws({&text, 1}, 1, false));
  return 0;
}
