// `--index`: what a regular expression finds becomes a number that counts up with each request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/proxy_spec.h"
#include "carronade/run_spec.h"

namespace carronade::dialects::loadtest {

// The parts of `text` between what `pattern` finds, n + 1 for n matches: as JavaScript's
// text.replace(new RegExp(pattern, 'g'), …) cuts it. An empty match is one too. The error says
// where the pattern is wrong.
Expected<std::vector<std::string>> cut_at_matches(const std::string& pattern,
                                                  std::string_view text);

// One request with the places where numbers go. Const when it is made; shared by all workers.
struct IndexText {
  struct Piece {
    enum class Then : uint8_t { kNothing, kIndex, kLength } then = Then::kNothing;
    std::string text;  // before it
  };
  std::vector<Piece> pieces;
  // The length of the body: of its fixed part, and how many indices it has.
  uint64_t body_bytes = 0;
  uint64_t body_indices = 0;

  // WebSocket: the pieces are those of the message, and a frame goes around it.
  bool websocket = false;
  bool last_on_socket = false;  // the request says Connection: close

  // Appends the request, or the message, of index `number`.
  void append(uint64_t number, std::string& out) const;
};

// Path and body of the target's request are cut; host and headers are not. The error is that of
// the pattern or of a request that cannot be written.
Expected<IndexText> make_index_text(const std::string& pattern, const Target& target,
                                    const std::optional<ProxySpec>& proxy);

}  // namespace carronade::dialects::loadtest
