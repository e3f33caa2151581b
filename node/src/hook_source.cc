#include "hook_source.h"

#include <strings.h>

#include "carronade/websocket_frame.h"
#include "napi_values.h"

namespace carronade::node {
namespace {

constexpr size_t kFirstTextSize = 4096;

// Whether the line is a Connection header with the option `close`.
bool has_close(std::string_view line) {
  constexpr std::string_view kName = "connection:";
  constexpr std::string_view kClose = "close";
  if (line.size() < kName.size() || strncasecmp(line.data(), kName.data(), kName.size()) != 0) {
    return false;
  }
  for (size_t i = kName.size(); i + kClose.size() <= line.size(); ++i) {
    if (strncasecmp(line.data() + i, kClose.data(), kClose.size()) == 0) return true;
  }
  return false;
}

bool announces_close(std::string_view request) {
  size_t at = request.find('\n');
  while (at != std::string_view::npos && at + 1 < request.size()) {
    const size_t end = request.find('\n', at + 1);
    const std::string_view line = request.substr(at + 1, end - at - 1);
    if (line.empty() || line[0] == '\r') return false;  // the body comes next
    if ((line[0] | 0x20) == 'c' && has_close(line)) return true;
    at = end;
  }
  return false;
}

void clear_exception(napi_env env) {
  napi_value ignored = nullptr;
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  if (pending) napi_get_and_clear_last_exception(env, &ignored);
}

}  // namespace

HookSource::HookSource(HookCalls& calls, Tally* tally)
    : calls_(calls), tally_(tally), env_(calls.env()), text_(kFirstTextSize) {}

SourceWants HookSource::wants() const {
  const Hooks& hooks = calls_.hooks();
  SourceWants wants;
  wants.requests = !hooks.next.IsEmpty();
  const bool told = !hooks.response.IsEmpty();
  wants.responses = told || tally_ != nullptr;
  wants.heads = told && hooks.heads;
  wants.bodies = told && hooks.bodies != Hooks::Bodies::kNone;
  wants.losses = !hooks.loss.IsEmpty() || tally_ != nullptr;
  return wants;
}

NextRequest HookSource::next(uint32_t connection, std::string& out) {
  calls_.breathe();
  const napi_value argument = number(env_, connection);
  const napi_value value = calls_.call(calls_.next(), 1, &argument);
  if (value == nullptr) return NextRequest::kNone;
  if (calls_.hooks().frames) return append_frame(value, out);
  const size_t before = out.size();
  if (!append(value, out)) return NextRequest::kNone;
  const bool last = closes(std::string_view(out).substr(before));
  return last ? NextRequest::kLastOnSocket : NextRequest::kGiven;
}

// A string is a text message, bytes are a binary one.
NextRequest HookSource::append_frame(napi_value value, std::string& out) {
  message_.clear();
  if (!append(value, message_)) return NextRequest::kNone;
  napi_valuetype type = napi_undefined;
  napi_typeof(env_, value, &type);
  append_websocket_message(out, message_, type != napi_string, masks_());
  return NextRequest::kGiven;
}

bool HookSource::append(napi_value value, std::string& out) {
  napi_valuetype type = napi_undefined;
  napi_typeof(env_, value, &type);
  if (type == napi_string) {
    append_string(value, out);
    return true;
  }
  if (type == napi_undefined || type == napi_null) return false;
  bool is_buffer = false;
  napi_is_buffer(env_, value, &is_buffer);
  if (!is_buffer) {
    napi_throw_type_error(env_, nullptr, "next() must return a string, a Buffer or null");
    report_exception(env_);
    return false;
  }
  void* data = nullptr;
  size_t size = 0;
  napi_get_buffer_info(env_, value, &data, &size);
  out.append(static_cast<const char*>(data), size);
  return true;
}

void HookSource::append_string(napi_value value, std::string& out) {
  size_t size = 0;
  napi_get_value_string_utf8(env_, value, text_.data(), text_.size(), &size);
  // A character has at most four bytes, and only whole ones are copied: perhaps there is more.
  if (size + 4 >= text_.size()) {
    napi_get_value_string_utf8(env_, value, nullptr, 0, &size);
    text_.resize(size + 5);
    napi_get_value_string_utf8(env_, value, text_.data(), text_.size(), &size);
  }
  out.append(text_.data(), size);
}

bool HookSource::closes(std::string_view request) {
  if (request == last_) return last_closes_;
  last_closes_ = announces_close(request);
  last_ = request;
  return last_closes_;
}

napi_value HookSource::body_value(std::string_view body) const {
  switch (calls_.hooks().bodies) {
    case Hooks::Bodies::kString:
      return utf8(env_, body);
    case Hooks::Bodies::kBuffer: {
      napi_value result = nullptr;
      void* copy = nullptr;
      napi_create_buffer_copy(env_, body.size(), body.data(), &copy, &result);
      return result;
    }
    case Hooks::Bodies::kNone:
      break;
  }
  return calls_.undefined();
}

bool HookSource::on_response(const Response& response) {
  const Hooks& hooks = calls_.hooks();
  if (tally_ != nullptr) tally_->add(response);
  if (hooks.response.IsEmpty()) return true;
  calls_.breathe();
  napi_value arguments[7] = {number(env_, response.connection), number(env_, response.status),
                             number(env_, response.wire_bytes),
                             milliseconds(env_, response.latency_ns)};
  size_t count = 4;
  if (hooks.heads || hooks.bodies != Hooks::Bodies::kNone) {
    arguments[4] = hooks.heads ? latin1(env_, response.head) : calls_.undefined();
    arguments[5] = body_value(response.body);
    arguments[6] = hooks.heads ? latin1(env_, response.trailers) : calls_.undefined();
    count = 7;
  }
  // V8 has strings of half a GB at most, and buffers of a few: what it cannot hold is not told.
  bool whole = true;
  for (size_t i = 0; i < count; ++i) {
    if (arguments[i] != nullptr) continue;
    whole = false;
    arguments[i] = calls_.undefined();
  }
  if (!whole) clear_exception(env_);
  const napi_value result = calls_.call(calls_.response(), count, arguments);
  if (!whole) return false;
  bool good = true;
  if (result != nullptr && napi_get_value_bool(env_, result, &good) != napi_ok) return true;
  return good;
}

void HookSource::on_loss(const Loss& loss) {
  if (tally_ != nullptr) tally_->add(loss);
  if (calls_.hooks().loss.IsEmpty()) return;
  calls_.breathe();
  const napi_value arguments[] = {number(env_, loss.connection),
                                  utf8(env_, error_kind_name(loss.kind)), utf8(env_, loss.text),
                                  number(env_, loss.requests)};
  calls_.call(calls_.loss(), 4, arguments);
}

}  // namespace carronade::node
