// What a person sees while a run goes on: the progress line, and with --debug one exchange and
// the errors as they come. All of it on standard error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "carronade/observer.h"
#include "report/progress_line.h"

namespace carronade::cli {

enum class DebugOutput {
  kNone,
  kErrors,    // the text of each error, nothing else
  kExchange,  // one exchange as well, and how often each error came
};

class RunObserver : public Observer {
 public:
  // No progress line without a goal.
  RunObserver(std::optional<report::ProgressGoal> goal, bool colour, DebugOutput debug);

  void on_progress(const Progress& progress) override;
  void on_errors(const ErrorCount& fresh) override;
  void on_exchange(std::string_view request, std::string_view response) override;
  // Takes the progress line away; to be called when the run has ended.
  void finish();

 private:
  std::unique_ptr<report::ProgressWriter> progress_;
  DebugOutput debug_;
};

// Bytes on the wire as lines for a person, each with `mark` before it: "> GET / HTTP/1.1".
// CRLF ends a line, other control bytes are shown as \xNN. At most 4 KiB are shown.
std::string wire_lines(std::string_view bytes, std::string_view mark);

}  // namespace carronade::cli
