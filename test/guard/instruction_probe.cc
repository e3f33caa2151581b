// Drives the engine's hot path over a server in memory for a given number of requests, so that
// valgrind can count its instructions. The work is the same on every machine.
//
//   instruction_probe DEPTH REQUESTS
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "load/memory_worker.h"

namespace {

uint64_t number(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const auto depth = static_cast<uint32_t>(number(argv[1]));
  const uint64_t requests = number(argv[2]);
  carronade::load::MemoryWorker worker(
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello world\n", depth);
  while (worker.answered() < requests) worker.turn();
  std::printf("%llu\n", static_cast<unsigned long long>(worker.answered()));
  return 0;
}
