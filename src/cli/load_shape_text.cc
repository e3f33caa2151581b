#include "cli/load_shape_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "base/units.h"

namespace carronade::cli {

namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr double kStepsMax = 100;

using Pair = std::pair<std::string_view, std::string_view>;

// The texts before and after the last `separator`, if there is one.
std::optional<Pair> split_last(std::string_view text, std::string_view separator) {
  const size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return Pair{base::trim(text.substr(0, at)), base::trim(text.substr(at + separator.size()))};
}

std::optional<Pair> split_first(std::string_view text, std::string_view separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return Pair{base::trim(text.substr(0, at)), base::trim(text.substr(at + separator.size()))};
}

tl::unexpected<Error> wrong_form(std::string_view text, std::string_view what,
                                 std::string_view example) {
  return unexpected(
      fmt::format("\"{}\" is not {}: write for example {}", base::printable(text), what, example));
}

// The error of a part, with the whole that it stands in.
tl::unexpected<Error> within(std::string_view text, const Error& error) {
  return unexpected(fmt::format("\"{}\": {}", base::printable(text), error.text));
}

Expected<int64_t> parse_time(std::string_view text) {
  Expected<int64_t> time_ns = base::parse_duration(text, kSecond);
  if (time_ns && *time_ns == 0) {
    return unexpected(
        fmt::format("\"{}\" is no time at all: it must be longer than 0", base::printable(text)));
  }
  return time_ns;
}

template <class T>
struct Range {
  T from;
  T to;
};

// "A..B", or "A" for a range of one.
template <class T>
Expected<Range<T>> parse_range(std::string_view text, Expected<T> (*parse)(std::string_view)) {
  const std::optional<Pair> ends = split_first(text, "..");
  const Expected<T> from = parse(ends ? ends->first : text);
  if (!from) return unexpected(from.error());
  // "10...20" is a slip, not a range up to 0.2.
  if (ends && ends->second.starts_with('.')) {
    return unexpected("\"" + base::printable(text) + "\": two dots stand between the two ends");
  }
  const Expected<T> to = ends ? parse(ends->second) : from;
  if (!to) return unexpected(to.error());
  return Range<T>{*from, *to};
}

Expected<uint64_t> parse_connections(std::string_view text) {
  Expected<uint64_t> count = base::parse_count(text);
  if (count && *count > base::kMostConnections) {
    return unexpected(
        fmt::format("\"{}\" connections are too many: at most 1,000,000", base::printable(text)));
  }
  return count;
}

// A range and what stands behind its last slash.
struct RangeOverTime {
  Range<double> rates;
  int64_t time_ns;
};

Expected<RangeOverTime> parse_range_over_time(std::string_view text, std::string_view what,
                                              std::string_view example) {
  const std::optional<Pair> parts = split_last(text, "/");
  if (!parts || parts->first.find("..") == std::string_view::npos) {
    return wrong_form(text, what, example);
  }
  const Expected<int64_t> time_ns = parse_time(parts->second);
  if (!time_ns) return wrong_form(text, what, example);
  const Expected<Range<double>> rates = parse_range(parts->first, base::parse_rate);
  if (!rates) return within(text, rates.error());
  return RangeOverTime{*rates, *time_ns};
}

// 6 significant digits, with commas, without zeros at the end.
std::string number_text(double value) {
  const double whole = std::floor(value);
  if (value == whole) return base::format_thousands(static_cast<uint64_t>(value));
  const int magnitude = static_cast<int>(std::floor(std::log10(value)));
  std::string text = fmt::format("{:.{}f}", value, std::clamp(5 - magnitude, 0, 15));
  const size_t point = std::min(text.find('.'), text.size());
  std::string fraction = text.substr(point);
  while (!fraction.empty() && (fraction.back() == '0' || fraction.back() == '.')) {
    fraction.pop_back();
  }
  uint64_t integer = 0;
  for (const char c : text.substr(0, point))
    integer = integer * 10 + static_cast<uint64_t>(c - '0');
  return base::format_thousands(integer) + fraction;
}

std::string range_text(double from, double to) {
  return from == to ? rate_text(from) : number_text(from) + ".." + rate_text(to);
}

RateStage linear_stage(double from, double to, int64_t duration_ns) {
  RateSegment segment;
  segment.from = from;
  segment.to = to;
  segment.duration_ns = duration_ns;
  return {base::format_span(duration_ns) + " at " + range_text(from, to), {segment}};
}

bool has_load(const std::vector<RateStage>& stages) {
  return std::any_of(stages.begin(), stages.end(), [](const RateStage& stage) {
    return std::any_of(stage.segments.begin(), stage.segments.end(),
                       [](const RateSegment& s) { return s.from > 0 || s.to > 0; });
  });
}

Expected<std::vector<RateStage>> with_load(std::vector<RateStage> stages, std::string_view name) {
  if (has_load(stages)) return stages;
  return unexpected(fmt::format("{} asks for no request: one rate at least must be above 0", name));
}

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", base::printable(text)); }

// "TIME:WHAT" items with commas in between; `add` takes a time and the rest.
template <class Add>
Expected<void> parse_list(std::string_view text, std::string_view example, Add add) {
  for (const std::string_view part : base::split(text, ',')) {
    const std::string_view item = base::trim(part);
    const std::optional<Pair> halves = split_first(item, ":");
    if (!halves) {
      return within(text, wrong_form(item, "a stage", example).value());
    }
    const Expected<int64_t> time_ns = parse_time(halves->first);
    if (!time_ns) return within(text, time_ns.error());
    if (Expected<void> done = add(*time_ns, halves->second); !done) {
      return within(text, done.error());
    }
  }
  return {};
}

}  // namespace

std::string rate_text(double per_second) { return number_text(per_second) + "/s"; }

Expected<std::vector<RateStage>> parse_ramp(std::string_view text) {
  const auto ramp = parse_range_over_time(text, "a ramp", "10..500/30s");
  if (!ramp) return unexpected(ramp.error());
  return with_load({linear_stage(ramp->rates.from, ramp->rates.to, ramp->time_ns)}, quoted(text));
}

Expected<std::vector<RateStage>> parse_stages(std::string_view text) {
  std::vector<RateStage> stages;
  const auto add = [&stages](int64_t time_ns, std::string_view rest) -> Expected<void> {
    const Expected<Range<double>> rates = parse_range(rest, base::parse_rate);
    if (!rates) return unexpected(rates.error());
    stages.push_back(linear_stage(rates->from, rates->to, time_ns));
    return {};
  };
  const Expected<void> done = parse_list(text, "10s:100 or 30s:100..1000", add);
  if (!done) return unexpected(done.error());
  return with_load(std::move(stages), quoted(text));
}

Expected<std::vector<RateStage>> parse_step(std::string_view text) {
  constexpr std::string_view kWhat = "a rate in steps";
  constexpr std::string_view kExample = "100..500:100/10s";
  const std::optional<Pair> parts = split_last(text, "/");
  const std::optional<Pair> halves = parts ? split_last(parts->first, ":") : std::nullopt;
  if (!halves || halves->first.find("..") == std::string_view::npos) {
    return wrong_form(text, kWhat, kExample);
  }
  const Expected<int64_t> each_ns = parse_time(parts->second);
  if (!each_ns) return wrong_form(text, kWhat, kExample);
  const Expected<Range<double>> rates = parse_range(halves->first, base::parse_rate);
  if (!rates) return within(text, rates.error());
  const Expected<double> step = base::parse_rate(halves->second);
  if (!step) return within(text, step.error());
  if (*step == 0) return unexpected(quoted(text) + ": the step must be greater than 0");
  const double way = std::abs(rates->to - rates->from);
  // 0.3 is three steps of 0.1, whatever is left of it in binary.
  const double steps = std::ceil(way / *step - 1e-9);
  if (steps >= kStepsMax) {
    return unexpected(quoted(text) + ": more than 100 steps: make the step larger");
  }
  const double signed_step = rates->to < rates->from ? -*step : *step;
  std::vector<RateStage> stages;
  for (int i = 0; i < static_cast<int>(steps); ++i) {
    const double rate = rates->from + i * signed_step;
    stages.push_back(linear_stage(rate, rate, *each_ns));
  }
  stages.push_back(linear_stage(rates->to, rates->to, *each_ns));
  return with_load(std::move(stages), quoted(text));
}

Expected<std::vector<RateStage>> parse_sine(std::string_view text) {
  const auto sine = parse_range_over_time(text, "a sine", "100..300/20s");
  if (!sine) return unexpected(sine.error());
  const auto [least, most] = sine->rates;
  if (least > most) {
    return unexpected(quoted(text) + ": the lower rate comes first, as in 100..300/20s");
  }
  RateSegment segment;
  segment.shape = RateSegment::Shape::kSine;
  segment.from = least;
  segment.to = most;
  segment.period_ns = sine->time_ns;
  const std::string name =
      fmt::format("sine of {} every {}", range_text(least, most), base::format_span(sine->time_ns));
  return with_load({RateStage{name, {segment}}}, quoted(text));
}

Expected<std::vector<ConnectionStage>> parse_stages_connections(std::string_view text) {
  std::vector<ConnectionStage> stages;
  const auto add = [&stages](int64_t time_ns, std::string_view rest) -> Expected<void> {
    const Expected<Range<uint64_t>> counts = parse_range(rest, parse_connections);
    if (!counts) return unexpected(counts.error());
    stages.push_back(
        {static_cast<uint32_t>(counts->from), static_cast<uint32_t>(counts->to), time_ns});
    return {};
  };
  const Expected<void> done = parse_list(text, "10s:10..200 or 30s:200", add);
  if (!done) return unexpected(done.error());
  const auto busy = [](const ConnectionStage& s) { return s.from > 0 || s.to > 0; };
  if (std::any_of(stages.begin(), stages.end(), busy)) return stages;
  return unexpected(quoted(text) + " asks for no connection: one number at least must be above 0");
}

Expected<ArrivalsChoice> parse_arrivals(std::string_view text) {
  const std::string_view word = base::trim(text);
  if (word == "even") return ArrivalsChoice{Arrivals::kEven, 1};
  if (word == "poisson") return ArrivalsChoice{Arrivals::kPoisson, 1};
  if (word == "jitter") return ArrivalsChoice{Arrivals::kJitter, 1};
  constexpr std::string_view kBurst = "burst:";
  if (word.starts_with(kBurst)) {
    const Expected<uint64_t> size = base::parse_count(word.substr(kBurst.size()));
    if (size && *size >= 1 && *size <= base::kMostBurst) {
      return ArrivalsChoice{Arrivals::kBurst, static_cast<uint32_t>(*size)};
    }
    if (size) return unexpected(quoted(text) + ": a burst has from 1 to 1,000,000 requests");
  }
  return unexpected(quoted(text) +
                    " is no kind of arrivals: write even, poisson, jitter or burst:10");
}

namespace {

struct Point {
  int64_t time_ns;
  double rate;
};

bool is_word(std::string_view text) {
  return !text.empty() && ((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z');
}

// The point of a line, none for a line that says nothing; `first`: words may stand here.
Expected<std::optional<Point>> parse_line(std::string_view line, bool first) {
  line = base::trim(line.substr(0, line.find('#')));
  if (line.empty()) return std::nullopt;
  const std::optional<Pair> fields = split_first(line, ",");
  if (!fields) return wrong_form(line, "a time and a rate", "10s,200");
  if (first && is_word(fields->first) && is_word(fields->second)) return std::nullopt;
  const Expected<int64_t> time_ns = base::parse_duration(fields->first, kSecond);
  if (!time_ns) return unexpected(time_ns.error());
  const Expected<double> rate = base::parse_rate(fields->second);
  if (!rate) return unexpected(rate.error());
  return Point{*time_ns, *rate};
}

Expected<std::vector<Point>> parse_points(std::string_view content, std::string_view name) {
  std::vector<Point> points;
  bool words_allowed = true;
  int number = 0;
  // The mark that spreadsheets put before UTF-8.
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  for (const std::string_view line : base::split(content, '\n')) {
    ++number;
    const bool blank = base::trim(line.substr(0, line.find('#'))).empty();
    const auto point = parse_line(line, words_allowed);
    if (!point) return unexpected(fmt::format("{}:{}: {}", name, number, point.error().text));
    words_allowed = words_allowed && blank;
    if (!*point) continue;
    if (!points.empty() && (*point)->time_ns < points.back().time_ns) {
      return unexpected(fmt::format("{}:{}: {} is before the {} of the line above: sort the lines",
                                    name, number, base::format_span((*point)->time_ns),
                                    base::format_span(points.back().time_ns)));
    }
    points.push_back(**point);
  }
  return points;
}

}  // namespace

Expected<std::vector<RateStage>> read_rate_file(const std::string& path) {
  constexpr size_t kMostBytes = 16 * 1024 * 1024;
  const Expected<std::string> content = base::read_file(path, kMostBytes);
  if (!content) return unexpected(content.error());
  const std::string name = path == "-" ? "standard input" : base::printable(path);
  const auto points = parse_points(*content, name);
  if (!points) return unexpected(points.error());
  if (points->empty()) {
    return unexpected(name + ": no rate in it: write lines of time,rate, as in 10s,200");
  }
  Point before = {0, points->front().rate};
  RateStage stage{"rates of " + name, {}};
  for (const Point& point : *points) {
    RateSegment segment;
    segment.from = before.rate;
    segment.to = point.rate;
    segment.duration_ns = point.time_ns - before.time_ns;
    if (segment.duration_ns > 0) stage.segments.push_back(segment);
    before = point;
  }
  if (stage.segments.empty()) {
    return unexpected(name + ": all its times are 0: the last one says when the load ends");
  }
  return with_load({std::move(stage)}, name);
}

}  // namespace carronade::cli
