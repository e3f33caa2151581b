// One binary, several commands: picked by the name it is called by or by the first word.
#include <fmt/format.h>

#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/exit_codes.h"
#include "cli/output.h"
#include "dialects/ab/ab_command.h"
#include "dialects/carronade/carronade_command.h"
#include "dialects/gobench/gobench_command.h"
#include "dialects/loadtest/loadtest_command.h"
#include "dialects/siege/siege_command.h"
#include "dialects/vegeta/vegeta_command.h"
#include "dialects/wrk/wrk_command.h"

namespace carronade::apps {
// apps/serve_main.cc. `args` without the words "carronade serve"; the exit code.
int serve_main(std::span<const std::string> args);
// apps/testserver_main.cc. Likewise without "testserver-loadtest".
int testserver_main(std::span<const std::string> args);
}  // namespace carronade::apps

namespace {

using Command = int (*)(std::span<const std::string> args);

// Other tools' command lines; each `args` without the tool's name.
constexpr std::pair<std::string_view, Command> kTools[] = {
    {"ab", carronade::dialects::ab::ab_command},
    {"gobench", carronade::dialects::gobench::gobench_command},
    {"loadtest", carronade::dialects::loadtest::loadtest_command},
    {"siege", carronade::dialects::siege::siege_command},
    {"vegeta", carronade::dialects::vegeta::vegeta_command},
    {"wrk", carronade::dialects::wrk::wrk_command},
    {"wrk2", carronade::dialects::wrk::wrk2_command},
    {"serve", carronade::apps::serve_main},
    {"testserver-loadtest", carronade::apps::testserver_main},
};

int run_command(int argc, char** argv) {
  using carronade::dialects::carronade_command;
  using carronade::dialects::Form;

  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const std::span<const std::string> args(words);
  const std::string_view path = argc > 0 ? argv[0] : "";
  const std::string_view name = path.substr(path.rfind('/') + 1);

  for (const auto& [tool, command] : kTools) {
    if (name == tool) return command(args);
    if (!args.empty() && args[0] == tool) return command(args.subspan(1));
  }
  if (name == "autocannon") return carronade_command(args, Form::kStrict);
  if (!args.empty() && args[0] == "autocannon") {
    return carronade_command(args.subspan(1), Form::kStrict);
  }
  return carronade_command(args, Form::kPlain);
}

}  // namespace

int main(int argc, char** argv) {
  carronade::cli::guard_standard_streams();
  // Whatever a machine can refuse is an error of the call that asked, memory and threads excepted.
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    // Without a string of our own: there may be no memory for it.
    (void)carronade::cli::write_stderr(
        "carronade: out of memory: ask for less (-c, -p, -w, body) or raise the limit "
        "(ulimit -v)\n");
  } catch (const std::system_error& error) {
    carronade::cli::tell("carronade", fmt::format("no room for another thread: {} (ulimit -u, "
                                                  "ulimit -v)",
                                                  error.what()));
  }
  return carronade::cli::kExitUsage;
}
