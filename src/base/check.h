// CHECK is for our own mistakes and stays in release builds; DCHECK is for hot paths and debug
// builds only. Bytes from a peer, files and arguments never trip one.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace carronade::base {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace carronade::base

#define CHECK(condition) \
  ((condition) ? (void)0 : ::carronade::base::check_failed(#condition, __FILE__, __LINE__))
#ifdef NDEBUG
#define DCHECK(condition) ((void)sizeof(condition))
#else
#define DCHECK(condition) CHECK(condition)
#endif
