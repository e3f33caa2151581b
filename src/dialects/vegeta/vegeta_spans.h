// When the attacks of several files went on, so that a pause between them is not taken for load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carronade::dialects::vegeta {

class FileSpans {
 public:
  void add(size_t file, int64_t timestamp_unix_ns);
  // A line about the rate without the pauses between the files' attacks; "" when there are none
  // worth a word (1 % of the time).
  std::string gap_note(uint64_t requests) const;

 private:
  struct Span {
    int64_t first_ns;
    int64_t last_ns;
    bool any = false;
  };
  std::vector<Span> spans_;  // by file
};

}  // namespace carronade::dialects::vegeta
