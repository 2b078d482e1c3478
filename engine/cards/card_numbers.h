// The numbers of a card, for a configuration and before anything ran: its schedule and those that the card
// compares it with are played with F = I = W = 1 and a free link; for an existing run the card has a line of
// its own. PREDICTED. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "cards/card.h"
#include "config/run_config.h"
#include "lessons/lesson_text.h"

namespace bscope {

// One replica of the configuration, played. An asynchronous schedule is played as the stream that it runs as,
// in its steady state. nullopt: its order is not known, or not legal.
std::optional<LessonRun> playedRun(const RunConfig& config);

// "now" and the runs of the card, by name. Empty: without now, or with one rank alone, there is no pipeline
// to speak of.
LessonRuns cardRuns(const Card& card, const RunConfig& now);

struct FilledCard {
    std::string question, answer, numbers, trap;
    std::string ran;  // "" without a run
};

// Whose numbers a card has. Of a run of another program schedule, p, v, m and d are known, and no model.
struct CardSubject {
    RunConfig config;
    bool knows_model = true;
    std::optional<LessonRun> ran = std::nullopt;
};

// What the texts name beside runs: {F.in_flight.*} is the list over the ranks, .last the last rank;
// config.micro_batch, config.d, model.layers, model.heads, model.hidden, model.sequence, model.vocabulary;
// weights.model_mb and weights.rank_mb, of the whole model and of rank 0; a dash stands for what is not
// known. Throws LessonError.
FilledCard filled(const Card& card, const CardSubject& subject, Language language);

// A claim of a card with these runs; nullopt: without runs, or where the model does not go with the pipeline
// and the claim is about its weights.
std::optional<bool> cardClaimHolds(std::string_view claim, const RunConfig& now, const LessonRuns& runs);

}  // namespace bscope
