#include "load/source_plan.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/csv_test_file.h"

namespace carronade::load {
namespace {

Request get(std::string path) {
  Request request;
  request.path = std::move(path);
  return request;
}

Target target(std::string_view url, std::vector<Request> sequence = {}) {
  return {.url = parse_url(url).value(), .request = {}, .sequence = std::move(sequence)};
}

RunSpec spec_of(std::vector<Target> targets) {
  RunSpec spec;
  spec.targets = std::move(targets);
  return spec;
}

std::string error_of(const RunSpec& spec) {
  const auto plan = SourcePlan::create(spec);
  return plan ? "no error" : plan.error().text;
}

// The target of the next request; "" when there is none.
std::string next(RequestSource& source, uint32_t connection) {
  std::string out;
  if (source.next(connection, out) == NextRequest::kNone) return out;
  const size_t begin = out.find(' ') + 1;
  return out.substr(begin, out.find(' ', begin) - begin);
}

// What a user's source is told.
struct Heard {
  int responses = 0;
  int losses = 0;
  int made = 0;
};

class Listener final : public RequestSource {
 public:
  Listener(Heard& heard, SourceWants wants) : heard_(heard), wants_(wants) { ++heard_.made; }
  SourceWants wants() const override { return wants_; }
  bool on_response(const Response& response) override {
    ++heard_.responses;
    return response.status == 200;
  }
  void on_loss(const Loss&) override { ++heard_.losses; }

 private:
  Heard& heard_;
  SourceWants wants_;
};

MakeSource listener_maker(Heard& heard, SourceWants wants) {
  return [&heard, wants](uint32_t, uint32_t) { return std::make_unique<Listener>(heard, wants); };
}

TEST(SourcePlan, NoneIsNeededForTheSameBytesEachTime) {
  RunSpec spec = spec_of({target("http://h/[<id>]/{{uuid}}")});
  EXPECT_EQ(SourcePlan::create(spec).value(), nullptr);
  spec.ids = spec.templates = true;
  EXPECT_NE(SourcePlan::create(spec).value(), nullptr);
  spec.targets = {target("http://h/plain")};
  EXPECT_EQ(SourcePlan::create(spec).value(), nullptr);
}

TEST(SourcePlan, EachConnectionSendsTheSequenceOfItsTarget) {
  Request last = get("/c");
  last.headers = {{"Connection", "close"}};
  const RunSpec spec =
      spec_of({target("http://h/", {get("/a"), get("/b"), last}), target("http://h/own")});
  const auto plan = SourcePlan::create(spec).value();
  const auto source = plan->make(0, 1);
  EXPECT_TRUE(source->wants().requests);
  EXPECT_FALSE(source->wants().responses);
  EXPECT_EQ(next(*source, 4), "/a");
  EXPECT_EQ(next(*source, 4), "/b");
  EXPECT_EQ(next(*source, 0), "/a");
  EXPECT_EQ(next(*source, 8), "/a");
  EXPECT_EQ(next(*source, 5), "/own");
  EXPECT_EQ(next(*source, 5), "/own");
  std::string out = "kept ";
  EXPECT_EQ(source->next(4, out), NextRequest::kLastOnSocket);
  EXPECT_EQ(out, "kept GET /c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(next(*source, 4), "/a");
  EXPECT_EQ(next(*source, 0), "/b");
  EXPECT_EQ(next(*source, 8), "/b");
  EXPECT_EQ(source->next(8, out), NextRequest::kLastOnSocket);
}

TEST(SourcePlan, TemplatesInSequences) {
  const base::CsvTestFile file("id\n7\n8\n");
  RunSpec spec = spec_of({target("http://h/", {get("/static"), get("/{{csv.id}}/{{counter}}")})});
  spec.templates = true;
  spec.data = DataSpec{.file = file.path(), .mode = DataMode::kOnce};
  const auto plan = SourcePlan::create(spec).value();
  const auto a = plan->make(0, 2);
  const auto b = plan->make(1, 2);
  EXPECT_EQ(next(*a, 0), "/static");
  EXPECT_EQ(next(*a, 0), "/7/1");
  EXPECT_EQ(next(*b, 1), "/static");
  EXPECT_EQ(next(*b, 1), "/8/2");
  EXPECT_EQ(next(*a, 0), "/static");
  EXPECT_EQ(next(*a, 0), "");
  EXPECT_EQ(next(*a, 0), "") << "it stays at its end";
}

TEST(SourcePlan, WorkersDrawNumbersOfTheirOwnThatFollowFromTheSeed) {
  RunSpec spec = spec_of({target("http://h/{{random 1 1000000000}}")});
  spec.templates = true;
  const auto numbers = [&spec](uint32_t worker) {
    const auto plan = SourcePlan::create(spec).value();
    const auto source = plan->make(worker, 2);
    return next(*source, worker) + next(*source, worker);
  };
  const std::string first = numbers(0);
  EXPECT_EQ(numbers(0), first);
  EXPECT_NE(numbers(1), first);
  spec.template_seed = 2;
  EXPECT_NE(numbers(0), first);
}

TEST(SourcePlan, IdsAndCountsAreUniqueOverAllWorkers) {
  constexpr uint32_t kWorkers = 4;
  constexpr size_t kEach = 5000;
  RunSpec spec = spec_of({target("http://h/[<id>]"), target("http://h/{{counter}}")});
  spec.ids = spec.templates = true;
  const auto plan = SourcePlan::create(spec).value();
  std::vector<std::vector<std::string>> sent(kWorkers);
  std::vector<std::thread> threads;
  for (uint32_t worker = 0; worker < kWorkers; ++worker) {
    std::shared_ptr<RequestSource> source = plan->make(worker, kWorkers);
    threads.emplace_back([&mine = sent[worker], source] {
      for (size_t i = 0; i < kEach; ++i) {
        mine.push_back(next(*source, 0));
        mine.push_back(next(*source, 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> different;
  for (const auto& mine : sent) different.insert(mine.begin(), mine.end());
  EXPECT_EQ(different.size(), 2 * kWorkers * kEach);
  EXPECT_EQ(different.count("/20000"), 1U);
  EXPECT_EQ(different.count("/20001"), 0U);
}

TEST(SourcePlan, ErrorsSayWhichRequest) {
  RunSpec spec = spec_of({target("http://a/", {get("/"), get("/{{x}}")}), target("http://b:81/")});
  spec.templates = true;
  EXPECT_TRUE(error_of(spec).starts_with("http://a: request 2: URL: unknown placeholder {{x}}"));
  spec.targets = {target("http://a/", {get("/{{x}}")})};
  EXPECT_TRUE(error_of(spec).starts_with("URL: unknown placeholder {{x}}"));
  spec.targets[0].sequence[0] = get("/");
  spec.targets[0].sequence[0].method = "CONNECT";
  EXPECT_EQ(error_of(spec), "CONNECT asks for a tunnel, not for an answer: not supported");
}

TEST(SourcePlan, ErrorsOfTheDataFile) {
  const base::CsvTestFile file("id,text\n1,\"a\nb\"\n2,x\n3\n");
  RunSpec spec = spec_of({target("http://h/{{csv.id}}")});
  spec.data = DataSpec{.file = file.path(), .mode = DataMode::kSequence};
  EXPECT_EQ(error_of(spec), "data file " + file.path() +
                                " is not used: templates are off, switch them on (--template)");
  spec.templates = true;
  EXPECT_EQ(error_of(spec), "data file " + file.path() + ":5: 1 field, but there are 2 columns");
  spec.targets[0].request.headers = {{"X", "{{csv.text}}"}};
  EXPECT_EQ(error_of(spec), "data file " + file.path() +
                                ":2: column text has a line break or a NUL, which a header "
                                "cannot carry");
  spec.targets = {target("http://h/{{uuid}}")};
  EXPECT_EQ(error_of(spec), "data file " + file.path() +
                                " is not used: no {{csv.COLUMN}} is in the URL, the headers or "
                                "the body");
  spec.data->file = "/no/such";
  EXPECT_EQ(error_of(spec), "data file /no/such: No such file or directory");
}

TEST(SourcePlan, TheUsersOwnSourceIsGivenAsItIs) {
  Heard heard;
  RunSpec spec = spec_of({target("http://h/")});
  spec.make_source = listener_maker(heard, {.requests = true, .bodies = true});
  const auto plan = SourcePlan::create(spec).value();
  EXPECT_EQ(heard.made, 0);
  const auto source = plan->make(0, 1);
  EXPECT_NE(dynamic_cast<Listener*>(source.get()), nullptr);
  EXPECT_EQ(heard.made, 1);
}

TEST(SourcePlan, TheUsersSourceMayListenBesideASequence) {
  Heard heard;
  RunSpec spec = spec_of({target("http://h/", {get("/a"), get("/b")})});
  spec.workers = 2;
  spec.make_source = listener_maker(heard, {.requests = false, .heads = true, .losses = true});
  const auto plan = SourcePlan::create(spec).value();
  const auto source = plan->make(0, 2);
  const auto other = plan->make(1, 2);
  EXPECT_EQ(heard.made, 2) << "one for each worker";
  EXPECT_TRUE(source->wants().requests);
  EXPECT_TRUE(source->wants().heads);
  EXPECT_TRUE(source->wants().losses);
  EXPECT_EQ(next(*source, 0), "/a");
  Response response;
  response.status = 200;
  EXPECT_TRUE(source->on_response(response));
  response.status = 500;
  EXPECT_FALSE(source->on_response(response));
  source->on_loss({});
  EXPECT_EQ(heard.responses, 2);
  EXPECT_EQ(heard.losses, 1);
}

TEST(SourcePlan, OnlyOneMakesTheRequests) {
  Heard heard;
  RunSpec spec = spec_of({target("http://h/", {get("/a")})});
  spec.make_source = listener_maker(heard, {});
  EXPECT_EQ(error_of(spec),
            "a source of your own makes the requests: leave out the sequences, ids and templates "
            "beside it");
}

}  // namespace
}  // namespace carronade::load
