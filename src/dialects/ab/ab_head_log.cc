#include "dialects/ab/ab_head_log.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "http/head_fields.h"

namespace carronade::dialects::ab {
namespace {

constexpr size_t kQueueBytes = size_t{4} << 20;  // some 10,000 heads
constexpr size_t kFlushBytes = size_t{64} << 10;

std::vector<std::unique_ptr<cli::RecordQueue>> make_queues(uint32_t workers) {
  std::vector<std::unique_ptr<cli::RecordQueue>> queues;
  for (uint32_t i = 0; i < workers; ++i) {
    queues.push_back(std::make_unique<cli::RecordQueue>(kQueueBytes));
  }
  return queues;
}

}  // namespace

std::string head_log_lines(std::string_view head, int verbosity) {
  std::string text = fmt::format("LOG: header received:\n{}\n", head);
  constexpr size_t kStatusAt = 9;  // behind "HTTP/1.x "
  const std::string_view line = http::status_line(head);
  const std::string_view status =
      line.size() > kStatusAt ? line.substr(kStatusAt, 3) : std::string_view("500");
  if (status[0] != '2') {
    text += fmt::format("WARNING: Response code not 2xx ({})\n", status);
  } else if (verbosity >= 3) {
    text += fmt::format("LOG: Response code = {}\n", status);
  }
  return text;
}

AbHeadLog::AbHeadLog(uint32_t workers, int verbosity)
    : writer_(
          make_queues(workers),
          [this, verbosity](std::string_view head) -> Expected<void> {
            text_ += head_log_lines(head, verbosity);
            if (text_.size() < kFlushBytes) return {};
            return cli::write_stdout(std::exchange(text_, {}));
          },
          [this]() -> Expected<void> { return cli::write_stdout(std::exchange(text_, {})); }) {}

std::string AbHeadLog::finish() {
  const Expected<void> done = writer_.finish();
  if (!done) return done.error().text;
  if (writer_.lost() == 0) return "";
  return fmt::format("{} heads were not printed: standard output was too slow", writer_.lost());
}

}  // namespace carronade::dialects::ab
