#include "app/lessons/lesson_marks.h"

#include <algorithm>

#include "app/lessons/lesson_book.h"
#include "lessons/lesson_file.h"
#include "widgets/picture/describe.h"
#include "widgets/text/format.h"

namespace bscope::ui {

int LessonMarks::count(const Marks& marks) const {
    return broken_.empty() ? marks.size() : static_cast<int>(broken_.size());
}

void LessonMarks::reset() {
    if (at_ < 0) return;
    at_ = -1;
    words_.clear();
    table_.setMark(std::nullopt, {});
    state_.select(std::nullopt);
    state_.setFilter({});
}

void LessonMarks::next(const Marks& marks, const Picture& shown, Language language) {
    const int all = count(marks);
    if (all == 0) return;
    const int to = (at_ + 1) % all;
    reset();
    at_ = to;
    if (!broken_.empty()) {
        const auto& [place, what] = broken_[static_cast<std::size_t>(at_)];
        words_ = sentenceText(QString::fromStdString(say(what, language)));
        return table_.setMark(place, words_);
    }
    const wire::LessonMark& mark = marks[at_];
    const int run = mark.run().front() - 'A';
    const bool ran = run < static_cast<int>(shown.groups.size()) &&
                     shown.groups[static_cast<std::size_t>(run)].view().summary;
    if (!ran) return;
    words_ = light(mark, shown, run);
    if (const QString own = textOf(mark.words(), language); !own.isEmpty()) words_ = own;
}

void LessonMarks::again(const Marks& marks, const Picture& shown, Language language) {
    if (at_ < 0) return;
    const int before = at_ - 1;
    reset();
    at_ = before;
    next(marks, shown, language);
}

QString LessonMarks::light(const wire::LessonMark& mark, const Picture& shown, int run) {
    const PreparedView& group = shown.groups[static_cast<std::size_t>(run)];
    const IterationView& view = group.view();
    const auto rank = static_cast<std::size_t>(mark.rank());
    if (rank >= view.summary->ranks.size()) return {};
    if (mark.what() == kWholeRank) {
        Filter others;
        for (int each = 0; each < view.ran->ranks(); ++each)
            if (each != mark.rank()) others.hidden_ranks.insert(each);
        state_.setFilter(others);
        return tr("%1 of run %2: bubble %3.")
            .arg(rankText(mark.rank(), view.ranksAreGpus()), QString::fromStdString(mark.run()),
                 shown.notation.bubble(view.summary->ranks[rank].bubble_of_total));
    }
    Hit hit;
    hit.group = run;
    hit.rank = mark.rank();
    if (mark.what() == kLongestGap) {
        const auto& gaps = group.lane(mark.rank()).idle;
        const auto longest = std::ranges::max_element(
            gaps, {}, [](const IdlePeriod& gap) { return gap.end_ns - gap.start_ns; });
        if (longest == gaps.end()) return {};
        hit.part = Hit::Part::Idle;
        hit.idle = *longest;
        state_.selectGap({mark.rank(), view.iteration, longest->start_ns});
    } else {
        const Action action = *parseAction(mark.what());
        const auto events = group.ran(mark.rank());
        const auto box = std::ranges::find_if(events, [&](const Event& event) {
            return event.iteration == view.iteration && event.action() == action;
        });
        if (box == events.end()) return {};
        hit.part = Hit::Part::Box;
        hit.event = *box;
        state_.select(Selection{mark.rank(), action, view.iteration});
    }
    const Description words = describe(shown, hit);
    return words.title + u'\n' + sentencesText(words.lines);
}

}  // namespace bscope::ui
