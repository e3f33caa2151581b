// A RunResult as bytes, without loss, and several of them as one: for results that were measured
// in other threads, processes or at other times. Implemented in src/stats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/run_result.h"

namespace carronade {

// The bytes begin with "carronade-result 3\n", whatever else they are.
std::string encode_result(const RunResult& result);
// Error: not such bytes, of another version, cut or damaged; also one with more than 2,048
// histograms (a worker has one, a stage of a rate two), for which memory might not be enough.
Expected<RunResult> decode_result(std::string_view bytes);

// Parts of one run that went on at the same time: counters add up, histograms merge, windows are
// added by their place in time, the start is the earliest and the end the latest. `parts` is not
// empty. What cannot be merged (intervals, a warm-up found; samples of different widths, stages
// of different names) is left empty when there are several, and the percentiles of a second are
// -1 when more than one part has answers in it. It was stopped by what stopped the first part,
// unless one was stopped by a bail-out or the user: then by that. The health of the host is the
// worst that a part saw. Any thread.
RunResult merge_results(const std::vector<RunResult>& parts);

}  // namespace carronade
