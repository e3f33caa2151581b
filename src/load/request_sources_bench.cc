// Cost of one request from the engine's own source: as it is, in turn, and filled in. The hot
// files behind it: load/sequence_source.h, load/source_io.cc, load/template_filler.h, load/draws.h.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "load/draws.h"
#include "load/sequence_source.h"
#include "load/source_plan.h"
#include "load/template_filler.h"

namespace carronade::load {
namespace {

Target target_with(std::string body) {
  Target target{
      .url = parse_url("http://127.0.0.1:8080/api/items").value(), .request = {}, .sequence = {}};
  target.request.method = "POST";
  target.request.headers = {{"Content-Type", "application/json"}};
  target.request.body = std::move(body);
  return target;
}

// Requests of ten connections in turn, into a buffer that is emptied as the engine does it.
void give_requests(benchmark::State& state, const RunSpec& spec) {
  const auto plan = SourcePlan::create(spec);
  if (!plan) return state.SkipWithError(plan.error().text.c_str());
  const auto source = (*plan)->make(0, 1);
  std::string out;
  uint32_t connection = 0;
  int64_t bytes = 0;
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(source->next(connection, out));
    bytes += static_cast<int64_t>(out.size());
    connection = connection == 9 ? 0 : connection + 1;
  }
  state.SetBytesProcessed(bytes);
}

void sequence_of_three(benchmark::State& state) {
  RunSpec spec;
  spec.targets = {target_with("")};
  for (int i = 0; i < 3; ++i) spec.targets[0].sequence.push_back(target_with("{}").request);
  give_requests(state, spec);
}
BENCHMARK(sequence_of_three);

void filled_in(benchmark::State& state, const char* body) {
  RunSpec spec;
  spec.targets = {target_with(body)};
  spec.ids = spec.templates = true;
  give_requests(state, spec);
}
BENCHMARK_CAPTURE(filled_in, id, "[<id>]");
BENCHMARK_CAPTURE(filled_in, uuid, "{{uuid}}");
BENCHMARK_CAPTURE(filled_in, counter, "{{counter}}");
BENCHMARK_CAPTURE(filled_in, random, "{{random 1 1000000}}");
BENCHMARK_CAPTURE(filled_in, timestamp, "{{timestamp}}");
BENCHMARK_CAPTURE(filled_in, all, "[<id>] {{uuid}} {{counter}} {{random 1 100}} {{timestamp}}");

// Rows of about 40 bytes; a file of many does not fit the reader's buffer.
void row(benchmark::State& state, DataMode mode, int rows) {
  std::string path = "/tmp/carronade_rows_XXXXXX";
  ::close(mkstemp(path.data()));
  std::ofstream file(path);
  file << "id,name,note\n";
  for (int i = 0; i < rows; ++i) file << i << ",user " << i << ",\"a note, in quotes\"\n";
  file.close();
  RunSpec spec;
  spec.targets = {target_with(R"({"id":{{csv.id}},"name":"{{csv.name}}"})")};
  spec.templates = true;
  spec.data = DataSpec{.file = path, .mode = mode};
  give_requests(state, spec);
  ::unlink(path.c_str());
}
BENCHMARK_CAPTURE(row, sequence_few, DataMode::kSequence, 100);
BENCHMARK_CAPTURE(row, sequence_many, DataMode::kSequence, 100'000);
BENCHMARK_CAPTURE(row, shuffle_few, DataMode::kShuffle, 100);
BENCHMARK_CAPTURE(row, shuffle_many, DataMode::kShuffle, 100'000);

}  // namespace
}  // namespace carronade::load
