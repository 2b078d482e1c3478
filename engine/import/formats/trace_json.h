// A Chrome trace ({"traceEvents": [...], ...} or just [...]) taken apart while it is read: every event as the
// text of one JSON object, every other top-level value as text. Memory is that of the largest event. A file may
// hold several documents, one behind the other, as what is appended to makes it.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "import/formats/file_text.h"

namespace bscope {

class TraceJson {
public:
    // Both views are valid during the call, with simdjson's padding behind them.
    using TakeEvent = std::function<void(std::string_view object)>;
    using TakeValue = std::function<void(std::string_view key, std::string_view value)>;
    using BeginDocument = std::function<void()>;

    // What follows `another` is of the next document.
    TraceJson(TakeEvent event, TakeValue value, BeginDocument another)
        : event_(std::move(event)), value_(std::move(value)), another_(std::move(another)) {}

    // Throws ImportError: no trace, or one that is nested too deep. A file that ends too early gives what is
    // whole; then the result is false. Every document but the last one is whole.
    bool read(FileText& text, const std::function<void()>& progress = {});

private:
    enum class Place : unsigned char { Start, TopLevel, Key, BeforeValue, Value, Events, Event, Done };
    // Where in strings and brackets a value or an event is.
    struct Nesting {
        bool in_string = false, escaped = false;
        int depth = 0, deepest = 0;
        bool outside() const { return depth == 0 && !in_string; }
        // Takes the next letter; whether it closes the outermost bracket.
        bool closes(char letter) {
            if (in_string) {
                if (escaped)
                    escaped = false;
                else if (letter == '\\')
                    escaped = true;
                else if (letter == '"')
                    in_string = false;
            } else if (letter == '"') {
                in_string = true;
            } else if (letter == '{' || letter == '[') {
                deepest = std::max(deepest, ++depth);
            } else if (letter == '}' || letter == ']') {
                return --depth == 0;
            }
            return false;
        }
    };
    void begin(char letter);
    void take(char letter);
    void hold(std::string_view more);
    std::size_t takeEvent(std::string_view piece, std::size_t from);
    void requireShallow() const;
    void report(std::string_view event);
    void finishEvent();
    void finishValue();

    TakeEvent event_;
    TakeValue value_;
    BeginDocument another_;
    Place place_ = Place::Start;
    bool bare_ = false;  // the file is the array of events
    Nesting nesting_;
    std::filesystem::path file_;
    std::string key_, held_;
};

}  // namespace bscope
