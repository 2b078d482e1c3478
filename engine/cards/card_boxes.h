// CardBoxes: which cards a person knows, in three boxes. A card that was known goes one box up, one that was
// not goes into the first. The cards of box 1 come in every session, those of box 2 in every second, those of
// box 3 in every fourth. Kept as a file of JSON: {"session": 3, "boxes": {"Q01": 2}}. CardDeck: one session.
// Values; any thread.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cards/card.h"
#include "words/sentence.h"

namespace bscope {

inline constexpr int kCardBoxes = 3;

struct CardBoxes {
    int session = 0;                 // so many were begun
    std::map<std::string, int> box;  // by the card's id, 1 to kCardBoxes; a card that is not here is in 1
    int of(const std::string& card) const;
    bool operator==(const CardBoxes&) const = default;
};

// Nothing is there yet: empty boxes. Throws SentenceError for a file that cannot be read or is none of these.
CardBoxes readCardBoxes(const std::filesystem::path& file);
// Makes the folder where it is missing. Throws SentenceError.
void writeCardBoxes(const std::filesystem::path& file, const CardBoxes& boxes);
// Gives a file that cannot be read another name, FILE.unreadable, so that nothing of it is lost; the name.
// Throws SentenceError when that is not possible.
std::filesystem::path setAside(const std::filesystem::path& file);

class CardDeck {
public:
    // Begins a session. When nothing is due, all cards are; all: whatever is due.
    CardDeck(std::span<const Card> cards, CardBoxes boxes, bool all = false);

    const CardBoxes& boxes() const { return boxes_; }
    bool finished() const { return queue_.empty(); }
    const Card& current() const { return cards_[queue_.front()]; }  // not when finished
    int left() const { return static_cast<int>(queue_.size()); }
    int known() const { return known_; }  // at the first time of asking
    // The card of that id is asked now, due or not; false: there is none.
    bool ask(const std::string& id);
    // One that was not known comes again after five others, and is no more known in this session.
    void answer(bool knew);

private:
    std::span<const Card> cards_;
    CardBoxes boxes_;
    std::deque<std::size_t> queue_;
    std::set<std::size_t> missed_;
    int known_ = 0;
};

}  // namespace bscope
