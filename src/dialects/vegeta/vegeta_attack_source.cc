// HOT.
#include "dialects/vegeta/vegeta_attack_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "cli/go_flags.h"
#include "dialects/vegeta/vegeta_attack_errors.h"
#include "http/head_fields.h"
#include "http/url_reference.h"

namespace carronade::dialects::vegeta {

SourceWants AttackSource::wants() const {
  const AttackOptions& options = state_.options;
  return {.requests = true,
          .responses = true,
          .heads = true,
          .bodies = options.max_body != 0,
          .losses = true,
          .targets = true,
          .follow_ups = options.redirects >= 0,
          .pauses = false};
}

AttackSource::Slot& AttackSource::slot(uint32_t connection) {
  const size_t before = slots_.size();
  if (connection >= before) {
    slots_.resize(connection + 1);
    // The engine's own choice, until a request goes elsewhere.
    const size_t places = state_.hosts.targets().size();
    for (size_t i = before; i < slots_.size(); ++i) {
      slots_[i].place = static_cast<uint32_t>(i % places);
    }
  }
  return slots_[connection];
}

AttackSource::Taken AttackSource::take(Wait wait) {
  Taken taken;
  taken.request = state_.feed.take(taken.owned, wait);
  return taken;
}

// The next target; without a request at the end of the targets. With a rate strictly in turn, since
// the engine finds a connection that is there (upcoming_target); else, if possible, one of this
// host, so that connections need not be made anew for each request.
AttackSource::Taken AttackSource::pick(uint32_t host) {
  if (state_.hosts.size() == 1) return take(Wait::kForOne);
  if (passed_over_.empty()) passed_over_.push_back(take(Wait::kForOne));
  if (passed_over_.front().request == nullptr) {
    passed_over_.clear();
    return {};
  }
  size_t chosen = 0;
  const bool in_turn = state_.options.rate_count != 0;
  if (!in_turn && passed_over_.front().passed_over < state_.look_ahead) {
    const auto other = [&](size_t i) { return passed_over_[i].request->origin != host; };
    while (chosen < state_.look_ahead && other(chosen)) {
      if (++chosen < passed_over_.size() || chosen == state_.look_ahead) continue;
      Taken another = take(Wait::kNo);
      if (another.request == nullptr) break;
      passed_over_.push_back(std::move(another));
    }
    if (chosen == passed_over_.size() || chosen == state_.look_ahead) chosen = 0;
  }
  for (size_t i = 0; i < chosen; ++i) ++passed_over_[i].passed_over;
  Taken taken = std::move(passed_over_[chosen]);
  passed_over_.erase(passed_over_.begin() + static_cast<std::ptrdiff_t>(chosen));
  return taken;
}

uint32_t AttackSource::upcoming_target() {
  if (state_.hosts.size() == 1) return kAnyTarget;
  if (passed_over_.empty()) {
    Taken taken = take(Wait::kNo);
    if (taken.request == nullptr) return kAnyTarget;
    passed_over_.push_back(std::move(taken));
  }
  const AttackRequest* const request = passed_over_.front().request;
  return request == nullptr ? kAnyTarget : state_.hosts.places(request->origin).front();
}

// The end of the targets. vegeta counts a request for it.
void AttackSource::note_end() {
  if (state_.stopping.load() || state_.targets_over.exchange(true)) return;
  if (!state_.options.quirks) return;
  push_outcome({.seq = state_.next_seq.fetch_add(1),
                .timestamp_unix_ns = base::now_ns() + state_.unix_minus_clock_ns,
                .error = kNoTargets},
               queue_, state_.losses);
}

void AttackSource::go_to(Slot& slot, uint32_t host) {
  if (state_.hosts.host_of(slot.place) != host) {
    const std::vector<uint32_t>& places = state_.hosts.places(host);
    slot.place = places[turn_++ % places.size()];
  }
  target_ = slot.place;
}

// Whether the time for requests goes on; the first look begins it.
bool AttackSource::in_time() {
  if (state_.requests_for_ns == INT64_MAX) return true;
  const int64_t now_ns = base::now_ns();
  int64_t first_ns = 0;
  if (state_.first_ns.compare_exchange_strong(first_ns, now_ns)) return true;
  return now_ns - first_ns < state_.requests_for_ns;
}

NextRequest AttackSource::next(uint32_t connection, std::string& out) {
  // Before the look at `stopping`: whoever sets it and then sees none open has seen the last one.
  state_.open.fetch_add(1);
  Slot& s = slot(connection);
  if (!state_.stopping.load() && in_time()) {
    s.first = pick(state_.hosts.host_of(s.place));
    if (s.first.request == nullptr) note_end();
  }
  if (s.first.request == nullptr) {
    state_.open.fetch_sub(1);
    return NextRequest::kNone;
  }
  s.seq = state_.next_seq.fetch_add(1, std::memory_order_relaxed);
  go_to(s, s.first.request->origin);
  append_request(*s.first.request, s.seq, out);
  return s.first.request->last_on_socket ? NextRequest::kLastOnSocket : NextRequest::kGiven;
}

void AttackSource::end(Slot& slot) {
  slot.first = {};
  slot.hop.reset();
  slot.hops = 0;
  slot.fault.clear();
  state_.open.fetch_sub(1);
}

bool AttackSource::on_response(const Response& response) {
  Slot& s = slot(response.connection);
  if (s.first.request == nullptr) return true;
  // As vegeta takes the time: from when somebody was free to send it.
  const int64_t free_ns = std::max(response.due_ns, response.sent_ns - response.connect_ns);
  const int64_t begin_ns = state_.options.quirks ? free_ns : response.due_ns;
  const int64_t end_ns = response.due_ns + response.latency_ns;
  const AttackRequest& first = *s.first.request;
  Outcome outcome{.seq = s.seq,
                  .timestamp_unix_ns = begin_ns + state_.unix_minus_clock_ns,
                  .latency_ns = end_ns - begin_ns,
                  .bytes_out = first.bytes_out,
                  .bytes_in = response.body_bytes,
                  .code = response.status,
                  .may_inflate = (s.hop == nullptr ? first : *s.hop).asks_gzip,
                  .method = first.method,
                  .url = first.url_text,
                  .error = s.fault};
  if (s.fault.empty()) {
    outcome.head = response.head;
    outcome.body = response.body;
    outcome.has_body = !response.body.empty();
  } else {
    outcome.code = 0;
    outcome.bytes_in = outcome.bytes_out = 0;
  }
  push_outcome(outcome, queue_, state_.losses);
  end(s);
  return true;
}

void AttackSource::record_loss(const Loss& loss, const AttackRequest& request, uint64_t seq) {
  const int64_t now_ns = base::now_ns();
  const int64_t due_ns = loss.due_ns == 0 ? now_ns : loss.due_ns;
  const std::string error =
      go_client_error(loss, request.method, request.url_text, state_.options.local_address);
  push_outcome({.seq = seq,
                .timestamp_unix_ns = due_ns + state_.unix_minus_clock_ns,
                .latency_ns = now_ns - due_ns,
                .method = request.method,
                .url = request.url_text,
                .error = error},
               queue_, state_.losses);
}

void AttackSource::on_loss(const Loss& loss) {
  Slot& s = slot(loss.connection);
  const bool of_a_request = loss.requests > 0 || loss.due_ns != 0;
  if (!of_a_request || s.first.request == nullptr) return;
  record_loss(loss, *s.first.request, s.seq);
  end(s);
}

bool AttackSource::follow_up(const Response& response, std::string& out) {
  if (!is_redirect(response.status)) return false;
  Slot& s = slot(response.connection);
  if (s.first.request == nullptr) return false;
  if (!http::find_field(response.head, "Location")) return false;
  s.fault = redirect(s, response, out);
  return s.fault.empty();
}

// Appends the request that the answer asks for; or the error.
std::string AttackSource::redirect(Slot& slot, const Response& response, std::string& out) {
  const AttackRequest& before = slot.hop == nullptr ? *slot.first.request : *slot.hop;
  if (slot.hop == nullptr) slot.hop_url = parse_url(before.url_text).value_or(Url{});
  const std::string_view location = *http::find_field(response.head, "Location");
  const bool keeps = response.status == 307 || response.status == 308 || before.method == "HEAD";
  const std::string verb = keeps ? before.method : "GET";
  const Expected<Url> to = http::resolve_reference(slot.hop_url, location);
  if (!to) {
    return go_error_prefix(verb, slot.first.request->url_text) +
           "failed to parse Location header " + cli::go_quoted(location) + ": " + to.error().text;
  }
  const std::string prefix = go_error_prefix(verb, location);
  if (slot.hops >= state_.options.redirects) {
    return fmt::format("{}stopped after {} redirects", prefix, state_.options.redirects);
  }
  const std::optional<uint32_t> host = state_.hosts.find(*to);
  if (!host) return prefix + "a redirect is followed only to hosts of the targets";
  auto hop = std::make_unique<AttackRequest>(redirected(before, slot.hop_url, *to, response.status,
                                                        state_.rules, state_.hosts.proxy_of(*to)));
  hop->origin = *host;
  slot.hop = std::move(hop);
  slot.hop_url = *to;
  ++slot.hops;
  go_to(slot, *host);
  append_request(*slot.hop, slot.seq, out);
  return "";
}

}  // namespace carronade::dialects::vegeta
