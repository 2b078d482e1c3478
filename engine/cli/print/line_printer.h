// LinePrinter: sentences as lines of a stream, in one language. On a terminal lines that are longer than it
// is wide end between words and go on indented; in a file or a pipe every sentence is one line.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <utility>

#include "words/catalog.h"
#include "words/sentence.h"

namespace bscope::cli {

// Of the terminal that the stream writes to; 0: standard output or error is none, or it is another stream.
std::size_t columnsOfTerminal(const std::ostream& out);

// Lines of up to `columns`, of which the second and later ones are indented by two more than the first; 0 or
// too few: as it is.
std::string folded(const std::string& line, std::size_t columns);

class LinePrinter {
public:
    LinePrinter(std::ostream& out, Language language)
        : out_(out), language_(language), columns_(columnsOfTerminal(out)) {}

    std::string words(const Sentence& said) const { return say(said, language_); }
    template <class... Arguments>
    std::string words(const char* id, Arguments&&... arguments) const {
        return words(sentence(id, std::forward<Arguments>(arguments)...));
    }
    template <class... Arguments>
    void line(const char* id, Arguments&&... arguments) const {
        text(words(id, std::forward<Arguments>(arguments)...));
    }
    void lines(std::span<const Sentence> all) const {
        for (const Sentence& each : all) text(words(each));
    }
    // What is in the language already.
    void text(const std::string& line) const { out_ << folded(line, columns_) << '\n'; }
    std::ostream& out() const { return out_; }
    Language language() const { return language_; }

private:
    std::ostream& out_;
    Language language_;
    std::size_t columns_;
};

}  // namespace bscope::cli
