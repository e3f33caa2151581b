#include "hook_calls.h"

#include <utility>

#include "napi_values.h"
#include "value_reader.h"

namespace carronade::node {
namespace {

constexpr uint64_t kCallsPerScope = 64;
constexpr const char* kResourceName = "carronade";

// False when `name` is there and is no function.
bool read_function(const Napi::Object& object, const char* name, Napi::FunctionReference& out) {
  const Napi::Value value(object.Env(), field(object.Env(), object, name));
  if (value.IsUndefined() || value.IsNull()) return true;
  if (!value.IsFunction()) return false;
  out = Napi::Persistent(value.As<Napi::Function>());
  return true;
}

napi_value function_of(const Napi::FunctionReference& reference) {
  return reference.IsEmpty() ? nullptr : static_cast<napi_value>(reference.Value());
}

}  // namespace

Expected<Hooks> read_hooks(const Napi::Object& object) {
  Hooks hooks;
  std::string fault;
  const std::pair<const char*, Napi::FunctionReference*> functions[] = {
      {"next", &hooks.next},
      {"response", &hooks.response},
      {"loss", &hooks.loss},
      {"error", &hooks.error}};
  for (const auto& [name, function] : functions) {
    if (!read_function(object, name, *function)) {
      return unexpected(std::string("hooks.") + name + " must be a function");
    }
  }
  const ValueReader in(object, "hooks", fault);
  std::string bodies;
  in.boolean("heads", hooks.heads);
  in.boolean("frames", hooks.frames);
  in.bytes("bodies", bodies);
  if (bodies == "buffer") {
    hooks.bodies = Hooks::Bodies::kBuffer;
  } else if (bodies == "string") {
    hooks.bodies = Hooks::Bodies::kString;
  } else if (!bodies.empty()) {
    in.fail("bodies", "must be 'buffer' or 'string'");
  }
  if (!fault.empty()) return unexpected(std::move(fault));
  return hooks;
}

void Hooks::give_to(const Napi::Object& owner) {
  const napi_env env = owner.Env();
  napi_value functions = nullptr;
  napi_create_array(env, &functions);
  uint32_t count = 0;
  for (Napi::FunctionReference* reference : {&next, &response, &loss, &error}) {
    if (reference->IsEmpty()) continue;
    napi_set_element(env, functions, count++, reference->Value());
    reference->Unref();
  }
  napi_property_descriptor property{};
  property.utf8name = "hooks";
  property.value = functions;
  napi_define_properties(env, owner, 1, &property);
}

void Hooks::hold() {
  for (Napi::FunctionReference* reference : {&next, &response, &loss, &error}) {
    if (!reference->IsEmpty()) reference->Ref();
  }
}

void report_exception(napi_env env) {
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  napi_value error = nullptr;
  if (!pending || napi_get_and_clear_last_exception(env, &error) != napi_ok) return;
  napi_fatal_exception(env, error);
}

HookCalls::HookCalls(Napi::Env env, Hooks hooks)
    : env_(env),
      hooks_(std::move(hooks)),
      context_(env, kResourceName),
      resource_(Napi::Persistent(Napi::Object::New(env))) {}

HookCalls::Turn::Turn(HookCalls& calls) : calls_(calls), outermost_(calls.turns_++ == 0) {
  if (!outermost_) return;
  napi_open_handle_scope(calls_.env_, &outer_);
  napi_open_callback_scope(calls_.env_, calls_.resource_.Value(), calls_.context_, &callback_);
  calls_.undefined_ = calls_.env_.Undefined();
  calls_.next_ = function_of(calls_.hooks_.next);
  calls_.response_ = function_of(calls_.hooks_.response);
  calls_.loss_ = function_of(calls_.hooks_.loss);
  calls_.error_ = function_of(calls_.hooks_.error);
  calls_.open_inner();
}

HookCalls::Turn::~Turn() {
  --calls_.turns_;
  if (!outermost_) return;
  calls_.close_inner();
  if (callback_ != nullptr) napi_close_callback_scope(calls_.env_, callback_);
  napi_close_handle_scope(calls_.env_, outer_);
}

void HookCalls::open_inner() { napi_open_handle_scope(env_, &inner_); }

void HookCalls::close_inner() { napi_close_handle_scope(env_, inner_); }

void HookCalls::breathe() {
  // Scopes nest: that of a call which is under way has to stay open.
  if (depth_ != 0 || count_ % kCallsPerScope != 0) return;
  close_inner();
  open_inner();
}

void HookCalls::tell(const ErrorCount& error) {
  breathe();
  const napi_value arguments[] = {utf8(env_, error_kind_name(error.kind)), utf8(env_, error.text),
                                  number(env_, error.count), number(env_, error.requests)};
  call(error_, 4, arguments);
}

napi_value HookCalls::call(napi_value function, size_t count, const napi_value* arguments) {
  ++count_;
  ++depth_;
  napi_value result = nullptr;
  const napi_status status =
      napi_call_function(env_, undefined_, function, count, arguments, &result);
  --depth_;
  if (status == napi_ok) return result;
  report_exception(env_);
  return nullptr;
}

void HookCalls::call_back(napi_value function, size_t count, const napi_value* arguments) {
  napi_value ignored = nullptr;
  napi_make_callback(env_, context_, resource_.Value(), function, count, arguments, &ignored);
  report_exception(env_);
}

}  // namespace carronade::node
