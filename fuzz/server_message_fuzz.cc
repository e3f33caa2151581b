// The test server's reader of WebSocket frames: the same bytes, whole, byte by byte and in pieces,
// must give the same messages and the same error. The first byte chooses the size of the pieces.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "server/message_log.h"

using carronade::server::MessageLog;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t piece = size_t{data[0]} + 2;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  MessageLog whole, pieces, bytewise;
  whole.feed(bytes);
  for (size_t at = 0; at < bytes.size(); at += piece) pieces.feed(bytes.substr(at, piece));
  for (size_t at = 0; at < bytes.size(); ++at) bytewise.feed(bytes.substr(at, 1));
  CHECK(pieces.text() == whole.text());
  CHECK(bytewise.text() == whole.text());
  return 0;
}
