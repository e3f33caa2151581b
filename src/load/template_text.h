// A request with places that are filled in anew each time it is sent, compiled once per run to
// the text between them. What may be filled in says RunSpec (ids, templates). In one request
// [<id>], {{uuid}}, {{counter}}, {{timestamp}} and the row of {{csv.…}} are the same in all places;
// each {{random A B}} is drawn for itself. In a target, placeholders may be percent-encoded, as
// URL parsers do it: [%3Cid%3E], {{random%201%20100}}, %7B%7Buuid%7D%7D.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/request.h"
#include "carronade/url.h"

namespace carronade::load {

enum class Fill : uint8_t {
  kId,
  kUuid,
  kCounter,
  kRandom,
  kTimestamp,
  kColumn,
  kBodyLength,  // bytes of the body as filled in
};

// Decides how a value is kept from breaking the text around it.
enum class Place : uint8_t { kTarget, kHeader, kBody };

struct TemplatePiece {
  size_t text_end = 0;  // the text before the fill goes on to here in TemplateText::text
  Fill fill = Fill::kId;
  Place place = Place::kTarget;
  int64_t low = 0;     // kRandom: the least value
  uint64_t count = 0;  // kRandom: how many values there are; 0 stands for 2^64
  size_t column = 0;   // kColumn
};

struct TemplateText {
  std::string text;  // all that is not filled in
  std::vector<TemplatePiece> pieces;
  size_t body_text_bytes = 0;  // of the text that belongs to the body
  bool last_on_socket = false;
  uint32_t fills = 0;  // one bit per Fill

  bool uses(Fill fill) const { return (fills >> static_cast<uint32_t>(fill) & 1) != 0; }
};

struct TemplateSyntax {
  bool ids = false;
  bool templates = false;
  std::string data_path;             // for messages
  std::vector<std::string> columns;  // of {{csv.…}}; empty: there is no data file
};

// Errors as http/request_writer.h has them, and for a placeholder that is unknown or wrong; they
// name the place (`URL`, `header X-Foo`, `body`), with `where` in front of it.
Expected<TemplateText> compile_template(const Url& url, const Request& request,
                                        const TemplateSyntax& syntax, std::string_view where);

}  // namespace carronade::load
