// One run of load. Several may live in one process at once.
//
//   auto run = carronade::Run::create(spec, &observer);
//   if (!run) { puts(run.error().text.c_str()); return 1; }
//   RunResult result = (*run)->execute();                      // on threads of its own
//
// or driven by a host's own loop, with no second thread (workers must be 1):
//
//   (*run)->open();
//   while (!(*run)->finished()) { poll((*run)->poll_fd()); (*run)->turn(); }
//   RunResult result = (*run)->result();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carronade/expected.h"
#include "carronade/observer.h"
#include "carronade/run_result.h"
#include "carronade/run_spec.h"

namespace carronade {

class Run {
 public:
  // Checks the spec, reads certificate files, raises RLIMIT_NOFILE as far as allowed. Sends
  // nothing. `observer` may be null and must outlive the run. The error is one line.
  static Expected<std::unique_ptr<Run>> create(RunSpec spec, Observer* observer);
  // Stops the run and joins its threads if it still goes on.
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Lines for the person, known before the start: too few descriptors, for example.
  const std::vector<std::string>& warnings() const;

  // How many requests the schedule has: exact for even arrivals and bursts, else the expected
  // number. 0 in a closed loop.
  double expected_requests() const;

  // Threads: start() resolves the names and starts the workers; wait() blocks until they are
  // done and gives the result, at most timeout + 1 s after the run's end. execute() is both.
  void start();
  RunResult wait();
  RunResult execute() {
    start();
    return wait();
  }

  // Looks up the targets' names, once: start() and open() do it if nobody did. May block for the
  // timeout of each; any thread, before them.
  void resolve();

  // Driven by a host: open() starts the run on the calling thread (looking up names first, which
  // may take up to the timeout for each), poll_fd() becomes readable
  // when there is something to do, turn() does it without blocking, finished() says when to
  // stop, result() gives the result, once. Only with spec.workers = 1.
  void open();
  int poll_fd() const;
  void turn();
  bool finished() const;
  RunResult result();

  // Driven by a host, with a RequestSource, also from within a call of it: closes the connection
  // soon and for good; what is in flight on it is lost without being an error.
  void destroy(uint32_t connection);

  // Ends the run; the result has what was measured so far. From any thread and from a signal
  // handler, any number of times: it sets a flag and writes to eventfds.
  void stop();

 private:
  struct State;
  explicit Run(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What --dry-run shows for one target: the bytes of its first request and where it would go.
struct DryTarget {
  std::string origin;
  std::vector<std::string> addresses;  // resolved, in the order tried
  std::string resolve_error;           // when there are none
  std::string request;                 // exact bytes
};
// Resolves and serialises, sends nothing.
Expected<std::vector<DryTarget>> dry_run(const RunSpec& spec);

}  // namespace carronade
