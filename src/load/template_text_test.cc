#include "load/template_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace carronade::load {
namespace {

const TemplateSyntax kAll{.ids = true, .templates = true, .data_path = {}, .columns = {}};

TemplateSyntax with_columns(std::vector<std::string> columns) {
  TemplateSyntax syntax = kAll;
  syntax.data_path = "users.csv";
  syntax.columns = std::move(columns);
  return syntax;
}

Expected<TemplateText> compile(const Request& request, const TemplateSyntax& syntax = kAll,
                               std::string_view url = "http://h/") {
  return compile_template(parse_url(url).value(), request, syntax, "");
}

Request with_body(std::string body) {
  Request request;
  request.body = std::move(body);
  return request;
}

Request with_path(std::string path) {
  Request request;
  request.path = std::move(path);
  return request;
}

std::string error_of(const Request& request, const TemplateSyntax& syntax = kAll) {
  const auto text = compile(request, syntax);
  return text ? "no error" : text.error().text;
}

// The text with a letter in angle brackets for each fill.
std::string shown(const TemplateText& text) {
  std::string result;
  size_t from = 0;
  for (const TemplatePiece& piece : text.pieces) {
    result += text.text.substr(from, piece.text_end - from);
    result += std::string("<") + "iucrtdl"[static_cast<size_t>(piece.fill)] + ">";
    from = piece.text_end;
  }
  return result + text.text.substr(from);
}

TEST(TemplateText, WithoutPlaceholdersItIsTheRequest) {
  Request request = with_body("{\"a\":{\"b\":1}}");
  request.headers = {{"X-A", "[id] {x} }}"}};
  const TemplateText text = compile(request).value();
  EXPECT_TRUE(text.pieces.empty());
  EXPECT_EQ(text.text,
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nX-A: [id] {x} }}\r\n"
            "Content-Length: 13\r\n\r\n{\"a\":{\"b\":1}}");
}

TEST(TemplateText, PlaceholdersOfAllPlaces) {
  Request request = with_body("{\"id\":\"[<id>]\",\"n\":{{counter}},\"o\":{{{random 1 6}}}}");
  request.method = "POST";
  request.headers = {{"X-U", "{{ uuid }}-{{timestamp}}"}, {"Cookie", "{{csv.b c}}"}};
  const TemplateText text =
      compile(request, with_columns({"a", "b c"}), "http://h/x/[<id>]?r={{random 1 6}}").value();
  EXPECT_EQ(shown(text),
            "POST /x/<i>?r=<r> HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n"
            "X-U: <u>-<t>\r\nCookie: <d>\r\nContent-Length: <l>\r\n\r\n"
            "{\"id\":\"<i>\",\"n\":<c>,\"o\":{<r>}}");
  EXPECT_EQ(text.body_text_bytes, 21U);
  EXPECT_EQ(text.pieces[4].column, 1U);
  EXPECT_TRUE(text.uses(Fill::kColumn));
}

TEST(TemplateText, WhatIsSwitchedOffStays) {
  const Request request = with_body("[<id>] {{nonsense}} {{");
  EXPECT_TRUE(compile(request, {}).value().pieces.empty());
  const TemplateSyntax ids{.ids = true, .templates = false, .data_path = {}, .columns = {}};
  EXPECT_TRUE(shown(compile(request, ids).value()).ends_with("\r\n\r\n<i> {{nonsense}} {{"));
  const TemplateSyntax fills{.ids = false, .templates = true, .data_path = {}, .columns = {}};
  EXPECT_TRUE(shown(compile(with_body("[<id>] {{uuid}}"), fills).value()).ends_with("[<id>] <u>"));
}

TEST(TemplateText, EncodedInATarget) {
  const TemplateSyntax syntax =
      with_columns({"gr\xC3\xB6\xC3\x9F"
                    "e"});
  const auto target = [&](std::string path) {
    const std::string line = shown(compile(with_path(std::move(path)), syntax).value());
    return line.substr(4, line.find(" HTTP") - 4);
  };
  EXPECT_EQ(target("/[%3Cid%3E][%3cid%3e][<id>]"), "/<i><i><i>");
  EXPECT_EQ(target("/{{random%201%20%32}}"), "/<r>");
  EXPECT_EQ(target("/%7B%7Buuid%7d%7d/%7B1%7D"), "/<u>/%7B1%7D");
  EXPECT_EQ(target("/{{csv.gr\xC3\xB6\xC3\x9F"
                   "e}}"),
            "/<d>");
  // Elsewhere it is text.
  EXPECT_TRUE(compile(with_body("[%3Cid%3E] %7B%7Buuid%7D%7D")).value().pieces.empty());
}

TEST(TemplateText, RangesOfRandomNumbers) {
  const TemplatePiece small = compile(with_body("{{random -5 5}}")).value().pieces.back();
  EXPECT_EQ(small.low, -5);
  EXPECT_EQ(small.count, 11U);
  const TemplatePiece one = compile(with_body("{{random  7   7 }}")).value().pieces.back();
  EXPECT_EQ(one.low, 7);
  EXPECT_EQ(one.count, 1U);
  const TemplatePiece all =
      compile(with_body("{{random -9223372036854775808 9223372036854775807}}")).value().pieces[1];
  EXPECT_EQ(all.low, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(all.count, 0U);
}

TEST(TemplateText, ErrorsNameThePlaceAndTheFault) {
  const std::string known =
      "; there are {{uuid}}, {{counter}}, {{random A B}}, {{timestamp}} and {{csv.COLUMN}}";
  EXPECT_EQ(error_of(with_body("{{guid}}")), "body: unknown placeholder {{guid}}" + known);
  EXPECT_EQ(error_of(with_body("{{}}")), "body: unknown placeholder {{}}" + known);
  EXPECT_EQ(error_of(with_body("{{randomly}}")), "body: unknown placeholder {{randomly}}" + known);
  EXPECT_EQ(error_of(with_path("/{{a%0Ab}}")), "URL: unknown placeholder {{a\\x0ab}}" + known);
  EXPECT_EQ(error_of(with_body("x {{uuid")), "body: a {{ without its }}");
  Request header;
  header.headers = {{"X-Foo", "{{random 5 1}}"}};
  EXPECT_EQ(error_of(header),
            "header X-Foo: {{random 5 1}}: 5 is greater than 1; write the smaller one first");
  for (const char* text : {"random", "random 1", "random 1 x", "random 1.5 2", "random 1 2 3",
                           "random 1 99999999999999999999"}) {
    EXPECT_EQ(error_of(with_body("{{" + std::string(text) + "}}")),
              "body: {{" + std::string(text) +
                  "}}: write {{random A B}} with two whole numbers, as in {{random 1 100}}");
  }
}

TEST(TemplateText, ErrorsOfColumns) {
  EXPECT_EQ(error_of(with_body("{{csv.a}}")),
            "body: {{csv.a}} needs a data file: give one with --data FILE.csv");
  EXPECT_EQ(error_of(with_body("{{csv.c}}"), with_columns({"a", "b"})),
            "body: {{csv.c}}: data file users.csv has no such column; there are: a, b");
}

TEST(TemplateText, ErrorsOfTheRequestAndWhereItIs) {
  Request request;
  request.method = "GE T";
  const auto text = compile_template(parse_url("http://h/").value(), request, kAll, "request 2: ");
  EXPECT_TRUE(text.error().text.starts_with("request 2: method \"GE T\"")) << text.error().text;
}

TEST(TemplateText, KnowsALastRequest) {
  Request request;
  EXPECT_FALSE(compile(request).value().last_on_socket);
  request.headers = {{"Connection", "close"}};
  EXPECT_TRUE(compile(request).value().last_on_socket);
}

}  // namespace
}  // namespace carronade::load
