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
    Fields named(json, "cards: " + card.id);
    named.find("id");
    card.question = named.both(named.get("question"), "question");
    card.answer = named.both(named.get("answer"), "answer");
    card.numbers = named.both(named.get("numbers"), "numbers");
    card.trap = named.both(named.get("trap"), "trap");
    if (const Json* ran = named.find("ran")) card.ran = named.both(*ran, "ran");
    if (const Json* runs = named.find("runs"))
        for (const Json& run : *runs) card.runs.push_back(readRun(run, card.id));
    card.claims = named.texts("claims");
    card.show = readShow(named.get("show"), card.id);
    card.stack = named.textOr("stack");
    card.tags = named.texts("tags");
    named.done();
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
