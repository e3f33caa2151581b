// Drives the engine's hot path over a server in memory for a given number of requests, so that
// valgrind can count its instructions. The work is the same on every machine.
//
//   instruction_probe DEPTH REQUESTS
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "load/memory_worker.h"

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const auto depth = static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const uint64_t requests = std::strtoull(argv[2], nullptr, 10);
  carronade::load::MemoryWorker worker(
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello world\n", depth);
  while (worker.answered() < requests) worker.turn();
  std::printf("%llu\n", static_cast<unsigned long long>(worker.answered()));
  return 0;
}
