// A RequestSource that numbers its requests and notes what it hears, for tests of whole runs.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "carronade/run.h"
#include "scripted_peer.h"

namespace carronade::test {

inline constexpr int64_t kSecond = 1'000'000'000;
inline const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Numbers its requests and notes what it hears; `act`, when set, decides on_response.
struct Notes {
  std::mutex mutex;
  std::vector<uint32_t> connections;  // of next()
  std::vector<std::string> answers;   // "200 head|body|trailers"
  std::vector<Loss> losses;
};

class NumberingSource : public RequestSource {
 public:
  using Make = std::function<std::string(int number)>;
  NumberingSource(SourceWants wants, Notes& notes, Make make, int most = INT32_MAX)
      : wants_(wants), notes_(notes), make_(std::move(make)), most_(most) {}

  SourceWants wants() const override { return wants_; }
  NextRequest next(uint32_t connection, std::string& out) override {
    const std::lock_guard lock(notes_.mutex);
    if (given_ == most_) return NextRequest::kNone;
    notes_.connections.push_back(connection);
    out += make_(given_++);
    return NextRequest::kGiven;
  }
  bool on_response(const Response& response) override {
    const std::lock_guard lock(notes_.mutex);
    notes_.answers.push_back(std::to_string(response.status) + " " + std::string(response.head) +
                             "|" + std::string(response.body) + "|" +
                             std::string(response.trailers));
    EXPECT_GE(response.latency_ns, 0);
    EXPECT_GT(response.wire_bytes, 0u);
    return act == nullptr || act(response);
  }
  void on_loss(const Loss& loss) override {
    const std::lock_guard lock(notes_.mutex);
    notes_.losses.push_back(loss);
    notes_.losses.back().text = {};
  }

  std::function<bool(const Response&)> act;

 private:
  SourceWants wants_;
  Notes& notes_;
  Make make_;
  int most_;
  int given_ = 0;
};

inline std::string get(int number) {
  return "GET /" + std::to_string(number) + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

inline RunSpec spec_for(const ScriptedPeer& peer) {
  RunSpec spec;
  spec.targets.push_back({*parse_url("http://127.0.0.1:" + std::to_string(peer.port()) + "/"), {}});
  spec.connections = 1;
  spec.timeout_ns = 5 * kSecond;
  return spec;
}

inline RateStage even(double rate, int64_t duration_ns) {
  return {"", {{.from = rate, .to = rate, .duration_ns = duration_ns}}};
}

inline RunResult execute(RunSpec spec) {
  auto run = carronade::Run::create(std::move(spec), nullptr);
  EXPECT_TRUE(run) << run.error().text;
  RunResult result = (*run)->execute();
  EXPECT_TRUE(result.conserved());
  return result;
}

// Answers with the request's path as its body.
inline void echo_path(ScriptedPeer::Talk& talk) {
  for (;;) {
    const std::string request = talk.read_request();
    if (request.empty()) return;
    const std::string path =
        request.substr(request.find(' ') + 1, request.find(" HTTP") - request.find(' ') - 1);
    talk.send("HTTP/1.1 200 OK\r\nX-Path: " + path +
              "\r\nContent-Length: " + std::to_string(path.size()) + "\r\n\r\n" + path);
  }
}

}  // namespace carronade::test
