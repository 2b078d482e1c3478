// Dumps of py-spy, as `bscope hang` reads them: text or JSON of anybody. Whatever the bytes are, they are
// refused with a sentence, or the stack has a rank of its file's name and frames that can be shown, and says
// where a rank without a flight recorder's dump stands.
#include "hang/hang_report.h"
#include "support/byte_mutator.h"
#include "support/target.h"
#include "words/catalog.h"

namespace bscope::fuzz {

namespace {

void run(std::string_view input) {
    (void)looksLikeStacks(input);
    StackDump stack;
    try {
        stack = readStacks(std::string(input), "pyspy_rank_3.txt");
    } catch (const std::runtime_error& error) {
        require(*error.what() != '\0', "a refusal says nothing");
        return;
    }
    require(stack.rank == 3, "a stack of another rank");
    require(stackText(stack.frames).size() < 4096, "a stack that no line can show");
    HangReport report;
    addStacks(report, {stack, stack});
    require(stack.frames.empty() || !report.notes.empty(), "two stacks of one rank, and no word of it");
    for (const HangRank& each : report.ranks)
        for (const Language language : {Language::English, Language::Chinese})
            require(!say(each.text(), language).empty(), "a sentence says nothing");
}

}  // namespace

const Target& target() {
    static const Target stacks{"stacks", run};
    return stacks;
}

}  // namespace bscope::fuzz
