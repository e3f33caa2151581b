#include "dialects/vegeta/vegeta_json_codec.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/text.h"
#include "dialects/vegeta/vegeta_text.h"

namespace carronade::dialects::vegeta {
namespace {

// Takes the events of one line. Returning false ends the parsing; why() says the reason.
class ResultEvents {
 public:
  ResultEvents(Result& result, Detail detail)
      : result_(result), detail_(detail), headers_(result.headers) {}

  const std::string& why() const { return why_; }
  bool any() const { return any_; }

  bool null() {
    return in_headers_ || scalar([] { return true; });
  }
  bool boolean(bool) {
    return scalar([this] { return wrong_type(); });
  }
  bool number_integer(int64_t value) {
    return scalar([&] { return set_number(value); });
  }
  bool number_unsigned(uint64_t value) {
    return scalar([&] { return set_number(value); });
  }
  bool number_float(double value, const std::string&) {
    return scalar([&] { return set_float(value); });
  }
  bool string(std::string& value) {
    if (depth_ == 3 && in_headers_) {
      return headers_.add(header_, value) || refuse("too many headers");
    }
    return scalar([&] { return set_text(value); });
  }
  bool binary(nlohmann::json::binary_t&) { return wrong_type(); }

  bool start_object(size_t) { return open(/*array=*/false); }
  bool start_array(size_t) { return open(/*array=*/true); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (depth_ == 1) {
      key_ = name;
    } else if (depth_ == 2 && in_headers_) {
      header_ = name;
    }
    return true;
  }

  template <class Exception>
  bool parse_error(size_t position, const std::string&, const Exception&) {
    return refuse(fmt::format("no JSON at column {}", position));
  }

 private:
  bool refuse(std::string text) {
    if (why_.empty()) why_ = std::move(text);
    return false;
  }
  bool wrong_type() { return !is_known() || refuse("\"" + key_ + "\" has the wrong type"); }

  bool is_known() const {
    for (const std::string_view name :
         {"attack", "seq", "code", "timestamp", "latency", "bytes_out", "bytes_in", "error", "body",
          "method", "url", "headers"}) {
      if (name == key_) return true;
    }
    return false;
  }

  template <class Set>
  bool scalar(Set set) {
    if (depth_ == 0) return refuse("no object");
    if (in_headers_) return refuse("\"headers\" has the wrong type");
    if (depth_ > 1) return true;
    any_ = any_ || is_known();
    return set();
  }

  bool open(bool array) {
    if (depth_ == 0 && array) return refuse("no object");
    if (depth_ == 1) {
      in_headers_ = key_ == "headers" && !array;
      if (!in_headers_ && is_known()) return wrong_type();
      result_.has_headers = result_.has_headers || in_headers_;
      any_ = any_ || in_headers_;
    } else if (in_headers_ && (depth_ != 2 || !array)) {
      return refuse("\"headers\" has the wrong type");
    }
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    if (depth_ == 1) in_headers_ = false;
    return true;
  }

  template <class Number>
  bool set_number(Number value) {
    if (key_ == "latency") return assign(value, result_.latency_ns);
    if (key_ == "seq") return assign(value, result_.seq);
    if (key_ == "code") return assign(value, result_.code);
    if (key_ == "bytes_out") return assign(value, result_.bytes_out);
    if (key_ == "bytes_in") return assign(value, result_.bytes_in);
    return wrong_type();
  }
  template <class Number, class To>
  bool assign(Number value, To& to) {
    if (!std::in_range<To>(value)) return refuse("\"" + key_ + "\" is out of range");
    to = static_cast<To>(value);
    return true;
  }
  // Whole numbers that a filter between the programs wrote as 1e+09.
  bool set_float(double value) {
    if (!is_known()) return true;
    constexpr double kExact = 9007199254740992;  // 2^53
    if (value != std::trunc(value) || std::fabs(value) > kExact) {
      return refuse("\"" + key_ + "\" is no whole number");
    }
    return set_number(static_cast<int64_t>(value));
  }

  bool set_text(std::string& value) {
    if (key_ == "timestamp") {
      const std::optional<ZonedTime> time = parse_time(value);
      if (!time) return refuse("\"timestamp\" is no time of RFC 3339");
      result_.timestamp_unix_ns = time->unix_ns;
      result_.zone_minutes = time->zone_minutes;
    } else if (key_ == "body") {
      result_.has_body = true;
      if (detail_ == Detail::kFigures) return true;
      if (!decode_base64(value, result_.body)) return refuse("\"body\" is no base64");
    } else if (key_ == "attack") {
      result_.attack.swap(value);
    } else if (key_ == "error") {
      result_.error.swap(value);
    } else if (key_ == "method") {
      result_.method.swap(value);
    } else if (key_ == "url") {
      result_.url.swap(value);
    } else {
      return wrong_type();
    }
    return true;
  }

  Result& result_;
  Detail detail_;
  HeaderAdder headers_;
  std::string why_;
  std::string key_;     // in the object of the result
  std::string header_;  // in "headers"
  int64_t depth_ = 0;
  bool in_headers_ = false;
  bool any_ = false;
};

void append_headers(const HeaderOrder& order, std::string& out) {
  char before = '{';
  order.for_each_name([&](std::string_view name, size_t first, size_t last) {
    out += std::exchange(before, ',');
    append_json_string(name, out);
    out += ':';
    for (size_t i = first; i < last; ++i) {
      out += i == first ? '[' : ',';
      append_json_string(order.at(i).value, out);
    }
    out += ']';
  });
  if (before == '{') out += '{';
  out += '}';
}

}  // namespace

void JsonEncoder::encode(const Result& result, std::string& out) {
  const auto to = [&out] { return std::back_inserter(out); };
  out += "{\"attack\":";
  append_json_string(result.attack, out);
  fmt::format_to(to(), ",\"seq\":{},\"code\":{},\"timestamp\":\"", result.seq, result.code);
  append_time(result.timestamp_unix_ns, result.zone_minutes, out);
  fmt::format_to(to(),
                 "\",\"latency\":{},\"bytes_out\":{},\"bytes_in\":{},\"error\":", result.latency_ns,
                 result.bytes_out, result.bytes_in);
  append_json_string(result.error, out);
  out += ",\"body\":";
  if (result.has_body) {
    out += '"';
    out += base::base64(result.body);
    out += '"';
  } else {
    out += "null";
  }
  out += ",\"method\":";
  append_json_string(result.method, out);
  out += ",\"url\":";
  append_json_string(result.url, out);
  out += ",\"headers\":";
  if (result.has_headers) {
    append_headers(HeaderOrder(result.headers, order_), out);
  } else {
    out += "null";
  }
  out += "}\n";
}

Expected<bool> JsonDecoder::read_line(std::string_view& line) {
  input_.skip(std::exchange(consumed_, 0));
  size_t searched = 0;
  while (true) {
    const size_t end = input_.rest().find('\n', searched);
    if (end != std::string_view::npos) {
      line = input_.rest().substr(0, end);
      ++line_;
      if (base::trim(line).empty()) {
        input_.skip(end + 1);
        searched = 0;
        continue;
      }
      consumed_ = end + 1;
      return true;
    }
    searched = input_.rest().size();
    if (searched > ResultInput::kMostRecordBytes) {
      return unexpected(fmt::format("line {}: longer than a result can be", line_ + 1));
    }
    if (input_.more()) continue;
    if (input_.stopped()) return false;
    if (!input_.read_error().empty()) return unexpected("read: " + input_.read_error());
    line = input_.rest();
    consumed_ = line.size();
    ++line_;
    return !base::trim(line).empty();
  }
}

Expected<bool> JsonDecoder::next(Result& result) {
  std::string_view line;
  Expected<bool> there = read_line(line);
  if (!there || !*there) return there;
  clear_result(result);
  ResultEvents events(result, detail_);
  const bool parsed = nlohmann::json::sax_parse(line.begin(), line.end(), &events);
  if (parsed && events.any()) return true;
  return unexpected(fmt::format("line {}: {}", line_,
                                parsed ? "an object without any field of a result" : events.why()));
}

}  // namespace carronade::dialects::vegeta
