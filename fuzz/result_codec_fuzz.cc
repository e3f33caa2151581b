// The bytes of a result: any bytes are decoded or refused in one line; what was decoded is
// encoded to the same again, and adds up with itself to twice as much.
#include "carronade/result_codec.h"
#include "fuzz_input.h"

namespace {

using carronade::decode_result;
using carronade::encode_result;
using carronade::Expected;
using carronade::merge_results;
using carronade::RunResult;
using carronade::fuzz::disagree;

void check_refusal(const std::string& text) {
  if (text.rfind("result: ", 0) != 0) disagree("an error without its place", text, "");
  if (text.find('\n') != std::string::npos) disagree("an error of several lines", text, "");
}

void check_result(const RunResult& result) {
  const std::string bytes = encode_result(result);
  const Expected<RunResult> again = decode_result(bytes);
  if (!again) disagree("encoded bytes refused", again.error().text, bytes);
  const std::string twice = encode_result(*again);
  if (twice != bytes) disagree("encoded twice", bytes, twice);
  const RunResult both = merge_results({result, result});
  if (both.answered != 2 * result.answered) disagree("answers lost", bytes, "");
  if (both.series.size() != result.series.size()) disagree("seconds lost", bytes, "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const carronade::fuzz::FuzzInput input(data, size);
  const Expected<RunResult> result = decode_result(input.text());
  if (result) {
    check_result(*result);
  } else {
    check_refusal(result.error().text);
  }
  return 0;
}
