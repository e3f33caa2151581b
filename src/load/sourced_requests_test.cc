#include "load/sourced_requests.h"

#include <gtest/gtest.h>

namespace carronade::load {
namespace {

void give(SourcedRequests& requests, std::string_view bytes, bool last = false) {
  requests.buffer().append(bytes);
  requests.add(last);
}

TEST(SourcedRequests, CountsARequestAsStartedWithItsFirstByte) {
  SourcedRequests requests;
  give(requests, "GET /1");
  give(requests, "GET /22");
  EXPECT_EQ(requests.bytes_of(0, 2), 13u);
  EXPECT_EQ(requests.bytes_of(1, 1), 7u);
  EXPECT_EQ(requests.unsent(13), "GET /1GET /22");
  EXPECT_EQ(requests.unsent(6), "GET /1");
  EXPECT_EQ(requests.advance(1), 1u);
  EXPECT_EQ(requests.advance(5), 0u);
  EXPECT_EQ(requests.unsent(7), "GET /22");
  EXPECT_EQ(requests.advance(7), 1u);
  EXPECT_EQ(requests.unsent(7), "");
}

TEST(SourcedRequests, OneWriteMayStartSeveral) {
  SourcedRequests requests;
  for (int i = 0; i < 3; ++i) give(requests, "ab");
  EXPECT_EQ(requests.advance(4), 2u);
  EXPECT_EQ(requests.advance(2), 1u);
}

TEST(SourcedRequests, WhatIsNotAnsweredIsSentAgainFromItsFirstByte) {
  SourcedRequests requests;
  give(requests, "GET /1");
  give(requests, "GET /2");
  give(requests, "GET /3");
  EXPECT_EQ(requests.advance(14), 3u);
  requests.pop(1);
  requests.rewind();
  EXPECT_EQ(requests.unsent(100), "GET /2GET /3");
  EXPECT_EQ(requests.bytes_of(0, 2), 12u);
  EXPECT_EQ(requests.advance(7), 2u);
}

// A server may answer before it has read the whole body.
TEST(SourcedRequests, OneAnsweredBeforeAllOfItHasLeftStillGoesOut) {
  SourcedRequests requests;
  give(requests, "POST /1 and a body");
  EXPECT_EQ(requests.advance(8), 1u);
  requests.pop(1);
  EXPECT_EQ(requests.size(), 0u);
  EXPECT_EQ(requests.unsent(10), "and a body");
  give(requests, "GET /2");
  EXPECT_EQ(requests.unsent(16), "and a bodyGET /2");
  EXPECT_EQ(requests.advance(10), 0u);
  EXPECT_EQ(requests.advance(6), 1u);
  requests.pop(1);
  EXPECT_TRUE(requests.buffer().empty());
}

TEST(SourcedRequests, OnANewSocketTheRestOfAnAnsweredOneIsForgotten) {
  SourcedRequests requests;
  give(requests, "POST /1 and a body");
  give(requests, "GET /2");
  EXPECT_EQ(requests.advance(8), 1u);
  requests.pop(1);
  requests.rewind();
  EXPECT_EQ(requests.unsent(100), "GET /2");
  EXPECT_EQ(requests.advance(6), 1u);
}

TEST(SourcedRequests, LargeOnesAreNotKept) {
  SourcedRequests requests;
  const std::string large(100'000, 'x');
  give(requests, large);
  for (int i = 0; i < 20; ++i) {
    give(requests, large);
    (void)requests.advance(large.size());
    requests.pop(1);
  }
  EXPECT_LE(requests.buffer().size(), 3 * large.size());
}

TEST(SourcedRequests, KnowsMethodsAndTheirRuns) {
  SourcedRequests requests;
  give(requests, "HEAD / HTTP/1.1");
  give(requests, "HEAD / HTTP/1.1");
  give(requests, "POST / HTTP/1.1", true);
  EXPECT_TRUE(requests.oldest_is_head());
  EXPECT_EQ(requests.alike(3), 2u);
  EXPECT_EQ(requests.alike(1), 1u);
  EXPECT_TRUE(requests.idempotent(2));
  EXPECT_FALSE(requests.idempotent(3));
  EXPECT_FALSE(requests.has_last_on_socket(2));
  EXPECT_TRUE(requests.has_last_on_socket(3));
  EXPECT_TRUE(requests.last_on_socket(2));
  requests.pop(2);
  EXPECT_FALSE(requests.oldest_is_head());
  EXPECT_EQ(requests.oldest(), "POST / HTTP/1.1");
}

TEST(SourcedRequests, ForgetsThoseThatWillNotBeSent) {
  SourcedRequests requests;
  give(requests, "GET /1");
  give(requests, "GET /22");
  EXPECT_EQ(requests.advance(6), 1u);
  requests.keep_oldest(1);
  EXPECT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests.buffer(), "GET /1");
  give(requests, "GET /3");
  EXPECT_EQ(requests.unsent(100), "GET /3");
  requests.keep_oldest(5);
  EXPECT_EQ(requests.size(), 2u);
}

TEST(SourcedRequests, AFollowUpTakesThePlaceOfTheOnlyOne) {
  SourcedRequests requests;
  give(requests, "POST /1 and a body");
  EXPECT_EQ(requests.advance(8), 1u);  // answered before all of it has left
  requests.replace_only("GET /next", true);
  EXPECT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests.oldest(), "GET /next");
  EXPECT_TRUE(requests.last_on_socket(0));
  EXPECT_EQ(requests.unsent(100), "GET /next");
  EXPECT_EQ(requests.advance(9), 1u);
}

// A pipelined connection always has some in flight: what is answered must not pile up.
TEST(SourcedRequests, KeepsNoMoreThanItNeeds) {
  SourcedRequests requests;
  for (int i = 0; i < 4; ++i) give(requests, "0123456789");
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_EQ(requests.advance(10), 1u);
    requests.pop(1);
    give(requests, "0123456789");
  }
  EXPECT_EQ(requests.size(), 4u);
  EXPECT_LT(requests.buffer().size(), 4096u);
}

}  // namespace
}  // namespace carronade::load
