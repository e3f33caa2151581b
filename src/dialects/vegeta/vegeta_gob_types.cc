#include "dialects/vegeta/vegeta_gob_types.h"

#include <optional>
#include <utility>

namespace carronade::dialects::vegeta::gob {
namespace {

// Far above what a stream of results needs, and little enough to be kept.
constexpr size_t kMostTypes = 200;
constexpr size_t kMostFields = 1'000;
constexpr size_t kMostNameBytes = 255;
constexpr int kMostNesting = 100;

// The fields of a struct come as steps from one field's number to the next; 0 ends it. Numbers
// count from 0; -1 is the end or a fault.
class Fields {
 public:
  Fields(Cursor& cursor, int64_t count) : cursor_(cursor), count_(count) {}
  int64_t next() {
    const uint64_t step = cursor_.unsigned_number();
    if (!cursor_.ok() || step == 0) return -1;
    if (step > static_cast<uint64_t>(count_ - 1 - number_)) {
      cursor_.fail();
      return -1;
    }
    number_ += static_cast<int64_t>(step);
    return number_;
  }

 private:
  Cursor& cursor_;
  int64_t count_;
  int64_t number_ = -1;
};

// Name and id, the part that all definitions begin with; both are known or of no use.
void read_common(Cursor& cursor) {
  Fields fields(cursor, 2);
  for (int64_t field = fields.next(); field >= 0; field = fields.next()) {
    if (field == 0) cursor.bytes();
    if (field == 1) cursor.signed_number();
  }
}

std::vector<FieldType> read_fields(Cursor& cursor) {
  const uint64_t count = cursor.count();
  if (count > kMostFields) cursor.fail();
  std::vector<FieldType> types(cursor.ok() ? count : 0);
  for (FieldType& type : types) {
    Fields fields(cursor, 2);
    for (int64_t field = fields.next(); field >= 0; field = fields.next()) {
      if (field == 0) type.name = cursor.bytes().substr(0, kMostNameBytes + 1);
      if (field == 1) type.type = cursor.signed_number();
    }
    if (type.name.size() > kMostNameBytes) cursor.fail();
  }
  return types;
}

// The parts of one kind of definition: the common one, then numbers or the list of fields.
Type read_definition(Kind kind, Cursor& cursor) {
  Type type;
  type.kind = kind;
  const bool two = kind == Kind::kArray || kind == Kind::kMap;
  Fields fields(cursor, kind == Kind::kOpaque ? 1 : two ? 3 : 2);
  for (int64_t field = fields.next(); field >= 0; field = fields.next()) {
    if (field == 0) {
      read_common(cursor);
    } else if (kind == Kind::kStruct) {
      type.fields = read_fields(cursor);
    } else if (kind == Kind::kMap && field == 1) {
      type.key = cursor.signed_number();
    } else if (kind == Kind::kArray && field == 2) {
      cursor.signed_number();  // its length, which each value repeats
    } else {
      type.element = cursor.signed_number();
    }
  }
  return type;
}

}  // namespace

bool TypeTable::define(int64_t negated_id, Cursor& cursor) {
  if (negated_id < -INT32_MAX) return false;  // Go's have 32 bits
  const int64_t id = -negated_id;
  if (id < kFirstOwn || types_.size() >= kMostTypes || types_.contains(id)) return false;
  // Which of them is there says what the type is; the last three encode themselves.
  constexpr Kind kKinds[] = {Kind::kArray,  Kind::kSlice,  Kind::kStruct, Kind::kMap,
                             Kind::kOpaque, Kind::kOpaque, Kind::kOpaque};
  std::optional<Type> found;
  Fields fields(cursor, std::size(kKinds));
  for (int64_t field = fields.next(); field >= 0; field = fields.next()) {
    found = read_definition(kKinds[field], cursor);
  }
  if (!cursor.ok() || !found) return false;
  types_.emplace(id, std::move(*found));
  return true;
}

const Type* TypeTable::find(int64_t id) const {
  const auto place = types_.find(id);
  return place == types_.end() ? nullptr : &place->second;
}

void TypeTable::skip_nested(int64_t id, Cursor& cursor, int depth) {
  switch (id) {
    case kBool:
    case kInt:
    case kUint:
    case kFloat:
      cursor.unsigned_number();
      return;
    case kComplex:
      cursor.unsigned_number();
      cursor.unsigned_number();
      return;
    case kBytes:
    case kString:
      cursor.bytes();
      return;
    case kInterface:
      skip_interface(cursor);
      return;
    default:
      break;
  }
  const Type* type = find(id);
  if (type == nullptr || depth >= kMostNesting) {
    cursor.fail();
    return;
  }
  skip_composite(*type, cursor, depth + 1);
}

void TypeTable::skip_composite(const Type& type, Cursor& cursor, int depth) {
  if (type.kind == Kind::kOpaque) {
    cursor.bytes();
  } else if (type.kind == Kind::kStruct) {
    skip_struct(type, cursor, depth);
  } else {
    const uint64_t count = cursor.count();
    for (uint64_t i = 0; i < count && cursor.ok(); ++i) {
      if (type.kind == Kind::kMap) skip_nested(type.key, cursor, depth);
      skip_nested(type.element, cursor, depth);
    }
  }
}

void TypeTable::skip_struct(const Type& type, Cursor& cursor, int depth) {
  Fields fields(cursor, static_cast<int64_t>(type.fields.size()));
  for (int64_t field = fields.next(); field >= 0; field = fields.next()) {
    skip_nested(type.fields[static_cast<size_t>(field)].type, cursor, depth);
  }
}

// The name of the concrete type, empty for nil; definitions of types that are new, behind each the
// end of the message or the length of what follows; the type's id; the length of the value, and
// this.
void TypeTable::skip_interface(Cursor& cursor) {
  if (cursor.bytes().empty()) return;
  int64_t id = cursor.signed_number();
  while (cursor.ok() && id < 0) {
    if (!define(id, cursor)) cursor.fail();
    if (!cursor.ok()) return;
    if (!cursor.at_end()) {
      cursor.unsigned_number();
    } else if (!next_message_(cursor)) {
      cursor.fail();
    }
    id = cursor.signed_number();
  }
  cursor.bytes();
}

}  // namespace carronade::dialects::vegeta::gob
