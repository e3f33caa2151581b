// Loads by a schedule as command lines and files write them. RATE is as base::parse_rate takes it
// ("200", "0.5/s", "30/m", "1k"), TIME as base::parse_duration does, with bare numbers as seconds;
// spaces around the parts are allowed. Errors quote the text and show a right one. A load whose
// rates are all 0 is an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"
#include "carronade/rate_spec.h"

namespace carronade::cli {

// "10..500/30s", RATE..RATE/TIME: linear from one rate to the other. One stage.
Expected<std::vector<RateStage>> parse_ramp(std::string_view text);

// "10s:100, 30s:100..1000, 5s:0", TIME:RATE or TIME:RATE..RATE: a stage each.
Expected<std::vector<RateStage>> parse_stages(std::string_view text);

// "100..500:100/10s", RATE..RATE:STEP/TIME: constant rates, TIME for each, up or down to the
// second rate, which the last step does not pass. A stage each, at most 100.
Expected<std::vector<RateStage>> parse_step(std::string_view text);

// "100..300/20s", LEAST..MOST/PERIOD: a sine that begins at the least rate. One endless stage.
Expected<std::vector<RateStage>> parse_sine(std::string_view text);

// A file of lines TIME,RATE: linear between the lines, and two lines of the same time make a
// step. The first rate holds from 0 to the first time; the load ends at the last. Blank lines,
// comments from # on and one line of words before the first numbers are passed over. One stage.
// "-" is standard input. Errors name file and line.
Expected<std::vector<RateStage>> read_rate_file(const std::string& path);

// "10s:10..200, 30s:200", TIME:COUNT or TIME:COUNT..COUNT, counts up to 1,000,000.
Expected<std::vector<ConnectionStage>> parse_stages_connections(std::string_view text);

struct ArrivalsChoice {
  Arrivals arrivals = Arrivals::kEven;
  uint32_t burst = 1;
};
// "even", "poisson", "jitter" or "burst:N".
Expected<ArrivalsChoice> parse_arrivals(std::string_view text);

// "200/s", "0.5/s", "1,000/s", "1.66667/s": at most 6 digits unless all are before the point.
std::string rate_text(double per_second);

}  // namespace carronade::cli
