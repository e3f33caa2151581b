// What the tests of the codecs share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dialects/vegeta/vegeta_decoders.h"
#include "dialects/vegeta/vegeta_encoders.h"

namespace carronade::dialects::vegeta {

// Bytes of hexadecimal digits, blanks between them allowed.
inline std::string from_hex(std::string_view text) {
  std::string digits;
  for (const char digit : text) {
    if (digit != ' ' && digit != '\n') digits += digit;
  }
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  }
  return bytes;
}

struct Decoded {
  std::vector<Result> results;
  std::string error;  // that ended it; "" for the end of the bytes
};
inline Decoded decode_all(Encoding encoding, std::string bytes, Detail detail = Detail::kAll) {
  ResultInput input(std::move(bytes));
  const std::unique_ptr<ResultDecoder> decoder = make_decoder(encoding, input, detail);
  Decoded decoded;
  Result result;
  while (true) {
    const Expected<bool> found = decoder->next(result);
    if (!found) decoded.error = found.error().text;
    if (!found || !*found) return decoded;
    decoded.results.push_back(result);
  }
}

inline std::string encode_all(Encoding encoding, const std::vector<Result>& results) {
  std::string bytes;
  const std::unique_ptr<ResultEncoder> encoder = make_encoder(encoding);
  for (const Result& result : results) encoder->encode(result, bytes);
  return bytes;
}

// With every field, only some, and extremes: what test/data/vegeta/three_results.json says.
inline std::vector<Result> three_results() {
  Result first;
  first.attack = "big";
  first.code = 200;
  first.timestamp_unix_ns = 1'706'691'600'250'000'000;
  first.zone_minutes = 60;
  first.latency_ns = 1'234'567;
  first.bytes_out = 3;
  first.bytes_in = 5;
  first.body = "hello";
  first.has_body = true;
  first.method = "POST";
  first.url = "http://127.0.0.1:8080/a?b=1&c=<2>";
  first.headers = {{"Content-Type", "text/plain"}, {"Content-Type", "x"}};
  first.has_headers = true;
  Result second;
  second.seq = 1;
  second.timestamp_unix_ns = 1'706'691'600'000'000'001;
  second.latency_ns = 300;
  second.error = "Get \"http://x\": refused";
  second.method = "GET";
  second.url = "http://x";
  Result third;
  third.seq = UINT64_MAX;
  third.code = 503;
  third.timestamp_unix_ns = -500'000'000;
  third.latency_ns = INT64_MAX;
  third.bytes_out = UINT64_MAX;
  third.bytes_in = 128;
  third.error = "503 Service Unavailable";
  third.has_headers = true;
  return {first, second, third};
}

}  // namespace carronade::dialects::vegeta
