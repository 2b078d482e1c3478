#include "schedule/playback.h"

#include <stdexcept>
#include <string>

#include "host/large_pages.h"
#include "words/sentence_error.h"

namespace bscope {

Playback::Playback(const Schedule& schedule)
    : placement_(schedule.placement),
      previous_(schedule.placement.size(), -1),
      next_(schedule.placement.size(), -1),
      other_end_(schedule.placement.size(), -1),
      links_(schedule.links),
      params_(schedule.params),
      pieces_(at(schedule.piecesPerChain())) {
    for (const std::vector<int>& chain : schedule.chains) {
        for (std::size_t i = 1; i < chain.size(); ++i) {
            previous_.at(at(chain[i])) = chain[i - 1];
            next_.at(at(chain[i - 1])) = chain[i];
        }
        if (chain.empty()) continue;
        other_end_.at(at(chain.front())) = chain.back();
        other_end_.at(at(chain.back())) = chain.front();
    }
    for (std::size_t rank = 0; rank < schedule.orders.size(); ++rank) {
        for (const Action& action : schedule.orders[rank]) {
            const bool stage_exists = action.stage >= 0 && at(action.stage) < placement_.size();
            const bool microbatch_exists =
                action.microbatch >= 0 && params_.hasSegment(action) && at(params_.pieceOf(action)) < pieces_;
            if (!stage_exists || !microbatch_exists || placement_[at(action.stage)] != static_cast<int>(rank))
                throw SentenceError<std::invalid_argument>(sentence(
                    "{0}: rank {1} cannot run {2}: no such stage on this rank, or no such micro-batch",
                    schedule.name, rank, toText(action)));
        }
    }
    clear(forward_end_);
    clear(backward_end_);
}

void Playback::clear(std::vector<std::int64_t>& ends) const {
    const std::size_t count = placement_.size() * pieces_;
    reserveLarge(ends, count);
    ends.assign(count, kNotYet);
}

}  // namespace bscope
