// One worker of the engine in a closed loop, without command line, plan or report around it. It
// is built twice from the same sources: measured_loop as it is, unmeasured_loop with the headers
// of bench/unmeasured in place of the clock and the recorder. What lies between the two is what
// measuring costs. bench/measuring_cost runs them.
//
//   measured_loop HOST PORT CONNECTIONS DEPTH SECONDS [PATH]   over sockets; floor.h has the rest
//   measured_loop memory DEPTH REQUESTS                        over a server in memory, for
//   valgrind
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "floor.h"
#include "load/memory_worker.h"
#include "load/worker.h"

namespace {

namespace load = carronade::load;
namespace net = carronade::net;

load::LoadPlan plan_of(const floors::Job& job, const net::Address& address) {
  load::LoadPlan run;
  run.pipelining = static_cast<uint32_t>(job.depth);
  run.timeout_ns = 10'000'000'000;
  run.sample_interval_ns = 1'000'000'000;
  run.targets.push_back({.origin = job.host,
                         .addresses = {address},
                         .sources = {},
                         .block = load::WireBlock(floors::request_of(job), run.pipelining),
                         .idempotent = true,
                         .sni = "",
                         .verify_host = ""});
  return run;
}

class Client {
 public:
  Client(const floors::Job& job, const net::Address& address)
      : run_(plan_of(job, address)),
        plan_{.run = &run_,
              .first_slot = 0,
              .connections = static_cast<uint32_t>(job.connections),
              .amount = {}},
        worker_(plan_, signals_) {
    worker_.open(carronade::base::now_ns());
    // Connecting and the first answers of each connection are not what is asked for.
    while (total() < 10 * job.connections * job.depth && worker_.turn(true)) {
    }
    answered_before_ = total();
  }

  // Ended by another thread, so that neither variant looks at a clock for it.
  void run(std::chrono::steady_clock::time_point deadline) {
    std::thread stopper([this, deadline] {
      std::this_thread::sleep_until(deadline);
      signals_.stop(carronade::StoppedBy::kDuration);
    });
    while (worker_.turn(true)) {
    }
    stopper.join();
    if (worker_.state().recorder.totals().errors > 0) floors::fail("some requests failed");
  }

  uint64_t answers() const { return total() - answered_before_; }

 private:
  uint64_t total() const { return worker_.state().recorder.totals().answered; }

  load::LoadPlan run_;
  load::WorkerPlan plan_;
  load::RunSignals signals_{1};
  load::Worker worker_;
  uint64_t answered_before_ = 0;
};

int over_memory(const std::string& depth, const std::string& requests) {
  load::MemoryWorker worker(
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello world\n",
      static_cast<uint32_t>(floors::number(depth, "DEPTH")));
  const uint64_t wanted = floors::number(requests, "REQUESTS");
  while (worker.answered() < wanted) worker.turn();
  std::printf("%llu\n", static_cast<unsigned long long>(worker.answered()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 3 && args[0] == "memory") return over_memory(args[1], args[2]);
  const floors::Job job =
      floors::parse_job(args, "", [](auto, auto) { floors::fail("there are no options"); });
  const auto address = net::Address::from_ip(job.host, static_cast<uint16_t>(job.port));
  if (!address) floors::fail("HOST must be an IP address, not \"" + job.host + "\"");
  Client client(job, *address);
  floors::measure(client, job);
  std::printf("\n");
  return 0;
}
