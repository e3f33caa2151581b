#include "cli/run_observer.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/output.h"

namespace carronade::cli {
namespace {

constexpr size_t kShownBytesMax = 4096;

// CRLF to LF, so that line ends do not show as \x0d.
std::string plain_line_ends(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    const bool line_end = bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n';
    if (!line_end) text += bytes[i];
  }
  return text;
}

}  // namespace

RunObserver::RunObserver(std::optional<report::ProgressGoal> goal, bool colour, DebugOutput debug)
    : debug_(debug) {
  if (!goal) return;
  progress_ = std::make_unique<report::ProgressWriter>(
      [](std::string_view bytes) { (void)write_stderr(bytes); },
      [] { return report::terminal_columns(STDERR_FILENO); }, *goal, colour);
}

void RunObserver::on_progress(const Progress& progress) {
  if (progress_) progress_->update(progress);
}

void RunObserver::on_errors(const ErrorCount& fresh) {
  if (debug_ == DebugOutput::kNone) return;
  if (progress_) progress_->clear();
  std::string line = base::printable(fresh.text);
  if (debug_ == DebugOutput::kExchange && fresh.count > 1) {
    line += fmt::format(" ({} times)", base::format_thousands(fresh.count));
  }
  (void)write_stderr(line + "\n");
}

void RunObserver::on_exchange(std::string_view request, std::string_view response) {
  if (debug_ != DebugOutput::kExchange) return;
  if (progress_) progress_->clear();
  (void)write_stderr(wire_lines(request, "> ") + wire_lines(response, "< "));
}

void RunObserver::finish() {
  if (progress_) progress_->clear();
}

std::string wire_lines(std::string_view bytes, std::string_view mark) {
  const std::string text = plain_line_ends(bytes.substr(0, kShownBytesMax));
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    out += std::string(mark) + base::printable(rest.substr(0, end)) + "\n";
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (bytes.size() > kShownBytesMax) {
    out += fmt::format("{}… {} bytes more\n", mark,
                       base::format_thousands(bytes.size() - kShownBytesMax));
  }
  return out;
}

}  // namespace carronade::cli
