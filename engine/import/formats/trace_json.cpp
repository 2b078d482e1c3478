#include "import/formats/trace_json.h"

#include <simdjson.h>

#include <array>

#include "files/shallow_json.h"
#include "import/trace/import_error.h"

namespace bscope {
namespace {

// An event or a value beyond this is none that a profiler writes.
constexpr std::size_t kMostHeld = 64u << 20;

bool isSpace(char letter) {
    return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
}

}  // namespace

void TraceJson::hold(std::string_view more) {
    held_.append(more);
    if (held_.size() > kMostHeld)
        throw ImportError(
            ofFile(file_, sentence("one of its values is larger than any that a profiler writes")));
}

void TraceJson::report(std::string_view event) {
    requireShallow();
    event_(event);
    place_ = Place::Events;
}

void TraceJson::requireShallow() const {
    if (nesting_.deepest > kMostJsonLevels) throw ImportError(ofFile(file_, JsonTooDeep().said));
}

void TraceJson::finishEvent() {
    held_.reserve(held_.size() + simdjson::SIMDJSON_PADDING);
    report(held_);
    held_.clear();
}

void TraceJson::finishValue() {
    requireShallow();
    held_.reserve(held_.size() + simdjson::SIMDJSON_PADDING);
    value_(key_, held_);
    held_.clear();
    place_ = Place::TopLevel;
}

void TraceJson::begin(char letter) {
    bare_ = letter == '[';
    place_ = bare_ ? Place::Events : Place::TopLevel;
}

void TraceJson::take(char letter) {
    switch (place_) {
        case Place::Start:
            if (isSpace(letter)) return;
            if (letter == '[' || letter == '{') {
                begin(letter);
            } else {
                throw ImportError(ofFile(file_, sentence("it is no JSON object or array")));
            }
            return;
        case Place::TopLevel:
            if (letter == '"') {
                key_.clear();
                place_ = Place::Key;
            } else if (letter == '}') {
                place_ = Place::Done;
            }
            return;
        case Place::Key:
            if (letter == '"')
                place_ = Place::BeforeValue;
            else if (key_.size() < 4096)
                key_ += letter;
            return;
        case Place::BeforeValue:
            if (isSpace(letter) || letter == ':') return;
            if (letter == '[' && key_ == "traceEvents") {
                place_ = Place::Events;
                return;
            }
            place_ = Place::Value;
            nesting_ = {};
            break;
        case Place::Events:
            if (letter == ']') place_ = bare_ ? Place::Done : Place::TopLevel;
            return;
        case Place::Done:
            if (letter == '[' || letter == '{') {
                another_();
                begin(letter);
            }
            return;
        case Place::Event:  // takeEvent()
            return;
        case Place::Value:
            break;
    }
    if (nesting_.outside() && (letter == ',' || letter == '}')) {
        finishValue();
        if (letter == '}') place_ = Place::Done;
        return;
    }
    hold({&letter, 1});
    nesting_.closes(letter);
}

// The rest of an event that has begun, as far as it lies in the piece; nearly all of a file goes through
// here. Gives where to go on.
std::size_t TraceJson::takeEvent(std::string_view piece, std::size_t from) {
    std::size_t at = from;
    for (; at < piece.size(); ++at) {
        if (nesting_.closes(piece[at])) {
            ++at;
            if (held_.empty()) {  // whole, and the next pieces are behind it
                report(piece.substr(from, at - from));
            } else {
                hold(piece.substr(from, at - from));
                finishEvent();
            }
            return at;
        }
    }
    hold(piece.substr(from, at - from));
    return at;
}

bool TraceJson::read(FileText& text, const std::function<void()>& progress) {
    file_ = text.path();
    constexpr std::size_t kPiece = 1 << 16;
    std::string piece(kPiece + simdjson::SIMDJSON_PADDING, '\0');
    while (const std::size_t count = text.read(std::span(piece).first(kPiece))) {
        const std::string_view now(piece.data(), count);
        for (std::size_t at = 0; at < count;) {
            if (place_ == Place::Events && now[at] == '{') {
                place_ = Place::Event;
                nesting_ = {};
            }
            if (place_ == Place::Event)
                at = takeEvent(now, at);
            else
                take(now[at++]);
        }
        if (progress) progress();
    }
    if (place_ == Place::Start) throw ImportError(ofFile(file_, sentence("it is empty")));
    return place_ == Place::Done;
}

}  // namespace bscope
