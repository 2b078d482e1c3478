// Sentence: a sentence of the engine as data: its template and the arguments. It crosses modules, processes
// and the stream like that and is put into words where it is shown (catalog.h).
//
// The id of a sentence is its English text, with {0}, {1}, ... for the arguments, as gettext has it: the
// place that says it can be read, and a reader without its translation still has the English. Values; any
// thread.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace bscope {

struct Argument;

struct Sentence {
    std::string id;
    std::vector<Argument> arguments;
    bool empty() const { return id.empty(); }
};

// A name or a number, the same in every language; or a sentence or a word that is put into words itself.
struct Argument {
    Argument(std::string name) : text(std::move(name)) {}
    Argument(const char* name) : text(name) {}
    Argument(std::integral auto number) : text(std::to_string(number)) {}
    Argument(Sentence its_words) { words.push_back(std::move(its_words)); }

    std::string text;
    std::vector<Sentence> words;  // one or none
};

bool operator==(const Sentence& a, const Sentence& b);
bool operator==(const Argument& a, const Argument& b);

// sentence("rank {0} is slowed down twice", rank)
template <class... Arguments>
Sentence sentence(const char* id, Arguments&&... arguments) {
    Sentence made{id, {}};
    made.arguments.reserve(sizeof...(arguments));
    (made.arguments.push_back(Argument(std::forward<Arguments>(arguments))), ...);
    return made;
}

// Fills {0}, {1}, ... of a template; what has no argument stays.
std::string fillTemplate(const std::string& text, const std::vector<std::string>& arguments);

}  // namespace bscope
