// HOT. Keeps what a source wants to hear of the answer in progress of one connection. Buffers
// keep their room from answer to answer.
#pragma once

#include <string>
#include <string_view>

#include "carronade/request_source.h"
#include "http/body_sink.h"

namespace carronade::load {

class ResponseTap final : public http::BodySink {
 public:
  // `also`, when not null, hears the body too; must outlive this.
  ResponseTap(const SourceWants& wants, http::BodySink* also)
      : heads_(wants.heads), bodies_(wants.bodies), also_(also) {}

  bool heads() const { return heads_; }
  std::string_view head() const { return head_; }
  std::string_view body() const { return body_; }
  std::string_view trailers() const { return trailers_; }

  void on_head(std::string_view piece) override { head_.append(piece); }
  void on_interim() override { head_.clear(); }
  void on_trailer(std::string_view piece) override { trailers_.append(piece); }
  void on_body(std::string_view piece) override {
    if (bodies_) body_.append(piece);
    if (also_ != nullptr) also_->on_body(piece);
  }
  void on_response_end() override {
    if (also_ != nullptr) also_->on_response_end();
  }
  // The answer was told, or will not end.
  void forget() {
    head_.clear();
    trailers_.clear();
    body_.clear();
    if (body_.capacity() > kKeptBytes) body_.shrink_to_fit();
  }

 private:
  static constexpr size_t kKeptBytes = 64 * 1024;  // of an idle connection's body buffer

  const bool heads_;
  const bool bodies_;
  http::BodySink* const also_;
  std::string head_;
  std::string body_;
  std::string trailers_;
};

}  // namespace carronade::load
