// Cost of reading answers whole (h1_session, h1_parser, h1_chunked, head_cache, response): one a
// feed, 100 pipelined ones a feed, and heads with eight headers, alike and each different.
// items_per_second counts answers.
#include <benchmark/benchmark.h>

#include <string>

#include "http/h1_session.h"

namespace carronade::http {
namespace {

// 78 bytes with its body, as a small static answer of nginx without its Server and Date.
const std::string& small_answer() {
  static const std::string kText =
      "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 12\r\n\r\nhello world\n";
  return kText;
}

// About 300 bytes.
const std::string& eight_headers() {
  static const std::string kText =
      "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sun, 30 Nov 2025 20:35:00 GMT\r\n"
      "Content-Type: application/octet-stream\r\nContent-Length: 12\r\n"
      "Last-Modified: Sun, 30 Nov 2025 20:00:00 GMT\r\nConnection: keep-alive\r\n"
      "ETag: \"692ca8f0-c-and-more\"\r\nAccept-Ranges: bytes\r\n\r\nhello world\n";
  return kText;
}

const std::string& chunked_answer() {
  static const std::string kText =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\nhello world\n\r\n0\r\n\r\n";
  return kText;
}

std::string times(const std::string& answer, uint32_t count) {
  std::string bytes;
  for (uint32_t i = 0; i < count; ++i) bytes += answer;
  return bytes;
}

void run_feed(benchmark::State& state, const std::string& bytes, uint32_t pipelined) {
  H1Session session;
  HeadBufferPool pool;
  H1Feed out;
  for (auto _ : state) {
    const size_t used =
        session.feed(bytes, {.count = pipelined, .head = false}, pool, nullptr, out);
    if (used != bytes.size() || out.count != pipelined) state.SkipWithError("not all read");
    benchmark::DoNotOptimize(out.responses[0].body_bytes);
  }
  state.SetItemsProcessed(state.iterations() * pipelined);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}

void small(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  run_feed(state, times(small_answer(), count), count);
}
void eight(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  run_feed(state, times(eight_headers(), count), count);
}
void chunked(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  run_feed(state, times(chunked_answer(), count), count);
}
// No head is like the one before: what the cache of heads costs where it does not help.
void changing(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  std::string bytes;
  for (uint32_t i = 0; i < count; ++i) {
    std::string answer = eight_headers();
    answer.replace(answer.find("692ca8f0"), 4, std::to_string(1000 + i));
    bytes += answer;
  }
  run_feed(state, bytes, count);
}
BENCHMARK(small)->Arg(1)->Arg(100);
BENCHMARK(eight)->Arg(1)->Arg(100);
BENCHMARK(chunked)->Arg(1)->Arg(100);
BENCHMARK(changing)->Arg(100);

}  // namespace
}  // namespace carronade::http
