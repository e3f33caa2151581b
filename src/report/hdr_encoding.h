// HdrHistogram's V2 encoding of a histogram; deflated and as base64 it is hdr_base64() of
// carronade/result_document.h. Its layout for 1 … 3.6e12 with 3 digits is that of
// carronade/histogram.h, so that bucket i is entry i of its array of counts.
#pragma once

#include <string>

#include "carronade/histogram.h"

namespace carronade::report {

// The counts behind a head of 40 bytes, not compressed.
std::string hdr_encoded(const Histogram& histogram);

}  // namespace carronade::report
