// What a page says of a box, a message or a gap that is pointed at, as data: sentences with their arguments.
// The names are those of the picture: micro-batches count from 1, chunks have letters. Values; any thread.
#pragma once

#include <string>

#include "page/page_words.h"
#include "view/prepared_view.h"

namespace bscope::page {

// Of a micro-batch's life: the same number for all that belongs to it; -1: nothing does.
int lifeOf(const PreparedView& view, int stage, int microbatch);
// The number of a micro-batch as its box shows it.
std::string boxNumber(const PreparedView& view, int microbatch, int segment = -1);
// "F3", "F3a"; "optimizer step" has no such name: "".
std::string boxName(const PreparedView& view, const Action& action);

class BoxCards {
public:
    BoxCards(const PreparedView& view, Templates& words);

    // [life, name, operation, line, ...]
    nlohmann::json box(const Event& event);
    nlohmann::json message(const Event& receive);
    // [length, cause, line, ...]; place: of the gap among all by length, from 1.
    nlohmann::json gap(const Gap& gap, std::size_t place);

private:
    std::string since(std::int64_t time_ns) const;
    void addWait(nlohmann::json& card, const Event& event);

    const PreparedView& view_;
    Templates& words_;
    IterationEvents events_;
};

// With names as above.
Sentence gapWords(const PreparedView& view, const Gap& gap);

}  // namespace bscope::page
