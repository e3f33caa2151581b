// The targets of an attack as the workers take them: a list that is gone through again and again,
// or a file or pipe that a thread reads ahead of them (-lazy).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "dialects/vegeta/vegeta_attack_hosts.h"
#include "dialects/vegeta/vegeta_attack_request.h"
#include "dialects/vegeta/vegeta_targets.h"

namespace carronade::dialects::vegeta {

enum class Wait : uint8_t { kNo, kForOne };

class TargetFeed {
 public:
  virtual ~TargetFeed() = default;
  // The next request, in the order of the targets; any thread. Null: there is none now (kNo), or
  // none any more. What goes with the call is in `owned`.
  virtual const AttackRequest* take(std::unique_ptr<AttackRequest>& owned, Wait wait) = 0;
  // From now on take() never waits.
  virtual void stop() {}
  // take() waits no longer than until then, on the clock: the attack is over. Before the attack.
  virtual void wait_until(int64_t clock_ns) { (void)clock_ns; }
  // Why the targets ended where they did not end; "" for no reason. When nobody takes any more.
  virtual std::string error() const { return ""; }
  // How often take() had to wait for the source of the targets.
  virtual uint64_t waits() const { return 0; }
  // Headers of the targets that are not sent, each once, "name: value".
  virtual std::vector<std::string> dropped() const = 0;
};

// Reads all targets; the first error is all there is then.
Expected<std::unique_ptr<TargetFeed>> read_targets(TargetReader& reader, const RequestRules& rules,
                                                   AttackHosts& hosts);

// The hosts of the attack are those of the targets that are there at the start. The first target
// for another one, or with a fault, is the end of the targets, and error() says why.
class LazyFeed : public TargetFeed {
 public:
  // Returns when the first targets are there, or `interrupted` says so. `stop_fd` is an eventfd
  // that the reader's LineReader knows: stop() ends a read that waits. The error: no target.
  static Expected<std::unique_ptr<LazyFeed>> start(std::unique_ptr<TargetReader> reader,
                                                   base::UniqueFd stop_fd,
                                                   const RequestRules& rules, AttackHosts& hosts,
                                                   const std::function<bool()>& interrupted);
  ~LazyFeed() override;

  const AttackRequest* take(std::unique_ptr<AttackRequest>& owned, Wait wait) override;
  void stop() override;
  void wait_until(int64_t clock_ns) override { wait_end_ns_ = clock_ns; }
  std::string error() const override;
  uint64_t waits() const override { return waits_.load(); }
  std::vector<std::string> dropped() const override;

 private:
  LazyFeed(std::unique_ptr<TargetReader> reader, base::UniqueFd stop_fd, const RequestRules& rules,
           AttackHosts& hosts);
  void read();
  Expected<void> place(AttackRequest& request, const Url& url);

  const std::unique_ptr<TargetReader> reader_;
  const base::UniqueFd stop_fd_;
  const RequestRules& rules_;
  AttackHosts& hosts_;

  mutable std::mutex mutex_;  // guards all from here to waits_
  std::condition_variable changed_;
  std::deque<std::unique_ptr<AttackRequest>> queue_;
  uint64_t queued_bytes_ = 0;
  bool started_ = false;  // the hosts are fixed
  bool stopping_ = false;
  bool ended_ = false;
  std::string error_;
  std::vector<std::string> dropped_;
  std::atomic<uint64_t> waits_{0};
  int64_t wait_end_ns_ = INT64_MAX / 2;
  std::thread thread_;
};

}  // namespace carronade::dialects::vegeta
