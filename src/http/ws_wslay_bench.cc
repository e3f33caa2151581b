// The same reading and writing as in ws_session_bench, by libwslay's frame API, which neither joins
// fragments nor checks text; `checked` is its event API, which does. It is why the framing is our
// own: docs/dependencies.md.
#include <benchmark/benchmark.h>
#include <wslay/wslay.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "http/ws_bench_frames.h"

namespace carronade::http {
namespace {

struct Wire {
  std::string_view in;
  std::string out;
  uint64_t messages = 0;
};

Wire& wire_of(void* user) { return *static_cast<Wire*>(user); }

ssize_t give(Wire& wire, uint8_t* to, size_t size) {
  const size_t given = std::min(size, wire.in.size());
  std::memcpy(to, wire.in.data(), given);
  wire.in.remove_prefix(given);
  return static_cast<ssize_t>(given);
}

ssize_t give_frame(uint8_t* to, size_t size, int, void* user) {
  const ssize_t given = give(wire_of(user), to, size);
  return given > 0 ? given : -1;
}

ssize_t give_event(wslay_event_context_ptr context, uint8_t* to, size_t size, int, void* user) {
  const ssize_t given = give(wire_of(user), to, size);
  if (given > 0) return given;
  wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
  return -1;
}

void count_message(wslay_event_context_ptr, const wslay_event_on_msg_recv_arg*, void* user) {
  ++wire_of(user).messages;
}

ssize_t take(const uint8_t* data, size_t size, int, void* user) {
  wire_of(user).out.append(reinterpret_cast<const char*>(data), size);
  return static_cast<ssize_t>(size);
}

int make_mask(uint8_t* mask, size_t size, void*) {
  std::memset(mask, 0x5A, size);
  return 0;
}

void binary(benchmark::State& state) {
  const int64_t count = state.range(1);
  const std::string bytes = frames(kBinaryFrame, "hello world\n", state.range(0), count);
  const wslay_frame_callbacks callbacks{take, give_frame, make_mask};
  Wire wire;
  wslay_frame_context_ptr context = nullptr;
  wslay_frame_context_init(&context, &callbacks, &wire);
  wslay_frame_iocb frame;
  for (auto _ : state) {
    wire.in = bytes;
    ssize_t got = 0;
    while ((got = wslay_frame_recv(context, &frame)) >= 0) benchmark::DoNotOptimize(frame.data);
    if (got != WSLAY_ERR_WANT_READ || !wire.in.empty()) state.SkipWithError("not all read");
  }
  wslay_frame_context_free(context);
  state.SetItemsProcessed(state.iterations() * count);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}

void checked(benchmark::State& state) {
  const int64_t count = state.range(1);
  const std::string bytes = frames(kTextFrame, "hello world\n", state.range(0), count);
  wslay_event_callbacks callbacks{};
  callbacks.recv_callback = give_event;
  callbacks.on_msg_recv_callback = count_message;
  Wire wire;
  wslay_event_context_ptr context = nullptr;
  wslay_event_context_client_init(&context, &callbacks, &wire);
  for (auto _ : state) {
    wire.in = bytes;
    if (wslay_event_recv(context) != 0 || !wire.in.empty()) state.SkipWithError("not all read");
  }
  wslay_event_context_free(context);
  if (wire.messages != static_cast<uint64_t>(state.iterations() * count)) {
    state.SkipWithError("not all counted");
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}

void write_binary(benchmark::State& state) {
  const std::string message(static_cast<size_t>(state.range(0)), 'a');
  const wslay_frame_callbacks callbacks{take, give_frame, make_mask};
  Wire wire;
  wslay_frame_context_ptr context = nullptr;
  wslay_frame_context_init(&context, &callbacks, &wire);
  wslay_frame_iocb frame{};
  frame.fin = 1;
  frame.opcode = WSLAY_BINARY_FRAME;
  frame.mask = 1;
  frame.payload_length = message.size();
  frame.data = reinterpret_cast<const uint8_t*>(message.data());
  frame.data_length = message.size();
  for (auto _ : state) {
    wire.out.clear();
    const ssize_t sent = wslay_frame_send(context, &frame);
    if (sent != static_cast<ssize_t>(message.size())) state.SkipWithError("not all sent");
    benchmark::DoNotOptimize(wire.out.data());
  }
  wslay_frame_context_free(context);
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

BENCHMARK(binary)->Args({12, 1})->Args({12, 100})->Args({1000, 1})->Args({65536, 1});
BENCHMARK(checked)->Args({12, 1})->Args({12, 100})->Args({1000, 1})->Args({65536, 1});
BENCHMARK(write_binary)->Arg(12)->Arg(1000)->Arg(65536);

}  // namespace
}  // namespace carronade::http
