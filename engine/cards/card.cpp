#include "cards/card.h"

#include <stdexcept>

#include "cards/json_fields.h"

namespace bscope {

namespace builtin {
extern const std::string_view card_texts;
}

namespace {

using Json = nlohmann::json;
using Fields = JsonFields;

CardRun readRun(const Json& json, const std::string& card) {
    Fields fields(json, "cards: " + card + ".runs");
    CardRun run;
    run.name = fields.text(fields.get("name"), "name");
    run.schedule = fields.text(fields.get("schedule"), "schedule");
    run.p = fields.textOr("p");
    run.v = fields.textOr("v");
    run.m = fields.textOr("m");
    run.recomputes = fields.find("recomputes") != nullptr;
    fields.done();
    return run;
}

CardShow readShow(const Json& json, const std::string& card) {
    Fields fields(json, "cards: " + card + ".show");
    CardShow show{fields.textOr("schedule"), fields.textOr("light"),
                  fields.text(fields.get("lesson"), "lesson")};
    fields.done();
    return show;
}

Card readCard(const Json& json) {
    Fields fields(json, "cards: a card");
    Card card;
    card.id = fields.text(fields.get("id"), "id");
    fields.rename("cards: " + card.id);
    card.question = fields.both(fields.get("question"), "question");
    card.answer = fields.both(fields.get("answer"), "answer");
    card.numbers = fields.both(fields.get("numbers"), "numbers");
    card.trap = fields.both(fields.get("trap"), "trap");
    if (const Json* ran = fields.find("ran")) card.ran = fields.both(*ran, "ran");
    if (const Json* runs = fields.find("runs"))
        for (const Json& run : *runs) card.runs.push_back(readRun(run, card.id));
    card.claims = fields.texts("claims");
    card.show = readShow(fields.get("show"), card.id);
    card.stack = fields.textOr("stack");
    card.tags = fields.texts("tags");
    fields.done();
    return card;
}

}  // namespace

std::vector<Card> readCards(std::string_view json) {
    const Json all = Json::parse(json, nullptr, false);
    if (!all.is_array()) throw std::invalid_argument("cards: no array of cards");
    std::vector<Card> read;
    for (const Json& each : all) read.push_back(readCard(each));
    return read;
}

std::span<const Card> cards() {
    static const std::vector<Card> kCards = readCards(builtin::card_texts);
    return kCards;
}

}  // namespace bscope
