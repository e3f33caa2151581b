// Where the engine gets the requests of a siege from: connection i is user i.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/request_source.h"
#include "carronade/run.h"
#include "cli/record_queue.h"
#include "dialects/siege/siege_lines.h"
#include "dialects/siege/siege_plan.h"
#include "dialects/siege/siege_tally.h"
#include "dialects/siege/siege_user.h"

namespace carronade::dialects::siege {

// What the workers of one siege share.
class SiegeShared {
 public:
  explicit SiegeShared(const SiegePlan& plan);

  const SiegePlan& plan() const { return plan_; }
  // Used by the worker whose connection it is.
  SiegeUser& user(uint32_t connection) { return *users_[connection]; }
  const std::vector<std::unique_ptr<SiegeUser>>& users() const { return users_; }
  SiegeTally& tally(uint32_t worker) { return tallies_[worker].tally; }
  SiegeTally total() const;

  // True for the first one who says this text.
  bool is_news(const std::string& text);

 private:
  struct alignas(64) OwnLine {
    SiegeTally tally;
  };

  const SiegePlan& plan_;
  std::vector<std::unique_ptr<SiegeUser>> users_;
  std::vector<OwnLine> tallies_;  // by worker
  std::mutex mutex_;              // guards told_
  std::set<std::string> told_;
};

class SiegeSource : public RequestSource {
 public:
  // `lines` may be null, when nobody wants any.
  SiegeSource(SiegeShared& shared, uint32_t worker, cli::RecordQueue* lines);

  SourceWants wants() const override;
  NextRequest next(uint32_t connection, std::string& out) override;
  uint32_t target() const override { return target_; }
  int64_t pause_ns(uint32_t connection) override;
  bool on_response(const Response& response) override;
  void on_loss(const Loss& loss) override;

 private:
  void show(const Response& response, const SiegeRequest& request);
  void push_line(const Response& response, const SiegeRequest& request, int64_t time_ns,
                 int64_t now_s);
  void tell(std::string_view level, std::string_view text);

  SiegeShared& shared_;
  const SiegeSettings& settings_;
  SiegeTally& tally_;
  cli::RecordQueue* const lines_;
  const bool hit_lines_;  // a line for each hit
  const bool shows_;      // -g, -p
  uint32_t target_ = 0;
};

}  // namespace carronade::dialects::siege
