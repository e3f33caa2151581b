// What a lost request or connection is in ab's terms: a class of failure, or the end of the run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "carronade/error.h"
#include "carronade/request_source.h"
#include "dialects/ab/ab_tally.h"

namespace carronade::dialects::ab {

// What ends ab: its message, and the low byte of its status code.
struct AbFault {
  std::string message;
  int exit_code = 1;
};

// Adds the requests that were lost to their class; a connection that was not made is one.
void count_loss(const Loss& loss, AbFailures& failures);

// The fault when this kind of loss ends the run; `go_on` is -r, `idle` says that nothing has
// come from any connection for the length of the timeout.
std::optional<AbFault> fault_of(const Loss& loss, bool go_on, bool idle);

// After more than 10 connections that could not be made, when no answer has come yet: ab ends then
// whatever -r says.
std::optional<AbFault> connect_fault_of(const Loss& loss);

// "apr_sockaddr_info_get() for HOST: REASON (6700NN)" of a text of the engine's resolver.
AbFault lookup_fault(std::string_view host, std::string_view engine_text);

// The errno whose text an engine's error text ends with, 0 for none.
int errno_in(std::string_view engine_text);

}  // namespace carronade::dialects::ab
