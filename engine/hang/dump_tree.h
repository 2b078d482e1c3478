// DumpTree: plain values that a dump holds (None, bool, integers, floats, text, lists, dicts), read from a
// pickle or from JSON without running anything. Values refer to each other by index, so that a pickle which
// names one value a million times costs one number each time, and a value that contains itself can be read. A
// value for one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct DumpTree {
    enum class Kind : std::uint8_t { None, Bool, Integer, Float, Text, List, Dict };
    struct Node {
        Kind kind = Kind::None;
        std::int64_t integer = 0;               // of Bool and Integer
        double number = 0;                      // of Float
        std::string_view text = {};             // of Text: into `texts`
        std::vector<std::uint32_t> items = {};  // of List, also a tuple; of Dict: key, value, key, value, ...
    };
    std::vector<Node> nodes;
    std::uint32_t root = 0;
    std::deque<std::string> texts;  // a deque: elements stay where they are
};

// One value of a tree, which must outlive it. What is not there is a None.
class DumpValue {
public:
    explicit DumpValue(const DumpTree& tree) : DumpValue(tree, tree.root) {}

    DumpTree::Kind kind() const { return node().kind; }
    bool isNone() const { return kind() == DumpTree::Kind::None; }
    bool isList() const { return kind() == DumpTree::Kind::List; }
    bool isDict() const { return kind() == DumpTree::Kind::Dict; }
    // Of a list its elements, of a dict its pairs.
    std::size_t size() const { return node().items.size() / (isDict() ? 2 : 1); }
    DumpValue operator[](std::size_t index) const { return {*tree_, node().items[index]}; }  // of a list
    DumpValue key(std::size_t index) const { return {*tree_, node().items[2 * index]}; }     // of a dict
    DumpValue value(std::size_t index) const { return {*tree_, node().items[2 * index + 1]}; }
    // The last value under a text as key; a None where there is none, or this is no dict.
    DumpValue find(std::string_view name) const;

    std::string_view text() const { return node().text; }  // "" of anything but a text
    bool truth() const { return node().integer != 0; }
    // Of an integer, or of a text that is one; else `otherwise`.
    std::int64_t integer(std::int64_t otherwise = 0) const;

private:
    DumpValue(const DumpTree& tree, std::optional<std::uint32_t> index) : tree_(&tree), index_(index) {}
    const DumpTree::Node& node() const;

    const DumpTree* tree_;
    std::optional<std::uint32_t> index_;
};

// At most so many bytes and so many values are read of one file, and so many containers inside one another.
inline constexpr std::uint64_t kMostDumpBytes = 64u << 20;
inline constexpr std::size_t kMostDumpValues = 4'000'000;
inline constexpr std::size_t kDeepestDump = 64;

// A pickle of protocol 2 to 5 that holds plain values alone. Nothing is looked up, called or made: what would
// do that (GLOBAL, REDUCE, BUILD, ...) is refused by name. Throws SentenceError that says where and why.
DumpTree readPickle(std::string bytes);

// JSON of the same. Throws SentenceError.
DumpTree readDumpJson(std::string_view text);

// Whichever of the two it is, by its first byte. Throws SentenceError.
DumpTree readDumpTree(std::string bytes);

}  // namespace bscope
