// The type definitions of a gob stream, and how to pass over a value of any of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dialects/vegeta/vegeta_gob_wire.h"

namespace carronade::dialects::vegeta::gob {

enum class Kind : uint8_t {
  kArray,
  kSlice,
  kStruct,
  kMap,
  kOpaque,  // a type that encodes itself, into bytes
};

struct FieldType {
  std::string name;
  int64_t type = 0;
};

struct Type {
  Kind kind = Kind::kOpaque;
  int64_t key = 0;  // of a map
  int64_t element = 0;
  std::vector<FieldType> fields;  // of a struct
};

class TypeTable {
 public:
  // A value with an interface in it may go on in the next message, behind the definition of a type
  // that ends the first: `next_message` puts that in place of the cursor, which is at its end.
  // False when there is none.
  using NextMessage = std::function<bool(Cursor& cursor)>;
  explicit TypeTable(NextMessage next_message) : next_message_(std::move(next_message)) {}

  // Reads the definition of a type, whose id the stream has said negated. False when it is none,
  // the id has one already, or there are more than a stream of results can need.
  bool define(int64_t negated_id, Cursor& cursor);
  // nullptr when the stream has not defined it.
  const Type* find(int64_t id) const;
  // Passes over a value; `cursor` has failed when it cannot be one.
  void skip(int64_t id, Cursor& cursor) { skip_nested(id, cursor, 0); }

 private:
  void skip_nested(int64_t id, Cursor& cursor, int depth);
  void skip_composite(const Type& type, Cursor& cursor, int depth);
  void skip_struct(const Type& type, Cursor& cursor, int depth);
  void skip_interface(Cursor& cursor);

  NextMessage next_message_;
  std::map<int64_t, Type> types_;
};

}  // namespace carronade::dialects::vegeta::gob
