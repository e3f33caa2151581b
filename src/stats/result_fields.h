// The fields of a RunResult and of its parts, one after the other: for what treats them by their
// type and must forget none. The compiler refuses a list with another number of fields than the
// struct has; result_codec_test.cc finds one that is named and not passed on.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>

#include "carronade/run_result.h"

namespace carronade::stats {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

template <Is<ErrorCount> T>
auto fields_of(T& row) {
  auto& [kind, phase, text, count, requests] = row;
  return std::tie(kind, phase, text, count, requests);
}

template <Is<Window> T>
auto fields_of(T& window) {
  auto& [start, width, planned, sent, answered, errors, dropped, received, connections, p50, p99] =
      window;
  return std::tie(start, width, planned, sent, answered, errors, dropped, received, connections,
                  p50, p99);
}

template <Is<Interval> T>
auto fields_of(T& interval) {
  auto& [start, width, latency, service_time] = interval;
  return std::tie(start, width, latency, service_time);
}

template <Is<StageResult> T>
auto fields_of(T& stage) {
  auto& [name, start, width, planned, sent, answered, failed, dropped, latency, service_time] =
      stage;
  return std::tie(name, start, width, planned, sent, answered, failed, dropped, latency,
                  service_time);
}

template <Is<RateResult> T>
auto fields_of(T& rate) {
  auto& [planned, refused, unsent, load, in_time, generator_late, no_connection, planned_gaps,
         sent_gaps, service_time, pace, stages] = rate;
  return std::tie(planned, refused, unsent, load, in_time, generator_late, no_connection,
                  planned_gaps, sent_gaps, service_time, pace, stages);
}

template <Is<WebSocketResult> T>
auto fields_of(T& websocket) {
  auto& [tried, opened, refused, texts, binaries, unasked, pings, pongs, closes] = websocket;
  return std::tie(tried, opened, refused, texts, binaries, unasked, pings, pongs, closes);
}

template <Is<WarmupResult> T>
auto fields_of(T& warmup) {
  auto& [width, settled, answered, latency, service_time] = warmup;
  return std::tie(width, settled, answered, latency, service_time);
}

template <Is<WorkerHealth> T>
auto fields_of(T& worker) {
  auto& [wall, cpu, spin, run_delay, switches, turns] = worker;
  return std::tie(wall, cpu, spin, run_delay, switches, turns);
}

template <Is<HostHealth> T>
auto fields_of(T& host) {
  auto& [steal, throttled, retransmits, segments, cores, descriptors, limit, ports] = host;
  return std::tie(steal, throttled, retransmits, segments, cores, descriptors, limit, ports);
}

template <Is<TlsFacts> T>
auto fields_of(T& tls) {
  auto& [protocol, cipher, cipher_bits, peer_key_bits, temporary_key, temporary_key_bits] = tls;
  return std::tie(protocol, cipher, cipher_bits, peer_key_bits, temporary_key, temporary_key_bits);
}

template <Is<RunResult> T>
auto fields_of(T& result) {
  auto& [stopped_by, start, elapsed, addresses, protocol, tls, asked, peak, opened, reconnects,
         planned, sent, answered, failed, timed_out, in_flight, retried, dropped, mismatched,
         by_status, errors, bytes_sent, bytes_received, bytes_body, latency, first_byte, connect,
         handshake, resumed, sample_interval, samples, series, intervals, rate, websocket, warmup,
         workers, host] = result;
  return std::tie(stopped_by, start, elapsed, addresses, protocol, tls, asked, peak, opened,
                  reconnects, planned, sent, answered, failed, timed_out, in_flight, retried,
                  dropped, mismatched, by_status, errors, bytes_sent, bytes_received, bytes_body,
                  latency, first_byte, connect, handshake, resumed, sample_interval, samples,
                  series, intervals, rate, websocket, warmup, workers, host);
}

template <class T>
concept HasFields = requires(T& value) {
  fields_of(value);
};

}  // namespace carronade::stats
