#include "dialects/carronade/on_port.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <charconv>

namespace carronade::dialects {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr const char* kPython = "/usr/bin/python3";

std::string choice(const std::vector<std::string>& args) {
  Options options;
  const auto operands = cli::parse_minimist(carronade_flags(options), args);
  if (!operands) return "error: " + operands.error().text;
  const auto program = program_to_start(options, *operands);
  if (!program) return "error: " + program.error().text;
  std::string text;
  for (const std::string& word : *program) text += word + "|";
  return text;
}

TEST(ProgramToStart, WhenAskedFor) {
  EXPECT_EQ(choice({"/", "--on-port", "--", "./server", "-c", "5"}), "./server|-c|5|");
  EXPECT_EQ(choice({"/", "--onPort", "--", "./server"}), "./server|");
  EXPECT_EQ(choice({"/", "--on-port", "--on-port-timeout", "1m", "--", "x"}), "x|");
  EXPECT_EQ(choice({"/", "--", "node", "server.js"}), "node|server.js|");
  EXPECT_EQ(choice({"http://x"}), "");
}

TEST(ProgramToStart, Refuses) {
  EXPECT_EQ(choice({"/", "--", "nodejs", "x"}),
            "error: -- nodejs: starting a command needs --on-port");
  EXPECT_EQ(choice({"/", "--on-port"}),
            "error: --on-port needs a command after --, as in --on-port /path -- node server.js");
  EXPECT_EQ(choice({"/", "--on-port-timeout", "3s"}),
            "error: --on-port-timeout has no effect without --on-port");
  EXPECT_EQ(choice({"/", "--on-port", "--on-port-timeout", "0", "--", "x"}),
            "error: --on-port-timeout must be greater than 0");
}

std::string python_server(const std::string& rest) {
  return "import signal, socket, time\n"
         "signal.signal(2, signal.SIG_DFL)\n"
         "a = socket.create_server(('127.0.0.1', 0))\n" +
         rest + "time.sleep(1000)\n";
}

TEST(OnPort, PortOfAProgram) {
  cli::StopSignals signals;
  const auto started = OnPort::start({kPython, "-c", python_server("")}, signals);
  ASSERT_TRUE(started) << started.error().text;
  int port = 0;
  const std::string& text = (*started)->port();
  std::from_chars(text.data(), text.data() + text.size(), port);
  EXPECT_GT(port, 0);
  EXPECT_EQ((*started)->note(), "");
  EXPECT_EQ((*started)->stop(signals), "");
}

TEST(OnPort, LowestOfSeveralPorts) {
  cli::StopSignals signals;
  // Both sockets begin to listen before anybody has time to look, as far as that can be arranged.
  const std::string script =
      "import signal, socket, time\n"
      "signal.signal(2, signal.SIG_DFL)\n"
      "a, b = socket.socket(), socket.socket()\n"
      "a.bind(('127.0.0.1', 0)); b.bind(('127.0.0.1', 0))\n"
      "a.listen(); b.listen(); time.sleep(1000)\n";
  for (int tries = 0; tries < 20; ++tries) {
    const auto started = OnPort::start({kPython, "-c", script}, signals);
    ASSERT_TRUE(started) << started.error().text;
    const std::string note = (*started)->note();
    const std::string end = ": port " + (*started)->port() + " is taken for the URLs";
    if (note.empty()) continue;
    EXPECT_TRUE(note.ends_with(end)) << note;
    EXPECT_NE(note.find("listens on the ports " + (*started)->port() + ", "), std::string::npos);
    return;
  }
  FAIL() << "the two ports were never seen at once";
}

TEST(OnPort, SaysWhyThereIsNoPort) {
  cli::StopSignals signals;
  const auto error = [&signals](const std::vector<std::string>& words) {
    const auto started = OnPort::start(words, signals, 60 * kMillisecond, 50 * kMillisecond);
    return started ? "port " + (*started)->port() : started.error().text;
  };
  EXPECT_EQ(error({"sh", "-c", "exit 3"}),
            "sh -c exit 3 ended with exit code 3 before it listened on a TCP port");
  EXPECT_EQ(error({"sleep", "1000"}),
            "sleep 1000 listens on no TCP port after 60ms: it was stopped");
  EXPECT_EQ(error({"sh", "-c", "trap '' INT; sleep 1000; :"}),
            "sh -c trap '' INT; sleep 1000; : listens on no TCP port after 60ms: it was stopped; "
            "sh -c trap '' INT; sleep 1000; : did not end on SIGINT and was killed");
  EXPECT_EQ(error({"no-such-program"}),
            "cannot start \"no-such-program\": No such file or directory");
}

TEST(OnPort, SaysHowTheProgramEnded) {
  cli::StopSignals signals;
  const auto stubborn =
      OnPort::start({kPython, "-c", python_server("signal.signal(2, signal.SIG_IGN)\n")}, signals,
                    std::nullopt, 50 * kMillisecond);
  ASSERT_TRUE(stubborn) << stubborn.error().text;
  EXPECT_TRUE((*stubborn)->stop(signals).ends_with(" did not end on SIGINT and was killed"));

  const auto brief = OnPort::start(
      {kPython, "-c", python_server("time.sleep(0.5); raise SystemExit(4)\n")}, signals);
  ASSERT_TRUE(brief) << brief.error().text;
  ::usleep(1'000'000);
  EXPECT_TRUE(
      (*brief)->stop(signals).ends_with(" had ended with exit code 4 before the run was over"));
}

TEST(OnPort, DeathIsToldOnce) {
  cli::StopSignals signals;
  const auto brief = OnPort::start(
      {kPython, "-c", python_server("time.sleep(0.3); raise SystemExit(4)\n")}, signals);
  ASSERT_TRUE(brief) << brief.error().text;
  EXPECT_EQ((*brief)->death(false), "");
  std::string death;
  for (int tries = 0; tries < 2000 && death.empty(); ++tries) {
    ::usleep(10'000);
    death = (*brief)->death(true);
  }
  EXPECT_TRUE(death.ends_with(" had ended with exit code 4 before the run was over")) << death;
  EXPECT_EQ((*brief)->stop(signals), "");
}

// Something of it runs on, and nothing answers.
TEST(OnPort, DeathOfTheFirstProcess) {
  cli::StopSignals signals;
  const std::string script = python_server(
      "import subprocess; subprocess.Popen(['sleep', '1000'])\n"
      "time.sleep(0.3); raise SystemExit(4)\n");
  const auto leaves = OnPort::start({kPython, "-c", script}, signals);
  ASSERT_TRUE(leaves) << leaves.error().text;
  std::string death;
  for (int tries = 0; tries < 2000 && death.empty(); ++tries) {
    ::usleep(10'000);
    EXPECT_EQ((*leaves)->death(true), "");
    death = (*leaves)->death(false);
  }
  EXPECT_TRUE(death.ends_with(" had ended with exit code 4 before the run was over")) << death;
  EXPECT_EQ((*leaves)->stop(signals), "");
}

}  // namespace
}  // namespace carronade::dialects
