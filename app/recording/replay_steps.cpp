#include "app/recording/replay_steps.h"

#include <algorithm>

namespace bscope::ui {
namespace {

void deliverRare(const KernelPart& part, RunHistory& history) {
    history.kernels(part);
}
void deliverRare(const IterationStart& start, RunHistory& history) {
    history.iterationStarted(start);
}
void deliverRare(const IterationReport& report, RunHistory& history) {
    history.iterationFinished(report);
}
void deliverRare(const Promise& promise, RunHistory& history) {
    history.promised(promise);
}

}  // namespace

void ReplaySteps::add(std::int64_t time_ns, const Event& event) {
    steps_.push_back({time_ns, static_cast<std::uint32_t>(events_.size()), Kind::Event});
    events_.push_back(event);
}

void ReplaySteps::add(std::int64_t time_ns, const MemoryPoint& point) {
    steps_.push_back({time_ns, static_cast<std::uint32_t>(points_.size()), Kind::Memory});
    points_.push_back(point);
}

void ReplaySteps::add(std::int64_t time_ns, Rare rare) {
    steps_.push_back({time_ns, static_cast<std::uint32_t>(rare_.size()), Kind::Rare});
    rare_.push_back(std::move(rare));
}

void ReplaySteps::append(const ReplaySteps& later, bool starts) {
    const std::int64_t floor_ns = steps_.empty() ? 0 : steps_.back().time_ns;
    for (std::size_t step = 0; step < later.size(); ++step) {
        const std::int64_t time_ns = std::max(later.time_ns(step), floor_ns);
        const std::size_t index = later.steps_[step].index;
        switch (later.steps_[step].kind) {
            case Kind::Event:
                add(time_ns, later.events_[index]);
                break;
            case Kind::Memory:
                add(time_ns, later.points_[index]);
                break;
            case Kind::Rare:
                if (starts || !std::holds_alternative<IterationStart>(later.rare_[index]))
                    add(time_ns, later.rare_[index]);
                break;
        }
    }
    sorted_ = steps_.size();
}

void ReplaySteps::beginAt(std::int64_t time_ns) {
    for (Step& step : steps_) step.time_ns = std::max(step.time_ns, time_ns);
}

void ReplaySteps::sort() {
    const auto added = steps_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    std::ranges::stable_sort(added, steps_.end(), {}, &Step::time_ns);
    if (added != steps_.end()) {
        const auto later =
            std::ranges::upper_bound(steps_.begin(), added, added->time_ns, {}, &Step::time_ns);
        std::ranges::inplace_merge(later, added, steps_.end(), {}, &Step::time_ns);
    }
    sorted_ = steps_.size();
}

std::size_t ReplaySteps::firstAfter(std::int64_t time_ns) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(steps_, time_ns, {}, &Step::time_ns) -
                                    steps_.begin());
}

std::optional<Event> ReplaySteps::event(std::size_t step) const {
    if (steps_[step].kind != Kind::Event) return std::nullopt;
    return events_[steps_[step].index];
}

const ReplaySteps::Rare* ReplaySteps::rare(std::size_t step) const {
    return steps_[step].kind == Kind::Rare ? &rare_[steps_[step].index] : nullptr;
}

void ReplaySteps::deliver(std::size_t step, RunHistory& history) const {
    const std::size_t index = steps_[step].index;
    switch (steps_[step].kind) {
        case Kind::Event: {
            const Event event = events_[index];
            return history.events({&event, 1});
        }
        case Kind::Memory: {
            const MemoryPoint point = points_[index];
            return history.memory({&point, 1});
        }
        case Kind::Rare:
            return std::visit([&history](const auto& what) { deliverRare(what, history); }, rare_[index]);
    }
}

}  // namespace bscope::ui
