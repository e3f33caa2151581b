// Streams of results in vegeta's encodings: any bytes are read or refused in one line; what was
// read is written and read again to the same, in each encoding. The last byte says which encoding
// the bytes are in: 0 gob, 1 JSON, 2 CSV, else it is found out.
#include <memory>
#include <string>
#include <vector>

#include "dialects/vegeta/vegeta_decoders.h"
#include "dialects/vegeta/vegeta_encoders.h"
#include "fuzz_input.h"

namespace {

using carronade::Expected;
using carronade::fuzz::disagree;
using carronade::fuzz::FuzzInput;
namespace vegeta = carronade::dialects::vegeta;
using vegeta::Detail;
using vegeta::Encoding;
using vegeta::Result;

void check_refusal(const std::string& text) {
  if (text.empty()) disagree("a refusal without a reason", text, "");
  if (text.find('\n') != std::string::npos) disagree("an error of several lines", text, "");
}

std::vector<Result> read_all(vegeta::ResultDecoder& decoder) {
  std::vector<Result> results;
  Result result;
  while (true) {
    const Expected<bool> found = decoder.next(result);
    if (!found) check_refusal(found.error().text);
    if (!found || !*found) return results;
    results.push_back(result);
  }
}

std::vector<Result> read_bytes(Encoding encoding, const std::string& bytes, Detail detail) {
  vegeta::ResultInput input(bytes);
  return read_all(*vegeta::make_decoder(encoding, input, detail));
}

std::string write_all(Encoding encoding, const std::vector<Result>& results) {
  std::string bytes;
  const std::unique_ptr<vegeta::ResultEncoder> encoder = vegeta::make_encoder(encoding);
  for (const Result& result : results) encoder->encode(result, bytes);
  return bytes;
}

// What one encoding cannot say is lost the first time, and nothing more after that. JSON and CSV
// have times from 1678 to 2261 alone, and CSV no zones.
void check_again(const std::vector<Result>& results) {
  constexpr int64_t kEdge = 9'200'000'000'000'000'000;
  for (const Result& result : results) {
    if (result.timestamp_unix_ns < -kEdge || result.timestamp_unix_ns > kEdge) return;
  }
  for (const Encoding encoding : {Encoding::kGob, Encoding::kJson, Encoding::kCsv}) {
    const std::vector<Result> once =
        read_bytes(encoding, write_all(encoding, results), Detail::kAll);
    if (once.size() != results.size()) disagree("results lost", write_all(encoding, results), "");
    const std::string bytes = write_all(encoding, once);
    const std::string twice = write_all(encoding, read_bytes(encoding, bytes, Detail::kAll));
    if (twice != bytes) disagree("written twice", bytes, twice);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput fuzz(data, size);
  const uint8_t choice = fuzz.number();
  const std::string bytes(fuzz.text());
  vegeta::ResultInput input(bytes);
  std::unique_ptr<vegeta::ResultDecoder> decoder;
  if (choice <= 2) {
    decoder = vegeta::make_decoder(static_cast<Encoding>(choice), input, Detail::kAll);
  } else {
    Expected<vegeta::DetectedStream> stream = vegeta::detect_decoder("x", input, Detail::kAll);
    if (!stream) {
      check_refusal(stream.error().text);
      return 0;
    }
    decoder = std::move(stream->decoder);
  }
  const std::vector<Result> results = read_all(*decoder);
  if (choice <= 2) {
    const auto encoding = static_cast<Encoding>(choice);
    const size_t figures = read_bytes(encoding, bytes, Detail::kFigures).size();
    if (figures < results.size()) disagree("figures alone are fewer", bytes, "");
  }
  check_again(results);
  return 0;
}
