#include "cli/report/grid_text.h"

#include <cmath>

#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"

namespace bscope::cli {
namespace {

using nlohmann::ordered_json;

std::string ms(double ns) {
    return fixed(ns / 1e6, 3);
}

// The longer side goes down: replicas, or stages.
void printMedians(const LinePrinter& printer, const ReplicaGrid& grid) {
    const bool replicas_down = grid.replicas() >= grid.stages;
    const int down = replicas_down ? grid.replicas() : grid.stages;
    const int across = replicas_down ? grid.stages : grid.replicas();
    TextTable table(std::string(static_cast<std::size_t>(1 + 2 * across), 'r'));
    std::vector<std::string> head{replicas_down ? printer.words("replica") : printer.words("stage")};
    const auto number = [&grid](int replica) { return grid.numbers[static_cast<std::size_t>(replica)]; };
    for (int at = 0; at < across; ++at)
        for (const char* op : {"F", "B"})
            head.push_back(replicas_down ? printer.words("stage {0}, {1}", at, op)
                                         : printer.words("replica {0}, {1}", number(at), op));
    table.row(std::move(head));
    for (int row = 0; row < down; ++row) {
        std::vector<std::string> cells{std::to_string(replicas_down ? number(row) : row)};
        for (int at = 0; at < across; ++at) {
            const ReplicaCell& cell = replicas_down ? grid.cell(row, at) : grid.cell(at, row);
            cells.push_back(ms(cell.forward_ns));
            cells.push_back(ms(cell.backward_ns));
        }
        table.row(std::move(cells));
    }
    table.print(printer.out());
}

void printCauses(const LinePrinter& printer, const ReplicaGrid& grid, const Stragglers& found) {
    if (found.causes.empty()) {
        printer.line("cause: neither a slow worker nor a heavy stage nor unequal micro-batches");
        return;
    }
    for (const StragglerKind kind : found.causes) switch (kind) {
            case StragglerKind::Worker:
                printer.line("cause: a slow worker, rank {0} of replica {1}", found.worker->index,
                             grid.numbers[static_cast<std::size_t>(found.worker->replica)]);
                break;
            case StragglerKind::Stage:
                if (grid.replicas() > 1)
                    printer.line("cause: a heavy stage, {0}", found.stage.index);
                else
                    printer.line("cause: a heavy stage, {0}, or its rank; replicas would distinguish them",
                                 found.stage.index);
                break;
            case StragglerKind::Lengths:
                printer.line("cause: unequal micro-batches, for example from sequences of unequal length");
                break;
        }
}

void printStragglers(const LinePrinter& printer, const ReplicaGrid& grid, const Stragglers& found) {
    printer.line(
        "slowdown {0}: {1} ms with the durations recorded, {2} ms with every operation at the mean of its "
        "kind; "
        "iterations played: {3}, messages free",
        fixed(found.slowdown(), 2), milliseconds(found.actual_ns / 1e6), milliseconds(found.ideal_ns / 1e6),
        found.iterations);
    if (found.slowdown() <= 1) return;
    if (found.worker)
        printer.line("share of the slowest workers: {0} ({1} of {2}; the slowest is rank {3} of replica {4})",
                     percent(found.worker->share), found.slowest_workers, found.worker_slowdowns.size(),
                     found.worker->index, grid.numbers[static_cast<std::size_t>(found.worker->replica)]);
    printer.line("share of stage {0}: {1}; of the last stage: {2}", found.stage.index,
                 percent(found.stage.share), percent(found.last_stage_share));
    const auto correlation = [&printer](double value) {
        return std::isnan(value) ? printer.words("none") : fixed(value, 2);
    };
    printer.line(
        "share of unequal micro-batches: {0}; correlation of a micro-batch's forward and backward: {1}, "
        "among "
        "its ranks: {2}",
        percent(found.lengths_share), correlation(found.forward_backward_correlation),
        correlation(found.rank_correlation));
    printCauses(printer, grid, found);
}

ordered_json numberOrNull(double value) {
    return std::isnan(value) ? ordered_json() : ordered_json(value);
}

const char* nameOf(StragglerKind kind) {
    return kind == StragglerKind::Worker ? "worker" : kind == StragglerKind::Stage ? "stage" : "lengths";
}

ordered_json stragglersJson(const ReplicaGrid& grid, const Stragglers& found) {
    ordered_json out = {{"slowdown", found.slowdown()},
                        {"actual_ms", found.actual_ns / 1e6},
                        {"ideal_ms", found.ideal_ns / 1e6},
                        {"iterations", found.iterations}};
    ordered_json worker;
    if (found.worker)
        worker = {{"replica", grid.numbers[static_cast<std::size_t>(found.worker->replica)]},
                  {"rank", found.worker->index},
                  {"share", found.worker->share},
                  {"workers", found.slowest_workers}};
    out["slowest_workers"] = std::move(worker);
    out["heaviest_stage"] = {{"stage", found.stage.index},
                             {"share", found.stage.share},
                             {"share_of_its_mean", found.even_stage_share}};
    out["last_stage_share"] = found.last_stage_share;
    out["unequal_microbatches"] = {
        {"share", found.lengths_share},
        {"forward_backward_correlation", numberOrNull(found.forward_backward_correlation)},
        {"rank_correlation", numberOrNull(found.rank_correlation)}};
    ordered_json& workers = out["worker_slowdowns"] = ordered_json::array();
    for (std::size_t at = 0; at < found.worker_slowdowns.size(); ++at) {
        if (at % static_cast<std::size_t>(grid.ranks) == 0) workers.push_back(ordered_json::array());
        workers.back().push_back(found.worker_slowdowns[at]);
    }
    ordered_json& causes = out["causes"] = ordered_json::array();
    for (const StragglerKind kind : found.causes) causes.push_back(nameOf(kind));
    return out;
}

}  // namespace

void printGrid(const LinePrinter& printer, const ReplicaGrid& grid) {
    printer.out() << '\n'
                  << printer.words("forward (F) and backward (B), median ms, by replica and stage") << '\n';
    printMedians(printer, grid);
    printer.out() << '\n';
    if (grid.stragglers)
        printStragglers(printer, grid, *grid.stragglers);
    else
        printer.line(
            "the replicas cannot be replayed, or are too large for a replay, so the causes of their slowdown "
            "are unknown");
}

ordered_json gridJson(const ReplicaGrid& grid) {
    ordered_json forward = ordered_json::array(), backward = forward, beside = forward;
    for (int replica = 0; replica < grid.replicas(); ++replica) {
        for (ordered_json* rows : {&forward, &backward, &beside}) rows->push_back(ordered_json::array());
        for (int stage = 0; stage < grid.stages; ++stage) {
            const ReplicaCell& cell = grid.cell(replica, stage);
            forward.back().push_back(cell.forward_ns / 1e6);
            backward.back().push_back(cell.backward_ns / 1e6);
            beside.back().push_back(numberOrNull(cell.beside_peers));
        }
    }
    return {{"replicas", grid.numbers},
            {"shown", grid.numbers[static_cast<std::size_t>(grid.shown)]},
            {"stages", grid.stages},
            {"forward_ms", std::move(forward)},
            {"backward_ms", std::move(backward)},
            {"beside_peers", std::move(beside)},
            {"stragglers", grid.stragglers ? stragglersJson(grid, *grid.stragglers) : ordered_json()}};
}

}  // namespace bscope::cli
