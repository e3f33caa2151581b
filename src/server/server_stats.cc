#include "server/server_stats.h"

#include <fmt/format.h>

#include <iterator>

namespace carronade::server {

std::string stats_json(const StatsSnapshot& stats, std::string_view more) {
  std::string out;
  auto into = std::back_inserter(out);
  fmt::format_to(into,
                 "{{\"connections\":{{\"accepted\":{},\"open\":{},\"tlsFailures\":{}}},"
                 "\"requests\":{{\"received\":{},\"served\":{},\"malformed\":{},\"stats\":{}}},"
                 "\"bytes\":{{\"in\":{},\"out\":{},\"bodyIn\":{}}},\"byStatus\":{{",
                 stats.connections_accepted, stats.connections_open, stats.tls_failures,
                 stats.requests_received, stats.requests_served, stats.malformed,
                 stats.stats_requests, stats.bytes_in, stats.bytes_out, stats.body_bytes_in);
  const char* separator = "";
  for (size_t status = 0; status < stats.by_status.size(); ++status) {
    if (stats.by_status[status] == 0) continue;
    fmt::format_to(into, "{}\"{}\":{}", separator, status, stats.by_status[status]);
    separator = ",";
  }
  fmt::format_to(into,
                 "}},\"webSocket\":{{\"opened\":{},\"refused\":{},\"text\":{},\"binary\":{},"
                 "\"pings\":{},\"pongs\":{},\"closes\":{}}}{}}}\n",
                 stats.ws_opened, stats.ws_refused, stats.ws_text, stats.ws_binary, stats.ws_pings,
                 stats.ws_pongs, stats.ws_closes, more);
  return out;
}

void WorkerStats::add_to(StatsSnapshot& sum) const {
  sum.connections_accepted += accepted.get();
  sum.connections_open += accepted.get() - closed.get();
  sum.tls_failures += tls_failures.get();
  sum.requests_received += received.get();
  sum.requests_served += served.get();
  sum.stats_requests += stats_requests.get();
  sum.malformed += malformed.get();
  sum.bytes_in += bytes_in.get();
  sum.bytes_out += bytes_out.get();
  sum.body_bytes_in += body_bytes_in.get();
  sum.ws_opened += ws_opened.get();
  sum.ws_refused += ws_refused.get();
  sum.ws_text += ws_text.get();
  sum.ws_binary += ws_binary.get();
  sum.ws_pings += ws_pings.get();
  sum.ws_pongs += ws_pongs.get();
  sum.ws_closes += ws_closes.get();
  for (size_t i = 0; i < by_status.size(); ++i) sum.by_status[i] += by_status[i].get();
}

StatsSnapshot StatsBoard::snapshot() const {
  StatsSnapshot sum;
  for (const WorkerStats& worker : workers_) worker.add_to(sum);
  return sum;
}

}  // namespace carronade::server
