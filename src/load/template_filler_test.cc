#include "load/template_filler.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/csv_test_file.h"

namespace carronade::load {
namespace {

// RFC 9562 5.4.
bool is_uuid4(std::string_view text) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  if (text.size() != kForm.size()) return false;
  for (size_t i = 0; i < kForm.size(); ++i) {
    const std::string_view allowed = kForm[i] == 'x'   ? "0123456789abcdef"
                                     : kForm[i] == 'y' ? "89ab"
                                                       : kForm.substr(i, 1);
    if (allowed.find(text[i]) == std::string_view::npos) return false;
  }
  return true;
}

class TemplateFillerTest : public testing::Test {
 protected:
  TemplateText compile(const Request& request) {
    TemplateSyntax syntax{.ids = true, .templates = true, .data_path = {}, .columns = {}};
    if (data_) syntax.columns = data_->columns();
    return compile_template(parse_url("http://h/").value(), request, syntax, "").value();
  }
  TemplateText body(std::string text) {
    Request request;
    request.body = std::move(text);
    return compile(request);
  }
  void use_data(const base::CsvTestFile& file, DataMode mode = DataMode::kSequence) {
    data_ = DataCursor::open({.file = file.path(), .mode = mode}, 1).value();
    ASSERT_TRUE(data_->check({}).has_value());
    shared_.data = data_.get();
  }
  std::string fill(const TemplateText& text) {
    std::string out;
    EXPECT_TRUE(filler_.fill(text, out));
    return out;
  }
  // What stands behind the head.
  std::string fill_body(const TemplateText& text) {
    const std::string request = fill(text);
    return request.substr(request.find("\r\n\r\n") + 4);
  }

  SharedFills shared_;
  std::unique_ptr<DataCursor> data_;
  TemplateFiller filler_{shared_, 1};
};

TEST_F(TemplateFillerTest, IdsAreOnePerRequestAndCountUp) {
  Request request;
  request.path = "/a/[%3Cid%3E]";
  request.headers = {{"X-Id", "[<id>]"}};
  request.body = "[<id>] and [<id>]";
  const TemplateText text = compile(request);
  const std::string line = "GET /a/";
  std::string prefix;
  for (int i = 0; i < 3; ++i) {
    const std::string out = fill(text);
    const std::string id = out.substr(line.size(), 33);
    EXPECT_EQ(
        id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"),
        std::string::npos)
        << id;
    EXPECT_EQ(id.substr(22), "-000000000" + std::to_string(i));
    EXPECT_EQ(out, line + id + " HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nX-Id: " + id +
                       "\r\nContent-Length: 71\r\n\r\n" + id + " and " + id);
    if (i > 0) {
      EXPECT_EQ(id.substr(0, 22), prefix);
    }
    prefix = id.substr(0, 22);
  }
  TemplateFiller other(shared_, 1);
  std::string out;
  ASSERT_TRUE(other.fill(text, out));
  EXPECT_EQ(out.find(prefix), std::string::npos) << "prefixes are random, not of the seed";
}

TEST_F(TemplateFillerTest, UuidsAreOnePerRequest) {
  const TemplateText text = body("{{uuid}} {{uuid}}");
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string out = fill_body(text);
    const std::string uuid = out.substr(0, 36);
    EXPECT_TRUE(is_uuid4(uuid)) << uuid;
    EXPECT_EQ(out, uuid + " " + uuid);
    seen.insert(out);
  }
  EXPECT_EQ(seen.size(), 1000U);
}

TEST_F(TemplateFillerTest, TheCounterIsSharedByAllFillers) {
  const TemplateText text = body("{{counter}}{{counter}}");
  TemplateFiller other(shared_, 2);
  EXPECT_EQ(fill_body(text), "11");
  std::string out;
  ASSERT_TRUE(other.fill(text, out));
  EXPECT_TRUE(out.ends_with("\r\n\r\n22"));
  EXPECT_EQ(fill_body(text), "33");
  fill(body("{{uuid}}"));
  EXPECT_EQ(fill_body(text), "44") << "a request without {{counter}} counts nothing";
}

TEST_F(TemplateFillerTest, TheLengthIsThatOfTheBodyAsSent) {
  const TemplateText text = body("<{{counter}}>");
  for (int i = 0; i < 12; ++i) {
    const std::string out = fill(text);
    EXPECT_NE(out.find(i < 9 ? "\r\nContent-Length: 3\r\n\r\n<" : "\r\nContent-Length: 4\r\n\r\n<"),
              std::string::npos)
        << out;
  }
}

TEST_F(TemplateFillerTest, RandomNumbersAreDrawnForEachPlaceFromTheSeed) {
  const TemplateText text = body("{{random -1 1}},{{random -1 1}}");
  std::set<std::string> seen;
  std::string all, again;
  for (int i = 0; i < 300; ++i) {
    seen.insert(fill_body(text));
    all += *seen.rbegin();
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_EQ(*seen.begin(), "-1,-1");
  TemplateFiller same(shared_, 1), other(shared_, 2);
  TemplateFiller fresh(shared_, 1);
  std::string a, b, c;
  for (int i = 0; i < 50; ++i) {
    same.fill(text, a);
    fresh.fill(text, b);
    other.fill(text, c);
  }
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  const TemplateText whole = body("{{random -9223372036854775808 9223372036854775807}}");
  EXPECT_NE(fill_body(whole), fill_body(whole));
  EXPECT_EQ(fill_body(body("{{random 9223372036854775807 9223372036854775807}}")),
            "9223372036854775807");
}

TEST_F(TemplateFillerTest, TimestampsAreMillisecondsOfTheUnixClock) {
  const int64_t before = base::unix_now_ns() / 1'000'000;
  const int64_t found = std::stoll(fill_body(body("{{timestamp}}")));
  EXPECT_LE(before, found);
  EXPECT_LE(found, base::unix_now_ns() / 1'000'000);
}

TEST_F(TemplateFillerTest, ARowIsOnePerRequest) {
  const base::CsvTestFile file("id,name\n1,ann\n2,bob\n");
  use_data(file);
  const TemplateText text = body("{{csv.name}}={{csv.id}} {{csv.name}}");
  EXPECT_EQ(fill_body(text), "ann=1 ann");
  EXPECT_EQ(fill_body(text), "bob=2 bob");
  fill(body("{{uuid}}"));
  EXPECT_EQ(fill_body(text), "ann=1 ann") << "a request without {{csv}} takes no row";
}

TEST_F(TemplateFillerTest, AtTheEndOfTheDataNothingIsAppended) {
  const base::CsvTestFile file("id\n1\n");
  use_data(file, DataMode::kOnce);
  const TemplateText text = body("{{counter}} {{csv.id}}");
  EXPECT_EQ(fill_body(text), "1 1");
  std::string out = "before";
  EXPECT_FALSE(filler_.fill(text, out));
  EXPECT_EQ(out, "before");
  EXPECT_EQ(shared_.counted.load(), 1U);
}

TEST_F(TemplateFillerTest, ValuesCannotBreakTheHead) {
  const base::CsvTestFile file("v\n\"a b\r\nX: y\xC3\xBC#\"\n");
  use_data(file);
  Request request;
  request.path = "/{{csv.v}}";
  request.headers = {{"X-V", "<{{csv.v}}>"}};
  request.body = "{{csv.v}}";
  EXPECT_EQ(fill(compile(request)),
            "GET /a%20b%0D%0AX:%20y%C3%BC%23 HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n"
            "X-V: <a b  X: y\xC3\xBC#>\r\nContent-Length: 12\r\n\r\na b\r\nX: y\xC3\xBC#");
}

TEST(TemplateFiller, TargetValues) {
  const auto encoded = [](std::string_view value) {
    std::string out;
    append_to_target(value, out);
    return out;
  };
  EXPECT_EQ(encoded("aZ09-._~!$&'()*+,;=:@/?"), "aZ09-._~!$&'()*+,;=:@/?");
  EXPECT_EQ(encoded("%41%4g%4"), "%41%254g%254");
  EXPECT_EQ(encoded("100%"), "100%25");
  EXPECT_EQ(encoded(std::string_view("\0\x7F\xFF\"<>\\^`{|}[]#", 15)),
            "%00%7F%FF%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D%23");
}

}  // namespace
}  // namespace carronade::load
