// HOT.
#include "load/sequence_source.h"

namespace carronade::load {

SourceWants SequenceSource::wants() const {
  SourceWants wants = listener_ ? listener_->wants() : SourceWants{};
  wants.requests = true;
  return wants;
}

NextRequest SequenceSource::next(uint32_t connection, std::string& out) {
  const std::vector<TemplateText>& requests = texts_[connection % texts_.size()];
  uint32_t* const position = requests.size() > 1 ? &position_of(connection) : nullptr;
  const TemplateText& text = requests[position ? *position : 0];
  if (text.pieces.empty()) {
    out += text.text;
  } else if (!filler_.fill(text, out)) {
    return NextRequest::kNone;
  }
  if (position && ++*position == requests.size()) *position = 0;
  return text.last_on_socket ? NextRequest::kLastOnSocket : NextRequest::kGiven;
}

uint32_t& SequenceSource::position_of(uint32_t connection) {
  if (positions_.empty()) first_ = connection;
  if (connection < first_) {
    positions_.insert(positions_.begin(), first_ - connection, 0);
    first_ = connection;
  }
  const size_t index = connection - first_;
  if (index >= positions_.size()) positions_.resize(index + 1);
  return positions_[index];
}

bool SequenceSource::on_response(const Response& response) {
  return listener_ == nullptr || listener_->on_response(response);
}

void SequenceSource::on_loss(const Loss& loss) {
  if (listener_ != nullptr) listener_->on_loss(loss);
}

}  // namespace carronade::load
