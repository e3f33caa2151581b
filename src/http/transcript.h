// For tests: the cases of test/transcripts/*.txt.
//
//   == chunked with an extension          name of the case
//   # why it matters                      any number of comments
//   expect 2                              then `expect COUNT [head]`, in order; default: expect 1
//   <<<
//   HTTP/1.1 200 OK\r\n                   bytes; the line breaks of the file are not among them
//   \repeat{70000}{a}                     a whole line: the text so many times
//   >>>                                   `>>> eof` when the peer closes after the last byte
//   response status=200 …                 the event log, to the next case
//
// Escapes within bytes: \r \n \t \0 \\ and \xNN.
#pragma once

#include <string>
#include <vector>

#include "carronade/expected.h"
#include "http/h1_event_log.h"

namespace carronade::http {

struct Transcript {
  std::string name;  // file: case
  H1Scenario scenario;
  std::string bytes;
  std::string log;
};

// The error names file and line.
Expected<std::vector<Transcript>> read_transcripts(const std::string& path);

}  // namespace carronade::http
