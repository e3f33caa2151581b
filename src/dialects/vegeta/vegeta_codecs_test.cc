#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "dialects/vegeta/vegeta_codec_test_support.h"
#include "dialects/vegeta/vegeta_input.h"
#include "dialects/vegeta/vegeta_reader.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr std::string_view kJsonLines =
    R"({"attack":"big","seq":0,"code":200,"timestamp":"2024-01-31T10:00:00.25+01:00",)"
    R"("latency":1234567,"bytes_out":3,"bytes_in":5,"error":"","body":"aGVsbG8=",)"
    R"("method":"POST","url":"http://127.0.0.1:8080/a?b=1\u0026c=\u003c2\u003e",)"
    R"("headers":{"Content-Type":["text/plain","x"]}})"
    "\n"
    R"({"attack":"","seq":1,"code":0,"timestamp":"2024-01-31T09:00:00.000000001Z",)"
    R"("latency":300,"bytes_out":0,"bytes_in":0,"error":"Get \"http://x\": refused",)"
    R"("body":null,"method":"GET","url":"http://x","headers":null})"
    "\n"
    R"({"attack":"","seq":18446744073709551615,"code":503,)"
    R"("timestamp":"1969-12-31T23:59:59.5Z","latency":9223372036854775807,)"
    R"("bytes_out":18446744073709551615,"bytes_in":128,"error":"503 Service Unavailable",)"
    R"("body":null,"method":"","url":"","headers":{}})"
    "\n";

constexpr std::string_view kCsvLines =
    "1706691600250000000,200,1234567,3,5,,aGVsbG8=,big,0,POST,"
    "http://127.0.0.1:8080/a?b=1&c=<2>,"
    "Q29udGVudC1UeXBlOiB0ZXh0L3BsYWluDQpDb250ZW50LVR5cGU6IHgNCg0K\n"
    "1706691600000000001,0,300,0,0,\"Get \"\"http://x\"\": refused\",,,1,GET,http://x,\n"
    "-500000000,503,9223372036854775807,18446744073709551615,128,503 Service Unavailable,,,"
    "18446744073709551615,,,DQo=\n";

class VegetaCodecs : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "UTC", 1);  // CSV has no zone: times are this machine's
    ::tzset();
  }
};

TEST_F(VegetaCodecs, JsonIsWrittenInVegetasOrder) {
  EXPECT_EQ(encode_all(Encoding::kJson, three_results()), kJsonLines);
}

TEST_F(VegetaCodecs, CsvHasTwelveColumns) {
  EXPECT_EQ(encode_all(Encoding::kCsv, three_results()), kCsvLines);
}

TEST_F(VegetaCodecs, WhatIsWrittenIsReadBack) {
  for (const Encoding encoding : {Encoding::kGob, Encoding::kJson, Encoding::kCsv}) {
    const std::string bytes = encode_all(encoding, three_results());
    const Decoded decoded = decode_all(encoding, bytes);
    EXPECT_EQ(decoded.error, "");
    EXPECT_EQ(encode_all(encoding, decoded.results), bytes);
    // Figures alone, too.
    const Decoded figures = decode_all(encoding, bytes, Detail::kFigures);
    ASSERT_EQ(figures.results.size(), 3);
    EXPECT_EQ(figures.results[2].latency_ns, INT64_MAX);
  }
}

TEST_F(VegetaCodecs, HeadersAreInTheOrderOfTheirNames) {
  Result result;
  result.has_headers = true;
  result.headers = {{"Vary", "a"}, {"Date", "d"}, {"Vary", "b\r\nX: y"}, {"Age", " 1 "}};
  const std::string json = encode_all(Encoding::kJson, {result});
  EXPECT_NE(json.find(R"({"Age":[" 1 "],"Date":["d"],"Vary":["a","b\r\nX: y"]})"),
            std::string::npos)
      << json;
  const Decoded decoded = decode_all(Encoding::kCsv, encode_all(Encoding::kCsv, {result}));
  ASSERT_EQ(decoded.results.size(), 1) << decoded.error;
  const std::vector<Header>& headers = decoded.results[0].headers;
  ASSERT_EQ(headers.size(), 4);
  EXPECT_EQ(headers[0].value, "1");
  EXPECT_EQ(headers[3].value, "b  X: y");
}

// Seed `broken_header_name` of the fuzzer: the rest of the name was a line without a colon.
TEST_F(VegetaCodecs, CsvLeavesOutHeadersWhoseNamesAreNone) {
  Result result;
  result.has_headers = true;
  result.headers = {{"", "a"},    {"Con\nt-Type", "b"}, {"Good", "c"},
                    {"a b", "d"}, {"a:b", "e"},         {"\xc3\xa9", "f"}};
  const Decoded decoded = decode_all(Encoding::kCsv, encode_all(Encoding::kCsv, {result}));
  EXPECT_EQ(decoded.error, "");
  ASSERT_EQ(decoded.results.size(), 1);
  ASSERT_EQ(decoded.results[0].headers.size(), 1);
  EXPECT_EQ(decoded.results[0].headers[0].name, "Good");
  for (const Encoding encoding : {Encoding::kGob, Encoding::kJson}) {
    const Decoded all = decode_all(encoding, encode_all(encoding, {result}));
    ASSERT_EQ(all.results.size(), 1) << all.error;
    EXPECT_EQ(all.results[0].headers.size(), 6);
  }
}

TEST_F(VegetaCodecs, JsonIsReadLeniently) {
  const Decoded decoded = decode_all(
      Encoding::kJson,
      "\n  \r\n{\"code\": 2e2, \"extra\": {\"code\": [1, {\"seq\": 2}]}, \"latency\": 1.5e+09,"
      "\"seq\":null,\"headers\":{\"K\":null,\"L\":[\"v\",null]}}\r\n{\"code\":404}");
  EXPECT_EQ(decoded.error, "");
  ASSERT_EQ(decoded.results.size(), 2);
  EXPECT_EQ(decoded.results[0].code, 200);
  EXPECT_EQ(decoded.results[0].seq, 0);
  EXPECT_EQ(decoded.results[0].latency_ns, 1'500'000'000);
  ASSERT_EQ(decoded.results[0].headers.size(), 1);
  EXPECT_EQ(decoded.results[1].code, 404);
  EXPECT_FALSE(decoded.results[1].has_headers);
}

TEST_F(VegetaCodecs, JsonFaultsHaveTheirLine) {
  const auto error = [](std::string line) {
    return decode_all(Encoding::kJson, "{\"code\":1}\n\n" + line + "\n{\"code\":2}\n").error;
  };
  EXPECT_EQ(error("{\"code\":"), "line 3: no JSON at column 9");
  EXPECT_EQ(error("[1]"), "line 3: no object");
  EXPECT_EQ(error("7"), "line 3: no object");
  EXPECT_EQ(error("{}"), "line 3: an object without any field of a result");
  EXPECT_EQ(error("{\"code\":\"200\"}"), "line 3: \"code\" has the wrong type");
  EXPECT_EQ(error("{\"code\":[200]}"), "line 3: \"code\" has the wrong type");
  EXPECT_EQ(error("{\"code\":70000}"), "line 3: \"code\" is out of range");
  EXPECT_EQ(error("{\"seq\":-1}"), "line 3: \"seq\" is out of range");
  EXPECT_EQ(error("{\"latency\":0.5}"), "line 3: \"latency\" is no whole number");
  EXPECT_EQ(error("{\"error\":false}"), "line 3: \"error\" has the wrong type");
  EXPECT_EQ(error("{\"timestamp\":\"now\"}"), "line 3: \"timestamp\" is no time of RFC 3339");
  EXPECT_EQ(error("{\"body\":\"NOT BASE64\"}"), "line 3: \"body\" is no base64");
  EXPECT_EQ(error("{\"headers\":[]}"), "line 3: \"headers\" has the wrong type");
  EXPECT_EQ(error("{\"headers\":{\"K\":\"v\"}}"), "line 3: \"headers\" has the wrong type");
  EXPECT_EQ(error("{\"code\":200} {\"code\":200}"), "line 3: no JSON at column 14");
}

TEST_F(VegetaCodecs, DeepJsonIsNoDanger) {
  const std::string deep(1'000'000, '[');
  const Decoded decoded = decode_all(Encoding::kJson, "{\"x\":" + deep + "\n");
  EXPECT_NE(decoded.error, "");
}

TEST_F(VegetaCodecs, CsvIsReadLeniently) {
  const Decoded decoded =
      decode_all(Encoding::kCsv,
                 "\n1, 200,3,4,5,\"two\nlines, \"\"quoted\"\"\",, name,6,GET,\"u\",\r\n\r\n"
                 "2,0,0,0,0,,,,7,,,");
  EXPECT_EQ(decoded.error, "");
  ASSERT_EQ(decoded.results.size(), 2);
  EXPECT_EQ(decoded.results[0].error, "two\nlines, \"quoted\"");
  EXPECT_EQ(decoded.results[0].attack, "name");
  EXPECT_EQ(decoded.results[0].url, "u");
  EXPECT_EQ(decoded.results[1].seq, 7);
}

TEST_F(VegetaCodecs, CsvFaultsHaveTheirLine) {
  const auto error = [](const std::string& line) {
    return decode_all(Encoding::kCsv, "1,2,3,4,5,\"a\nb\",,,9,,,\n" + line + "\n").error;
  };
  EXPECT_EQ(error("1,2,3"), "line 3: 3 of the 12 columns");
  EXPECT_EQ(error("1,2,3,4,5,,,,9,,,,"), "line 3: more than 12 columns");
  EXPECT_EQ(error("x,2,3,4,5,,,,9,,,"), "line 3: column 1 (timestamp) is no number of nanoseconds");
  EXPECT_EQ(error("1,65536,3,4,5,,,,9,,,"), "line 3: column 2 (code) is no status code");
  EXPECT_EQ(error("1,2,,4,5,,,,9,,,"), "line 3: column 3 (latency) is no number of nanoseconds");
  EXPECT_EQ(error("1,2,3,-4,5,,,,9,,,"), "line 3: column 4 (bytes out) is no number");
  EXPECT_EQ(error("1,2,3,4,5,,*,,9,,,"), "line 3: column 7 (body) is no base64");
  EXPECT_EQ(error("1,2,3,4,5,a\"b,,,9,,,"), "line 3: a quote where none may be");
  EXPECT_EQ(error("1,2,3,4,5,\"a\"b,,,9,,,"), "line 3: a quote where none may be");
  EXPECT_EQ(error("1,2,3,4,5,,,,9,,,eHg="),
            "line 3: column 12 (headers) has a line without a colon");
}

TEST_F(VegetaCodecs, TheEncodingIsFoundOut) {
  for (const Encoding encoding : {Encoding::kGob, Encoding::kJson, Encoding::kCsv}) {
    ResultInput input(encode_all(encoding, three_results()));
    const Expected<DetectedStream> stream = detect_decoder("x", input, Detail::kAll);
    ASSERT_TRUE(stream) << stream.error().text;
    EXPECT_EQ(stream->encoding, encoding);
    Result result;
    int count = 0;
    while (stream->decoder->next(result).value()) ++count;
    EXPECT_EQ(count, 3);
  }
}

TEST_F(VegetaCodecs, WhatIsNoneOfThem) {
  const auto error = [](std::string bytes) {
    ResultInput input(std::move(bytes));
    return detect_decoder("some \"file\"", input, Detail::kAll).error().text;
  };
  const std::string head = "encode: can't detect encoding of \"some \\\"file\\\"\": ";
  EXPECT_EQ(error(""), head + "it is empty");
  EXPECT_EQ(error("GET http://127.0.0.1/\n"),
            head +
                "gob: corrupt gob stream at byte 0: no definition; json: line 1: no JSON at "
                "column 1; csv: line 1: 1 of the 12 columns");
  EXPECT_TRUE(error("\n\n").starts_with(head));
}

}  // namespace
}  // namespace carronade::dialects::vegeta
