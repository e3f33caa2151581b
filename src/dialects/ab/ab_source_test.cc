#include "dialects/ab/ab_source.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "base/clock.h"
#include "dialects/ab/ab_faults.h"
#include "dialects/ab/ab_head_log.h"
#include "dialects/ab/ab_progress.h"

namespace carronade::dialects::ab {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1 (Debian)\r\nConnection: keep-alive\r\n\r\n";

Response answer(uint64_t body_bytes, std::string_view head = kHead) {
  Response response;
  response.status = 200;
  response.due_ns = response.sent_ns = 1000;
  response.first_byte_ns = 1400;
  response.latency_ns = 500;
  response.connect_ns = 100;
  response.body_bytes = body_bytes;
  response.head = head;
  return response;
}

TEST(AbSource, WantsAnswersAndLossesOnly) {
  AbRun run(false, kSecond);
  const SourceWants wants = AbSource(run, 1, false, nullptr).wants();
  EXPECT_FALSE(wants.requests);
  EXPECT_TRUE(wants.responses && wants.heads && wants.losses);
  EXPECT_FALSE(wants.bodies);
}

TEST(AbSource, TimesOfARequest) {
  AbRun run(false, kSecond);
  AbSource source(run, 1, false, nullptr);
  EXPECT_TRUE(source.on_response(answer(10)));
  std::vector<AbRecord> records;
  run.tallies()[0]->records.move_to(records);
  ASSERT_EQ(1U, records.size());
  EXPECT_EQ(900, records[0].start_ns);
  EXPECT_EQ(100, records[0].connect_ns);
  EXPECT_EQ(400, records[0].wait_ns);
  EXPECT_EQ(600, records[0].total_ns);
}

TEST(AbSource, ARequestThatWasSentTwiceCountsItsConnectionOnce) {
  AbRun run(false, kSecond);
  AbSource source(run, 1, false, nullptr);
  Response response = answer(10);
  source.on_response(response);  // ends at 1500
  response.sent_ns = response.due_ns = 1510;
  response.first_byte_ns = 1800;
  response.latency_ns = 400;
  source.on_response(response);  // its connection of 100 ns was begun before 1500, or after 1510
  response.sent_ns = response.due_ns = 2050;
  source.on_response(response);
  std::vector<AbRecord> records;
  run.tallies()[0]->records.move_to(records);
  ASSERT_EQ(3U, records.size());
  EXPECT_EQ(1510, records[1].start_ns);
  EXPECT_EQ(100, records[1].connect_ns);
  EXPECT_EQ(400, records[1].total_ns);
  EXPECT_EQ(1950, records[2].start_ns);
  EXPECT_EQ(500, records[2].total_ns);
}

TEST(AbSource, TheFirstAnswerFixesLengthAndServer) {
  AbRun run(false, kSecond);
  AbSource one(run, 1, true, nullptr);
  AbSource two(run, 1, true, nullptr);
  EXPECT_EQ(AbRun::kNoLength, run.document_bytes());
  two.on_response(answer(10));
  one.on_response(answer(10, "HTTP/1.1 200 OK\r\nServer: other\r\n\r\n"));
  one.on_response(answer(11));
  two.on_response(answer(9));
  EXPECT_EQ(10U, run.document_bytes());
  EXPECT_EQ("nginx/1.22.1", run.tallies()[1]->server);
  EXPECT_EQ("", run.tallies()[0]->server);
  EXPECT_EQ(1U, run.tallies()[0]->wrong_lengths);
  EXPECT_EQ(1U, run.tallies()[1]->wrong_lengths);
}

TEST(AbSource, CountsKeepAlive) {
  AbRun run(false, kSecond);
  AbSource source(run, 1, true, nullptr);
  source.on_response(answer(1));
  source.on_response(answer(1, "HTTP/1.0 200 OK\r\nConnection: Keep-Alive, x\r\n\r\n"));
  source.on_response(answer(1, "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n"));
  source.on_response(answer(1, "HTTP/1.0 200 OK\r\n\r\n"));
  EXPECT_EQ(2U, run.tallies()[0]->kept_alive);
}

TEST(AbSource, LogsHeads) {
  AbRun run(false, kSecond);
  cli::RecordQueue log(4096);
  AbSource source(run, 1, true, &log);
  source.on_response(answer(1));
  std::string message;
  ASSERT_TRUE(log.pop(message));
  EXPECT_EQ(kHead, message);
}

Loss loss(ErrorKind kind, Phase phase, std::string_view text = "", uint32_t requests = 1) {
  return {.kind = kind, .phase = phase, .text = text, .requests = requests};
}

TEST(AbLoss, EndsTheRunUnlessAskedToGoOn) {
  for (const bool go_on : {false, true}) {
    AbRun run(go_on, kSecond);
    AbSource source(run, 1, false, nullptr);
    source.on_response(answer(1));
    source.on_loss(loss(ErrorKind::kConnectionReset, Phase::kRead));
    source.on_loss(loss(ErrorKind::kConnectionReset, Phase::kRead));
    EXPECT_EQ(2U, run.tallies()[0]->failures.receive);
    ASSERT_EQ(!go_on, run.fault().has_value());
    if (go_on) continue;
    EXPECT_EQ("apr_socket_recv: Connection reset by peer (104)", run.fault()->message);
    EXPECT_EQ(104, run.fault()->exit_code);
  }
}

TEST(AbLoss, TenConnectionsMayFailBeforeTheFirstAnswer) {
  const Loss refused = loss(ErrorKind::kConnectRefused, Phase::kConnect,
                            "connect 127.0.0.1:1: Connection refused", 0);
  AbRun run(true, kSecond);
  AbSource source(run, 1, false, nullptr);
  for (int i = 0; i < 10; ++i) source.on_loss(refused);
  EXPECT_FALSE(run.fault().has_value());
  source.on_loss(refused);
  ASSERT_TRUE(run.fault().has_value());
  EXPECT_EQ("\nTest aborted after 10 failures\n\napr_socket_connect(): Connection refused (111)",
            run.fault()->message);
  EXPECT_EQ(11U, run.tallies()[0]->failures.connect);

  AbRun other(true, kSecond);
  AbSource answered(other, 1, false, nullptr);
  answered.on_response(answer(1));
  for (int i = 0; i < 20; ++i) answered.on_loss(refused);
  EXPECT_FALSE(other.fault().has_value());
}

TEST(AbLoss, ATimeoutEndsTheRunWhenNothingElseHappens) {
  AbRun silent(true, kSecond);
  AbSource source(silent, 1, false, nullptr);
  source.on_loss(loss(ErrorKind::kTimeout, Phase::kTimeout));
  ASSERT_TRUE(silent.fault().has_value());
  EXPECT_EQ("apr_pollset_poll: The timeout specified has expired (70007)", silent.fault()->message);
  EXPECT_EQ(119, silent.fault()->exit_code);

  AbRun busy(false, kSecond);
  AbSource one(busy, 1, false, nullptr);
  AbSource two(busy, 1, false, nullptr);
  Response now = answer(1);
  now.due_ns = base::now_ns();
  two.on_response(now);
  one.on_loss(loss(ErrorKind::kTimeout, Phase::kTimeout));
  EXPECT_FALSE(busy.fault().has_value());
  EXPECT_EQ(1U, busy.tallies()[0]->failures.exceptions);
}

TEST(AbLoss, Classes) {
  AbFailures failures;
  count_loss(loss(ErrorKind::kConnectRefused, Phase::kConnect, "", 0), failures);
  count_loss(loss(ErrorKind::kTlsHandshake, Phase::kTls, "", 0), failures);
  count_loss(loss(ErrorKind::kConnectionReset, Phase::kRead, "", 3), failures);
  count_loss(loss(ErrorKind::kTruncatedResponse, Phase::kRead), failures);
  count_loss(loss(ErrorKind::kClosedBeforeResponse, Phase::kRead), failures);
  count_loss(loss(ErrorKind::kMalformedResponse, Phase::kParse), failures);
  count_loss(loss(ErrorKind::kWriteFailed, Phase::kWrite), failures);
  EXPECT_EQ(2U, failures.connect);
  EXPECT_EQ(3U, failures.receive);
  EXPECT_EQ(2U, failures.length);
  EXPECT_EQ(1U, failures.exceptions);
  EXPECT_EQ(1U, failures.write);
}

TEST(AbLoss, ErrnoOfATextOfTheEngine) {
  EXPECT_EQ(ECONNREFUSED, errno_in("connect 127.0.0.1:9: Connection refused"));
  EXPECT_EQ(EHOSTUNREACH, errno_in("connect 10.0.0.1:9: No route to host"));
  EXPECT_EQ(0, errno_in("something else"));
}

TEST(AbLoss, DescriptorsEndTheRunAlways) {
  const Loss lost = loss(ErrorKind::kOutOfDescriptors, Phase::kConnect, "", 0);
  EXPECT_EQ("socket: Too many open files (24)", fault_of(lost, true, false)->message);
}

TEST(AbLookup, CodesOfApr) {
  const AbFault unknown = lookup_fault("nohost", "resolve nohost: Name or service not known");
  EXPECT_EQ("apr_sockaddr_info_get() for nohost: Name or service not known (670002)",
            unknown.message);
  EXPECT_EQ(50, unknown.exit_code);
  EXPECT_EQ(51, lookup_fault("h", "Temporary failure in name resolution").exit_code);
}

TEST(AbRetryNote, CountsWhatWasSentAgain) {
  EXPECT_EQ("", retry_note(0));
  EXPECT_EQ("note: 1 request was sent again after the server had closed its connection",
            retry_note(1));
  EXPECT_EQ("note: 12 requests were sent again after the server had closed their connection",
            retry_note(12));
}

TEST(AbHeartbeat, EveryTenthInOrder) {
  AbHeartbeat heartbeat(2000, true);
  EXPECT_EQ("", heartbeat.lines(199));
  EXPECT_EQ("Completed 200 requests\nCompleted 400 requests\n", heartbeat.lines(450));
  EXPECT_EQ("", heartbeat.lines(599));
  EXPECT_EQ("Completed 600 requests\n", heartbeat.lines(600));
  EXPECT_EQ("Completed 100 requests\n", AbHeartbeat(151, true).lines(151));
  EXPECT_FALSE(AbHeartbeat(150, true).beats());
  EXPECT_FALSE(AbHeartbeat(2000, false).beats());
}

TEST(AbHeadLog, Lines) {
  const std::string_view bad = "HTTP/1.1 404 Not Found\r\n\r\n";
  EXPECT_EQ(
      "LOG: header received:\nHTTP/1.1 404 Not Found\r\n\r\n\n"
      "WARNING: Response code not 2xx (404)\n",
      head_log_lines(bad, 2));
  EXPECT_TRUE(head_log_lines(kHead, 3).ends_with("\nLOG: Response code = 200\n"));
  EXPECT_EQ(std::string::npos, head_log_lines(kHead, 2).find("Response code"));
}

TEST(AbErrors, Lines) {
  const ErrorCount tls{.kind = ErrorKind::kTlsHandshake,
                       .phase = Phase::kTls,
                       .text = "tls 127.0.0.1:1: no",
                       .count = 1};
  EXPECT_EQ("SSL handshake failed (1).\ntls 127.0.0.1:1: no\n", error_lines(tls, 0));
  const ErrorCount reset{.kind = ErrorKind::kConnectionReset,
                         .phase = Phase::kRead,
                         .text = "read 127.0.0.1:1: Connection reset by peer",
                         .count = 1};
  EXPECT_EQ("", error_lines(reset, 0));
  EXPECT_EQ("apr_socket_recv: Connection reset by peer (104)\n", error_lines(reset, 1));
}

}  // namespace
}  // namespace carronade::dialects::ab
