// The hooks of JavaScript as the source of a run's requests.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/request_source.h"
#include "hook_calls.h"
#include "tally_source.h"

namespace carronade::node {

// Used within a HookCalls::Turn, which `calls` outlives this.
class HookSource final : public RequestSource {
 public:
  // `tally` is null when nobody reads it.
  HookSource(HookCalls& calls, Tally* tally);

  SourceWants wants() const override;
  NextRequest next(uint32_t connection, std::string& out) override;
  bool on_response(const Response& response) override;
  void on_loss(const Loss& loss) override;

 private:
  // Appends the bytes that `value` holds; false when it is neither string nor Buffer.
  bool append(napi_value value, std::string& out);
  void append_string(napi_value value, std::string& out);
  napi_value body_value(std::string_view body) const;
  NextRequest append_frame(napi_value value, std::string& out);
  // Whether the request says `Connection: close`.
  bool closes(std::string_view request);

  HookCalls& calls_;
  Tally* tally_;
  napi_env env_;
  std::vector<char> text_;
  std::string message_;
  std::mt19937 masks_{std::random_device{}()};
  std::string last_;  // the request that `last_closes_` was found for
  bool last_closes_ = false;
};

}  // namespace carronade::node
