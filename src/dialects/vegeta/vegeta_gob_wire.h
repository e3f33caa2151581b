// The numbers of Go's encoding/gob: unsigned ones in one byte below 128, else the negated count of
// bytes and then these, the highest first; signed ones with the sign in the lowest bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace carronade::dialects::vegeta::gob {

// Ids of types that every stream knows. Those of its own begin at kFirstOwn.
enum TypeId : int64_t {
  kBool = 1,
  kInt = 2,
  kUint = 3,
  kFloat = 4,
  kBytes = 5,
  kString = 6,
  kComplex = 7,
  kInterface = 8,
  kFirstOwn = 65,
};

void append_unsigned(uint64_t number, std::string& out);
void append_signed(int64_t number, std::string& out);
void append_bytes(std::string_view bytes, std::string& out);  // their count and they

// Walks over the bytes of one message. After a fault ok() is false and all that is read is 0 or
// empty, so that callers look once at the end of a group.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  uint64_t unsigned_number() {
    if (rest_.empty()) {
      fail();
      return 0;
    }
    const auto first = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first < 128 ? first : long_number(256U - first);
  }
  int64_t signed_number() {
    const uint64_t bits = unsigned_number();
    const auto half = static_cast<int64_t>(bits >> 1);
    return (bits & 1) != 0 ? ~half : half;
  }
  // As many bytes as a number before them says.
  std::string_view bytes();
  // How many elements follow; each has at least one byte.
  uint64_t count();

 private:
  uint64_t long_number(size_t bytes);

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace carronade::dialects::vegeta::gob
