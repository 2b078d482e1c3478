// Quiz: questions made from a seed. The right answer is played; every wrong option is a mistake that people
// make, evaluated for the same values and named when the answer is told. The same seed gives the same quiz on
// every machine. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "words/sentence.h"

namespace bscope {

// What many believe, and the lesson (its id without its number) that shows how it is.
struct Misconception {
    const char* id;      // "M1"
    const char* belief;  // id of a sentence
    const char* lesson;
};
std::span<const Misconception> misconceptions();

struct QuizOption {
    Sentence text;
    double value = 0;           // what the text says, in the question's unit
    Sentence mistake;           // the name of a wrong one; empty: it is right
    std::string misconception;  // "M2"
};

struct QuizQuestion {
    enum class Kind : std::uint8_t {
        Bubble,        // of total, %
        InFlight,      // on a rank
        Microbatches,  // for a bubble of at most x % of total
        Messages,      // of a micro-batch, both ways
        Recompute,     // times as long
        LegalOrder,    // of one rank
        SlowRank,      // from the ranks' bubbles
        Utilisation,   // from the bubble of ideal, %
    };
    Kind kind = Kind::Bubble;
    std::string schedule;
    int p = 0, v = 0, m = 0;
    int rank = -1;  // InFlight, LegalOrder; SlowRank: the slow one
    Sentence text;
    std::vector<QuizOption> options;  // three or four, all different
    std::size_t right = 0;
    Sentence because;
};

inline constexpr int kMostQuestions = 100;

// 1 to kMostQuestions of all kinds.
std::vector<QuizQuestion> makeQuiz(std::uint64_t seed, int questions = 10);

// Of the questions whose options offered a misconception, how many were not answered by it.
struct QuizResult {
    const Misconception* misconception;
    int offered = 0, avoided = 0;
};
// answers: (questions,) index of the chosen option, -1: none. Only what was offered, in the order of the
// table.
std::vector<QuizResult> resultsOf(std::span<const QuizQuestion> questions, std::span<const int> answers);
int rightAnswers(std::span<const QuizQuestion> questions, std::span<const int> answers);

}  // namespace bscope
