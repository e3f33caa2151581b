// HOT. The source that the engine brings itself: each connection sends the requests of its target
// in turn, beginning with the first, filled in when they are templates. Another source may listen
// to the answers beside it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carronade/request_source.h"
#include "load/template_filler.h"
#include "load/template_text.h"

namespace carronade::load {

// For each target its requests, at least one; compiled once, read by all workers.
using RequestTexts = std::vector<std::vector<TemplateText>>;

class SequenceSource final : public RequestSource {
 public:
  // `texts` and `shared` outlive the source. `listener` may be null.
  SequenceSource(const RequestTexts& texts, SharedFills& shared, uint64_t seed,
                 std::unique_ptr<RequestSource> listener)
      : texts_(texts), filler_(shared, seed), listener_(std::move(listener)) {}

  SourceWants wants() const override;
  NextRequest next(uint32_t connection, std::string& out) override;
  bool on_response(const Response& response) override;
  void on_loss(const Loss& loss) override;

 private:
  uint32_t& position_of(uint32_t connection);

  const RequestTexts& texts_;
  TemplateFiller filler_;
  std::unique_ptr<RequestSource> listener_;
  // The next request of each connection in its target's list, from connection `first_` on: a
  // worker has a stretch of the run's numbers. Grows to the connections that ask.
  std::vector<uint32_t> positions_;
  uint32_t first_ = 0;
};

}  // namespace carronade::load
