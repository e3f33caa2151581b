// What the programs say to the shell.
#pragma once

namespace carronade::cli {

inline constexpr int kExitOk = 0;     // at least one response came
inline constexpr int kExitUsage = 1;  // bad usage or set-up, or the report could not be written
inline constexpr int kExitNoResponse = 2;  // the run went its way, and nobody answered
inline constexpr int kExitInvalid = 3;     // with --strict: the verdict on the run is invalid
// Ended by a signal: 128 + its number, as shells count.
inline constexpr int kExitSignalBase = 128;

inline int exit_code_of(bool answered) { return answered ? kExitOk : kExitNoResponse; }

}  // namespace carronade::cli
