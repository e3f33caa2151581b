#include "load/source_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "http/request_writer.h"

namespace carronade::load {

namespace {

bool has_sequence(const RunSpec& spec) {
  return std::any_of(spec.targets.begin(), spec.targets.end(),
                     [](const Target& target) { return !target.sequence.empty(); });
}

template <class Predicate>
bool any_piece(const RequestTexts& texts, const Predicate& predicate) {
  for (const std::vector<TemplateText>& requests : texts) {
    for (const TemplateText& text : requests) {
      if (std::any_of(text.pieces.begin(), text.pieces.end(), predicate)) return true;
    }
  }
  return false;
}

bool is_column(const TemplatePiece& piece) { return piece.fill == Fill::kColumn; }

// In front of the place in a message: which of several targets, which of several requests.
std::string where(const RunSpec& spec, const Target& target, size_t request) {
  std::string text;
  if (spec.targets.size() > 1) text += target.url.origin() + ": ";
  if (target.sequence.size() > 1) text += fmt::format("request {}: ", request + 1);
  return text;
}

}  // namespace

Expected<std::unique_ptr<SourcePlan>> SourcePlan::create(const RunSpec& spec) {
  std::unique_ptr<SourcePlan> plan(new SourcePlan);
  plan->seed_ = spec.template_seed;
  plan->make_source_ = spec.make_source;
  if (spec.data && !spec.templates) {
    return unexpected(
        fmt::format("data file {} is not used: templates are off, switch them on "
                    "(--template)",
                    spec.data->file));
  }
  const bool sequence = has_sequence(spec);
  if (sequence || spec.ids || spec.templates) {
    if (auto ready = plan->prepare_data(spec); !ready) return unexpected(ready.error());
    // Nothing in turn and nothing to fill in: the engine sends its own copies faster.
    if (!sequence && !any_piece(plan->texts_, [](const TemplatePiece&) { return true; })) {
      plan->texts_.clear();
    }
  }
  if (plan->texts_.empty() && !plan->make_source_) return std::unique_ptr<SourcePlan>();
  if (!plan->texts_.empty() && plan->make_source_) {
    if (auto good = plan->probe_users_source(spec); !good) return unexpected(good.error());
  }
  return plan;
}

// Opens the data file, compiles the requests with its columns, and checks its rows for them.
Expected<void> SourcePlan::prepare_data(const RunSpec& spec) {
  TemplateSyntax syntax{
      .ids = spec.ids, .templates = spec.templates, .data_path = {}, .columns = {}};
  if (spec.data) {
    auto opened = DataCursor::open(*spec.data, base::mix(spec.template_seed, UINT32_MAX));
    if (!opened) return unexpected(opened.error());
    data_ = std::move(*opened);
    shared_.data = data_.get();
    syntax.data_path = data_->path();
    syntax.columns = data_->columns();
  }
  if (auto compiled = compile(spec, syntax); !compiled) return compiled;
  if (!data_) return {};
  if (!any_piece(texts_, is_column)) {
    return unexpected(
        fmt::format("data file {} is not used: no {{{{csv.COLUMN}}}} is in the URL, "
                    "the headers or the body",
                    data_->path()));
  }
  std::vector<size_t> in_headers;
  for (size_t column = 0; column < data_->columns().size(); ++column) {
    if (any_piece(texts_, [column](const TemplatePiece& piece) {
          return is_column(piece) && piece.column == column && piece.place == Place::kHeader;
        })) {
      in_headers.push_back(column);
    }
  }
  return data_->check(in_headers);
}

Expected<void> SourcePlan::compile(const RunSpec& spec, const TemplateSyntax& syntax) {
  for (const Target& target : spec.targets) {
    const std::span<const Request> own =
        target.sequence.empty() ? std::span(&target.request, 1) : std::span(target.sequence);
    std::vector<TemplateText>& texts = texts_.emplace_back();
    for (size_t i = 0; i < own.size(); ++i) {
      const std::string place = where(spec, target, i);
      if (http::method_of(own[i]) == "CONNECT") {
        return unexpected(place + "CONNECT asks for a tunnel, not for an answer: not supported");
      }
      auto text = compile_template(target.url, own[i], syntax, place);
      if (!text) return unexpected(text.error());
      texts.push_back(std::move(*text));
    }
  }
  return {};
}

Expected<void> SourcePlan::probe_users_source(const RunSpec& spec) {
  users_first_workers_ = std::min(spec.workers, spec.connections);
  users_first_ = make_source_(0, users_first_workers_);
  if (users_first_ && users_first_->wants().requests) {
    return unexpected(
        std::string("a source of your own makes the requests: leave out the "
                    "sequences, ids and templates beside it"));
  }
  return {};
}

std::unique_ptr<RequestSource> SourcePlan::make(uint32_t worker, uint32_t workers) {
  std::unique_ptr<RequestSource> users;
  if (worker == 0 && users_first_ && workers == users_first_workers_) {
    users = std::move(users_first_);
  } else if (make_source_) {
    users = make_source_(worker, workers);
  }
  if (texts_.empty()) return users;
  return std::make_unique<SequenceSource>(texts_, shared_, base::mix(seed_, worker),
                                          std::move(users));
}

}  // namespace carronade::load
