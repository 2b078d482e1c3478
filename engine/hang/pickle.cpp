// readPickle: a machine for the part of the pickle language that makes plain values. It has a stack, marks
// and a memo, and no way to name a function; every size is checked against what is left of the file.
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "hang/dump_tree.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

using Kind = DumpTree::Kind;

// What a pickle may say that makes or calls something, by its code.
const char* refusedName(unsigned char code) {
    switch (code) {
        case 'c':
            return "GLOBAL";
        case 'R':
            return "REDUCE";
        case 'b':
            return "BUILD";
        case 'i':
            return "INST";
        case 'o':
            return "OBJ";
        case 'P':
            return "PERSID";
        case 'Q':
            return "BINPERSID";
        case 0x81:
            return "NEWOBJ";
        case 0x82:
            return "EXT1";
        case 0x83:
            return "EXT2";
        case 0x84:
            return "EXT4";
        case 0x8f:
            return "EMPTY_SET";
        case 0x90:
            return "ADDITEMS";
        case 0x91:
            return "FROZENSET";
        case 0x92:
            return "NEWOBJ_EX";
        case 0x93:
            return "STACK_GLOBAL";
        case 0x96:
            return "BYTEARRAY8";
        case 0x97:
            return "NEXT_BUFFER";
        case 0x98:
            return "READONLY_BUFFER";
        default:
            return nullptr;
    }
}

class PickleMachine {
public:
    explicit PickleMachine(std::string bytes) {
        tree_.texts.push_back(std::move(bytes));
        bytes_ = tree_.texts.back();
        tree_.nodes.push_back({});  // None
        for (int i = 0; i < kSmall; ++i) tree_.nodes.push_back({.kind = Kind::Integer, .integer = i});
        tree_.nodes.push_back({.kind = Kind::Bool, .integer = 0});
        tree_.nodes.push_back({.kind = Kind::Bool, .integer = 1});
    }

    DumpTree run() {
        if (bytes_.size() < 2 || static_cast<unsigned char>(bytes_[0]) != 0x80)
            throw SentenceError<>(sentence("it is neither a pickle of protocol 2 to 5 nor JSON"));
        while (step(byte())) {
        }
        if (stack_.size() != 1 || !marks_.empty()) broken();
        tree_.root = stack_.back();
        return std::move(tree_);
    }

private:
    static constexpr int kSmall = 256;
    static constexpr std::uint32_t kFalse = kSmall + 1, kTrue = kSmall + 2;

    [[noreturn]] void broken() const {
        throw SentenceError<>(sentence("the pickle is broken at byte {0}", begin_));
    }
    std::string_view take(std::uint64_t size) {
        if (size > bytes_.size() - at_)
            throw SentenceError<>(sentence("the pickle ends in the middle of a value"));
        const std::string_view taken = bytes_.substr(at_, size);
        at_ += size;
        return taken;
    }
    unsigned char byte() {
        begin_ = at_;
        return static_cast<unsigned char>(take(1).front());
    }
    std::uint64_t number(std::size_t size) {
        std::uint64_t value = 0;
        const std::string_view bytes = take(size);
        for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
        return value;
    }
    // Two's complement, little-endian. What no 64 bits hold is clamped: nothing that is read is as large.
    std::int64_t longNumber(std::uint64_t size) {
        const std::string_view bytes = take(size);
        if (bytes.empty()) return 0;
        const bool negative = static_cast<unsigned char>(bytes.back()) >= 0x80;
        std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
        for (std::size_t i = bytes.size(); i-- > 0;) {
            const auto each = static_cast<unsigned char>(bytes[i]);
            if (i < 8)
                value = value << 8 | each;
            else if (each != (negative ? 0xff : 0))
                return negative ? std::numeric_limits<std::int64_t>::min()
                                : std::numeric_limits<std::int64_t>::max();
        }
        const auto result = std::bit_cast<std::int64_t>(value);
        if ((result < 0) != negative)
            return negative ? std::numeric_limits<std::int64_t>::min()
                            : std::numeric_limits<std::int64_t>::max();
        return result;
    }

    std::uint32_t add(DumpTree::Node node) {
        if (tree_.nodes.size() >= kMostDumpValues)
            throw SentenceError<>(sentence("it holds more than {0} values", kMostDumpValues));
        tree_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
    }
    bool push(std::uint32_t value) {
        stack_.push_back(value);
        return true;
    }
    bool pushInteger(std::int64_t value) {
        if (value >= 0 && value < kSmall) return push(static_cast<std::uint32_t>(value + 1));
        return push(add({.kind = Kind::Integer, .integer = value}));
    }
    bool pushText(std::uint64_t size) {
        const std::string_view text = take(size);
        return push(add({.kind = Kind::Text, .text = text}));
    }
    bool pushFloat() {
        std::uint64_t bits = 0;  // big-endian
        for (const char each : take(8)) bits = bits << 8 | static_cast<unsigned char>(each);
        return push(add({.kind = Kind::Float, .number = std::bit_cast<double>(bits)}));
    }
    bool pushEmpty(Kind kind) { return push(add({.kind = kind})); }

    std::uint32_t pop() {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) broken();
        const std::uint32_t value = stack_.back();
        stack_.pop_back();
        return value;
    }
    bool mark() {
        if (marks_.size() >= kDeepestDump)
            throw SentenceError<>(sentence("its values are nested more than {0} deep", kDeepestDump));
        marks_.push_back(stack_.size());
        return true;
    }
    std::vector<std::uint32_t> popMark() {
        if (marks_.empty()) broken();
        const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<std::uint32_t> values(first, stack_.end());
        stack_.erase(first, stack_.end());
        marks_.pop_back();
        return values;
    }
    bool pushTuple(std::vector<std::uint32_t> items) {
        return push(add({.kind = Kind::List, .items = std::move(items)}));
    }
    bool pushTupleOf(std::size_t count) {
        std::vector<std::uint32_t> items(count);
        for (std::size_t i = count; i-- > 0;) items[i] = pop();
        return pushTuple(std::move(items));
    }
    bool append(Kind kind, const std::vector<std::uint32_t>& values) {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) broken();
        DumpTree::Node& container = tree_.nodes[stack_.back()];
        if (container.kind != kind || (kind == Kind::Dict && values.size() % 2 != 0)) broken();
        container.items.insert(container.items.end(), values.begin(), values.end());
        return true;
    }
    bool appendPair() {
        const std::uint32_t value = pop(), key = pop();
        return append(Kind::Dict, {key, value});
    }
    bool remember(std::uint64_t place) {
        if (stack_.empty()) broken();
        memo_[place] = stack_.back();
        return true;
    }
    bool recall(std::uint64_t place) {
        const auto found = memo_.find(place);
        if (found == memo_.end()) broken();
        return push(found->second);
    }
    bool protocol() {
        const auto version = static_cast<int>(number(1));
        if (version >= 2 && version <= 5) return true;
        throw SentenceError<>(sentence("it is a pickle of protocol {0}; legal: 2 to 5", version));
    }
    [[noreturn]] void refuse(unsigned char code) const {
        const char* name = refusedName(code);
        if (!name) broken();
        std::string shown = name;
        if (code == 'c') {  // module and name, a line each
            const std::string_view rest = bytes_.substr(at_, 200);
            const std::size_t line = rest.find('\n');
            const std::size_t end = line == std::string_view::npos ? line : rest.find('\n', line + 1);
            if (end != std::string_view::npos)
                shown += " " + std::string(rest.substr(0, line)) + "." +
                         std::string(rest.substr(line + 1, end - line - 1));
        }
        throw SentenceError<>(
            sentence("the pickle asks for {0} at byte {1}, which would run code; a flight recorder dump "
                     "holds plain values alone",
                     shown, begin_));
    }

    // False at the end.
    bool step(unsigned char code) {
        switch (code) {
            case '.':
                return false;  // STOP
            case 0x80:
                return protocol();  // PROTO
            case 0x95:
                return number(8) <= bytes_.size() || (broken(), false);  // FRAME
            case '(':
                return mark();  // MARK
            case '0':
                return pop(), true;  // POP
            case '1':
                return popMark(), true;  // POP_MARK
            case 'N':
                return push(0);  // NONE
            case 0x88:
                return push(kTrue);  // NEWTRUE
            case 0x89:
                return push(kFalse);  // NEWFALSE
            case 'K':
                return pushInteger(static_cast<std::int64_t>(number(1)));  // BININT1
            case 'M':
                return pushInteger(static_cast<std::int64_t>(number(2)));  // BININT2
            case 'J':
                return pushInteger(static_cast<std::int32_t>(number(4)));  // BININT
            case 0x8a:
                return pushInteger(longNumber(number(1)));  // LONG1
            case 0x8b:
                return pushInteger(longNumber(number(4)));  // LONG4
            case 'G':
                return pushFloat();  // BINFLOAT
            case 'X':
            case 'T':
            case 'B':
                return pushText(number(4));  // BINUNICODE, BINSTRING, BINBYTES
            case 0x8c:
            case 'U':
            case 'C':
                return pushText(number(1));  // SHORT_BINUNICODE, ...
            case 0x8d:
            case 0x8e:
                return pushText(number(8));  // BINUNICODE8, BINBYTES8
            case '}':
                return pushEmpty(Kind::Dict);  // EMPTY_DICT
            case ']':
            case ')':
                return pushEmpty(Kind::List);  // EMPTY_LIST, EMPTY_TUPLE
            case 't':
                return pushTuple(popMark());  // TUPLE
            case 0x85:
            case 0x86:
            case 0x87:
                return pushTupleOf(code - 0x84u);  // TUPLE1 to TUPLE3
            case 'a': {                            // APPEND
                const std::uint32_t value = pop();
                return append(Kind::List, {value});
            }
            case 'e':
                return append(Kind::List, popMark());  // APPENDS
            case 's':
                return appendPair();  // SETITEM
            case 'u':
                return append(Kind::Dict, popMark());  // SETITEMS
            case 'q':
                return remember(number(1));  // BINPUT
            case 'r':
                return remember(number(4));  // LONG_BINPUT
            case 0x94:
                return remember(memo_.size());  // MEMOIZE
            case 'h':
                return recall(number(1));  // BINGET
            case 'j':
                return recall(number(4));  // LONG_BINGET
            default:
                refuse(code);
        }
    }

    DumpTree tree_;
    std::string_view bytes_;
    std::size_t at_ = 0, begin_ = 0;  // begin_: of the present code
    std::vector<std::uint32_t> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, std::uint32_t> memo_;
};

}  // namespace

DumpTree readPickle(std::string bytes) {
    return PickleMachine(std::move(bytes)).run();
}

}  // namespace bscope
