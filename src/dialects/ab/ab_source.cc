// HOT. See ab_source.h.
#include "dialects/ab/ab_source.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "http/head_fields.h"

namespace carronade::dialects::ab {
namespace {

constexpr std::string_view kKeepAlive = "keep-alive";

// ab looks for the words anywhere in the head; here it is the Connection field that says them,
// alone as a rule.
bool says_keep_alive(std::string_view head) {
  const auto value = http::find_field(head, "Connection");
  if (!value || value->size() < kKeepAlive.size()) return false;
  for (size_t at = 0; at + kKeepAlive.size() <= value->size(); ++at) {
    if (base::iequals(value->substr(at, kKeepAlive.size()), kKeepAlive)) return true;
  }
  return false;
}

// Up to the first blank, as ab cuts it.
std::string_view server_name(std::string_view head) {
  const std::string_view value = http::find_field(head, "Server").value_or("");
  return value.substr(0, value.find_first_of(" \t"));
}

}  // namespace

bool AbRun::idle() const {
  int64_t last_ns = 0;
  for (const std::unique_ptr<AbTally>& tally : tallies_) {
    last_ns = std::max(last_ns, tally->last_answer_ns.load(std::memory_order_relaxed));
  }
  return base::now_ns() - last_ns >= timeout_ns_;
}

void AbRun::end(AbFault fault) {
  if (ending_.exchange(true)) return;
  fault_ = std::move(fault);
  if (run_ != nullptr) run_->stop();
}

void AbRun::lost(const Loss& loss, AbFailures& failures) {
  count_loss(loss, failures);
  if (ending_.load(std::memory_order_relaxed)) return;
  if (std::optional<AbFault> fault = fault_of(loss, go_on_, idle())) end(std::move(*fault));
  if (loss.requests > 0 || document_bytes() != kNoLength) return;
  constexpr uint32_t kTolerated = 10;
  if (connect_failures_.fetch_add(1, std::memory_order_relaxed) < kTolerated) return;
  if (std::optional<AbFault> fault = connect_fault_of(loss)) end(std::move(*fault));
}

SourceWants AbSource::wants() const {
  return {.requests = false, .responses = true, .heads = true, .losses = true};
}

// A request goes out when its connection is made, which was begun after the answer before. Where
// that does not fit it had been sent before, on a connection that the server had closed already:
// then it waited for the new one, and its latency has that in it.
AbRecord AbSource::record_of(const Response& response) const {
  AbRecord record{.start_ns = response.sent_ns - response.connect_ns,
                  .connect_ns = response.connect_ns,
                  .wait_ns = response.first_byte_ns - response.sent_ns,
                  .total_ns = response.connect_ns + response.latency_ns};
  if (record.start_ns < ended_ns_[response.connection]) {
    record.start_ns = response.sent_ns;
    record.total_ns = response.latency_ns;
  }
  return record;
}

bool AbSource::on_response(const Response& response) {
  tally_.records.add(record_of(response));
  const int64_t end_ns = response.due_ns + response.latency_ns;
  ended_ns_[response.connection] = end_ns;
  tally_.last_answer_ns.store(end_ns, std::memory_order_relaxed);
  switch (run_.compare(response.body_bytes)) {
    case AbRun::Length::kFirst:
      tally_.server = server_name(response.head);
      break;
    case AbRun::Length::kOther:
      ++tally_.wrong_lengths;
      break;
    case AbRun::Length::kSame:
      break;
  }
  if (keep_alive_ && says_keep_alive(response.head)) ++tally_.kept_alive;
  if (log_ != nullptr) log_->push({response.head});
  return true;
}

}  // namespace carronade::dialects::ab
