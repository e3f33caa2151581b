// Where the requests of a run come from when they are not the same bytes each time: sequences, ids
// and templates of the spec, compiled once for all workers, or a source of the user's own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "carronade/expected.h"
#include "carronade/request_source.h"
#include "carronade/run_spec.h"
#include "load/data_cursor.h"
#include "load/sequence_source.h"
#include "load/template_filler.h"

namespace carronade::load {

// Outlives the sources that it makes. create() and make() on the thread that starts the run, the
// sources' calls on those of their workers.
class SourcePlan {
 public:
  // Null when each target just sends its own request. The data file is read through once. Errors:
  // a request that cannot be written, a placeholder that is unknown or wrong, a data file that
  // cannot be used or is not used, a source of the user's own that wants to make the requests
  // too (to learn that, its part for worker 0 is made here).
  static Expected<std::unique_ptr<SourcePlan>> create(const RunSpec& spec);

  // Once for each worker.
  std::unique_ptr<RequestSource> make(uint32_t worker, uint32_t workers);

  // What became of the data file while the run went on, one line; "" when there is nothing to be
  // said, or no data file. From any thread.
  std::string data_error() const { return data_ ? data_->error() : ""; }

 private:
  SourcePlan() = default;
  Expected<void> compile(const RunSpec& spec, const TemplateSyntax& syntax);
  Expected<void> prepare_data(const RunSpec& spec);
  Expected<void> probe_users_source(const RunSpec& spec);

  RequestTexts texts_;  // empty: the user's source is all there is
  std::unique_ptr<DataCursor> data_;
  SharedFills shared_;
  uint64_t seed_ = 0;
  MakeSource make_source_;                      // of the user; null: none
  std::unique_ptr<RequestSource> users_first_;  // made early, for worker 0
  uint32_t users_first_workers_ = 0;
};

}  // namespace carronade::load
