#include "dialects/vegeta/vegeta_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "dialects/vegeta/vegeta_plot_series.h"

namespace carronade::dialects::vegeta {
namespace {

constexpr int64_t kStart = 1'700'000'000'000'000'000;
constexpr int64_t kMillisecond = 1'000'000;

bool holds(const std::vector<PlotPoint>& points, PlotPoint wanted) {
  return std::any_of(points.begin(), points.end(), [&](const PlotPoint& point) {
    return point.unix_ns == wanted.unix_ns && point.latency_ns == wanted.latency_ns;
  });
}

bool is_sorted(const std::vector<PlotPoint>& points) {
  return std::is_sorted(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) {
    return a.unix_ns < b.unix_ns;
  });
}

TEST(VegetaPlotSeries, FewPointsAreKeptAsTheyAre) {
  PlotSeries series(10);
  for (const int64_t ms : {3, 1, 2}) series.add({kStart + ms * kMillisecond, ms});
  const std::vector<PlotPoint> points = series.points();
  ASSERT_EQ(points.size(), 3);
  EXPECT_EQ(points[0].latency_ns, 1);
  EXPECT_EQ(points[2].latency_ns, 3);
  EXPECT_EQ(series.first_ns(), kStart + kMillisecond);
}

TEST(VegetaPlotSeries, ManyPointsKeepTheirPeaks) {
  PlotSeries series(400);
  std::mt19937 random(7);
  std::vector<PlotPoint> peaks;
  for (int64_t i = 0; i < 200'000; ++i) {
    PlotPoint point{kStart + i * 100'000,
                    5 * kMillisecond + static_cast<int64_t>(random() % 1'000)};
    if (i % 20'000 == 777) {
      point.latency_ns = 900 * kMillisecond + i;
      peaks.push_back(point);
    } else if (i % 20'000 == 9'777) {
      point.latency_ns = 1 + i;
      peaks.push_back(point);
    }
    series.add(point);
  }
  const std::vector<PlotPoint> points = series.points();
  EXPECT_LE(points.size(), 400);
  EXPECT_GE(points.size(), 390);
  EXPECT_TRUE(is_sorted(points));
  for (const PlotPoint& peak : peaks) EXPECT_TRUE(holds(points, peak)) << peak.latency_ns;
}

TEST(VegetaPlotSeries, TheOrderOfArrivalDoesNotMatter) {
  std::vector<PlotPoint> all;
  for (int64_t i = 0; i < 20'000; ++i) all.push_back({kStart + i * 7'001, i * 31 % 1'009});
  PlotSeries in_order(100);
  for (const PlotPoint& point : all) in_order.add(point);
  std::shuffle(all.begin(), all.end(), std::mt19937(3));
  PlotSeries shuffled(100);
  for (const PlotPoint& point : all) shuffled.add(point);
  EXPECT_LE(shuffled.points().size(), 100);
  EXPECT_TRUE(is_sorted(shuffled.points()));
  EXPECT_EQ(shuffled.points().front().unix_ns / kMillisecond,
            in_order.points().front().unix_ns / kMillisecond);
  const auto highest = [](const PlotSeries& series) {
    int64_t most = 0;
    for (const PlotPoint& point : series.points()) most = std::max(most, point.latency_ns);
    return most;
  };
  EXPECT_EQ(highest(shuffled), highest(in_order));
}

TEST(VegetaPlotSeries, ExtremesOfTimeAndOfTheThreshold) {
  for (const size_t most : {1, 2, 3, 5}) {
    PlotSeries series(most);
    for (int64_t i = 0; i < 100; ++i) {
      series.add({INT64_MIN + i, i});
      series.add({INT64_MAX - i, INT64_MIN});
      series.add({0, INT64_MAX});
    }
    EXPECT_EQ(series.count(), 300);
    EXPECT_LE(series.points().size(), std::max<size_t>(most, 2));
    EXPECT_TRUE(holds(series.points(), {0, INT64_MAX}));
  }
}

TEST(VegetaPlotSeries, NoThresholdKeepsAll) {
  PlotSeries series(0);
  for (int64_t i = 0; i < 10'000; ++i) series.add({kStart, i});
  EXPECT_EQ(series.points().size(), 10'000);
}

Result result_at(int64_t ms, std::string attack, std::string error = {}) {
  Result result;
  result.timestamp_unix_ns = kStart + ms * kMillisecond;
  result.latency_ns = 1'500'000;
  result.attack = std::move(attack);
  result.error = std::move(error);
  return result;
}

nlohmann::json data_of(const std::string& page) {
  const std::string mark = "id=\"data\">";
  const size_t begin = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(VegetaPlot, EachAttackBeginsAtItsOwnFirstRequest) {
  LatencyPlot plot(4000, {"a.gob", "b.gob"});
  plot.add(result_at(0, "slow"), 0);
  plot.add(result_at(250, "slow", "503"), 0);
  plot.add(result_at(60'000, "fast"), 1);
  plot.add(result_at(60'500, "fast"), 1);
  const nlohmann::json series = data_of(plot.page("t"))["series"];
  ASSERT_EQ(series.size(), 3);
  EXPECT_EQ(series[0]["label"], "slow: OK");
  EXPECT_EQ(series[1]["label"], "slow: ERROR");
  EXPECT_EQ(series[1]["error"], true);
  EXPECT_EQ(series[1]["x"], nlohmann::json({0.25}));
  EXPECT_EQ(series[2]["x"], nlohmann::json({0, 0.5}));
  EXPECT_EQ(series[2]["y"], nlohmann::json({1.5, 1.5}));
  EXPECT_EQ(series[2]["run"], 1);
}

TEST(VegetaPlot, FilesTellAttacksOfTheSameNameApart) {
  LatencyPlot unnamed(4000, {"a.gob", "b.gob"});
  unnamed.add(result_at(0, ""), 0);
  unnamed.add(result_at(0, ""), 1);
  EXPECT_EQ(data_of(unnamed.page("t"))["series"][1]["label"], "b.gob: OK");
  LatencyPlot named(4000, {"a.gob", "b.gob"});
  named.add(result_at(0, "x"), 0);
  named.add(result_at(0, "x"), 1);
  EXPECT_EQ(data_of(named.page("t"))["series"][0]["label"], "x (a.gob): OK");
  LatencyPlot alone(4000, {"stdin"});
  alone.add(result_at(0, ""), 0);
  EXPECT_EQ(data_of(alone.page("t"))["series"][0]["label"], "OK");
}

TEST(VegetaPlot, AttacksWithoutEndBecomeOne) {
  LatencyPlot plot(4000, {"x"});
  for (int i = 0; i < 1'000; ++i) plot.add(result_at(i, "attack " + std::to_string(i)), 0);
  const nlohmann::json series = data_of(plot.page("t"))["series"];
  ASSERT_EQ(series.size(), LatencyPlot::kMostRuns + 1);
  EXPECT_EQ(series.back()["label"], "all other attacks: OK");
  EXPECT_EQ(series.back()["count"], 1'000 - LatencyPlot::kMostRuns);
}

TEST(VegetaPlot, ThePageIsSelfContainedAndEscaped) {
  LatencyPlot plot(4000, {"x"});
  plot.add(result_at(0, "</script><b>"), 0);
  const std::string page = plot.page("a <b> & \"c\"");
  EXPECT_NE(page.find("<title>a &lt;b&gt; &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_EQ(data_of(page)["series"][0]["label"], "</script><b>: OK");
  for (const char* network : {"http://", "https://", "src=", "@import", "url(", "fetch("}) {
    EXPECT_EQ(page.find(network), std::string::npos) << network;
  }
}

TEST(VegetaPlot, NothingIsAPageToo) {
  const LatencyPlot plot(4000, {"x"});
  EXPECT_TRUE(data_of(plot.page("t"))["series"].empty());
}

}  // namespace
}  // namespace carronade::dialects::vegeta
