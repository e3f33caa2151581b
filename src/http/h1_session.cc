// HOT.
//
//   kStatusLine -line-> kHeaderLines -empty line-> end_head
//        ^                                           |
//        +---- 1xx, or no body: finish --------------+-> kLengthBody ------------> finish
//        ^                                           +-> kChunkedBody -> kTrailers -> finish
//        |                                           +-> kUntilClose --(feed_eof)-> finish
//        +------------------- finish ----------------------+
//   any fault -> kFailed
//
// Lines are read in place, each as soon as it is all there (take_line). Only a line that is split
// over reads is gathered, in held_ (feed_split_line). Every check depends on the bytes of whole
// lines, or is made in the same way for the beginnings of lines (check_partial_line), so that
// the events do not depend on how the bytes were split.
#include "http/h1_session.h"

#include <algorithm>
#include <utility>

namespace carronade::http {

namespace {

constexpr uint8_t kMaxEmptyLines = 4;

constexpr H1Fault kAlreadyFailed{ErrorKind::kMalformedResponse,
                                 "bytes after a fault on this connection"};

bool interim(const H1Head& head) { return head.status / 100 == 1; }

}  // namespace

size_t H1Session::feed(std::string_view bytes, H1Expect expect, HeadBufferPool& pool,
                       BodySink* sink, H1Feed& out) {
  out.count = 0;
  out.fault.reset();
  body_wanted_ = sink != nullptr;
  Feed feed{expect, pool, sink, out, mid_response()};
  const size_t limit = std::min<size_t>(expect.count, H1Feed::kCapacity);
  size_t used = 0;
  while (used < bytes.size() && out.count < limit) {
    const std::string_view rest = bytes.substr(used);
    const size_t finished = out.count;
    switch (stage_) {
      case Stage::kStatusLine:
      case Stage::kHeaderLines:
      case Stage::kTrailers:
        used += held_ != nullptr ? feed_split_line(rest, feed) : feed_lines(rest, feed);
        break;
      case Stage::kLengthBody:
      case Stage::kUntilClose:
        used += feed_body(rest, feed);
        break;
      case Stage::kChunkedBody:
        used += feed_chunked(rest, feed);
        break;
      case Stage::kFailed:
        fail(kAlreadyFailed, out);
        break;
    }
    if (out.fault) break;
    if (out.count != finished && out.responses[finished].close_after) break;
  }
  out.began_here = !feed.began_earlier;
  return used;
}

// Lines in place, to the end of the head or trailer section or of `bytes`.
size_t H1Session::feed_lines(std::string_view bytes, Feed& feed) {
  const bool from_status_line = stage_ == Stage::kStatusLine;
  if (from_status_line) {
    if (const size_t known = feed.pool.cache().find(bytes, head_)) {
      wire_bytes_ += known;
      if (feed.expect.lines) feed.sink->on_head(bytes.substr(0, known));
      end_head(feed);
      return known;
    }
  }
  size_t used = 0;
  const size_t finished = feed.out.count;
  while (used < bytes.size()) {
    const std::string_view rest = bytes.substr(used);
    const H1Line line = next_line(rest);
    if (line.size == 0) {
      check_partial_line(rest, feed);
      if (feed.out.fault) return used;
      held_ = feed.pool.take();
      held_->assign(rest);
      wire_bytes_ += rest.size();
      return bytes.size();
    }
    wire_bytes_ += line.size;
    used += line.size;
    // An interim answer would only push out the final one.
    if (from_status_line && stage_ == Stage::kHeaderLines && line.text == 0 && !interim(head_)) {
      feed.pool.cache().remember(bytes.substr(0, used), head_);
    }
    if (feed.expect.lines) show_line(rest.substr(0, line.size), line, feed);
    take_line(rest.substr(0, line.text), line, feed);
    const bool in_lines = stage_ == Stage::kHeaderLines || stage_ == Stage::kTrailers;
    if (!in_lines || feed.out.count != finished) break;
  }
  return used;
}

// Goes on with the line in held_, to its end or that of `bytes`.
size_t H1Session::feed_split_line(std::string_view bytes, Feed& feed) {
  const size_t end = bytes.find('\n');
  const size_t used = end == std::string_view::npos ? bytes.size() : end + 1;
  held_->append(bytes.substr(0, used));
  wire_bytes_ += used;
  if (end == std::string_view::npos) {
    check_partial_line(*held_, feed);
    return used;
  }
  std::unique_ptr<std::string> whole = std::move(held_);
  const H1Line line = next_line(*whole);
  if (feed.expect.lines) show_line(*whole, line, feed);
  take_line(std::string_view(*whole).substr(0, line.text), line, feed);
  feed.pool.give(std::move(whole));
  return used;
}

// The checks that do not wait for a line's end; take_line begins with the same.
void H1Session::check_partial_line(std::string_view line, Feed& feed) {
  if (stage_ == Stage::kStatusLine && line != "\r") {
    if (const H1Fault* fault = check_status_line_start(line)) return fail(*fault, feed.out);
  }
  if (head_bytes_ + line.size() > kMaxHeaderBytes) fail(kFaultHeadersTooLarge, feed.out);
}

// Before it is taken, which may end the response.
void H1Session::show_line(std::string_view whole, const H1Line& shape, Feed& feed) {
  if (stage_ == Stage::kTrailers) {
    if (shape.text > 0) feed.sink->on_trailer(whole);
  } else if (stage_ == Stage::kHeaderLines || shape.text > 0) {
    feed.sink->on_head(whole);
  }
}

void H1Session::take_line(std::string_view line, const H1Line& shape, Feed& feed) {
  if (stage_ == Stage::kStatusLine && line.empty()) {
    if (++empty_lines_ > kMaxEmptyLines) fail(kFaultEmptyLines, feed.out);
    return;
  }
  if (stage_ == Stage::kStatusLine) {
    if (const H1Fault* fault = check_status_line_start(line)) return fail(*fault, feed.out);
  }
  if (head_bytes_ + shape.size > kMaxHeaderBytes) return fail(kFaultHeadersTooLarge, feed.out);
  head_bytes_ += static_cast<uint32_t>(shape.size);
  if (!shape.clean) return fail(kFaultUncleanLine, feed.out);
  const H1Fault* fault = nullptr;
  if (stage_ == Stage::kStatusLine) {
    fault = parse_status_line(line, head_);
    stage_ = Stage::kHeaderLines;
  } else if (stage_ == Stage::kHeaderLines) {
    if (line.empty()) return end_head(feed);
    fault = parse_header_line(line, head_);
  } else {
    if (line.empty()) return finish(feed);
    fault = check_trailer_line(line);
  }
  if (fault != nullptr) fail(*fault, feed.out);
}

void H1Session::end_head(Feed& feed) {
  head_bytes_ = 0;
  if (interim(head_)) {
    stage_ = Stage::kStatusLine;
    empty_lines_ = 0;
    feed.began_earlier = false;
    if (feed.sink != nullptr) feed.sink->on_interim();
    return;
  }
  if (feed.expect.http10 && !head_.connection_keep_alive) head_.connection_close = true;
  H1Framing framing = H1Framing::kNoBody;
  if (const H1Fault* fault = framing_of(head_, feed.expect.head, framing)) {
    return fail(*fault, feed.out);
  }
  switch (framing) {
    case H1Framing::kLength:
      body_left_ = head_.length;
      stage_ = Stage::kLengthBody;
      if (body_left_ > 0) return;
      break;
    case H1Framing::kChunked:
      chunks_.start();
      stage_ = Stage::kChunkedBody;
      return;
    case H1Framing::kUntilClose:
      stage_ = Stage::kUntilClose;
      return;
    case H1Framing::kNoBody:
      break;
  }
  finish(feed);
}

size_t H1Session::feed_body(std::string_view bytes, Feed& feed) {
  const bool until_close = stage_ == Stage::kUntilClose;
  const size_t used =
      until_close || body_left_ > bytes.size() ? bytes.size() : static_cast<size_t>(body_left_);
  wire_bytes_ += used;
  body_bytes_ += used;
  if (feed.sink != nullptr) feed.sink->on_body(bytes.substr(0, used));
  if (until_close) return used;
  body_left_ -= used;
  if (body_left_ == 0) finish(feed);
  return used;
}

size_t H1Session::feed_chunked(std::string_view bytes, Feed& feed) {
  size_t used = 0;
  while (used < bytes.size()) {
    const ChunkReader::Step step = chunks_.step(bytes.substr(used));
    used += step.used;
    wire_bytes_ += step.used;
    body_bytes_ += step.data.size();
    if (step.fault != nullptr) {
      fail(*step.fault, feed.out);
      break;
    }
    if (feed.sink != nullptr && !step.data.empty()) feed.sink->on_body(step.data);
    if (step.last) {
      stage_ = Stage::kTrailers;
      break;
    }
  }
  return used;
}

void H1Session::feed_eof(BodySink* sink, H1Feed& out) {
  out.count = 0;
  out.fault.reset();
  if (stage_ == Stage::kUntilClose) finish(true, true, sink, out);
}

bool H1Session::mid_response() const {
  return stage_ == Stage::kStatusLine ? held_ != nullptr : stage_ != Stage::kFailed;
}

uint64_t H1Session::partial_wire_bytes() const { return wire_bytes_; }

uint64_t H1Session::discardable() const {
  if (body_wanted_) return 0;
  if (stage_ == Stage::kLengthBody) return body_left_;
  if (stage_ == Stage::kChunkedBody) return chunks_.data_left();
  return 0;
}

void H1Session::discarded(uint64_t n, H1Feed& out) {
  out.count = 0;
  out.fault.reset();
  if (n == 0) return;
  wire_bytes_ += n;
  body_bytes_ += n;
  if (stage_ == Stage::kChunkedBody) {
    chunks_.skip_data(n);
    return;
  }
  body_left_ -= n;
  if (body_left_ == 0) finish(true, closes_after(head_), nullptr, out);
}

void H1Session::reset(HeadBufferPool& pool) {
  if (held_ != nullptr) pool.give(std::move(held_));
  *this = H1Session();
}

void H1Session::finish(Feed& feed) {
  finish(feed.began_earlier, closes_after(head_), feed.sink, feed.out);
  feed.began_earlier = false;
}

void H1Session::finish(bool began_earlier, bool close_after, BodySink* sink, H1Feed& out) {
  out.responses[out.count++] = {.status = head_.status,
                                .close_after = close_after,
                                .began_earlier = began_earlier,
                                .wire_bytes = wire_bytes_,
                                .body_bytes = body_bytes_};
  wire_bytes_ = 0;
  body_bytes_ = 0;
  head_bytes_ = 0;
  empty_lines_ = 0;
  stage_ = Stage::kStatusLine;
  if (sink != nullptr) sink->on_response_end();
}

void H1Session::fail(const H1Fault& fault, H1Feed& out) {
  out.fault = fault;
  stage_ = Stage::kFailed;
}

}  // namespace carronade::http
