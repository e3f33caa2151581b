#include "dialects/vegeta/vegeta_decoders.h"

#include <algorithm>
#include <numeric>

#include "cli/go_flags.h"
#include "dialects/vegeta/vegeta_csv_codec.h"
#include "dialects/vegeta/vegeta_gob_decoder.h"
#include "dialects/vegeta/vegeta_json_codec.h"

namespace carronade::dialects::vegeta {

std::unique_ptr<ResultDecoder> make_decoder(Encoding encoding, ResultInput& input, Detail detail) {
  switch (encoding) {
    case Encoding::kGob:
      return std::make_unique<GobDecoder>(input, detail);
    case Encoding::kJson:
      return std::make_unique<JsonDecoder>(input, detail);
    case Encoding::kCsv:
      return std::make_unique<CsvDecoder>(input, detail);
  }
  return nullptr;
}

Expected<DetectedStream> detect_decoder(const std::string& name, ResultInput& input,
                                        Detail detail) {
  std::string reasons;
  input.hold();
  for (const Encoding encoding : {Encoding::kGob, Encoding::kJson, Encoding::kCsv}) {
    Result first;
    const Expected<bool> found = make_decoder(encoding, input, detail)->next(first);
    const bool empty = input.rest().empty() && input.offset() == 0;
    input.rewind();
    if (found && *found) {
      input.release();
      return DetectedStream{make_decoder(encoding, input, detail), encoding};
    }
    if (input.stopped()) return DetectedStream{};
    if (!input.read_error().empty()) {
      return unexpected("encode: can't detect encoding of " + cli::go_quoted(name) +
                        ": read: " + input.read_error());
    }
    if (empty) {
      reasons = "it is empty";
      break;
    }
    constexpr std::string_view kNames[] = {"gob", "; json", "; csv"};
    reasons += kNames[static_cast<size_t>(encoding)];
    reasons += ": " + (found ? std::string("no result") : found.error().text);
  }
  return unexpected("encode: can't detect encoding of " + cli::go_quoted(name) + ": " + reasons);
}

void clear_result(Result& result) {
  result.attack.clear();
  result.seq = 0;
  result.code = 0;
  result.timestamp_unix_ns = 0;
  result.zone_minutes = -1;
  result.latency_ns = 0;
  result.bytes_out = 0;
  result.bytes_in = 0;
  result.error.clear();
  result.body.clear();
  result.has_body = false;
  result.method.clear();
  result.url.clear();
  result.headers.clear();
  result.has_headers = false;
}

bool HeaderAdder::add(std::string_view name, std::string_view value) {
  bytes_ += name.size() + value.size();
  if (headers_.size() >= kMostHeaders || bytes_ > kMostBytes) return false;
  headers_.push_back({std::string(name), std::string(value)});
  return true;
}

HeaderOrder::HeaderOrder(const std::vector<Header>& headers, std::vector<uint32_t>& order)
    : headers_(headers), order_(order) {
  order_.resize(headers.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&headers](uint32_t a, uint32_t b) {
    const int order_of_names = headers[a].name.compare(headers[b].name);
    return order_of_names != 0 ? order_of_names < 0 : a < b;
  });
}

size_t HeaderOrder::names() const {
  size_t count = 0;
  for_each_name([&count](std::string_view, size_t, size_t) { ++count; });
  return count;
}

}  // namespace carronade::dialects::vegeta
