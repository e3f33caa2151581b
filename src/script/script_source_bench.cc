// Cost of one request of a script: a static one, one by wrk.format, one made by the script itself,
// a batch, and an answer that is told to response(). The hot files behind it: script_source,
// request_text, wrk_format.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>

#include "script/request_text.h"
#include "script/script.h"
#include "script/script_source.h"
#include "script/script_test_files.h"
#include "script/wrk_format.h"

namespace carronade::script {
namespace {

constexpr char kHead[] =
    "HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Tue, 01 Dec 2026 09:00:00 GMT\r\n"
    "Content-Type: text/html\r\nContent-Length: 4\r\nConnection: keep-alive\r\n\r\n";

std::unique_ptr<Script> ready(const Listener& listener, const char* text) {
  const ScriptFile file(text);
  ScriptSettings settings;
  settings.facts.site = {.host = "127.0.0.1", .port = listener.port()};
  settings.facts.connect_timeout_ns = 1'000'000'000;
  settings.facts.headers = {{"Authorization", "Bearer 0123456789abcdef"}};
  settings.file = file.path();
  settings.connections = 10;
  auto script = Script::load(settings);
  if (!script || !(*script)->resolve() || !(*script)->set_up()) return nullptr;
  return std::move(*script);
}

void give(benchmark::State& state, const char* text) {
  const Listener listener;
  const auto script = ready(listener, text);
  if (!script) return state.SkipWithError("the script does not run");
  const auto source = script->make_source(0);
  std::string out;
  uint32_t connection = 0;
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(source->next(connection, out));
    connection = connection == 9 ? 0 : connection + 1;
  }
}
BENCHMARK_CAPTURE(give, static_request, "function response() end");
BENCHMARK_CAPTURE(give, same_text,
                  "local r; function init() r = wrk.format() end "
                  "function request() return r end");
BENCHMARK_CAPTURE(give, format,
                  "local n = 0 function request() n = n + 1 "
                  "return wrk.format('GET', '/' .. n) end");
BENCHMARK_CAPTURE(give, format_with_body,
                  "function request() "
                  "return wrk.format('POST', '/', nil, '{\"a\": 1}') end");
BENCHMARK_CAPTURE(give, batch,
                  "local r; function init() r = wrk.format():rep(8) end "
                  "function request() return r end");

void tell(benchmark::State& state, const char* text) {
  const Listener listener;
  const auto script = ready(listener, text);
  if (!script) return state.SkipWithError("the script does not run");
  const auto source = script->make_source(0);
  const Response response{.status = 200, .head = kHead, .body = "body"};
  for (auto _ : state) benchmark::DoNotOptimize(source->on_response(response));
}
BENCHMARK_CAPTURE(tell, status, "local n = 0 function response(status) n = n + status end");
BENCHMARK_CAPTURE(tell, headers, "local n = 0 function response(s, h) n = n + #h.Server end");
BENCHMARK_CAPTURE(tell, body, "local n = 0 function response(s, h, body) n = n + #body end");

void cut(benchmark::State& state) {
  const std::string text =
      "GET /path HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAuthorization: Bearer "
      "0123456789abcdef\r\n\r\n";
  for (auto _ : state) benchmark::DoNotOptimize(cut_request(text));
}
BENCHMARK(cut);

}  // namespace
}  // namespace carronade::script
