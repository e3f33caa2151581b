// Bodies, forms, placeholders, client certificates and rounds: from words to the spec of a run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "dialects/carronade/spec_test_support.h"

namespace carronade::dialects {
namespace {

Outcome make(Words args, Form form = Form::kPlain) {
  args.emplace_back("http://127.0.0.1:8080/p");
  return outcome_of(args, form);
}

Outcome good(Words args, Form form = Form::kPlain) { return accepted(make(std::move(args), form)); }

class TempFile {
 public:
  explicit TempFile(std::string_view content) {
    const int fd = ::mkstemps(path_.data(), 4);
    EXPECT_GE(fd, 0);
    ::close(fd);
    EXPECT_TRUE(std::ofstream(path_, std::ios::binary) << content << std::flush);
  }
  ~TempFile() { ::unlink(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }
  std::string name() const { return path_.substr(path_.rfind('/') + 1); }

 private:
  std::string path_ = "/tmp/carronade_XXXXXX.txt";
};

std::string header(const Request& request, std::string_view name) {
  std::string all;
  for (const Header& header : request.headers) {
    if (header.name == name) all += header.value + "|";
  }
  return all;
}

TEST(Form, IsABodyOfParts) {
  const TempFile file("a\nb");
  const Outcome o =
      good({"-H", "content-TYPE: x", "-F",
            R"({"n": {"type": "text", "value": "v"}, "e": {"type": "text", "value": ""},
                              "f": {"type": "file", "path": ")" +
                file.path() + R"("}, "7": {"type": "text", "value": 7}})"});
  const Request& request = o.request();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(header(request, "content-TYPE"), "");
  const std::string type = header(request, "Content-Type");
  ASSERT_TRUE(type.starts_with("multipart/form-data; boundary=--------------------------")) << type;
  const std::string boundary = "--" + type.substr(30, type.size() - 31) + "\r\n";
  EXPECT_EQ(request.body, boundary + "Content-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n" +
                              boundary + "Content-Disposition: form-data; name=\"e\"\r\n\r\n\r\n" +
                              boundary + "Content-Disposition: form-data; name=\"f\"; filename=\"" +
                              file.name() + "\"\r\nContent-Type: text/plain\r\n\r\na\nb\r\n" +
                              boundary + "Content-Disposition: form-data; name=\"7\"\r\n\r\n7\r\n" +
                              boundary.substr(0, boundary.size() - 2) + "--\r\n");
  EXPECT_TRUE(o.job->warnings.empty());
}

TEST(Form, OptionsOfAFile) {
  const TempFile file("x");
  const auto body = [&file](const std::string& options) {
    return good({"-F", R"({"f": {"type": "file", "path": ")" + file.path() + R"(", "options": )" +
                           options + "}}"})
        .request()
        .body;
  };
  EXPECT_NE(
      body(R"({"filename": "d/a.png"})").find("filename=\"a.png\"\r\nContent-Type: image/png"),
      std::string::npos);
  EXPECT_NE(body(R"({"filepath": "a/../d/b.csv", "filename": "c"})")
                .find("filename=\"d/b.csv\"\r\nContent-Type: text/csv"),
            std::string::npos);
  EXPECT_NE(body(R"({"contentType": "x/y"})").find("\r\nContent-Type: x/y\r\n"), std::string::npos);
}

TEST(Form, FromAFileAndInTheStrictForm) {
  const TempFile file(R"({"a": {"type": "text", "value": "1"}})");
  const Outcome o = good({"-F", file.path(), "-m", "PUT", "-b", "unused"}, Form::kStrict);
  EXPECT_EQ(o.request().method, "PUT");
  EXPECT_NE(o.request().body.find("name=\"a\"\r\n\r\n1\r\n"), std::string::npos);
  EXPECT_NE(header(o.request(), "content-type"), "");
  EXPECT_EQ(good({"-F", file.path()}, Form::kStrict).request().method, "GET");
  EXPECT_EQ(good({"-F", file.path(), "-m", "PUT"}).request().method, "PUT");
}

TEST(Form, Errors) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"k": {"type": "text"}})", "Missing key 'value' in form object for key 'k'"},
      {R"({"k": {"type": "file"}})", "Missing key 'path' in form object for key 'k'"},
  };
  for (const auto& [json, text] : cases) {
    EXPECT_EQ(make({"-F", json}).error, "--form: " + text);
    const Outcome strict = make({"-F", json}, Form::kStrict);
    EXPECT_EQ(strict.error, text);
    EXPECT_TRUE(strict.exits_ok);
  }
  const std::string kType = "A 'type' key with value 'text' or 'file' should be specified";
  for (const std::string json : {R"({"k": 1})", R"({"k": {"type": "x"}})"}) {
    EXPECT_EQ(make({"-F", json}, Form::kStrict).error, kType);
    EXPECT_EQ(make({"-F", json}).error, "--form: " + kType + ": key 'k' has none");
  }
  const std::string kInvalid = "Invalid JSON or file where to get form data";
  for (const std::string json : {"{bad", "/nowhere", "[1]"}) {
    EXPECT_EQ(make({"-F", json}, Form::kStrict).error, kInvalid);
  }
  EXPECT_EQ(make({"-F", "{bad"}).error,
            "--form: " + kInvalid + ": unexpected 'b' in line 1, column 2");
  EXPECT_EQ(make({"-F", "/nowhere"}).error,
            "--form: " + kInvalid + ": open /nowhere: No such file or directory");
  EXPECT_EQ(make({"-F", R"({"k": {"type": "text", "value": ""}})"}, Form::kStrict).error,
            "Missing key 'value' in form object for key 'k'");
  EXPECT_TRUE(make({"-F", "{}", "-b", "x"}).error.starts_with("--form is a body"));
  EXPECT_NE(make({"-F", R"({"k": {"type": "file", "path": "/nowhere"}})"}).error.find("/nowhere"),
            std::string::npos);
}

TEST(Placeholders, BecomeOptionsOfTheRun) {
  const Outcome none = good({});
  EXPECT_FALSE(none.spec().ids);
  EXPECT_FALSE(none.spec().templates);
  EXPECT_FALSE(none.spec().data);
  EXPECT_TRUE(good({"-I"}, Form::kStrict).spec().ids);
  EXPECT_TRUE(good({"--template"}).spec().templates);
  const Outcome o = good({"--data", "rows.csv", "--data-mode", "shuffle", "--seed", "9"});
  EXPECT_TRUE(o.spec().templates);
  EXPECT_EQ(o.spec().data->file, "rows.csv");
  EXPECT_EQ(o.spec().data->mode, DataMode::kShuffle);
  EXPECT_EQ(o.spec().template_seed, 9U);
  EXPECT_EQ(good({"--data", "rows.csv"}).spec().data->mode, DataMode::kSequence);
  EXPECT_EQ(good({"--data", "rows.csv", "--data-mode=once"}).spec().data->mode, DataMode::kOnce);
}

TEST(Placeholders, WithoutEffect) {
  EXPECT_EQ(make({"--data-mode", "once"}).error,
            "--data-mode has no effect without data: add --data FILE");
  EXPECT_EQ(make({"--data", "x", "--data-mode", "random"}).error,
            "--data-mode: \"random\" is none of sequence, shuffle, once");
  EXPECT_EQ(make({"--seed", "5"}).error, "--seed has no effect without a rate: add --rate N");
  EXPECT_EQ(make({"--template", "--seed", "-5"}).error, "seed can not be less than 0");
}

TEST(Placeholders, SurviveInTheUrl) {
  Options options;
  const Words args = {"--template", "http://h/[<id>]/{{uuid}}?a={{csv.x}}"};
  const auto operands = cli::parse_minimist(carronade_flags(options), args);
  ASSERT_TRUE(operands);
  const auto job = make_job(options, *operands, std::nullopt, Form::kPlain);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->main.spec.targets[0].url.target, "/[<id>]/{{uuid}}?a={{csv.x}}");
}

TEST(ClientCertificate, Pkcs12IsKnownByItsContent) {
  const TempFile bundle(std::string_view("\x30\x82\x01\x10\x02\x01\x03rest", 11));
  const TempFile endless(std::string_view("\x30\x80\x02\x01\x03rest", 9));
  const TempFile der(std::string_view("\x30\x82\x01\x10\x30\x01\x03rest", 11));
  for (const Form form : {Form::kPlain, Form::kStrict}) {
    const Outcome o = good({"--cert", bundle.path(), "--passphrase", "p"}, form);
    EXPECT_EQ(o.spec().tls.pkcs12_file, bundle.path());
    EXPECT_EQ(o.spec().tls.certificate_file, "");
    EXPECT_EQ(o.spec().tls.passphrase, "p");
    EXPECT_EQ(good({"--pfx", bundle.path()}, form).spec().tls.pkcs12_file, bundle.path());
  }
  EXPECT_EQ(good({"--cert", endless.path()}).spec().tls.pkcs12_file, endless.path());
  EXPECT_EQ(good({"--cert", der.path()}).spec().tls.certificate_file, der.path());
  EXPECT_EQ(good({"--cert", der.path()}).spec().tls.pkcs12_file, "");
}

TEST(ClientCertificate, Contradictions) {
  const TempFile bundle(std::string_view("\x30\x82\x01\x10\x02\x01\x03rest", 11));
  EXPECT_EQ(make({"--cert", bundle.path(), "--key", bundle.path()}).error,
            bundle.path() + " is PKCS#12 and holds its key: leave --key out");
  EXPECT_EQ(make({"--pfx", bundle.path(), "--cert", bundle.path()}).error,
            "--pfx holds a certificate and its key: leave --cert and --key out");
  EXPECT_TRUE(make({"--pfx", "/no/p"}).error.starts_with("Failed to load pfx file: open /no/p: "));
}

TEST(Forever, WithWorkers) {
  EXPECT_EQ(good({"-f", "-w", "2"}).error, "");
  const Outcome strict = make({"-f", "-w", "2"}, Form::kStrict);
  EXPECT_EQ(strict.error, "Error: Using `forever` option isn't currently supported with workers");
  EXPECT_FALSE(strict.exits_ok);
  EXPECT_EQ(make({"-f", "-w", "0"}, Form::kStrict).error, "");
  EXPECT_TRUE(make({"-f", "--hdr", "x"}).error.starts_with("--hdr and --hgrm hold one run"));
}

TEST(Forever, WarmUpOnlyInThePlainForm) {
  EXPECT_TRUE(good({"-f", "-W", "1s"}).job->warmup);
  EXPECT_FALSE(good({"-f", "-W", "1s"}, Form::kStrict).job->warmup);
  EXPECT_EQ(make({"-W", "[", "-f", "]"}).error, "--warmup: --forever has no effect in the group");
}

TEST(WarmUp, HasTheBodyOrOneOfItsOwn) {
  const Outcome same = good({"-F", R"({"a": {"type": "text", "value": "1"}})", "-W", "1s"});
  EXPECT_EQ(same.job->warmup->spec.targets[0].request.body, same.request().body);
  EXPECT_NE(same.request().body, "");
  const Outcome other = good({"-b", "main", "-W", "[", "-b", "warm", "-d", "1", "]"});
  EXPECT_EQ(other.request().body, "main");
  EXPECT_EQ(other.job->warmup->spec.targets[0].request.body, "warm");
}

TEST(ContentLength, IsANumberOnlyWhereItIsKnown) {
  const auto lines = [](Words args) {
    for (const char* word : {"-H", "Content-Length: 9", "-H", "Content-Type: x", "-b"}) {
      args.emplace_back(word);
    }
    args.emplace_back("{{uuid}}");
    return good(std::move(args)).job->warnings;
  };
  const std::string known = "Content-Length is set by the body's own length";
  EXPECT_EQ(lines({}), Words{known + ", 8 bytes"});
  EXPECT_EQ(lines({"--template"}), Words{known});
  EXPECT_EQ(lines({"-I"}), Words{known});
}

TEST(DataModeOnce, SendsNoRowTwice) {
  const Words once = {"--data", "/a.csv", "--data-mode", "once"};
  const auto error_with = [&once](Words more, Form form = Form::kPlain) {
    more.insert(more.begin(), once.begin(), once.end());
    return make(std::move(more), form).error;
  };
  const std::string rounds =
      "--data-mode once sends each row once, and --forever would begin with the first row again in "
      "each round: give one of them";
  EXPECT_EQ(error_with({"-f"}), rounds);
  EXPECT_EQ(error_with({"-f"}, Form::kStrict), rounds);
  const std::string warmup =
      "--data-mode once sends each row once, and the warm-up would send them too: leave it out, or "
      "give it a file of its own (-W [ --data FILE … ])";
  EXPECT_EQ(error_with({"-W", "[", "-a", "2", "]"}), warmup);
  EXPECT_EQ(error_with({"-W", "[", "--data-mode", "sequence", "]"}), warmup);
  EXPECT_EQ(error_with({"-W", "2"}), warmup);
  EXPECT_EQ(error_with({"-W", "auto"}), "");
  EXPECT_EQ(error_with({"-W", "[", "--data", "/b.csv", "]"}), "");
  EXPECT_EQ(make({"--data", "/a.csv", "-f"}).error, "");
}

}  // namespace
}  // namespace carronade::dialects
