// Quiz: questions made from a seed. The right answer is played; every wrong option is a common mistake,
// evaluated for the same values and named when the answer is shown. The same seed gives the same quiz on
// every machine. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule.h"
#include "timeline/timeline.h"
#include "words/sentence.h"

namespace bscope {

// What many believe, and the lesson (its id without its number) that shows how it is.
struct Misconception {
    const char* id;      // "M1"
    const char* belief;  // id of a sentence
    const char* lesson;
};
std::span<const Misconception> misconceptions();

// What is played with F = 1 and a free link.
struct QuizSetting {
    std::string schedule;
    int p = 0, v = 1, m = 0;
    int rank = -1;  // one that is slow, or whose order is another
    double b = 2;   // a whole backward, in units of F
    bool recomputes = false, is_slow = false;
    std::vector<Action> order = {};        // of that rank; empty: the schedule's
    std::vector<double> stage_times = {};  // (stages,) how many times as long each takes; empty: all alike
};
inline constexpr double kSlowRank = 1.5;  // times as long

struct QuizOption {
    Sentence text;
    double value = 0;                         // what the text says, in the question's unit
    Sentence mistake;                         // the name of a wrong one; empty: it is right
    std::string misconception;                // "M2"
    std::optional<QuizSetting> setting = {};  // of which it is true; always there for the right one
};

struct QuizQuestion {
    enum class Kind : std::uint8_t {
        Bubble,             // of total, %
        InFlight,           // on a rank
        Microbatches,       // for a bubble of at most x % of total
        Messages,           // of a micro-batch, both ways
        Recompute,          // times as long
        LegalOrder,         // of one rank
        SlowRank,           // from the ranks' bubbles
        Utilisation,        // from the bubble of ideal, %
        FixedBatch,         // bubble of total after the micro-batch grew, %
        SplitAndRecompute,  // what an iteration with a split backward takes less than 1F1B's, %
        SameBubble,         // of total and on rank 0, GPipe's and 1F1B's
        MemoryOfM,          // to how many times activations grow with m
        WeightVersions,     // on a rank
        Inference,          // bubble of total of forward passes alone, %
        TensorMessages,     // of a micro-batch, as a pipeline and by tensor parallelism
        Factor,             // bubble of total from total over ideal, %
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
inline constexpr int kSecondsAQuestion = 60;  // there is something to calculate

// What an option's setting looks like: a timeline whose boxes begin and end at multiples of step_ns, or the
// orders of ranks, of which some can never run.
struct QuizPicture {
    Sentence title;
    Schedule schedule;
    std::optional<Timeline> played;  // nothing: it cannot run
    std::int64_t step_ns = 0;
};
// The right answer's, and beside it the one of which the given answer would be true, where there is one.
std::vector<QuizPicture> quizPictures(const QuizQuestion& question, int answer);

// 1 to kMostQuestions: first whether 1F1B has a smaller bubble, then what is asked most often, then of the
// other kinds.
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
