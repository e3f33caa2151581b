#include "report/health_json.h"

#include <nlohmann/json.hpp>

#include "report/result_json.h"

namespace carronade::report {

using Json = nlohmann::ordered_json;

namespace {

Json worker_json(const WorkerHealth& worker) {
  Json json;
  json["wall"] = worker.wall_ns;
  json["cpu"] = worker.cpu_ns;
  json["spin"] = worker.spin_ns;
  json["runDelay"] = measured_json(worker.run_delay_ns);
  json["involuntarySwitches"] = measured_json(worker.involuntary_switches);
  json["turns"] = histogram_json(worker.turns);
  return json;
}

Json host_json(const HostHealth& host) {
  Json json;
  json["steal"] = measured_json(host.steal_ns);
  json["throttled"] = measured_json(host.throttled_ns);
  json["retransmits"] = measured_json(host.retransmits);
  json["segmentsSent"] = measured_json(host.segments_sent);
  json["cores"] = host.cores;
  json["descriptors"] = host.descriptors;
  json["descriptorLimit"] = host.descriptor_limit;
  json["localPorts"] = measured_json(host.local_ports);
  return json;
}

}  // namespace

Json health_json(const RunResult& result) {
  Json workers = Json::array();
  for (const WorkerHealth& worker : result.workers) workers.push_back(worker_json(worker));
  return {{"workers", std::move(workers)}, {"host", host_json(result.host)}};
}

}  // namespace carronade::report
