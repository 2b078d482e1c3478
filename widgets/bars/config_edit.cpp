#include "widgets/bars/config_edit.h"

#include <algorithm>
#include <utility>

namespace bscope::ui {

void ConfigEdit::reset(const RunConfig& in_force) {
    in_force_ = in_force;
    show(in_force);
    asked_v_ = in_force.params.v;
    problems_.clear();
}

void ConfigEdit::show(const RunConfig& config) {
    shown_ = announced_ = config;
}

bool ConfigEdit::setInForce(const RunConfig& config, bool typing) {
    in_force_ = config;
    const bool editing = typing || !problems_.empty() || pending_;
    if (editing || shown_ == config) return false;
    reset(config);
    return true;
}

// The refused configuration stays in the fields, to be corrected.
bool ConfigEdit::setRefused(const RunConfig& config, const std::vector<Problem>& problems, bool typing) {
    const bool was_shown = std::exchange(refusal_shown_, false);
    refused_ = problems;
    if (typing || (problems.empty() && !was_shown)) return false;
    if (!problems.empty()) show(config);
    problems_ = problems;
    refusal_shown_ = !problems.empty();
    return true;
}

bool ConfigEdit::setPending(const std::optional<PendingChange>& pending, bool typing) {
    pending_ = pending;
    if (!pending || typing || !problems_.empty()) return false;
    if (shown_ == pending->config && announced_ == shown_) return false;
    show(pending->config);
    return true;
}

void ConfigEdit::fix(int offer) {
    const auto all = offers();
    if (offer < std::ssize(all)) shown_ = withFixes(shown_, all[static_cast<std::size_t>(offer)]);
    asked_v_ = shown_.params.v;
}

bool ConfigEdit::commit(std::vector<Problem> found) {
    problems_ = std::move(found);
    refusal_shown_ = problems_.empty() && shown_ == announced_ && !refused_.empty();
    if (refusal_shown_) problems_ = refused_;
    if (!problems_.empty() || shown_ == announced_) return false;
    announced_ = shown_;
    return true;
}

std::vector<std::vector<Fix>> ConfigEdit::offers() const {
    return legalOffers(shown_, announced_, refusal_shown_ ? problems_ : std::vector<Problem>{});
}

int ConfigEdit::chunksFor(const CatalogEntry& schedule) const {
    if (schedule.fixed_v > 0) return schedule.fixed_v;
    const int usual = defaultChunks(schedule);
    return asked_v_ > 1 || usual == 1 ? std::max(asked_v_, schedule.min_v) : usual;
}

}  // namespace bscope::ui
