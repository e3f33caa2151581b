#include "dialects/loadtest/loadtest_config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace carronade::dialects::loadtest {
namespace {

namespace fs = std::filesystem;

class LoadtestConfigTest : public ::testing::Test {
 protected:
  LoadtestConfigTest() { fs::create_directories(home_ / "project" / "deep"); }
  ~LoadtestConfigTest() override { fs::remove_all(home_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((home_ / name).parent_path());
    std::ofstream(home_ / name, std::ios::binary) << text;
  }
  Expected<LoadtestConfig> find(const std::string& folder = "project") {
    return find_loadtest_config((home_ / folder).string(), home_.string());
  }
  std::string error() {
    const Expected<LoadtestConfig> config = find();
    return config ? "none" : config.error().text.substr(home_.string().size());
  }

  const fs::path home_ =
      fs::path(::testing::TempDir()) / ("loadtest_config_" + std::to_string(::getpid()));
};

TEST_F(LoadtestConfigTest, NoFile) {
  EXPECT_EQ("", find()->file);
  EXPECT_FALSE(find()->max_requests.has_value());
}

TEST_F(LoadtestConfigTest, ATimeoutOfNoneIsSaid) {
  write("project/.loadtestrc", R"({"timeout": 0, "maxRequests": 0})");
  const Expected<LoadtestConfig> found = find();
  ASSERT_TRUE(found.has_value()) << found.error().text;
  EXPECT_EQ(0, found->timeout_ms);
  EXPECT_FALSE(found->max_requests.has_value());
}

TEST_F(LoadtestConfigTest, EveryKey) {
  write("project/.loadtestrc", R"({
	"delay": 5, "error": "503", "percent": "20", "maxRequests": 100, "concurrency": "4",
	"maxSeconds": 2.5, "timeout": "300", "method": "POST", "contentType": "application/json",
	"body": {"hi": "there", "n": [1, 2]}, "file": "body.txt", "cookies": {"a": 1, "b": "x"},
	"headers": {"X-A": "1", "x-b": true}, "secureProtocol": "TLSv1_2_method", "insecure": true,
	"cert": "c.pem", "key": "k.pem", "requestGenerator": "", "recover": true,
	"agentKeepAlive": "yes", "proxy": "http://p:1", "requestsPerSecond": 0.5,
	"indexParam": "id", "unknown": {"ignored": 1}})");
  const Expected<LoadtestConfig> found = find();
  ASSERT_TRUE(found.has_value()) << found.error().text;
  const LoadtestConfig& config = *found;
  EXPECT_EQ((home_ / "project/.loadtestrc").string(), config.file);
  EXPECT_EQ(5, config.delay_ms);
  EXPECT_EQ(503, config.error);
  EXPECT_EQ(20, config.percent);
  EXPECT_EQ(100, config.max_requests);
  EXPECT_EQ(4, config.concurrency);
  EXPECT_EQ(2.5, config.max_seconds);
  EXPECT_EQ(300, config.timeout_ms);
  EXPECT_EQ("POST", config.method);
  EXPECT_EQ("application/json", config.content_type);
  EXPECT_EQ("{\"hi\":\"there\",\"n\":[1,2]}", config.body);
  EXPECT_EQ("hi=there&n=1&n=2", config.body_form);
  EXPECT_EQ("body.txt", config.body_file);
  EXPECT_EQ((std::vector<std::string>{"a=1", "b=x"}), config.cookies);
  ASSERT_EQ(2U, config.headers.size());
  EXPECT_EQ("X-A", config.headers[0].name);
  EXPECT_EQ("true", config.headers[1].value);
  EXPECT_EQ("TLSv1_2_method", config.secure_protocol);
  EXPECT_EQ("c.pem", config.certificate_file);
  EXPECT_EQ("k.pem", config.key_file);
  EXPECT_FALSE(config.request_generator.has_value());
  EXPECT_EQ("http://p:1", config.proxy);
  EXPECT_EQ("id", config.index_pattern);
  EXPECT_EQ(0.5, config.requests_per_second);
  EXPECT_EQ(true, config.insecure);
  EXPECT_EQ(true, config.keep_alive);
}

TEST_F(LoadtestConfigTest, Yaml) {
  write("project/.loadtestrc",
        "# a comment\nmaxRequests: 7\nbody: \"text: 1\"\nheaders:\n  x-a: 12\n  x-b: 'true'\n"
        "insecure: false\ntimeout: ~\n");
  const LoadtestConfig config = *find();
  EXPECT_EQ(7, config.max_requests);
  EXPECT_EQ("text: 1", config.body);
  EXPECT_EQ("\"text: 1\"", config.body_json);
  EXPECT_EQ("12", config.headers.at(0).value);
  EXPECT_EQ("true", config.headers.at(1).value);
  EXPECT_EQ(false, config.insecure);
  EXPECT_FALSE(config.timeout_ms.has_value());
}

TEST_F(LoadtestConfigTest, TheFirstPlaceHolds) {
  write(".loadtest/loadtest.config.yml", "maxRequests: 1");
  EXPECT_EQ(1, find("project/deep")->max_requests);
  write("project/loadtest.config.json", R"({"maxRequests": 2})");
  EXPECT_EQ(2, find("project/deep")->max_requests);
  write("project/.loadtestrc.yaml", "maxRequests: 3");
  EXPECT_EQ(3, find("project/deep")->max_requests);
  write("project/.loadtestrc", "maxRequests: 4");
  EXPECT_EQ(4, find("project/deep")->max_requests);
  write("project/package.json", R"({"name": "x"})");
  EXPECT_EQ(4, find("project/deep")->max_requests);
  write("project/package.json", R"({"loadtest": {"maxRequests": 5}})");
  EXPECT_EQ(5, find("project/deep")->max_requests);
  write("project/deep/.loadtestrc.json", R"({"maxRequests": 6})");
  EXPECT_EQ(6, find("project/deep")->max_requests);
}

TEST_F(LoadtestConfigTest, TheSearchEndsAtHome) {
  write(".loadtestrc", "maxRequests: 1");
  EXPECT_EQ(
      "",
      find_loadtest_config((home_ / "project/deep").string(), (home_ / "project").string())->file);
}

TEST_F(LoadtestConfigTest, ATextLeadsToAnotherFile) {
  write("project/package.json", R"({"loadtest": "deep/load.yaml"})");
  write("project/deep/load.yaml", "maxRequests: 9");
  EXPECT_EQ(9, find()->max_requests);
}

TEST_F(LoadtestConfigTest, ExtendsLiesUnderTheRest) {
  write("project/.loadtestrc", R"({"extends": ["a.json", "b.yaml"], "headers": {"x": "own"}})");
  write("project/a.json",
        R"({"maxRequests": 1, "maxSeconds": 3, "headers": {"x": "a", "y": "a"}})");
  write("project/b.yaml", "maxRequests: 2");
  const Expected<LoadtestConfig> config = find();
  ASSERT_TRUE(config.has_value()) << config.error().text;
  EXPECT_EQ(2, config->max_requests);
  EXPECT_EQ(3, config->max_seconds);
  ASSERT_EQ(2U, config->headers.size());
  EXPECT_EQ("own", config->headers[0].value);
  EXPECT_EQ("a", config->headers[1].value);
}

TEST_F(LoadtestConfigTest, ModulesNeedJavaScript) {
  write("project/loadtest.config.js", "module.exports = {}");
  EXPECT_TRUE(find()->needs_javascript);
  write("project/.loadtestrc", "extends: loadtest.config.js");
  EXPECT_TRUE(find()->needs_javascript);
}

TEST_F(LoadtestConfigTest, Faults) {
  write("project/.loadtestrc", "a: [1\nb: 2");
  EXPECT_TRUE(error().starts_with("/project/.loadtestrc:")) << error();
  write("project/.loadtestrc", "maxRequests: many");
  EXPECT_EQ("/project/.loadtestrc: maxRequests must be a number", error());
  write("project/.loadtestrc", "headers: 5");
  EXPECT_EQ("/project/.loadtestrc: headers must be an object", error());
  write("project/.loadtestrc", "- 1");
  EXPECT_EQ("/project/.loadtestrc: the configuration is no object", error());
  write("project/.loadtestrc", "extends: ./.loadtestrc");
  EXPECT_EQ("/project/.loadtestrc: the files lead in a circle", error());
  write("project/.loadtestrc", "extends: none.json");
  EXPECT_NE(std::string::npos, error().find("none.json")) << error();
  fs::remove(home_ / "project/.loadtestrc");
  write("project/loadtest.config.toml", "a = 1");
  EXPECT_EQ("/project/loadtest.config.toml: .toml is not supported: write it as JSON or YAML",
            error());
  write("project/loadtest.config.json", "{\n\"a\": 1,\n}");
  EXPECT_EQ("/project/loadtest.config.json:3: not JSON", error());
}

TEST_F(LoadtestConfigTest, NestedTooDeep) {
  write("project/.loadtestrc", "body: " + std::string(5000, '[') + "x" + std::string(5000, ']'));
  EXPECT_NE("none", error());
}

}  // namespace
}  // namespace carronade::dialects::loadtest
