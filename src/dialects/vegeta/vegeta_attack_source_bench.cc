// What vegeta_attack_source.h and vegeta_attack_source.cc cost a worker for each request: the
// request and the record of its answer, which a thread encodes and writes to /dev/null meanwhile.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "dialects/vegeta/vegeta_attack_source.h"

namespace carronade::dialects::vegeta {
namespace {

class OneTarget : public TargetFeed {
 public:
  explicit OneTarget(AttackRequest request) : request_(std::move(request)) {}
  const AttackRequest* take(std::unique_ptr<AttackRequest>&, Wait) override { return &request_; }
  std::vector<std::string> dropped() const override { return {}; }

 private:
  AttackRequest request_;
};

void request_and_answer(benchmark::State& bench) {
  const AttackOptions options;
  const RequestRules rules;
  AttackHosts hosts({}, {});
  AttackTarget target;
  target.method = "GET";
  target.url_text = "http://127.0.0.1:8080/index.html";
  (void)check_target(target);
  (void)hosts.add(target.url);
  std::vector<std::string> dropped;
  OneTarget feed(make_request(target, rules, nullptr, dropped));
  ResultStream stream(*ResultOutput::open("/dev/null"), {});
  std::vector<std::unique_ptr<cli::RecordQueue>> queues;
  queues.push_back(std::make_unique<cli::RecordQueue>(size_t{64} << 20));
  cli::RecordWriter records(
      std::move(queues), [&](std::string_view message) { return stream.consume(message); },
      [&] { return stream.flush(); });
  AttackState state{
      .options = options, .rules = rules, .hosts = hosts, .feed = feed, .records = records};
  AttackSource source(state, 0);
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 22\r\n\r\n";
  const std::string body(22, 'b');
  std::string out;
  uint32_t connection = 0;
  for (auto _ : bench) {
    out.clear();
    benchmark::DoNotOptimize(source.next(connection, out));
    source.on_response({.connection = connection,
                        .status = 200,
                        .latency_ns = 1000,
                        .due_ns = 1,
                        .sent_ns = 1,
                        .head = head,
                        .body = body});
    connection = (connection + 1) % 100;
  }
  (void)records.finish();
  bench.counters["lost"] = static_cast<double>(records.lost());
}
BENCHMARK(request_and_answer)->UseRealTime();

}  // namespace
}  // namespace carronade::dialects::vegeta
