// One binary, several commands: picked by the name it is called by or by the first word.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/carronade/carronade_command.h"

namespace carronade::apps {
// apps/serve_main.cc. `args` without the words "carronade serve"; the exit code.
int serve_main(std::span<const std::string> args);
}  // namespace carronade::apps

int main(int argc, char** argv) {
  using carronade::dialects::carronade_command;
  using carronade::dialects::Form;

  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const std::span<const std::string> args(words);
  const std::string_view path = argc > 0 ? argv[0] : "";
  const std::string_view name = path.substr(path.rfind('/') + 1);

  if (name == "autocannon") return carronade_command(args, Form::kStrict);
  if (!args.empty() && args[0] == "autocannon") {
    return carronade_command(args.subspan(1), Form::kStrict);
  }
  if (!args.empty() && args[0] == "serve") return carronade::apps::serve_main(args.subspan(1));
  return carronade_command(args, Form::kPlain);
}
