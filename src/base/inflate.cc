#include "base/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace carronade::base {
namespace {

// zlib's state, given back whatever happens.
class Inflater {
 public:
  Inflater() {
    constexpr int kLargestWindowAndEitherHeader = 15 + 32;
    ready_ = inflateInit2(&stream_, kLargestWindowAndEitherHeader) == Z_OK;
  }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool ready() const { return ready_; }
  z_stream& stream() { return stream_; }
  std::string fault() const { return stream_.msg == nullptr ? "cut short" : stream_.msg; }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

Expected<uint64_t> inflate(std::string_view bytes, std::string& out, size_t most,
                           BeyondMost beyond) {
  out.clear();
  Inflater inflater;
  if (!inflater.ready()) return unexpected(std::string("no memory for inflating"));
  z_stream& stream = inflater.stream();
  std::array<Bytef, size_t{64} * 1024> piece;
  uint64_t total = 0;
  bool between_members = false;
  size_t position = 0;  // avail_in has only 32 bits
  while (true) {
    if (stream.avail_in == 0) {
      constexpr size_t kMostAtOnce = size_t{1} << 30;
      const size_t count = std::min(bytes.size() - position, kMostAtOnce);
      // zlib does not write to its input, and says so only when built that way.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + position));
      stream.avail_in = static_cast<uInt>(count);
      position += count;
      if (count == 0 && between_members) return total;
    }
    if (between_members && inflateReset(&stream) != Z_OK) return unexpected(inflater.fault());
    between_members = false;
    stream.next_out = piece.data();
    stream.avail_out = piece.size();
    const int result = ::inflate(&stream, Z_NO_FLUSH);
    const size_t got = piece.size() - stream.avail_out;
    out.append(reinterpret_cast<const char*>(piece.data()),
               std::min(got, most - std::min(most, out.size())));
    total += got;
    if (total > kMostInflated) {
      return unexpected(std::string("more than 256 MiB of plain bytes in it"));
    }
    if (beyond == BeyondMost::kLeft && total >= most) return total;
    if (result == Z_STREAM_END) {
      between_members = true;
    } else if (result != Z_OK) {
      return unexpected(inflater.fault());
    }
  }
}

}  // namespace carronade::base
