#include "hang/dump_tree.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "words/sentence_error.h"

namespace bscope {

namespace {

const DumpTree::Node kNothing;

// Events of the parser into a tree.
class TreeOfJson : public nlohmann::json::json_sax_t {
public:
    DumpTree take() { return std::move(tree_); }

    bool null() override { return add({}); }
    bool boolean(bool value) override {
        return add({.kind = DumpTree::Kind::Bool, .integer = value ? 1 : 0});
    }
    bool number_integer(number_integer_t value) override {
        return add({.kind = DumpTree::Kind::Integer, .integer = value});
    }
    bool number_unsigned(number_unsigned_t value) override {
        return add({.kind = DumpTree::Kind::Integer, .integer = static_cast<std::int64_t>(value)});
    }
    bool number_float(number_float_t value, const string_t&) override {
        return add({.kind = DumpTree::Kind::Float, .number = value});
    }
    bool string(string_t& value) override { return addText(value); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(DumpTree::Kind::Dict); }
    bool key(string_t& value) override { return addText(value); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(DumpTree::Kind::List); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        throw SentenceError<>(sentence("its JSON is broken at byte {0}", position));
    }

private:
    bool addText(std::string& value) {
        tree_.texts.push_back(std::move(value));
        return add({.kind = DumpTree::Kind::Text, .text = tree_.texts.back()});
    }
    bool add(DumpTree::Node node) {
        if (tree_.nodes.size() >= kMostDumpValues)
            throw SentenceError<>(sentence("it holds more than {0} values", kMostDumpValues));
        const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes.push_back(std::move(node));
        if (!open_.empty()) tree_.nodes[open_.back()].items.push_back(index);
        return true;
    }
    bool open(DumpTree::Kind kind) {
        if (open_.size() >= kDeepestDump)
            throw SentenceError<>(sentence("its values are nested more than {0} deep", kDeepestDump));
        add({.kind = kind});
        open_.push_back(static_cast<std::uint32_t>(tree_.nodes.size() - 1));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    DumpTree tree_;
    std::vector<std::uint32_t> open_;
};

}  // namespace

const DumpTree::Node& DumpValue::node() const {
    return index_ ? tree_->nodes[*index_] : kNothing;
}

DumpValue DumpValue::find(std::string_view name) const {
    const std::vector<std::uint32_t>& items = node().items;
    if (isDict())
        for (std::size_t i = items.size(); i >= 2; i -= 2) {
            const DumpTree::Node& key = tree_->nodes[items[i - 2]];
            if (key.kind == DumpTree::Kind::Text && key.text == name) return {*tree_, items[i - 1]};
        }
    return {*tree_, std::nullopt};
}

std::int64_t DumpValue::integer(std::int64_t otherwise) const {
    const DumpTree::Node& own = node();
    if (own.kind == DumpTree::Kind::Integer || own.kind == DumpTree::Kind::Bool) return own.integer;
    if (own.kind != DumpTree::Kind::Text) return otherwise;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(own.text.data(), own.text.data() + own.text.size(), value);
    return error == std::errc() && end == own.text.data() + own.text.size() ? value : otherwise;
}

DumpTree readDumpJson(std::string_view text) {
    TreeOfJson tree;
    nlohmann::json::sax_parse(text, &tree);
    return tree.take();
}

DumpTree readDumpTree(std::string bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) throw SentenceError<>(sentence("it is empty"));
    if (bytes[first] == '{' || bytes[first] == '[') return readDumpJson(bytes);
    return readPickle(std::move(bytes));
}

}  // namespace bscope
