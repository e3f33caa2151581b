// A RunResult as bytes (carronade/result_codec.h): the first line, then every field in the order
// of its declaration (stats/result_fields.h). Numbers are varints (stats/varint.h), those that
// may be negative folded to 2n or -2n - 1; a text, a list and a histogram
// (stats/histogram_codec.h) have their length in front; what may be absent begins with 0 or 1.
#include "carronade/result_codec.h"

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "stats/histogram_codec.h"
#include "stats/result_fields.h"
#include "stats/varint.h"

namespace carronade {

namespace {

constexpr std::string_view kName = "carronade-result ";
constexpr std::string_view kVersion = "3";
// Each needs a quarter of a megabyte, however short its bytes are.
constexpr int kMostHistograms = 2'048;

// The switches have no default, so that the compiler tells of a value that is new.
bool known(StoppedBy value) {
  switch (value) {
    case StoppedBy::kDuration:
    case StoppedBy::kAmount:
    case StoppedBy::kConnectionRequests:
    case StoppedBy::kBailout:
    case StoppedBy::kUser:
    case StoppedBy::kUnreachable:
    case StoppedBy::kData:
    case StoppedBy::kUnresolved:
      return true;
  }
  return false;
}

bool known(Phase value) {
  switch (value) {
    case Phase::kResolve:
    case Phase::kConnect:
    case Phase::kTls:
    case Phase::kWrite:
    case Phase::kRead:
    case Phase::kParse:
    case Phase::kTimeout:
    case Phase::kProxy:
    case Phase::kUpgrade:
      return true;
  }
  return false;
}

bool known(PaceMode value) {
  switch (value) {
    case PaceMode::kHybrid:
    case PaceMode::kSpin:
    case PaceMode::kSleep:
      return true;
  }
  return false;
}

bool known(ErrorKind value) { return value < ErrorKind::kCount_; }

class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}

  void put(uint64_t value) {
    char bytes[stats::kVarintBytes];
    out_.append(bytes, stats::put_varint(bytes, value));
  }
  void put(int64_t value) {
    put(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
  }
  void put(bool value) { put(uint64_t{value}); }
  void put(const std::string& text) {
    put(uint64_t{text.size()});
    out_ += text;
  }
  void put(const Histogram& histogram) { put(stats::encode_histogram(histogram)); }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(uint64_t{list.size()});
    for (const T& value : list) put(value);
  }
  template <size_t kSize>
  void put(const std::array<uint64_t, kSize>& numbers) {
    for (const uint64_t number : numbers) put(number);
  }
  void put(const std::map<uint16_t, uint64_t>& counts) {
    put(uint64_t{counts.size()});
    for (const auto& [key, count] : counts) {
      put(uint64_t{key});
      put(count);
    }
  }
  template <class T>
  requires std::is_enum_v<T>
  void put(T value) { put(static_cast<uint64_t>(value)); }
  template <stats::HasFields T>
  void put(const T& value) {
    std::apply([this](const auto&... field) { (this->put(field), ...); }, stats::fields_of(value));
  }

 private:
  std::string& out_;
};

// After bytes that cannot be, everything that is taken is 0 or empty.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : reader_{bytes} {}

  bool ok() const { return reader_.ok; }
  size_t left() const { return reader_.rest.size(); }

  void take(uint64_t& value) { value = reader_.number(); }
  void take(int64_t& value) {
    const uint64_t folded = reader_.number();
    value = static_cast<int64_t>(folded >> 1 ^ (0 - (folded & 1)));
  }
  void take(bool& value) {
    const uint64_t number = reader_.number();
    refuse_if(number > 1);
    value = number == 1;
  }
  void take(std::string& text) { text = view(); }
  void take(Histogram& histogram) {
    refuse_if(--histograms_left_ < 0);
    refuse_if(!stats::decode_histogram(view(), histogram));
  }
  template <class T>
  void take(std::optional<T>& value) {
    bool there = false;
    take(there);
    if (there) take(value.emplace());
  }
  template <class T>
  void take(std::vector<T>& list) {
    const uint64_t size = length();
    for (uint64_t i = 0; i < size && ok(); ++i) take(list.emplace_back());
  }
  template <size_t kSize>
  void take(std::array<uint64_t, kSize>& numbers) {
    for (uint64_t& number : numbers) take(number);
  }
  void take(std::map<uint16_t, uint64_t>& counts) {
    const uint64_t size = length();
    for (uint64_t i = 0; i < size && ok(); ++i) {
      const uint64_t key = reader_.number();
      refuse_if(key > UINT16_MAX || (!counts.empty() && key <= counts.rbegin()->first));
      if (ok()) take(counts[static_cast<uint16_t>(key)]);
    }
  }
  template <class T>
  requires std::is_enum_v<T>
  void take(T& value) {
    const uint64_t number = reader_.number();
    refuse_if(number > UINT8_MAX);
    static_assert(sizeof(T) == 1);
    value = static_cast<T>(number);
    refuse_if(!known(value));
  }
  template <stats::HasFields T>
  void take(T& value) {
    std::apply([this](auto&... field) { (this->take(field), ...); }, stats::fields_of(value));
  }

 private:
  void refuse_if(bool wrong) {
    if (wrong) reader_.ok = false;
  }
  // A text has a byte for each of its length, and a list at least one.
  uint64_t length() {
    const uint64_t size = reader_.number();
    refuse_if(size > left());
    return ok() ? size : 0;
  }
  std::string_view view() {
    const uint64_t size = length();
    const std::string_view text = reader_.rest.substr(0, size);
    reader_.rest.remove_prefix(size);
    return text;
  }

  stats::VarintReader reader_;
  int histograms_left_ = kMostHistograms;
};

bool is_time(int64_t ns) { return ns >= 0 && ns <= base::kLongestNs; }

bool ascend(const std::vector<Window>& windows) {
  int64_t before_ns = -1;
  for (const Window& window : windows) {
    if (!is_time(window.start_ns) || !is_time(window.width_ns)) return false;
    if (window.start_ns <= before_ns) return false;
    before_ns = window.start_ns;
  }
  return true;
}

bool follow(const std::vector<Interval>& intervals) {
  Histogram scratch;
  int64_t end_ns = 0;
  for (const Interval& interval : intervals) {
    if (!is_time(interval.start_ns) || !is_time(interval.width_ns)) return false;
    if (interval.start_ns < end_ns) return false;
    if (!stats::decode_histogram(interval.latency, scratch) ||
        !stats::decode_histogram(interval.service_time, scratch)) {
      return false;
    }
    end_ns = interval.start_ns + interval.width_ns;
  }
  return true;
}

bool sensible(const RateResult& rate) {
  return is_time(rate.load_ns) &&
         std::all_of(rate.stages.begin(), rate.stages.end(), [](const StageResult& stage) {
           return is_time(stage.start_ns) && is_time(stage.width_ns);
         });
}

// What those who add and report results rely on.
bool sensible(const RunResult& result) {
  return result.start_unix_ns >= 0 && result.start_unix_ns <= INT64_MAX / 2 &&
         is_time(result.elapsed_ns) && result.sample_interval_ns > 0 &&
         is_time(result.sample_interval_ns) && ascend(result.samples) && ascend(result.series) &&
         follow(result.intervals) && (!result.rate || sensible(*result.rate)) &&
         (!result.warmup || is_time(result.warmup->width_ns));
}

// Takes the first line off. "" when it is the right one, else what is wrong with it.
std::string first_line_fault(std::string_view& bytes) {
  if (bytes.substr(0, kName.size()) != kName) {
    return "these bytes are not a result of carronade (they do not begin with "
           "\"carronade-result\")";
  }
  bytes.remove_prefix(kName.size());
  const size_t end = std::min(bytes.find_first_not_of("0123456789"), bytes.size());
  const std::string_view version = bytes.substr(0, end);
  if (version.size() > 9 || (end < bytes.size() && (end == 0 || bytes[end] != '\n'))) {
    return "these bytes are not a result of carronade (their first line names no version)";
  }
  if (end == bytes.size()) return "cut off in its first line: it has to be written again";
  if (version != kVersion) {
    return "written in version " + std::string(version) +
           " of the form, and this carronade reads " + std::string(kVersion) +
           ": use the carronade that wrote it";
  }
  bytes.remove_prefix(end + 1);
  return "";
}

}  // namespace

std::string encode_result(const RunResult& result) {
  std::string out;
  out.append(kName).append(kVersion) += '\n';
  Encoder(out).put(result);
  return out;
}

Expected<RunResult> decode_result(std::string_view bytes) {
  const size_t size = bytes.size();
  const std::string fault = first_line_fault(bytes);
  if (!fault.empty()) return unexpected("result: " + fault);
  Decoder decoder(bytes);
  RunResult result;
  decoder.take(result);
  if (!decoder.ok()) {
    const std::string where = std::to_string(size - decoder.left());
    return unexpected("result: damaged or cut off at byte " + where + " of " +
                      std::to_string(size) + ": it has to be written again");
  }
  if (decoder.left() > 0) {
    return unexpected("result: " + std::to_string(decoder.left()) +
                      " bytes follow behind its end: it has to be written again");
  }
  if (!sensible(result)) {
    return unexpected("result: damaged, its times make no sense: it has to be written again");
  }
  return result;
}

}  // namespace carronade
