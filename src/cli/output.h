// Writing to the standard streams with every error seen: a report must not vanish because a
// disk is full or a reader went away.
#pragma once

#include <string>
#include <string_view>

#include "carronade/expected.h"

namespace carronade::cli {

// Takes the place of standard streams that came closed, so that no descriptor of our own gets
// their number and then what is meant for them. Before anything is opened.
void guard_standard_streams();

// A write to a closed pipe becomes an error instead of the end of the process. Process-wide.
void ignore_broken_pipes();

// All of `bytes`, past interruptions and short writes. The error names `where`.
Expected<void> write_all(int fd, std::string_view bytes, const std::string& where);

// All of `bytes` to standard output or standard error, past interruptions and short writes.
// The error names the stream and the reason. Nothing is buffered.
Expected<void> write_stdout(std::string_view bytes);
Expected<void> write_stderr(std::string_view bytes);

// One line to the person: "carronade: text\n" on standard error, whatever the text quotes
// (base::printable). A standard error that cannot be written leaves nobody to tell.
void tell(std::string_view program, std::string_view text);

// What can be asked for again, as a help, to standard output. If that fails the reason is told.
// False then.
bool write_text(std::string_view program, std::string_view text);

// What was measured, to standard output. If that fails the reason and the report go to standard
// error, so that nothing measured is lost. False then.
bool write_report(std::string_view program, std::string_view report);

bool stdout_is_terminal();
bool stderr_is_terminal();
// Whether a terminal should get colours: not with NO_COLOR, CI or TERM=dumb.
bool environment_allows_colour();

}  // namespace carronade::cli
