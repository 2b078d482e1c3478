// EventPairs: beginnings and ends of a Chrome trace made whole events, so that readers see one form. An end
// belongs to the last open beginning of its name on its thread, and without a name to the last open one: pairs
// may overlap without one lying in the other. Arguments of both count. For one thread.
#pragma once

#include <simdjson.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bscope {

class EventPairs {
public:
    // Gets every event that is no beginning and no end as it is, and pairs as whole events.
    explicit EventPairs(std::function<void(std::string_view object)> take) : take_(std::move(take)) {}

    // With simdjson's padding behind it.
    void event(std::string_view object);
    // What is open belongs to a document that has ended.
    void forget() { open_.clear(); }

private:
    struct Open {
        std::string name, object;
    };
    void end(const simdjson::dom::element& event);

    std::function<void(std::string_view object)> take_;
    simdjson::dom::parser parser_, begin_parser_;
    std::map<std::pair<std::string, std::string>, std::vector<Open>> open_;  // by process and thread
};

}  // namespace bscope
