#include "dialects/vegeta/vegeta_target_feed.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace carronade::dialects::vegeta {
namespace {

using std::chrono::milliseconds;

// What the reader has ready before the attack begins, if it comes fast enough, and at most.
constexpr size_t kAhead = 1024;
constexpr milliseconds kGather{100};
constexpr size_t kMostQueued = 8192;
constexpr uint64_t kMostQueuedBytes = uint64_t{64} << 20;
// How often a wait looks whether it has become pointless.
constexpr milliseconds kLook{50};
constexpr size_t kMostDropped = 10;

void note_dropped(std::vector<std::string>& fresh, std::vector<std::string>& known) {
  for (std::string& text : fresh) {
    const bool seen = std::find(known.begin(), known.end(), text) != known.end();
    if (!seen && known.size() < kMostDropped) known.push_back(std::move(text));
  }
  fresh.clear();
}

class ListFeed : public TargetFeed {
 public:
  ListFeed(std::vector<AttackRequest> requests, std::vector<std::string> dropped)
      : requests_(std::move(requests)), dropped_(std::move(dropped)) {}

  const AttackRequest* take(std::unique_ptr<AttackRequest>&, Wait) override {
    return &requests_[taken_.fetch_add(1, std::memory_order_relaxed) % requests_.size()];
  }
  std::vector<std::string> dropped() const override { return dropped_; }

 private:
  const std::vector<AttackRequest> requests_;
  const std::vector<std::string> dropped_;
  std::atomic<uint64_t> taken_{0};
};

uint64_t bytes_of(const AttackRequest& request) {
  return sizeof request + request.front.size() + request.back.size() + request.url_text.size() +
         request.path.size() + (request.body == nullptr ? 0 : request.body->size());
}

}  // namespace

Expected<std::unique_ptr<TargetFeed>> read_targets(TargetReader& reader, const RequestRules& rules,
                                                   AttackHosts& hosts) {
  std::vector<AttackRequest> requests;
  std::vector<std::string> fresh;
  std::vector<std::string> dropped;
  while (true) {
    const auto target = reader.next();
    if (!target) return unexpected(target.error());
    if (!*target) break;
    const Expected<uint32_t> host = hosts.add((*target)->url);
    if (!host) return unexpected(host.error());
    requests.push_back(make_request(**target, rules, hosts.proxy_of((*target)->url), fresh));
    requests.back().origin = *host;
    note_dropped(fresh, dropped);
  }
  if (requests.empty()) return unexpected(std::string(kNoTargets));
  return std::make_unique<ListFeed>(std::move(requests), std::move(dropped));
}

LazyFeed::LazyFeed(std::unique_ptr<TargetReader> reader, base::UniqueFd stop_fd,
                   const RequestRules& rules, AttackHosts& hosts)
    : reader_(std::move(reader)), stop_fd_(std::move(stop_fd)), rules_(rules), hosts_(hosts) {}

Expected<std::unique_ptr<LazyFeed>> LazyFeed::start(std::unique_ptr<TargetReader> reader,
                                                    base::UniqueFd stop_fd,
                                                    const RequestRules& rules, AttackHosts& hosts,
                                                    const std::function<bool()>& interrupted) {
  std::unique_ptr<LazyFeed> feed(new LazyFeed(std::move(reader), std::move(stop_fd), rules, hosts));
  feed->thread_ = std::thread([raw = feed.get()] { raw->read(); });
  std::unique_lock lock(feed->mutex_);
  const auto enough = [&] { return feed->ended_ || feed->queue_.size() >= kAhead; };
  while (feed->queue_.empty() && !feed->ended_ && !interrupted()) {
    feed->changed_.wait_for(lock, kLook);
  }
  feed->changed_.wait_for(lock, kGather, enough);
  feed->started_ = true;
  if (!feed->queue_.empty()) return feed;
  const std::string error = feed->error_.empty() ? std::string(kNoTargets) : feed->error_;
  lock.unlock();
  return unexpected(error);
}

LazyFeed::~LazyFeed() {
  stop();
  thread_.join();
}

const AttackRequest* LazyFeed::take(std::unique_ptr<AttackRequest>& owned, Wait wait) {
  std::unique_lock lock(mutex_);
  if (queue_.empty() && wait == Wait::kForOne && !ended_ && !stopping_) {
    waits_.fetch_add(1);
    // CLOCK_MONOTONIC, as base::now_ns().
    const std::chrono::steady_clock::time_point end{std::chrono::nanoseconds(wait_end_ns_)};
    changed_.wait_until(lock, end, [this] { return !queue_.empty() || ended_ || stopping_; });
  }
  if (queue_.empty()) return nullptr;
  const bool was_full = queue_.size() >= kMostQueued || queued_bytes_ >= kMostQueuedBytes;
  owned = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= bytes_of(*owned);
  if (was_full) changed_.notify_all();
  return owned.get();
}

void LazyFeed::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  (void)eventfd_write(stop_fd_.get(), 1);
}

std::string LazyFeed::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::vector<std::string> LazyFeed::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

Expected<void> LazyFeed::place(AttackRequest& request, const Url& url) {
  if (!started_) {
    const Expected<uint32_t> host = hosts_.add(url);
    if (!host) return unexpected(host.error());
    request.origin = *host;
    return {};
  }
  const std::optional<uint32_t> host = hosts_.find(url);
  if (!host) {
    return unexpected(url.origin() +
                      ": with -lazy the hosts are those of the targets that are there at the "
                      "start, the first 1024 at most; this one is none of them");
  }
  request.origin = *host;
  return {};
}

// The reader's thread.
void LazyFeed::read() {
  std::vector<std::string> fresh;
  while (true) {
    const auto target = reader_->next();
    std::unique_lock lock(mutex_);
    if (!target) error_ = target.error().text;
    if (!target || !*target || stopping_) break;
    const Url& url = (*target)->url;
    auto request = std::make_unique<AttackRequest>(
        make_request(**target, rules_, hosts_.proxy_of(url), fresh));
    note_dropped(fresh, dropped_);
    if (const auto placed = place(*request, url); !placed) {
      error_ = placed.error().text;
      break;
    }
    changed_.wait(lock, [this] {
      return stopping_ || (queue_.size() < kMostQueued && queued_bytes_ < kMostQueuedBytes);
    });
    if (stopping_) break;
    queued_bytes_ += bytes_of(*request);
    queue_.push_back(std::move(request));
    if (queue_.size() == 1 || queue_.size() == kAhead) changed_.notify_all();
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

}  // namespace carronade::dialects::vegeta
