// Cost of one request head: what carronade sends, and what a browser sends.
#include <benchmark/benchmark.h>

#include <string_view>

#include "server/request_parser.h"
#include "server/routes.h"

namespace carronade::server {
namespace {

constexpr std::string_view kShort = "GET / HTTP/1.1\r\nHost: 127.0.0.1:7357\r\n\r\n";
constexpr std::string_view kBrowser =
    "GET /some/page?with=query HTTP/1.1\r\nHost: www.example.com\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
    "Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br\r\n"
    "Connection: keep-alive\r\nCookie: session=0123456789abcdef0123456789abcdef\r\n"
    "Upgrade-Insecure-Requests: 1\r\n\r\n";

void parse_head(benchmark::State& state, std::string_view bytes) {
  RequestParser parser;
  for (auto _ : state) {
    const ParseStep step = parser.step(bytes);
    if (step.kind != ParseStep::Kind::kHead) state.SkipWithError("refused");
    benchmark::DoNotOptimize(parse_route(parser.head().target));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK_CAPTURE(parse_head, short_request, kShort);
BENCHMARK_CAPTURE(parse_head, browser_request, kBrowser);

}  // namespace
}  // namespace carronade::server
