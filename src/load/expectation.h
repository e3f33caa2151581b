// Compares response bodies with the expected one, piece by piece, without keeping them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "http/body_sink.h"

namespace carronade::load {

class Expectation final : public http::BodySink {
 public:
  // `expected` must outlive this.
  explicit Expectation(const std::string& expected) : expected_(expected) {}

  void on_body(std::string_view piece) override {
    same_ = same_ && std::string_view(expected_).substr(position_, piece.size()) == piece;
    position_ = same_ ? position_ + piece.size() : position_;
  }
  void on_response_end() override {
    if (!same_ || position_ != expected_.size()) ++mismatches_;
    forget();
  }
  // An answer that will not end: its connection is gone.
  void forget() {
    position_ = 0;
    same_ = true;
  }
  // Mismatches since the last call.
  uint32_t take_mismatches() { return std::exchange(mismatches_, 0); }

 private:
  const std::string& expected_;
  uint64_t position_ = 0;
  bool same_ = true;
  uint32_t mismatches_ = 0;
};

}  // namespace carronade::load
