// JsonFields: the fields of an object in a resource that travels inside the program; what is missing, of
// another type or unknown is refused by name. Throws std::invalid_argument. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cards/card.h"

namespace bscope {

// The fields of one object, each asked for once; what is left over is unknown.
class JsonFields {
public:
    JsonFields(const nlohmann::json& object, std::string name) : object_(object), name_(std::move(name)) {
        if (!object.is_object()) fail("is no object");
    }
    // From here on it is refused by this name.
    void rename(std::string name) { name_ = std::move(name); }
    [[noreturn]] void fail(const std::string& what) const { throw std::invalid_argument(name_ + " " + what); }
    const nlohmann::json* find(const char* field) {
        known_.insert(field);
        const auto at = object_.find(field);
        return at == object_.end() ? nullptr : &*at;
    }
    const nlohmann::json& get(const char* field) {
        const nlohmann::json* value = find(field);
        if (value == nullptr) fail(std::string("lacks ") + field);
        return *value;
    }
    std::string text(const nlohmann::json& value, const char* field) const {
        if (!value.is_string()) fail(std::string(field) + " is no text");
        return value.get<std::string>();
    }
    std::string textOr(const char* field) {
        const nlohmann::json* value = find(field);
        return value == nullptr ? std::string() : text(*value, field);
    }
    std::vector<std::string> texts(const char* field) {
        std::vector<std::string> all;
        if (const nlohmann::json* value = find(field))
            for (const nlohmann::json& each : *value) all.push_back(text(each, field));
        return all;
    }
    CardText both(const nlohmann::json& value, const char* field) const {
        JsonFields inner(value, name_ + "." + field);
        CardText read{inner.text(inner.get("en"), "en"), inner.text(inner.get("zh"), "zh")};
        if (read.en.empty() || read.zh.empty()) inner.fail("is empty in a language");
        inner.done();
        return read;
    }
    void done() const {
        for (const auto& [field, value] : object_.items())
            if (!known_.contains(field)) fail("has an unknown field " + field);
    }

private:
    const nlohmann::json& object_;
    std::string name_;
    std::set<std::string> known_;
};

}  // namespace bscope
