// What polling cost, and whether there is more of it to be had: where cores are to spare as much
// as is asked for, elsewhere, and beside somebody who never lets go of the core, a share of the
// time. Pure arithmetic. One thread.
#pragma once

#include <algorithm>
#include <cstdint>

namespace carronade::pace {

class Polling {
 public:
  // Where it is bounded: this share of the time …
  static constexpr double kShare = 0.15;
  // … and this much more, so that the first requests are in time too.
  static constexpr int64_t kCreditNs = 1'000'000;
  // What a poll takes beyond this somebody else had the core for, or an interrupt.
  static constexpr int64_t kPollMostNs = 10'000;
  // A polite neighbour or an interrupt is over by then: the core was taken.
  static constexpr int64_t kTakenNs = 200'000;
  // The core is crowded when more than this share of the time of polling was taken …
  static constexpr double kCrowdedShare = 0.25;
  static constexpr int64_t kCrowdWindowNs = 200'000'000;
  // … and is held to be so for this long; twice as long each time it proves to be.
  static constexpr int64_t kCrowdedFirstNs = 1'000'000'000;
  static constexpr int64_t kCrowdedMostNs = 64'000'000'000;

  // `spare`: there are cores for others beside those that this program's threads poll on.
  Polling(int64_t start_ns, bool spare)
      : spare_(spare), bounded_until_ns_(start_ns), bounded_since_ns_(start_ns) {}

  bool bounded(int64_t now_ns) const { return !spare_ || now_ns < bounded_until_ns_; }
  // Where it is bounded: how much is left.
  int64_t allowance_ns(int64_t now_ns) const {
    const auto elapsed_ns = static_cast<double>(now_ns - bounded_since_ns_);
    const int64_t share_ns = kCreditNs + static_cast<int64_t>(kShare * elapsed_ns);
    return std::max<int64_t>(share_ns - (spin_ns_ - spin_before_ns_), 0);
  }

  // A poll, with its yielding, went from `before_ns` to `now_ns`, for something due at `due_ns`;
  // `idle` when it found nothing. Returns what it took of our own time.
  int64_t add(int64_t before_ns, int64_t now_ns, int64_t due_ns, bool idle) {
    const int64_t took_ns = now_ns - before_ns;
    const int64_t own_ns = std::min(took_ns, kPollMostNs);
    if (idle) spin_ns_ += own_ns;
    if (took_ns > own_ns && now_ns <= due_ns) {
      given_ns_ += took_ns - own_ns;
      ++given_times_;
    }
    polled_ns_ += took_ns;
    if (took_ns > kTakenNs) taken_ns_ += took_ns;
    if (polled_ns_ >= kCrowdWindowNs) end_window(now_ns);
    return own_ns;
  }

  int64_t spin_ns() const { return spin_ns_; }  // polled in vain
  // What others had of the core while nothing was due, and how often.
  int64_t given_ns() const { return given_ns_; }
  int64_t given_times() const { return given_times_; }

 private:
  void end_window(int64_t now_ns) {
    if (static_cast<double>(taken_ns_) > kCrowdedShare * static_cast<double>(polled_ns_) &&
        !bounded(now_ns)) {
      bounded_since_ns_ = now_ns;
      spin_before_ns_ = spin_ns_;
      bounded_until_ns_ = now_ns + crowded_for_ns_;
      crowded_for_ns_ = std::min(2 * crowded_for_ns_, kCrowdedMostNs);
    }
    polled_ns_ = taken_ns_ = 0;
  }

  bool spare_;
  int64_t spin_ns_ = 0;
  int64_t given_ns_ = 0;
  int64_t given_times_ = 0;
  int64_t polled_ns_ = 0;  // in this window
  int64_t taken_ns_ = 0;   // of it, by others
  int64_t bounded_until_ns_;
  int64_t bounded_since_ns_;
  int64_t spin_before_ns_ = 0;
  int64_t crowded_for_ns_ = kCrowdedFirstNs;
};

}  // namespace carronade::pace
