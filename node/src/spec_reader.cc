#include "spec_reader.h"

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "value_reader.h"

namespace carronade::node {
namespace {

void read_header(const Napi::Value& value, const std::string& place, const ValueReader& in,
                 std::vector<Header>& out) {
  constexpr const char* kShape = "must be [name, value]";
  if (!value.IsArray()) return in.fail_at(place, kShape);
  const auto pair = value.As<Napi::Array>();
  const Napi::Env env = pair.Env();
  std::optional<std::string> name = bytes_of(Napi::Value(env, element(env, pair, 0)));
  std::optional<std::string> text = bytes_of(Napi::Value(env, element(env, pair, 1)));
  if (pair.Length() != 2 || !name || !text) return in.fail_at(place, kShape);
  out.push_back({std::move(*name), std::move(*text)});
}

// Of a target, or of one entry of its sequence.
void read_request(const ValueReader& in, Request& out) {
  in.bytes("method", out.method);
  in.bytes("path", out.path);
  in.bytes("body", out.body);
  in.each("headers", [&](const Napi::Value& value, const std::string& place) {
    read_header(value, place, in, out.headers);
  });
}

void read_target(const ValueReader& in, Target& out) {
  std::string text;
  in.bytes("url", text);
  Expected<Url> url = parse_url(text, Schemes::kHttpAndWebSocket);
  if (!url) return in.fail_at(in.path("url") + ":", url.error().text);
  out.url = std::move(*url);
  read_request(in, out.request);
  in.boolean("binaryMessage", out.binary_message);
  in.each("sequence", [&](const Napi::Value& value, const std::string& place) {
    if (!value.IsObject()) return in.fail_at(place, "must be an object");
    Request request;
    read_request(ValueReader(value.As<Napi::Object>(), place, in.fault()), request);
    out.sequence.push_back(std::move(request));
  });
}

void read_tls(const ValueReader& in, TlsSpec& out) {
  const Napi::Value name = in.given("servername");
  if (name.IsBoolean()) {
    if (!name.As<Napi::Boolean>().Value()) out.server_name = "";
  } else {
    in.bytes("servername", out.server_name);
  }
  in.list_of_bytes("ca", out.ca_pem);
  in.bytes("cert", out.certificate_pem);
  in.bytes("key", out.key_pem);
  in.bytes("pfx", out.pkcs12);
  in.bytes("passphrase", out.passphrase);
  in.boolean("verify", out.verify);
  in.count("minVersion", out.min_version);
  in.count("maxVersion", out.max_version);
}

void read_proxy(const ValueReader& in, RunSpec& out) {
  ProxySpec proxy;
  std::string text;
  in.bytes("url", text);
  Expected<Url> url = parse_url(text);
  if (!url) return in.fail_at(in.path("url") + ":", url.error().text);
  proxy.url = std::move(*url);
  out.proxy = std::move(proxy);
}

void read_rate(const ValueReader& in, RunSpec& out) {
  std::optional<double> total;
  std::optional<double> each;
  in.number("overallRate", total);
  in.number("connectionRate", each);
  if (each) total = *each * out.connections;
  if (!total) return;
  RateSegment segment;
  segment.from = segment.to = *total;
  char text[32];
  std::snprintf(text, sizeof text, "%.12g/s", *total);
  RateSpec rate;
  rate.stages.push_back({text, {segment}});
  in.count("maxConnections", rate.max_connections);
  in.boolean("connectOnDemand", rate.connect_on_demand);
  in.milliseconds("drainMs", rate.drain_ns);
  out.rate = std::move(rate);
}

void read_data(const ValueReader& in, RunSpec& out) {
  DataSpec data;
  in.bytes("dataFile", data.file);
  std::string mode = "sequence";
  in.bytes("dataMode", mode);
  if (mode == "shuffle") {
    data.mode = DataMode::kShuffle;
  } else if (mode == "once") {
    data.mode = DataMode::kOnce;
  } else if (mode != "sequence") {
    in.fail("dataMode", "must be sequence, shuffle or once");
  }
  if (!data.file.empty()) out.data = std::move(data);
}

void read_numbers(const ValueReader& in, RunSpec& out) {
  in.count("connections", out.connections);
  in.count("pipelining", out.pipelining);
  in.count("workers", out.workers);
  in.milliseconds("durationMs", out.duration_ns);
  in.count("amount", out.amount);
  in.count("maxConnectionRequests", out.max_connection_requests);
  in.count("bailout", out.bailout);
  in.count("reconnectRate", out.reconnect_after);
  in.milliseconds("timeoutMs", out.timeout_ns);
  in.milliseconds("sampleIntMs", out.sample_interval_ns);
}

}  // namespace

Expected<RunSpec> read_spec(const Napi::Object& object) {
  std::string fault;
  RunSpec spec;
  const ValueReader in(object, "spec", fault);
  in.each("targets", [&](const Napi::Value& value, const std::string& place) {
    if (!value.IsObject()) return in.fail_at(place, "must be an object");
    Target target;
    read_target(ValueReader(value.As<Napi::Object>(), place, fault), target);
    spec.targets.push_back(std::move(target));
  });
  in.bytes("socketPath", spec.unix_socket);
  in.list_of_bytes("localAddresses", spec.local_addresses);
  read_numbers(in, spec);
  read_rate(in, spec);
  read_data(in, spec);
  in.boolean("connectCounts", spec.connect_counts);
  in.boolean("ids", spec.ids);
  in.boolean("templates", spec.templates);
  in.bytes("expectBody", spec.expect_body);
  in.boolean("excludeErrorStats", spec.exclude_error_stats);
  const Napi::Value tls = in.given("tls");
  if (tls.IsObject()) {
    read_tls(ValueReader(tls.As<Napi::Object>(), "spec.tls", fault), spec.tls);
  } else if (!tls.IsUndefined()) {
    in.fail("tls", "must be an object");
  }
  const Napi::Value proxy = in.given("proxy");
  if (proxy.IsObject()) {
    read_proxy(ValueReader(proxy.As<Napi::Object>(), "spec.proxy", fault), spec);
  } else if (!proxy.IsUndefined()) {
    in.fail("proxy", "must be an object");
  }
  if (!fault.empty()) return unexpected(std::move(fault));
  return spec;
}

}  // namespace carronade::node
