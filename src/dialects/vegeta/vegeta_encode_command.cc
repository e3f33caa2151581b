#include "dialects/vegeta/vegeta_encode_command.h"

#include <optional>

#include "cli/exit_codes.h"
#include "cli/go_flags.h"
#include "cli/output.h"
#include "dialects/vegeta/vegeta_encoders.h"
#include "dialects/vegeta/vegeta_input_wait.h"
#include "dialects/vegeta/vegeta_output.h"
#include "dialects/vegeta/vegeta_reader.h"
#include "dialects/vegeta/vegeta_result_flags.h"

namespace carronade::dialects::vegeta {
namespace {

// Bytes on their way out: written when there are many, or when nothing comes for the moment, so
// that a reader at the other end of a pipe sees each result soon.
class BufferedOutput {
 public:
  explicit BufferedOutput(const ResultOutput& output) : output_(output) {}
  std::string& bytes() { return bytes_; }
  // False when it cannot be written; error() has the reason.
  bool flush() {
    if (!error_.empty()) return false;
    const Expected<void> written = output_.write(bytes_);
    bytes_.clear();
    if (!written) error_ = written.error().text;
    return written.has_value();
  }
  bool flush_when_full() {
    constexpr size_t kFull = 64 * 1024;
    return bytes_.size() < kFull || flush();
  }
  const std::string& error() const { return error_; }

 private:
  const ResultOutput& output_;
  std::string bytes_;
  std::string error_;
};

}  // namespace

int encode_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  EncodeOptions options;
  const CommandLine line = parse_command_line("encode", encode_flags(options), args);
  if (line.exit) return *line.exit;
  const std::optional<Encoding> encoding = encoding_named(options.to);
  if (!encoding) return fail("encode: unknown encoding " + cli::go_quoted(options.to));

  InputWait wait;
  Expected<ResultReader> reader = ResultReader::open(
      line.files, Detail::kAll, [&wait](int fd) { return wait.before_read(fd); });
  if (!reader) return fail(reader.error().text);
  const Expected<ResultOutput> output = ResultOutput::open(options.output);
  if (!output) return fail(output.error().text);

  BufferedOutput out(*output);
  wait.when_idle([&out] { return out.flush(); });
  const std::unique_ptr<ResultEncoder> encoder = make_encoder(*encoding);
  Result result;
  while (wait.between_results() && reader->next(result)) {
    encoder->encode(result, out.bytes());
    if (!out.flush_when_full()) break;
  }
  const bool written = out.flush();
  if (!written) fail(out.error());
  if (wait.cut_short()) tell_cut_short("encode");
  return told_faults(*reader) == cli::kExitOk && written ? cli::kExitOk : cli::kExitUsage;
}

int dump_command(std::span<const std::string> /*args*/) {
  return fail("vegeta dump has been deprecated and succeeded by the vegeta encode command");
}

}  // namespace carronade::dialects::vegeta
