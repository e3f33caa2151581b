// The chunked coding: any bytes give the same whole and split; and a body that is encoded here,
// with sizes, extensions and splits of the fuzzer's choice, comes out as it went in.
#include <charconv>

#include "fuzz_input.h"
#include "http/h1_chunked.h"

namespace {

using carronade::fuzz::disagree;
using carronade::fuzz::FuzzInput;
using carronade::http::ChunkReader;

// Data, and how it ended: "last" with the bytes left over, a fault's detail, or "more".
std::string decode(const std::vector<std::string_view>& pieces, std::string& data) {
  ChunkReader reader;
  size_t left = 0;
  for (std::string_view piece : pieces) left += piece.size();
  for (std::string_view piece : pieces) {
    while (!piece.empty()) {
      const uint64_t data_left = reader.data_left();
      const ChunkReader::Step step = reader.step(piece);
      if (step.fault != nullptr) return step.fault->detail;
      if (step.used == 0 || step.used > piece.size()) disagree("no progress", "", "");
      if (step.data.size() > data_left) disagree("more data than announced", "", "");
      data += step.data;
      piece.remove_prefix(step.used);
      left -= step.used;
      if (step.last) return "last, left " + std::to_string(left);
    }
  }
  return "more";
}

void check_any_bytes(const FuzzInput& input, uint8_t seed) {
  std::string whole;
  std::string split;
  const std::string whole_end = decode({input.text()}, whole);
  const std::string split_end = decode(input.pieces(seed), split);
  if (whole_end != split_end) disagree("ends differ", whole_end, split_end);
  if (whole != split) disagree("data differ", whole, split);
}

std::string encode(const FuzzInput& input, uint8_t seed) {
  std::string out;
  for (std::string_view piece : input.pieces(seed)) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, piece.size(), 16).ptr;
    out.append(digits, end);
    if ((seed & 64) != 0) out += " ; a=\"b;c\"";
    out += (seed & 128) != 0 ? "\n" : "\r\n";
    out += piece;
    out += "\r\n";
  }
  return out + "0\r\n";
}

void check_round_trip(const FuzzInput& input, uint8_t chunks, uint8_t splits) {
  const std::string encoded = encode(input, chunks);
  const FuzzInput again(reinterpret_cast<const uint8_t*>(encoded.data()), encoded.size());
  std::string data;
  const std::string end = decode(again.pieces(splits), data);
  if (end != "last, left 0") disagree("encoded body refused", encoded, end);
  if (data != input.text()) disagree("body changed", std::string(input.text()), data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const uint8_t chunks = input.number();
  const uint8_t splits = input.number();
  check_any_bytes(input, splits);
  check_round_trip(input, chunks, splits);
  return 0;
}
