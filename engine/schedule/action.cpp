#include "schedule/action.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace bscope {

namespace {

// Indexed by Op.
constexpr std::array<std::string_view, kOpCount> kOpTexts = {
    "F", "B", "I", "W", "R", "SEND_F", "RECV_F", "SEND_B", "RECV_B", "OPT", "REDUCE_GRAD", "GATHER_WEIGHTS"};

constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// The number that is the whole of `digits`; nullopt for anything else and on overflow.
std::optional<std::int32_t> parseNumber(std::string_view digits) {
    if (digits.empty() || !isDigit(digits.front())) return std::nullopt;
    std::int32_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || rest != end) return std::nullopt;
    return value;
}

char* putNumber(char* place, char* end, std::int32_t number) {
    return std::to_chars(place, end, number).ptr;
}

char* putMicrobatch(char* place, char* end, std::int32_t microbatch, std::int32_t segment) {
    place = putNumber(place, end, microbatch);
    if (segment < 0) return place;
    *place++ = '.';
    return putNumber(place, end, segment);
}

}  // namespace

std::string_view opText(Op op) {
    return kOpTexts.at(static_cast<std::size_t>(op));
}

std::optional<Op> parseOp(std::string_view text) {
    for (std::size_t i = 0; i < kOpTexts.size(); ++i)
        if (kOpTexts[i] == text) return static_cast<Op>(i);
    return std::nullopt;
}

// Put together in one place: there may be millions of them.
void appendText(std::string& text, const Action& action) {
    std::array<char, 64> cell;  // three numbers and the longest operation
    char* place = cell.data();
    char* const end = place + cell.size();
    if (action.op != Op::OptimizerStep) place = putNumber(place, end, action.stage);
    place = std::ranges::copy(opText(action.op), place).out;
    if (action.op != Op::OptimizerStep && !isOfCopies(action.op))
        place = putMicrobatch(place, end, action.microbatch, action.segment());
    text.append(cell.data(), place);
}

std::string pieceText(std::int32_t microbatch, std::int32_t segment) {
    std::array<char, 32> text;
    return {text.data(), putMicrobatch(text.data(), text.data() + text.size(), microbatch, segment)};
}

std::string toText(const Action& action) {
    std::string text;
    appendText(text, action);
    return text;
}

std::optional<Action> parseAction(std::string_view text) {
    if (text == opText(Op::OptimizerStep)) return Action{-1, Op::OptimizerStep, -1};
    std::int32_t segment = -1;
    if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
        const auto number = parseNumber(text.substr(point + 1));
        if (!number || *number >= kMaxSegments) return std::nullopt;
        segment = *number;
        text = text.substr(0, point);
    }
    std::size_t op_begin = 0;
    while (op_begin < text.size() && isDigit(text[op_begin])) ++op_begin;
    std::size_t op_end = text.size();
    while (op_end > op_begin && isDigit(text[op_end - 1])) --op_end;
    const auto stage = parseNumber(text.substr(0, op_begin));
    const auto op = parseOp(text.substr(op_begin, op_end - op_begin));
    if (stage && op && isOfCopies(*op) && op_end == text.size() && segment < 0)
        return Action{*stage, *op, -1};
    const auto microbatch = parseNumber(text.substr(op_end));
    if (!stage || !op || !microbatch || *op == Op::OptimizerStep || isOfCopies(*op)) return std::nullopt;
    return Action{*stage, *op, *microbatch, false, segment};
}

}  // namespace bscope
