// HOT. The counters and histograms of one worker: one writer, merged when the run is over.
// The hot calls are inline and touch totals and two histograms; windows are differences of the
// totals, taken when their edge passes. A latency is recorded once, in the histogram of its
// interval, which joins the total when the interval is over. Its compact form is kept, so that
// merged percentiles of a second are those of merged samples.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/histogram.h"
#include "carronade/run_result.h"
#include "stats/interval_histograms.h"
#include "stats/window_series.h"

namespace carronade::stats {

class Recorder {
 public:
  struct Options {
    int64_t start_ns = 0;  // start of the run, the same for all workers
    int64_t sample_interval_ns = 1'000'000'000;
    // Responses that are not 2xx stay out of latency, first_byte and the bytes of windows; the
    // totals count them. Bytes of a window are then those of the answers that ended in it.
    bool exclude_error_stats = false;
  };
  explicit Recorder(const Options& options);

  // Moves the start of the run, before anything is sent.
  void start(int64_t start_ns);

  // Rolls the windows over when `now` is past their end: true when it was. Once per loop turn and
  // per read.
  bool advance(int64_t now_ns) {
    if (now_ns < next_edge_ns_) return false;
    roll(now_ns);
    return true;
  }

  // `count` > 0 finished responses of one status that have the same times, as those of a pipelined
  // batch do. `wire_bytes`: heads and bodies as received, of all together; `body_bytes`: after the
  // transfer coding. A status above 999 counts as 999.
  void answered(uint16_t status, int64_t latency_ns, int64_t first_byte_ns, uint64_t body_bytes,
                uint64_t wire_bytes, uint32_t count = 1) {
    totals_.answered += count;
    totals_.bytes_body += body_bytes;
    by_status_[std::min<size_t>(status, by_status_.size() - 1)] += count;
    if (options_.exclude_error_stats && status / 100 != 2) return;
    counted_bytes_ += wire_bytes;
    latency_.record_many(latency_ns, count);
    first_byte_.record_many(first_byte_ns, count);
  }
  void sent(uint64_t requests) { totals_.sent += requests; }
  void bytes_sent(uint64_t n) { totals_.bytes_sent += n; }
  void bytes_received(uint64_t n) { totals_.bytes_received += n; }
  void retried(uint64_t n) { totals_.retried += n; }
  void mismatched() { ++totals_.mismatched; }
  // Open loop: a request was refused because no connection was free.
  void refused() { ++totals_.refused; }

  // `requests` sent requests ended with this error (0: an error without a request, counted once
  // itself). They count as failed, with a timeout of either kind as timed out. Cold: keeps the
  // first text of each (kind, phase), and further texts up to kMaxErrorRows rows; those beyond
  // count with the first of their kind and phase.
  void error(ErrorKind kind, Phase phase, std::string_view text, uint64_t requests);
  static constexpr size_t kMaxErrorRows = 100;

  void connected(int64_t connect_ns) { connect_.record(connect_ns); }
  void tls_done(int64_t handshake_ns, bool resumed) {
    tls_handshake_.record(handshake_ns);
    totals_.tls_resumed += resumed ? 1 : 0;
  }
  // Ready for requests; `again`: not the slot's first connection.
  void opened(bool again) {
    ++totals_.opened;
    totals_.reconnects += again ? 1 : 0;
    totals_.peak = std::max(totals_.peak, ++totals_.open);
  }
  void closed() { --totals_.open; }  // one fewer open

  struct Totals {
    uint64_t sent = 0, answered = 0, failed = 0, timed_out = 0, errors = 0, retried = 0;
    uint64_t mismatched = 0, bytes_sent = 0, bytes_received = 0, bytes_body = 0;
    uint64_t open = 0, peak = 0, opened = 0, reconnects = 0, tls_resumed = 0;
    uint64_t refused = 0;
  };
  const Totals& totals() const { return totals_; }
  const std::vector<ErrorCount>& errors() const { return errors_; }

  // Closes the last windows at `end_ns`. Once; afterwards only read.
  void finish(int64_t end_ns);

 private:
  void roll(int64_t now_ns);
  WindowSeries::Counters counters() const;
  friend RunResult merge(const std::vector<const Recorder*>& recorders, int64_t start_ns,
                         int64_t end_ns);

  Options options_;
  int64_t next_edge_ns_;
  Totals totals_;
  uint64_t counted_bytes_ = 0;  // on the wire, of the answers that latency counts
  std::array<uint64_t, 1000> by_status_{};
  IntervalHistograms latency_;
  Histogram first_byte_, connect_, tls_handshake_;
  WindowSeries samples_, series_;
  std::vector<ErrorCount> errors_;
};

// Adds the workers up: every field of RunResult that recorders know. connections_peak is the sum of
// theirs. Windows and intervals with the same index are added; the percentiles of a second come
// from its merged samples. The recorders are finished and have the same start and sample interval.
RunResult merge(const std::vector<const Recorder*>& recorders, int64_t start_ns, int64_t end_ns);

}  // namespace carronade::stats
