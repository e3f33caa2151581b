// HOT.
#include "dialects/gobench/gobench_walk.h"

namespace carronade::dialects::gobench {

NextRequest WalkSource::next(uint32_t connection, std::string& out) {
  if (connection >= positions_.size()) positions_.resize(connection + 1);
  uint32_t& position = positions_[connection];
  target_ = list_.targets[position];
  out += list_.heads[position];
  out += list_.body;
  if (++position == list_.heads.size()) position = 0;
  return list_.keep_alive ? NextRequest::kGiven : NextRequest::kLastOnSocket;
}

}  // namespace carronade::dialects::gobench
