// LinePrinter: sentences as lines of a stream, in one language.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <utility>

#include "words/catalog.h"
#include "words/sentence.h"

namespace bscope::cli {

class LinePrinter {
public:
    LinePrinter(std::ostream& out, Language language) : out_(out), language_(language) {}

    std::string words(const Sentence& said) const { return say(said, language_); }
    template <class... Arguments>
    std::string words(const char* id, Arguments&&... arguments) const {
        return words(sentence(id, std::forward<Arguments>(arguments)...));
    }
    template <class... Arguments>
    void line(const char* id, Arguments&&... arguments) const {
        out_ << words(id, std::forward<Arguments>(arguments)...) << '\n';
    }
    void lines(std::span<const Sentence> all) const {
        for (const Sentence& each : all) out_ << words(each) << '\n';
    }
    std::ostream& out() const { return out_; }
    Language language() const { return language_; }

private:
    std::ostream& out_;
    Language language_;
};

}  // namespace bscope::cli
