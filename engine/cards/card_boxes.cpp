#include "cards/card_boxes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "files/whole_file.h"

namespace bscope {

namespace {

constexpr int kComesAgainAfter = 5;
constexpr std::uint64_t kMaxBytes = 1u << 20;

bool isDue(int box, int session) {
    return session % (1 << (box - 1)) == 0;
}

}  // namespace

int CardBoxes::of(const std::string& card) const {
    const auto found = box.find(card);
    return found == box.end() ? 1 : found->second;
}

CardBoxes readCardBoxes(const std::filesystem::path& file) {
    std::error_code none;
    if (!std::filesystem::exists(file, none)) return {};
    const auto refuse = [&](const Sentence& why) -> SentenceError<> {
        return SentenceError<>(sentence("{0}: {1}", file.string(), why));
    };
    nlohmann::json json;
    try {
        json = parsedJson<nlohmann::json>(readUserFile(file, kMaxBytes));
    } catch (const SentenceError<>& error) {  // FileError, JsonTooDeep
        throw refuse(error.said);
    }
    const auto isCount = [](const nlohmann::json& value, int least, int most) {
        return value.is_number_integer() && value.get<std::int64_t>() >= least &&
               value.get<std::int64_t>() <= most;
    };
    const Sentence broken = sentence("it does not say which cards are in which box");
    if (!json.is_object() || !json.contains("session") || !json.contains("boxes") ||
        !isCount(json["session"], 0, 1'000'000'000) || !json["boxes"].is_object())
        throw refuse(broken);
    CardBoxes boxes;
    boxes.session = json["session"].get<int>();
    for (const auto& [card, box] : json["boxes"].items()) {
        if (!isCount(box, 1, kCardBoxes)) throw refuse(broken);
        boxes.box[card] = box.get<int>();
    }
    return boxes;
}

void writeCardBoxes(const std::filesystem::path& file, const CardBoxes& boxes) {
    try {
        if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
        writeWholeFile(file, [&](std::ostream& out) {
            out << nlohmann::json{{"session", boxes.session}, {"boxes", boxes.box}}.dump(2) << '\n';
        });
    } catch (const std::exception& error) {
        throw SentenceError<>(sentence("{0}: {1}", file.string(), sentenceOf(error)));
    }
}

std::filesystem::path setAside(const std::filesystem::path& file) {
    std::filesystem::path aside = file;
    aside += ".unreadable";
    std::error_code error;
    std::filesystem::rename(file, aside, error);
    if (error) throw SentenceError<>(sentence("{0}: {1}", file.string(), error.message()));
    return aside;
}

CardDeck::CardDeck(std::span<const Card> cards, CardBoxes boxes, bool all)
    : cards_(cards), boxes_(std::move(boxes)) {
    ++boxes_.session;
    for (const bool any : {all, true}) {
        for (int box = 1; box <= kCardBoxes; ++box)
            for (std::size_t i = 0; i < cards_.size(); ++i)
                if (boxes_.of(cards_[i].id) == box && (any || isDue(box, boxes_.session)))
                    queue_.push_back(i);
        if (!queue_.empty()) break;
    }
}

bool CardDeck::ask(const std::string& id) {
    const auto card = std::ranges::find(cards_, id, &Card::id);
    if (card == cards_.end()) return false;
    const auto index = static_cast<std::size_t>(card - cards_.begin());
    std::erase(queue_, index);
    queue_.push_front(index);
    return true;
}

void CardDeck::answer(bool knew) {
    const std::size_t card = queue_.front();
    queue_.pop_front();
    int& box = boxes_.box.try_emplace(cards_[card].id, 1).first->second;
    if (!knew) {
        box = 1;
        missed_.insert(card);
        const auto place = std::min<std::size_t>(kComesAgainAfter, queue_.size());
        queue_.insert(queue_.begin() + static_cast<std::ptrdiff_t>(place), card);
    } else if (!missed_.contains(card)) {
        box = std::min(kCardBoxes, box + 1);
        ++known_;
    }
}

}  // namespace bscope
