// A user of one URL of h.example, with the template's settings, and its answers by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dialects/siege/siege_config.h"
#include "dialects/siege/siege_user.h"

namespace carronade::dialects::siege {

inline constexpr int64_t kTestNow = 1'000'000'000;

class SiegeUserTest : public testing::Test {
 protected:
  SiegeUserTest() {
    EXPECT_TRUE(apply_config(config_template(), "template", plan_.settings).has_value());
    plan_.settings.url = "http://h.example/one";
    plan_.settings.user_agent = "test";
    plan_.settings.concurrent = 1;
  }

  void start(uint32_t number = 0) {
    if (plan_.list.empty()) {
      const auto complete = complete_plan(plan_);
      ASSERT_TRUE(complete.has_value()) << complete.error().text;
    }
    user_ = std::make_unique<SiegeUser>(plan_, number);
  }
  // Of these paths, in place of one URL.
  void list_of(const std::vector<std::string>& paths) {
    plan_.settings.url = "http://h.example" + paths[0];
    const auto complete = complete_plan(plan_);
    ASSERT_TRUE(complete.has_value()) << complete.error().text;
    for (size_t i = 1; i < paths.size(); ++i) {
      const auto url = parse_siege_url("http://h.example" + paths[i], plan_.settings);
      plan_.list.push_back(plan_.maker->make(*url, 0, false));
    }
  }
  // The next request whole, "" for none.
  std::string whole() {
    std::string out;
    EXPECT_FALSE(user_->awaiting());
    return user_->next(kTestNow, out) == nullptr ? "" : out;
  }
  // Its request line without the version: "GET /one".
  std::string next() {
    const std::string out = whole();
    return out.substr(0, out.find(" HTTP/"));
  }
  Outcome answer(uint16_t status, const std::string& fields = "", const std::string& body = "x") {
    const std::string head = "HTTP/1.1 " + std::to_string(status) + " X\r\n" + fields + "\r\n";
    return user_->answered(
        {.status = status, .body_bytes = body.size(), .head = head, .body = body}, kTestNow);
  }
  static std::string field_of(const std::string& request, const std::string& name) {
    const size_t at = request.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const size_t begin = at + name.size() + 4;
    return request.substr(begin, request.find('\r', begin) - begin);
  }

  SiegePlan plan_;
  std::unique_ptr<SiegeUser> user_;
};

}  // namespace carronade::dialects::siege
