#include "dialects/ab/ab_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/output.h"
#include "dialects/ab/ab_faults.h"

namespace carronade::dialects::ab {

AbHeartbeat::AbHeartbeat(uint64_t requests, bool wanted) {
  constexpr uint64_t kFewRequests = 150;
  constexpr uint64_t kLeastStep = 100;
  if (!wanted || requests <= kFewRequests) return;
  step_ = next_ = std::max(requests / 10, kLeastStep);
}

std::string AbHeartbeat::lines(uint64_t complete) {
  std::string text;
  while (beats() && next_ <= complete) {
    text += fmt::format("Completed {} requests\n", next_);
    next_ += step_;
  }
  return text;
}

std::string error_lines(const ErrorCount& fresh, int verbosity) {
  const std::string text = base::printable(fresh.text);
  switch (fresh.kind) {
    case ErrorKind::kTlsHandshake:
    case ErrorKind::kTlsCertificate:
      return "SSL handshake failed (1).\n" + text + "\n";
    case ErrorKind::kTlsFailed:
      return "SSL read failed (1) - closing connection\n" + text + "\n";
    default:
      break;
  }
  if (verbosity < 1) return "";
  const int error = errno_in(fresh.text);
  if (error == 0) return fmt::format("{} ({} times)\n", text, fresh.count);
  return fmt::format("apr_socket_recv: {} ({})\n", base::errno_text(error), error);
}

std::string retry_note(uint64_t retried) {
  if (retried == 0) return "";
  return fmt::format("note: {} sent again after the server had closed {}",
                     retried == 1 ? "1 request was" : fmt::format("{} requests were", retried),
                     retried == 1 ? "its connection" : "their connection");
}

void AbProgress::on_progress(const Progress& progress) { finish(progress.answered); }

void AbProgress::on_errors(const ErrorCount& fresh) {
  const std::string lines = error_lines(fresh, verbosity_);
  if (!lines.empty()) (void)cli::write_stderr(lines);
}

void AbProgress::finish(uint64_t complete) {
  const std::string lines = heartbeat_.lines(complete);
  if (!lines.empty()) (void)cli::write_stderr(lines);
}

}  // namespace carronade::dialects::ab
