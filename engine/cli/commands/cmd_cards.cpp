// bscope cards: the interview cards as text, as JSON, or as a file that Anki imports, with the numbers of a
// configuration; with --from also what a recorded run gave.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "cards/card_numbers.h"
#include "cli/input/analysed_run.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/options.h"
#include "cli/input/terminal.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"

namespace bscope::cli {
namespace {

std::vector<const Card*> cardsNamed(CommandLine& line, const std::vector<std::string>& ids) {
    std::vector<const Card*> chosen;
    for (const Card& card : cards())
        if (ids.empty() || std::ranges::find(ids, card.id) != ids.end()) chosen.push_back(&card);
    for (const std::string& id : ids)
        if (std::ranges::find(cards(), id, &Card::id) == cards().end())
            line.refuse(sentence("there is no card {0}; legal: {1} to {2}", id, cards().front().id,
                                 cards().back().id));
    return chosen;
}

struct CardsRequest {
    CardSubject subject;
    Language language = Language::English;
};

void printCard(const Card& card, const CardsRequest& request) {
    const FilledCard full = filled(card, request.subject, request.language);
    const auto width = static_cast<std::size_t>(std::max(40, outputTerminal().columns - 2));
    const auto print = [&](const Sentence& text, const char* after) {
        std::cout << wrapped(say(text, request.language), width) << after;
    };
    std::cout << card.id << "  " << full.question << "\n\n" << wrapped(full.answer, width) << "\n\n";
    print(sentence("Yours: {0}", full.numbers), "\n");
    if (!full.ran.empty()) std::cout << wrapped(full.ran, width) << '\n';
    std::cout << '\n';
    print(sentence("Trap: {0}", full.trap), "\n\n");
    print(sentence("Seen with: {0}", "bscope lesson run " + card.show.lesson), "\n\n\n");
}

void printCardJson(const Card& card, const CardsRequest& request) {
    const FilledCard full = filled(card, request.subject, request.language);
    const ScheduleParams& params = request.subject.config.params;
    nlohmann::ordered_json json = {{"id", card.id},         {"question", full.question},
                                   {"answer", full.answer}, {"numbers", full.numbers},
                                   {"trap", full.trap},     {"lesson", card.show.lesson},
                                   {"tags", card.tags},     {"schedule", request.subject.config.schedule},
                                   {"p", params.p},         {"v", params.v},
                                   {"m", params.m},         {"provenance", toText(Provenance::Predicted)}};
    if (!full.ran.empty()) json["run"] = full.ran;
    std::cout << jsonText(json) << '\n';
}

// Separators of the format stand in no text.
std::string inOneCell(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return text;
}

void printAnki(const std::vector<const Card*>& chosen, const CardsRequest& request) {
    std::cout << "#separator:tab\n#html:false\n#deck:Bubblescope\n#tags column:4\n";
    for (const Card* card : chosen) {
        const FilledCard full = filled(*card, request.subject, request.language);
        std::string tags;
        for (const std::string& tag : card->tags) tags += (tags.empty() ? "" : " ") + tag;
        std::cout << inOneCell(full.question) << '\t' << inOneCell(full.answer) << '\t'
                  << inOneCell(full.numbers) << '\t' << tags << '\t' << inOneCell(full.trap) << '\n';
    }
}

}  // namespace

int cardsCommand(const Arguments& arguments) {
    CommandLine line("cards",
                     "Prints interview questions with answers, the numbers of a configuration, and the "
                     "trap of each. Nothing runs: F = I = W, a free link.",
                     "bscope cards Q02 -p 8 -m 32\nbscope cards --format tsv --lang zh > cards.txt");
    std::vector<std::string> ids;
    std::string format = "text", from;
    bool json = false;
    line.arguments("ID", "cards, such as Q02 (all)", ids);
    line.option("--format", "text|tsv", "text, or a table that Anki imports (text)",
                [&format](const std::string& text) -> std::optional<std::string> {
                    format = text;
                    return text == "text" || text == "tsv" ? std::nullopt
                                                           : std::optional<std::string>("text or tsv");
                });
    line.text("--from", "RUN.bscope", "the configuration of this recording, and what it gave", from);
    line.flag("--json", "one JSON object per card", json);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    CardsRequest request{{.config = config_options.resolve()}, line.language()};
    const std::vector<const Card*> chosen = cardsNamed(line, ids);
    if (json && format == "tsv") line.refuse(sentence("choose one of --json and --format tsv"));
    if (!from.empty() && config_options.anyGiven())
        line.refuse(sentence("with --from the configuration is the recording's"));
    line.check();
    if (!from.empty()) {
        const AnalysedRun run = readAnalysedRun(from, std::nullopt, request.language);
        request.subject.config = run.start.config;
        request.subject.knows_model = run.knowsModel();
        request.subject.ran =
            LessonRun{run.start.config, run.report, std::make_shared<const Timeline>(run.timeline)};
    }
    if (format == "tsv") {
        printAnki(chosen, request);
        return 0;
    }
    for (const Card* card : chosen) json ? printCardJson(*card, request) : printCard(*card, request);
    return 0;
}

}  // namespace bscope::cli
