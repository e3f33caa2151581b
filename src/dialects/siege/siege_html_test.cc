#include "dialects/siege/siege_html.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carronade::dialects::siege {
namespace {

using Names = std::vector<std::string>;

TEST(SiegeHtml, WhatAPageShows) {
  EXPECT_EQ(page_links("<html><head><link rel=\"stylesheet\" href=\"a.css\">"
                       "<LINK HREF=b.css REL='alternate stylesheet'>"
                       "<link rel=icon href=icon.ico><link rel=preload href=p.js as=script>"
                       "<script src='/s.js'></script></head>"
                       "<body background=\"/bg.png\"><img src=\"/i.png?a=1&amp;b=2#x\"/>"
                       "<IMG alt = 'a > b' src = /j.png ><a href=/link.html></a>"
                       "<img src=/j.png><img data-src=/lazy.png src=k.png><iframe src=/f.html>"
                       "</body></html>")
                .resources,
            (Names{"a.css", "b.css", "/s.js", "/bg.png", "/i.png?a=1&b=2", "/j.png", "k.png"}));
}

TEST(SiegeHtml, WhatIsNoMarkup) {
  EXPECT_EQ(page_links("<!-- <img src=/no.png> --><script>var x = '<img src=\"/no.png\">';</script>"
                       "<style>a { background: url(<img src=/no.png>) }</style>"
                       "<img src=data:image/png;base64,x><img src=\"javascript:1\"><img src=#x>"
                       "<img><img src><img src=\"\"><noscript><img src=/yes.png></noscript>")
                .resources,
            Names{"/yes.png"});
}

TEST(SiegeHtml, RefreshAndBase) {
  const PageLinks links = page_links(
      "<base href=/deep/><base href=/later/>"
      "<META HTTP-EQUIV='Refresh' CONTENT='0; URL=\"/there?a&amp;b\"'>");
  EXPECT_EQ(links.refresh, "/there?a&b");
  EXPECT_EQ(links.base, "/deep/");
  EXPECT_FALSE(page_links("<meta http-equiv=refresh content=5>").refresh.has_value());
  EXPECT_FALSE(page_links("<meta name=refresh content='0;url=/x'>").refresh.has_value());
}

TEST(SiegeHtml, AnyBytesEnd) {
  for (const std::string text : {"<", "<a", "<img src", "<img src=", "<img src='", "<img =x>",
                                 "<img ==", "<!--", "<script>", "<img / / =/>", "</", "<img src=x",
                                 "<1>", "<img\0x>", "<meta http-equiv=refresh content='url=\"'>"}) {
    (void)page_links(text);
  }
  EXPECT_EQ(page_links("<script>x</scripty><img src=/no.png>").resources, Names{"/no.png"});
}

TEST(SiegeHtml, TakesNoMoreResourcesThanAPageOfPeopleHas) {
  std::string page;
  for (int i = 0; i < 100'000; ++i) page += "<img src=/" + std::to_string(i) + ">";
  EXPECT_EQ(page_links(page).resources.size(), 2048U);
}

}  // namespace
}  // namespace carronade::dialects::siege
