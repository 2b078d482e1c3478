#include "lessons/written_numbers.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace bscope {

namespace {

constexpr std::string_view kOpen = "“", kClose = "”";

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Whether what stands before says that the number is a name: of a rank, of a lesson, of a parameter's value.
bool isNamed(std::string_view before) {
    static constexpr std::array<std::string_view, 6> kWords{"rank ",   "Rank ",    "ranks ",
                                                            "lesson ", "lessons ", "第 "};
    if (std::ranges::any_of(kWords, [&](std::string_view word) { return before.ends_with(word); }))
        return true;
    return before.ends_with(" = ") && before.size() > 3 && isLetter(before[before.size() - 4]);
}

bool isYear(std::string_view number) {
    return number.size() == 4 && (number.starts_with("19") || number.starts_with("20"));
}

// Calls found(number, what stands before it); placeholders, quotations and words such as 1F1B hold none.
template <class Found>
void eachNumber(std::string_view text, const Found& found) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = text[i] == '{'                      ? text.find('}', i)
                                : text.substr(i).starts_with(kOpen) ? text.find(kClose, i)
                                                                    : i;
        if (end != i) {
            i = end == std::string_view::npos ? text.size() : end + 1;
            continue;
        }
        const std::size_t first = i++;
        if (!isDigit(text[first])) {
            while (isLetter(text[first]) && i < text.size() && (isLetter(text[i]) || isDigit(text[i]))) ++i;
            continue;
        }
        while (i < text.size() && isDigit(text[i])) ++i;
        if (i + 1 < text.size() && text[i] == '.' && isDigit(text[i + 1]))
            for (++i; i < text.size() && isDigit(text[i]);) ++i;
        const std::string_view number = text.substr(first, i - first);
        const bool is_word = i < text.size() && isLetter(text[i]);
        while (is_word && i < text.size() && (isLetter(text[i]) || isDigit(text[i]))) ++i;
        if (!is_word) found(number, text.substr(0, first));
    }
}

using Numbers = std::set<std::string, std::less<>>;

void collect(std::string_view text, Numbers& numbers) {
    eachNumber(text, [&](std::string_view number, std::string_view) { numbers.emplace(number); });
}

class Check {
public:
    explicit Check(const wire::Lesson& lesson) : lesson_(lesson) {
        for (const wire::Text* text : {&lesson.story(), &lesson.look(), &lesson.question()}) allow(*text);
        for (const wire::Choice& choice : lesson.choices()) allow(choice.text());
        allow(lesson.runs());
        for (const wire::LessonTry& set : lesson.tries()) allow(set.runs());
        allow(lesson.tune());
    }

    std::vector<Sentence> found() {
        see("reveal", lesson_.reveal());
        see("follow_up", lesson_.follow_up());
        see("interview", lesson_.interview());
        for (const wire::Choice& choice : lesson_.choices()) see("why", choice.why());
        see(lesson_.runs());
        for (const wire::LessonTry& set : lesson_.tries()) {
            see("title", set.title());
            see("after", set.after());
            see(set.runs());
        }
        return std::move(found_);
    }

private:
    using Runs = google::protobuf::RepeatedPtrField<wire::LessonRun>;

    void allow(const wire::Text& text) {
        collect(text.en(), allowed_);
        collect(text.zh(), allowed_);
    }
    void allow(const Runs& runs) {
        for (const wire::LessonRun& run : runs) allow(run.config());
    }
    void allow(const google::protobuf::Message& message) {
        std::string text = message.ShortDebugString();
        std::ranges::replace(text, '{', ' ');  // of a part, not of a placeholder
        collect(text, allowed_);
    }
    void see(const Runs& runs) {
        for (const wire::LessonRun& run : runs) see("title", run.title());
    }
    void see(const char* field, const wire::Text& text) {
        for (const std::string* words : {&text.en(), &text.zh()})
            eachNumber(*words, [&](std::string_view number, std::string_view before) {
                if (allowed_.contains(number) || isYear(number) || isNamed(before)) return;
                found_.push_back(
                    sentence("{0}: {1} is written by hand; a number of a run is {2}, one of a formula {3}",
                             field, std::string(number), "{A.bubble}", "{=100*(A.p-1)/A.m|1}"));
            });
    }

    const wire::Lesson& lesson_;
    Numbers allowed_{"0", "1", "2"};
    std::vector<Sentence> found_;
};

}  // namespace

std::vector<Sentence> writtenNumbers(const wire::Lesson& lesson) {
    return Check(lesson).found();
}

}  // namespace bscope
