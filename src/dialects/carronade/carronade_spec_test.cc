#include "dialects/carronade/carronade_spec.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "dialects/carronade/spec_test_support.h"

namespace carronade::dialects {
namespace {

constexpr const char* kUrl = "http://127.0.0.1:8080/p";

Outcome make(std::vector<std::string> args, Form form = Form::kPlain,
             std::optional<std::string> port = std::nullopt) {
  return outcome_of(args, form, port);
}

// With a URL; the test ends when the options are refused.
Outcome good(std::vector<std::string> args, Form form = Form::kPlain) {
  args.emplace_back(kUrl);
  return accepted(make(std::move(args), form));
}

std::string error(std::vector<std::string> args, Form form = Form::kPlain) {
  args.emplace_back(kUrl);
  return make(std::move(args), form).error;
}

class TempFile {
 public:
  explicit TempFile(std::string_view content) {
    const int fd = ::mkstemp(path_.data());
    EXPECT_GE(fd, 0);
    ::close(fd);
    EXPECT_TRUE(std::ofstream(path_, std::ios::binary) << content << std::flush);
  }
  ~TempFile() { ::unlink(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/carronade_spec_XXXXXX";
};

TEST(CarronadeSpec, Defaults) {
  const Outcome o = good({});
  EXPECT_EQ(o.spec().connections, 10U);
  EXPECT_EQ(o.spec().pipelining, 1U);
  EXPECT_EQ(o.spec().workers, 1U);
  EXPECT_EQ(o.spec().duration_ns, 10'000'000'000);
  EXPECT_EQ(o.spec().amount, std::nullopt);
  EXPECT_EQ(o.spec().timeout_ns, 10'000'000'000);
  EXPECT_EQ(o.spec().sample_interval_ns, 1'000'000'000);
  EXPECT_FALSE(o.spec().tls.verify);
  EXPECT_TRUE(o.spec().tls.resume);
  EXPECT_FALSE(o.spec().capture_exchange);
  EXPECT_EQ(o.spec().targets.at(0).request.method, "GET");
  EXPECT_EQ(o.spec().targets.at(0).url.target, "/p");
  EXPECT_EQ(o.facts().workers, 0U);
  EXPECT_EQ(o.facts().duration_s, 10);
  EXPECT_TRUE(o.facts().verbose);
  EXPECT_EQ(o.facts().urls, std::vector<std::string>{kUrl});
  EXPECT_TRUE(o.job->warnings.empty());
  EXPECT_FALSE(o.job->warmup);
}

TEST(CarronadeSpec, LoadOptions) {
  const Outcome o = good({"-c", "1k", "-p4", "-w=2", "-d", "1m30s", "-t", "500ms", "-L", "250",
                          "-D", "7", "-B", "3", "-M", "20"});
  EXPECT_EQ(o.spec().connections, 1000U);
  EXPECT_EQ(o.spec().pipelining, 4U);
  EXPECT_EQ(o.spec().workers, 2U);
  EXPECT_EQ(o.spec().duration_ns, 90'000'000'000);
  EXPECT_EQ(o.spec().timeout_ns, 500'000'000);
  EXPECT_EQ(o.spec().sample_interval_ns, 250'000'000);
  EXPECT_EQ(o.spec().reconnect_after, 7U);
  EXPECT_EQ(o.spec().bailout, 3U);
  EXPECT_EQ(o.spec().max_connection_requests, 20U);
  EXPECT_EQ(o.facts().connections, 1000U);
  EXPECT_EQ(o.facts().pipelining, 4U);
  EXPECT_EQ(o.facts().workers, 2U);
  EXPECT_EQ(o.facts().duration_s, 90);
}

TEST(CarronadeSpec, AmountReplacesTheDefaultDuration) {
  const Outcome o = good({"-a", "1M"});
  EXPECT_EQ(o.spec().amount, 1'000'000U);
  EXPECT_EQ(o.spec().duration_ns, std::nullopt);
  EXPECT_EQ(o.facts().amount, 1'000'000U);
}

TEST(CarronadeSpec, AmountBesideAnExplicitDuration) {
  EXPECT_EQ(good({"-a", "100", "-d", "5"}).spec().duration_ns, 5'000'000'000);
  EXPECT_EQ(good({"-a", "100", "-d", "5"}, Form::kStrict).spec().duration_ns, std::nullopt);
}

TEST(CarronadeSpec, OverallRequestsGiveWayToTheOtherAmounts) {
  const Outcome alone = good({"-O", "50"});
  EXPECT_EQ(alone.spec().amount, 50U);
  EXPECT_EQ(alone.spec().duration_ns, 10'000'000'000);
  EXPECT_EQ(alone.facts().amount, std::nullopt);
  EXPECT_EQ(good({"-O", "50", "-a", "70"}).spec().amount, 70U);
  const Outcome with_m = good({"-O", "50", "-M", "5"});
  EXPECT_EQ(with_m.spec().amount, std::nullopt);
  EXPECT_EQ(with_m.job->warnings.size(), 1U);
}

TEST(CarronadeSpec, FewerRequestsThanConnections) {
  EXPECT_EQ(good({"-a", "2", "-c", "10"}).spec().amount, 2U);
  const Outcome strict = make({"-a", "2", "-c", "10", kUrl}, Form::kStrict);
  EXPECT_EQ(strict.error, "connections cannot be greater than amount");
  EXPECT_TRUE(strict.exits_ok);
}

TEST(CarronadeSpec, MoreWorkersThanConnections) {
  const Outcome o = good({"-w", "8", "-c", "3"});
  EXPECT_EQ(o.spec().workers, 3U);
  EXPECT_EQ(o.facts().workers, 3U);
  ASSERT_EQ(o.job->warnings.size(), 1U);
  EXPECT_EQ(o.job->warnings[0], "workers reduced from 8 to 3, one for each connection");
}

TEST(CarronadeSpec, NumbersOutOfRange) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"-c", "0"}, "connections can not be less than 1"},
      {{"-c", "-5"}, "connections can not be less than 1"},
      {{"-c", "1000001"}, "connections can not be more than 1,000,000"},
      {{"-p", "0"}, "pipelining factor can not be less than 1"},
      {{"-p", "10001"}, "pipelining factor can not be more than 10,000"},
      {{"-a", "0"}, "amount can not be less than 1"},
      {{"-B", "0"}, "bailout threshold can not be less than 1"},
      {{"-M", "0"}, "maxConnectionRequests can not be less than 1"},
      {{"-O", "0"}, "maxOverallRequests can not be less than 1"},
      {{"-d", "-1"}, "duration can not be less than 0"},
      {{"-d", "0"}, "duration must be greater than 0"},
      {{"-t", "0"}, "timeout must be greater than 0"},
      {{"-t", "-3"}, "timeout must be greater than 0"},
      {{"-L", "-1"}, "sample interval can not be less than 0"},
      {{"-L", "0"}, "sample interval must be between 1ms and 1h"},
      {{"-L", "2h"}, "sample interval must be between 1ms and 1h"},
      {{"-D", "-1"}, "reconnectRate can not be less than 0"},
      {{"-w", "-1"}, "workers can not be less than 0"},
      {{"-w", "1025"}, "workers can not be more than 1,024"},
  };
  for (const auto& [args, text] : cases) EXPECT_EQ(error(args), text) << args[0] << args[1];
  EXPECT_TRUE(error({"-c", "ten"}).starts_with("-c: "));
  EXPECT_TRUE(error({"-d", "soon"}).starts_with("-d: "));
  EXPECT_TRUE(make({"-c", "0", kUrl}, Form::kStrict).exits_ok);
}

TEST(CarronadeSpec, NoDurationIsOneSampleInTheStrictForm) {
  EXPECT_EQ(good({"-d", "0"}, Form::kStrict).spec().duration_ns, 1'000'000'000);
}

TEST(CarronadeSpec, SeveralUrlsAndTheirForms) {
  const Outcome o = make({"localhost:3000", "https://[::1]/a", "HTTP://X.example/b?c=d#e"});
  ASSERT_TRUE(o.job) << o.error;
  ASSERT_EQ(o.spec().targets.size(), 3U);
  EXPECT_EQ(o.spec().targets[0].url.port, 3000);
  EXPECT_TRUE(o.spec().targets[1].url.tls);
  EXPECT_EQ(o.spec().targets[2].url.target, "/b?c=d");
  EXPECT_EQ(o.facts().urls[0], "http://localhost:3000");
}

TEST(CarronadeSpec, PortFromTheEnvironment) {
  const Outcome o = make({"/path?x=1"}, Form::kPlain, "4321");
  ASSERT_TRUE(o.job) << o.error;
  EXPECT_EQ(o.spec().targets[0].url.port, 4321);
  EXPECT_EQ(o.spec().targets[0].url.host, "localhost");
  EXPECT_EQ(o.spec().targets[0].url.target, "/path?x=1");
  EXPECT_EQ(complete_url("example.com", "80", Form::kPlain), "http://example.com");
  EXPECT_EQ(complete_url("example.com", "80", Form::kStrict), "http://localhost:80/example.com");
  EXPECT_EQ(complete_url("http://a/", "80", Form::kStrict), "http://a/");
  EXPECT_EQ(complete_url("httpbin.org", std::nullopt, Form::kStrict), "http://httpbin.org");
}

TEST(CarronadeSpec, BadUrls) {
  EXPECT_NE(make({"/path"}).error.find("environment variable PORT"), std::string::npos);
  EXPECT_NE(make({"ftp://a/"}).error, "");
  EXPECT_TRUE(make({""}).error.starts_with("URL \"\": ")) << make({""}).error;
  EXPECT_TRUE(make({"a:b"}).error.starts_with("URL \"a:b\": ")) << make({"a:b"}).error;
  EXPECT_TRUE(make({"http://"}).error.starts_with("URL \"http://\": "));
  const Outcome strict = make({"/path"}, Form::kStrict);
  EXPECT_TRUE(strict.error.starts_with("Invalid URL\n\nWhen targeting a path without"));
  EXPECT_FALSE(strict.exits_ok);
}

TEST(CarronadeSpec, AMisplacedCommandIsNoUrl) {
  EXPECT_EQ(make({"-a", "3", "serve"}).error,
            "serve is a command and must come first: carronade serve [options] (a host of that "
            "name is http://serve)");
  EXPECT_TRUE(make({"autocannon"}).error.starts_with("autocannon is a command"));
  EXPECT_EQ(make({"help"}).error,
            "help is no URL: did you mean carronade --help? (a host of that name is http://help)");
  EXPECT_TRUE(make({kUrl, "version"}).error.starts_with("version is no URL"));
  for (const std::string word : {"http://serve", "serve:80", "serve/", "Help"}) {
    EXPECT_EQ(make({word}).error, "") << word;
  }
  EXPECT_EQ(make({"-T", "serve", kUrl}).error, "");
  EXPECT_EQ(make({"serve"}, Form::kStrict, "80").error, "");
}

TEST(CarronadeSpec, Methods) {
  EXPECT_EQ(good({"-m", "PURGE"}).spec().targets[0].request.method, "PURGE");
  EXPECT_EQ(error({"-m", "A B"}), "method \"A B\" is not an HTTP token");
  EXPECT_EQ(error({"-m="}), "method \"\" is not an HTTP token");
  const Outcome strict = make({"-m", "FOO", kUrl}, Form::kStrict);
  EXPECT_EQ(strict.error, "FOO HTTP method is not supported");
  EXPECT_TRUE(strict.exits_ok);
  EXPECT_EQ(good({"-m", "PATCH"}, Form::kStrict).spec().targets[0].request.method, "PATCH");
}

TEST(CarronadeSpec, HeadersAreCutAtTheFirstSeparator) {
  const Outcome o =
      good({"-H", "Accept: text/html", "-H", "Cookie:a=b", "--header", "X=y:z", "-H", "X="});
  const std::vector<Header>& headers = o.spec().targets[0].request.headers;
  ASSERT_EQ(headers.size(), 4U);
  EXPECT_EQ(headers[0].name + "|" + headers[0].value, "Accept|text/html");
  EXPECT_EQ(headers[1].name + "|" + headers[1].value, "Cookie|a=b");
  EXPECT_EQ(headers[2].name + "|" + headers[2].value, "X|y:z");
  EXPECT_EQ(headers[3].name + "|" + headers[3].value, "X|");
}

TEST(CarronadeSpec, StrictHeadersAreVerbatimAndTheLastWins) {
  const Outcome o = good({"-H", "a: 1", "-H", "b:2", "-H", "a:3", "-H", "A:4"}, Form::kStrict);
  const std::vector<Header>& headers = o.spec().targets[0].request.headers;
  ASSERT_EQ(headers.size(), 3U);
  EXPECT_EQ(headers[0].name + headers[0].value, "a3");
  EXPECT_EQ(headers[1].name + headers[1].value, "b2");
  EXPECT_EQ(headers[2].name + headers[2].value, "A4");
  EXPECT_EQ(good({"-H", "x-sp: v"}, Form::kStrict).spec().targets[0].request.headers[0].value,
            " v");
}

TEST(CarronadeSpec, BadHeaders) {
  EXPECT_EQ(error({"-H", "nothing"}), "An HTTP header was not correctly formatted: nothing");
  EXPECT_EQ(error({"-H", ":x"}), "An HTTP header was not correctly formatted: :x");
  EXPECT_NE(error({"-H", "a b: c"}).find("header \"a b: c\": the name"), std::string::npos);
  EXPECT_EQ(error({"-H", "a: b\r\nc: d"}), "header \"a\": the value holds a line break or a NUL");
}

TEST(CarronadeSpec, BodiesAreBytes) {
  EXPECT_EQ(good({"-b", "1"}).spec().targets[0].request.body, "1");
  EXPECT_EQ(good({"-b", "[{\"a\":1}]"}).spec().targets[0].request.body, "[{\"a\":1}]");
  const std::string bytes("a\r\n\0\xff\n", 6);
  const TempFile file(bytes);
  EXPECT_EQ(good({"-b", "x", "-i", file.path()}).spec().targets[0].request.body, bytes);
  EXPECT_NE(error({"-i", "/nowhere/body"}).find("/nowhere/body"), std::string::npos);
}

TEST(CarronadeSpec, EveryRunAndTargetHasTheBody) {
  const Outcome o = make({"-b", "hi", "-W", "1s", kUrl, kUrl, kUrl});
  ASSERT_TRUE(o.job && o.job->warmup) << o.error;
  for (const RunSpec* spec : {&o.job->main.spec, &o.job->warmup->spec}) {
    ASSERT_EQ(spec->targets.size(), 3U);
    for (const Target& target : spec->targets) EXPECT_EQ(target.request.body, "hi");
  }
}

TEST(CarronadeSpec, EmptyPathsAreRefused) {
  for (const std::string flag : {"-S", "-i", "--cert", "--key"}) {
    EXPECT_EQ(error({flag, ""}), flag + ": the path is empty");
    EXPECT_EQ(error({flag + "="}), flag + ": the path is empty");
  }
}

TEST(CarronadeSpec, ADryRunHasNoResult) {
  EXPECT_EQ(error({"-j", "--dry-run"}),
            "--dry-run prints requests and -j a result: give one of them");
  EXPECT_EQ(error({"--dry-run"}), "");
}

TEST(CarronadeSpec, WarningsAboutBodies) {
  ASSERT_EQ(good({"-b", "x"}).job->warnings.size(), 1U);
  EXPECT_TRUE(good({"-b", "x"}).job->warnings[0].starts_with("a body without Content-Type"));
  EXPECT_TRUE(good({"-b", "x", "-H", "content-type: a/b"}).job->warnings.empty());
  EXPECT_EQ(good({"-H", "Content-Length: 5"}).job->warnings.size(), 1U);
}

TEST(CarronadeSpec, RequestAndReportOptions) {
  const Outcome o = good({"-S", "/run/x.sock", "-E", "ok", "-x", "-l", "--statusCodes", "-T",
                          "my title", "-V=0", "--debug"});
  EXPECT_EQ(o.spec().unix_socket, "/run/x.sock");
  EXPECT_EQ(o.spec().expect_body, "ok");
  EXPECT_TRUE(o.spec().exclude_error_stats);
  EXPECT_TRUE(o.spec().capture_exchange);
  EXPECT_EQ(o.facts().socket_path, "/run/x.sock");
  EXPECT_TRUE(o.facts().latency_table);
  EXPECT_TRUE(o.facts().status_codes);
  EXPECT_EQ(o.facts().title, "my title");
  EXPECT_FALSE(o.facts().verbose);
  EXPECT_FALSE(good({"--debug"}, Form::kStrict).spec().capture_exchange);
}

TEST(CarronadeSpec, TlsOptions) {
  const TempFile file("pem");
  const Outcome o =
      good({"--cert", file.path(), "--key", file.path(), "--ca", "[", file.path(), file.path(), "]",
            "-s", "sni.example", "--passphrase", "p", "--no-resume"});
  EXPECT_EQ(o.spec().tls.certificate_file, file.path());
  EXPECT_EQ(o.spec().tls.key_file, file.path());
  EXPECT_EQ(o.spec().tls.ca_files, (std::vector<std::string>{file.path(), file.path()}));
  EXPECT_EQ(o.spec().tls.server_name, "sni.example");
  EXPECT_EQ(o.spec().tls.passphrase, "p");
  EXPECT_FALSE(o.spec().tls.resume);
  EXPECT_TRUE(o.spec().tls.verify);
  EXPECT_FALSE(good({"--ca", file.path(), "--no-verify"}).spec().tls.verify);
  EXPECT_FALSE(good({"--ca", file.path()}, Form::kStrict).spec().tls.verify);
  EXPECT_TRUE(good({"--verify"}).spec().tls.verify);
  EXPECT_EQ(good({"--servername="}).spec().tls.server_name, "");
  EXPECT_EQ(good({}).spec().tls.server_name, std::nullopt);
}

TEST(CarronadeSpec, UnreadableTlsFiles) {
  EXPECT_TRUE(error({"--cert", "/no/c"}).starts_with("Failed to load cert file: "));
  EXPECT_TRUE(error({"--ca", "/no/a"}).starts_with("Failed to load ca file: "));
  const TempFile file("pem");
  EXPECT_TRUE(
      error({"--cert", file.path(), "--key", "/no/k"}).starts_with("Failed to load key file: "));
  EXPECT_TRUE(error({"--key", file.path()}).starts_with("--key needs the certificate"));
}

TEST(CarronadeSpec, WarmupOverlaysTheMainRun) {
  const Outcome o = good(
      {"-c", "50", "-a", "1000", "-m", "PUT", "-W", "[", "-c", "2", "-d", "3", "]", "--debug"});
  ASSERT_TRUE(o.job->warmup);
  const RunSpec& warm = o.job->warmup->spec;
  EXPECT_EQ(warm.connections, 2U);
  EXPECT_EQ(warm.duration_ns, 3'000'000'000);
  EXPECT_EQ(warm.amount, std::nullopt);
  EXPECT_EQ(warm.targets[0].request.method, "PUT");
  EXPECT_FALSE(warm.capture_exchange);
  EXPECT_EQ(o.spec().connections, 50U);
  EXPECT_EQ(o.spec().amount, 1000U);
  EXPECT_EQ(o.spec().duration_ns, std::nullopt);
}

TEST(CarronadeSpec, WarmupForms) {
  EXPECT_EQ(good({"-W", "1500ms"}).job->warmup->spec.duration_ns, 1'500'000'000);
  EXPECT_EQ(good({"-a", "9", "-W", "[", "-c", "1", "]"}).job->warmup->spec.amount, 9U);
  EXPECT_EQ(good({"-W", "[", "--connections=4", "]"}).job->warmup->spec.connections, 4U);
  EXPECT_EQ(error({"-W", "[", "-c", "0", "]"}), "--warmup: connections can not be less than 1");
  EXPECT_EQ(error({"-W", "[", "--conections", "1", "]"}),
            "--warmup: unknown option --conections; did you mean --connections?");
  EXPECT_EQ(error({"-W", "[", "-c", "1", "http://b", "]"}),
            "--warmup: only options may stand in the group, found \"http://b\"");
  EXPECT_EQ(error({"-W", "[", "-W", "1s", "]"}), "--warmup: a warm-up has no warm-up of its own");
  EXPECT_TRUE(error({"-W", "[", "--hdr", "x", "]"}).starts_with("--warmup: --hdr and --hgrm have"));
  EXPECT_EQ(error({"-W", "[", "--on-port", "]"}), "--warmup: --on-port has no effect in the group");
  EXPECT_TRUE(error({"-W", "later"}).starts_with("--warmup: "));
}

}  // namespace
}  // namespace carronade::dialects
