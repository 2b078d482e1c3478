#include "page/box_cards.h"

#include "view/text/operation_name.h"
#include "words/number_text.h"

namespace bscope::page {

namespace {

std::string lasting(std::int64_t ns) {
    return GapWording::durationText(ns);
}

}  // namespace

int lifeOf(const PreparedView& view, int stage, int microbatch) {
    if (microbatch < 0) return -1;
    return microbatch * std::max(1, view.places().chains()) + view.places().of(stage).chain;
}

std::string boxNumber(const PreparedView& view, int microbatch, int segment) {
    const int m = std::max(1, view.view().config.params.m);
    int index = view.view().microbatchInIteration(microbatch);
    if (view.view().isStream()) index = (index % m + m) % m;
    return pieceText(index + 1, segment < 0 ? -1 : segment + 1);
}

std::string boxName(const PreparedView& view, const Action& action) {
    if (action.microbatch < 0) return {};
    std::string name = std::string(opText(action.op)) + boxNumber(view, action.microbatch, action.segment());
    if (const int chunk = view.chunkLetterOf(action.stage); chunk >= 0)
        name += static_cast<char>('a' + chunk % 26);
    return name;
}

Sentence gapWords(const PreparedView& view, const Gap& gap) {
    GapWording wording;
    wording.ranks_are_gpus = view.view().ranksAreGpus();
    wording.action = [&view](const Action& action) {
        const std::string name = boxName(view, action);
        return name.empty() ? toText(action) : name;
    };
    return view.causes()->words(gap, wording);
}

BoxCards::BoxCards(const PreparedView& view, Templates& words)
    : view_(view), words_(words), events_(*view.view().ran, view.view().iteration) {}

std::string BoxCards::since(std::int64_t time_ns) const {
    return millisecondsText(view_.relative(time_ns) / 1e6);
}

nlohmann::json BoxCards::box(const Event& event) {
    const Sentence operation = sentence(operationName(event.op));
    nlohmann::json card = {lifeOf(view_, event.stage, event.microbatch), boxName(view_, event.action()),
                           words_.of(operation)};
    const auto add = [&](const Sentence& line) { card.push_back(words_.of(line)); };
    add(sentence("from {0} to {1} ms, lasts {2}", since(event.start_ns), since(event.end_ns),
                 lasting(event.duration_ns())));
    addWait(card, event);
    if (event.microbatch >= 0)
        add(sentence("micro-batch {0} of {1} on rank {2}, stage {3} ({4} in files)",
                     boxNumber(view_, event.microbatch, event.segment), view_.view().config.params.m,
                     event.rank, view_.stageInReplica(event.stage), toText(event.action())));
    else
        add(sentence("rank {0}", event.rank));
    if (event.bytes > 0 && isCompute(event.op))
        add(takesActivations(event.op)
                ? sentence("takes {0} MB of activations", megabytesText(static_cast<double>(event.bytes)))
                : sentence("frees {0} MB of activations", megabytesText(static_cast<double>(event.bytes))));
    if (event.weight_version != kNoVersion)
        add(sentence("version {0} of the weights, {1} behind the newest", event.weight_version,
                     event.staleness));
    if (event.disturbed) add(sentence("disturbed: another program ran on this core"));
    return card;
}

void BoxCards::addWait(nlohmann::json& card, const Event& event) {
    if (!isCompute(event.op)) return;
    const EventRef receive = events_.receiveOf(event);
    if (!receive) return;
    if (!view_.view().knowsTransfers())
        card.push_back(words_.of(
            sentence("waited {0} for its input, transfer included", lasting(receive->duration_ns()))));
    else if (receive->transfer_ns > receive->start_ns)
        card.push_back(words_.of(sentence("waited {0} for its input, then {1} for the transfer",
                                          lasting(receive->transfer_ns - receive->start_ns),
                                          lasting(receive->end_ns - receive->transfer_ns))));
    else
        card.push_back(words_.of(sentence("its input was there before the rank was free")));
}

nlohmann::json BoxCards::message(const Event& receive) {
    const Op of = receive.op == Op::RecvForward ? Op::Forward : Op::Backward;
    nlohmann::json card = {lifeOf(view_, receive.stage, receive.microbatch),
                           boxName(view_, receive.action().as(of)),
                           words_.of(sentence(operationName(receive.op)))};
    const auto add = [&](const Sentence& line) { card.push_back(words_.of(line)); };
    if (!view_.view().knowsTransfers()) {
        add(sentence("waited {0} for it, transfer included", lasting(receive.duration_ns())));
    } else {
        if (receive.transfer_ns > receive.start_ns)
            add(sentence("waited {0} for the sender, since {1} ms",
                         lasting(receive.transfer_ns - receive.start_ns), since(receive.start_ns)));
        else
            add(sentence("arrived while the receiver was busy"));
        add(sentence("travelled {0}, until {1} ms", lasting(receive.end_ns - receive.transfer_ns),
                     since(receive.end_ns)));
    }
    if (receive.bytes > 0) add(sentence("{0} MB", megabytesText(static_cast<double>(receive.bytes))));
    return card;
}

nlohmann::json BoxCards::gap(const Gap& gap, std::size_t place) {
    const auto share = static_cast<double>(gap.length_ns()) / static_cast<double>(view_.causes()->idle_ns());
    return {lasting(gap.length_ns()), words_.of(wordsOf(gap.cause)), words_.of(gapWords(view_, gap)),
            words_.of(sentence("gap {0} of {1} by length, {2} % of the idle time", place,
                               view_.causes()->gaps().size(), percentNumber(share)))};
}

}  // namespace bscope::page
