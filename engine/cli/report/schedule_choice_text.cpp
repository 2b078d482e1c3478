#include "cli/report/schedule_choice_text.h"

#include <algorithm>
#include <iostream>

#include "cli/input/flags_options.h"
#include "cli/print/number_text.h"
#include "cli/report/advice_text.h"
#include "report/measured_report.h"

namespace bscope::cli {
namespace {

std::string peakText(const Prediction& predicted) {
    return predicted.peak_bytes.empty() ? "-" : megabytes(predicted.greatestPeak());
}

class ChoiceTable {
public:
    ChoiceTable(const Advice& advice, const RunConfig& now, Language language, bool numbered)
        : advice_(advice), now_(now), language_(language), numbered_(numbered) {}

    void print(const AnalysedRun& run) const {
        std::cout << words(sentence("Schedules with the costs of this run, PREDICTED; nothing of it ran."))
                  << "\n\n";
        const char* heads[] = {"gain",   "iteration ms", "bubble of total", "within span", "peak activations",
                               "copies", "messages"};
        printNumber({});
        for (std::size_t i = 0; i < std::size(heads); ++i)
            std::cout << aligned(words(sentence(heads[i])), kWidths[i]);
        std::cout << '\n';
        printNumber("0");
        printRow(0, advice_.now, words(sentence("now: {0}", sentence(titleOf(run.schedule.name).c_str()))));
        int number = 0;
        for (const Candidate* candidate : scheduleLinesOf(advice_, now_)) {
            printNumber(std::to_string(++number));
            printCandidate(*candidate);
        }
        bool first = true;
        for (const Candidate& candidate : advice_.candidates) {
            if (!isSchedule(candidate) || candidate.predicted) continue;
            if (first) std::cout << '\n' << words(sentence("Not legal here:")) << '\n';
            first = false;
            std::cout << "  " << words(candidate.change) << ": " << words(candidate.excluded) << '\n';
        }
    }

    void printTree(const std::vector<ChoiceStep>& steps) const {
        const std::size_t chosen = chosenStep(steps);
        std::cout << '\n' << words(sentence("What usually decides:")) << '\n';
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const ChoiceStep& step = steps[i];
            const bool open = step.answer == ChoiceStep::Answer::Unknown;
            std::cout << (i == chosen ? " > " : "   ") << i + 1 << "  " << words(step.question) << ' '
                      << (open ? words(sentence("The run does not say; if so")) : words(step.found)) << '\n';
            if (i == chosen || open)
                std::cout << "        " << words(sentence("then: {0}", step.advice)) << '\n';
        }
        std::cout << words(sentence("Where this differs from the table, follow the table: it is predicted "
                                    "from this run's costs."))
                  << '\n';
    }

    // What many texts say by the size of the model alone.
    void printPopular(const std::vector<PopularClaim>& claims) const {
        if (claims.empty()) return;
        std::cout << '\n' << words(sentence("What many texts say instead, and these predictions:")) << '\n';
        for (const PopularClaim& each : claims)
            std::cout << "   " << words(each.claim) << ". "
                      << words(each.holds ? sentence("True here: {0}.", each.found)
                                          : sentence("Not true here: {0}.", each.found))
                      << '\n';
    }

private:
    static constexpr std::size_t kWidths[] = {8, 14, 17, 13, 18, 10, 10};

    bool isSchedule(const Candidate& candidate) const { return changesScheduleAlone(candidate, now_); }
    std::string words(const Sentence& text) const { return say(text, language_); }

    void printNumber(const std::string& number) const {
        constexpr std::size_t kWidth = 4;
        if (numbered_) std::cout << aligned(number, kWidth);
    }

    void printCandidate(const Candidate& candidate) const {
        printRow(candidate.gain, *candidate.predicted,
                 words(candidate.excluded.empty()
                           ? candidate.change
                           : sentence("{0}; excluded: {1}", candidate.change, candidate.excluded)));
    }

    static void printRow(double gain, const Prediction& predicted, const std::string& text) {
        const std::string cells[] = {percent(gain),
                                     milliseconds(toMs(predicted.iteration_ns)),
                                     percent(predicted.bubble_of_total),
                                     predicted.bubble_of_span ? percent(*predicted.bubble_of_span) : "-",
                                     peakText(predicted),
                                     std::to_string(predicted.weight_copies),
                                     std::to_string(predicted.messages)};
        for (std::size_t i = 0; i < std::size(cells); ++i) std::cout << aligned(cells[i], kWidths[i]);
        std::cout << "   " << text << '\n';
    }

    const Advice& advice_;
    const RunConfig& now_;
    Language language_;
    bool numbered_;
};

}  // namespace

void printScheduleChoice(const AnalysedRun& run, const AdviceRequest& request, const Advice& advice,
                         Language language, bool numbered) {
    const ChoiceTable table(advice, request.config(), language, numbered);
    table.print(run);
    printDoubt({std::cout, language}, run.report.iteration_ms, advice);
    std::cout << '\n' << say(choiceVerdict(request, advice), language) << '\n';
    table.printTree(scheduleChoice(request, advice.now));
    table.printPopular(popularClaims(request, advice));
}

}  // namespace bscope::cli
