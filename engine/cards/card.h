// Card: a question that interviewers ask, with an answer of half a minute, the numbers of a configuration and
// the trap that follows. The cards stand in resources/cards.json and travel inside the program; what they say
// of numbers is filled in (card_numbers.h), never typed. Values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words/catalog.h"

namespace bscope {

struct CardText {
    std::string en, zh;
    const std::string& in(Language language) const { return language == Language::Chinese ? zh : en; }
};

// A schedule that a card's numbers speak of beside the current one. Its p, v and m are expressions over the
// runs before it, "now" among them; empty: those of now, v: the schedule's usual one. What is not legal
// becomes the nearest that is.
struct CardRun {
    std::string name;  // in the texts: "F" of {F.bubble}
    std::string schedule;
    std::string p, v, m;
    bool recomputes = false;
};

// Where the card's answer is seen.
struct CardShow {
    std::string schedule;  // "": the current one
    std::string light;     // "gap": the largest one; "memory": its curves; "microbatch": the way of one
    std::string lesson;    // id without its number
};

struct Card {
    std::string id;  // "Q01"
    CardText question, answer, numbers, trap;
    CardText ran;  // of a run that is there, with {ran.bubble}; empty: the card says nothing of it
    std::vector<CardRun> runs;
    // What makes the formulas of its texts true: claims of lesson_text.h, for any p, v and m.
    std::vector<std::string> claims;
    CardShow show;
    std::string stack;  // the picture of its formula, a kind of bubbleStack(); "": it has none
    std::vector<std::string> tags;
};

// Throws std::invalid_argument that names the card and the field.
std::vector<Card> readCards(std::string_view json);

std::span<const Card> cards();

}  // namespace bscope
