#include "cards/card.h"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace bscope {

namespace builtin {
extern const std::string_view card_texts;
}

namespace {

using Json = nlohmann::json;

// The fields of one object, each asked for once; what is left over nobody knows.
class Fields {
public:
    Fields(const Json& object, std::string name) : object_(object), name_(std::move(name)) {
        if (!object.is_object()) fail("is no object");
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw std::invalid_argument("cards: " + name_ + " " + what);
    }
    const Json* find(const char* field) {
        known_.insert(field);
        const auto at = object_.find(field);
        return at == object_.end() ? nullptr : &*at;
    }
    const Json& get(const char* field) {
        const Json* value = find(field);
        if (value == nullptr) fail(std::string("lacks ") + field);
        return *value;
    }
    std::string text(const Json& value, const char* field) const {
        if (!value.is_string()) fail(std::string(field) + " is no text");
        return value.get<std::string>();
    }
    std::string textOr(const char* field) {
        const Json* value = find(field);
        return value == nullptr ? std::string() : text(*value, field);
    }
    std::vector<std::string> texts(const char* field) {
        std::vector<std::string> all;
        if (const Json* value = find(field))
            for (const Json& each : *value) all.push_back(text(each, field));
        return all;
    }
    CardText both(const Json& value, const char* field) const {
        Fields inner(value, name_ + "." + field);
        CardText read{inner.text(inner.get("en"), "en"), inner.text(inner.get("zh"), "zh")};
        if (read.en.empty() || read.zh.empty()) inner.fail("is empty in a language");
        inner.done();
        return read;
    }
    void done() const {
        for (const auto& [field, value] : object_.items())
            if (!known_.contains(field)) fail("has an unknown field " + field);
    }

private:
    const Json& object_;
    std::string name_;
    std::set<std::string> known_;
};

CardRun readRun(const Json& json, const std::string& card) {
    Fields fields(json, card + ".runs");
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
    Fields fields(json, card + ".show");
    CardShow show{fields.textOr("schedule"), fields.textOr("light"),
                  fields.text(fields.get("lesson"), "lesson")};
    fields.done();
    return show;
}

Card readCard(const Json& json) {
    Fields fields(json, "a card");
    Card card;
    card.id = fields.text(fields.get("id"), "id");
    Fields named(json, card.id);
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
