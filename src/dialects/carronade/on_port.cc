#include "dialects/carronade/on_port.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/listening_port.h"

namespace carronade::dialects {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
// Between two looks. One costs more where many processes run: at most a fifth of a core goes into
// it, since the program that is waited for may need that core to start.
constexpr int64_t kLeastPause = 10 * kMillisecond;
constexpr int64_t kMostPause = 200 * kMillisecond;
constexpr int64_t kPausePerLook = 4;
// Between two looks for a signal while the program ends.
constexpr int64_t kSignalPause = 20 * kMillisecond;

std::string ended_text(const cli::ChildProcess& child) {
  const std::string how = child.how_it_ended();
  return how.empty() ? "ended" : "ended with " + how;
}

}  // namespace

Expected<std::vector<std::string>> program_to_start(const Options& o,
                                                    const cli::Operands& operands) {
  const std::vector<std::string>& words = operands.after_dashes;
  if (o.on_port_timeout_ns && *o.on_port_timeout_ns <= 0) {
    return unexpected("--on-port-timeout must be greater than 0");
  }
  if (words.empty()) {
    if (o.on_port_timeout_ns && !o.on_port) {
      return unexpected("--on-port-timeout has no effect without --on-port");
    }
    if (!o.on_port) return words;
    return unexpected(
        "--on-port needs a command after --, as in --on-port /path -- node server.js");
  }
  if (o.on_port || words[0] == "node") return words;
  return unexpected("-- " + words[0] + ": starting a command needs --on-port");
}

Expected<std::unique_ptr<OnPort>> OnPort::start(const std::vector<std::string>& words,
                                                cli::StopSignals& signals,
                                                std::optional<int64_t> listen_within_ns,
                                                int64_t kill_after_ns) {
  auto child = cli::ChildProcess::start(words, kill_after_ns);
  if (!child) return unexpected(child.error());
  const std::string name = base::printable(fmt::format("{}", fmt::join(words, " ")));
  std::unique_ptr<OnPort> started(new OnPort(name, std::move(*child)));
  if (const Expected<void> listens =
          started->wait(signals, listen_within_ns.value_or(kListenWithin));
      !listens) {
    const std::string end = started->child_->wait_end(0) ? "" : started->stop(signals);
    return unexpected(listens.error().text + (end.empty() ? "" : "; " + end));
  }
  return started;
}

Expected<void> OnPort::wait(const cli::StopSignals& signals, int64_t listen_within_ns) {
  const int64_t start_ns = base::now_ns();
  while (true) {
    const int64_t look_ns = base::now_ns();
    const cli::ListeningPorts found = cli::listening_ports(child_->root());
    if (signals.received() != 0) {
      return unexpected("stopped before " + name_ +
                        " listened on a TCP port: nothing was measured");
    }
    if (!found.ports.empty()) {
      port_ = std::to_string(found.ports[0]);
      if (found.ports.size() > 1) {
        note_ = fmt::format("{} listens on the ports {}: port {} is taken for the URLs", name_,
                            fmt::join(found.ports, ", "), port_);
      }
      return {};
    }
    const int64_t now_ns = base::now_ns();
    if (now_ns - start_ns >= listen_within_ns) {
      std::string text = fmt::format("{} listens on no TCP port after {}: it was stopped", name_,
                                     base::format_span(listen_within_ns));
      if (found.hidden != 0) {
        text +=
            fmt::format("; its process {} does not show its sockets to this user", found.hidden);
      }
      return unexpected(text);
    }
    const int64_t pause_ns =
        std::clamp((now_ns - look_ns) * kPausePerLook, kLeastPause, kMostPause);
    if (child_->wait_end(pause_ns)) {
      return unexpected(name_ + " " + ended_text(*child_) + " before it listened on a TCP port");
    }
  }
}

std::string OnPort::death(bool still_answers) {
  const bool gone = child_->wait_end(0);
  if (!gone && (still_answers || child_->how_it_ended().empty())) return "";
  death_told_ = true;
  return name_ + " had " + ended_text(*child_) + " before the run was over";
}

std::string OnPort::stop(cli::StopSignals& signals) {
  std::string died = death_told_ ? "" : death(/*still_answers=*/true);
  const cli::StopSignals::Hold hold(signals);
  const int count = signals.count();
  child_->ask_to_stop();
  bool hurried = false;
  while (!hurried && !child_->wait_end(kSignalPause)) hurried = signals.count() != count;
  if (hurried) child_->kill();
  child_->stop();
  if (child_->left_count() > 0) {
    return fmt::format("{} could not be stopped: {} of its processes run on", name_,
                       child_->left_count());
  }
  if (child_->killed()) {
    return name_ + (hurried ? " was killed at once, as a signal asked for the end"
                            : " did not end on SIGINT and was killed");
  }
  return died;
}

}  // namespace carronade::dialects
