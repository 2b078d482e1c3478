// A Chrome trace ({"traceEvents": [...], ...} or just [...]) taken apart while it is read: every event as the
// text of one JSON object, every other top-level value as text. Memory is that of the largest event.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "import/file_text.h"

namespace bscope {

class TraceJson {
public:
    // Both views are valid during the call, with simdjson's padding behind them.
    using TakeEvent = std::function<void(std::string_view object)>;
    using TakeValue = std::function<void(std::string_view key, std::string_view value)>;

    TraceJson(TakeEvent event, TakeValue value) : event_(std::move(event)), value_(std::move(value)) {}

    // Throws ImportError: no trace. A file that ends too early gives what is whole; then the result is false.
    bool read(FileText& text, const std::function<void()>& progress = {});

private:
    enum class Place : unsigned char { Start, TopLevel, Key, BeforeValue, Value, Events, Event, Done };
    void take(char letter);
    std::size_t takeEvent(std::string_view piece, std::size_t from);
    void finishEvent();
    void finishValue();

    TakeEvent event_;
    TakeValue value_;
    Place place_ = Place::Start;
    bool bare_ = false;  // the file is the array of events
    bool in_string_ = false, escaped_ = false;
    int depth_ = 0;  // of brackets within the value or event
    std::string key_, held_;
};

}  // namespace bscope
