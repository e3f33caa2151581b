#include "dialects/vegeta/vegeta_command.h"

#include <fmt/format.h>

#include <thread>
#include <utility>

#include "cli/build_facts.h"
#include "cli/exit_codes.h"
#include "cli/flag_setters.h"
#include "cli/go_flags.h"
#include "cli/output.h"
#include "dialects/vegeta/vegeta_attack_command.h"
#include "dialects/vegeta/vegeta_attack_options.h"
#include "dialects/vegeta/vegeta_encode_command.h"
#include "dialects/vegeta/vegeta_output.h"
#include "dialects/vegeta/vegeta_plot_command.h"
#include "dialects/vegeta/vegeta_report_command.h"
#include "dialects/vegeta/vegeta_result_flags.h"
#include "report/result_json.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr int kExitWrongFlag = 2;

struct GlobalOptions {
  int64_t cpus = 0;  // 0: not said
  std::string profile;
  bool version = false;
  bool help = false;
};

cli::FlagTable global_flags(GlobalOptions& options) {
  cli::FlagTable table{
      {.name = "cpus",
       .kind = cli::ArgKind::kValue,
       .hint = "int",
       .doc = "Threads that send requests",
       .default_text = fmt::format("{}", std::thread::hardware_concurrency()),
       .compat = "same: the default is one thread up to 20,000 requests/s, which is enough",
       .set = cli::set_go_int("cpus", options.cpus)},
      {.name = "profile",
       .kind = cli::ArgKind::kValue,
       .hint = "string",
       .doc = "Go's profiles cpu and heap: refused, there is no Go in here",
       .compat = "different: refused",
       .set = cli::set_text(options.profile)},
      {.name = "version",
       .doc = "Tell the version, nothing else",
       .compat = "same",
       .set = cli::set_switch(options.version)}};
  for (const char* name : {"h", "help"}) {
    table.push_back({.name = name, .set = cli::set_switch(options.help)});
  }
  return table;
}

std::string usage(const cli::FlagTable& globals) {
  AttackOptions attack;
  EncodeOptions encode;
  PlotOptions plot;
  ReportOptions report;
  const std::pair<const char*, cli::FlagTable> commands[] = {{"attack", attack_flags(attack)},
                                                             {"encode", encode_flags(encode)},
                                                             {"plot", plot_flags(plot)},
                                                             {"report", report_flags(report)}};
  std::string text = "Usage: vegeta [global flags] <command> [command flags]\n\nglobal flags:\n" +
                     cli::go_flag_defaults(globals);
  for (const auto& [name, table] : commands) {
    text += fmt::format("\n{} command:\n{}", name, cli::go_flag_defaults(table));
  }
  return text +
         "\nexamples:\n"
         "  echo \"GET http://127.0.0.1:8080/\" | vegeta attack -duration=10s > run.bin\n"
         "  vegeta report run.bin\n"
         "  vegeta report -type=\"hist[0,10ms,100ms]\" run.bin\n"
         "  vegeta plot run.bin > run.html\n\n";
}

std::string version_text() {
  return fmt::format("Version: carronade {}\nCommit: \nRuntime: {}\nDate: \n", report::version(),
                     cli::build_description());
}

}  // namespace

int vegeta_command(std::span<const std::string> args) {
  cli::ignore_broken_pipes();
  GlobalOptions options;
  const cli::FlagTable table = global_flags(options);
  const Expected<cli::Operands> operands = cli::parse_go_flags(table, args);
  if (!operands || options.help) {
    if (!operands) cli::tell("", operands.error().text);
    (void)cli::write_stderr(usage(table));
    return operands ? cli::kExitOk : kExitWrongFlag;
  }
  if (options.version) {
    return cli::write_text("vegeta", version_text()) ? cli::kExitOk : cli::kExitUsage;
  }
  if (!options.profile.empty()) {
    return fail("-profile: there are no profiles of Go here; perf(1) makes some of carronade");
  }
  if (operands->words.empty()) {
    (void)cli::write_stderr(usage(table));
    return cli::kExitUsage;
  }
  const std::string& command = operands->words.front();
  const std::span<const std::string> rest = std::span(operands->words).subspan(1);
  if (command == "attack") return attack_command(rest, options.cpus);
  if (command == "encode") return encode_command(rest);
  if (command == "report") return report_command(rest);
  if (command == "plot") return plot_command(rest);
  if (command == "dump") return dump_command(rest);
  return fail("Unknown command: " + command);
}

}  // namespace carronade::dialects::vegeta
