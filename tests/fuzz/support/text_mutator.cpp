#include "support/text_mutator.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "support/byte_mutator.h"

namespace bscope::fuzz {

namespace {

using Json = nlohmann::ordered_json;
using Table = std::vector<std::vector<std::string>>;

std::vector<std::string> pieces(const std::string& text, char separator) {
    std::vector<std::string> out(1);
    for (const char c : text)
        if (c == separator)
            out.emplace_back();
        else
            out.back().push_back(c);
    return out;
}

std::string together(const std::vector<std::string>& parts, char separator) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) text += separator;
        text += parts[i];
    }
    return text;
}

template <class T>
auto place(std::vector<T>& in, std::size_t index) {
    return in.begin() + static_cast<std::ptrdiff_t>(index);
}

std::string anyNumber(Random& random) {
    return std::to_string(oneIn(random, 6) ? edgeInteger(random)
                                           : static_cast<std::int64_t>(below(random, 6)));
}

std::string anyCell(Random& random) {
    static const char* const kOps[] = {
        "F",       "B",       "I",           "W", "BW",  "b", "f",    "SEND_F", "RECV_F", "SEND_B", "RECV_B",
        "UNSHARD", "RESHARD", "REDUCE_GRAD", "R", "OPT", "-", "idle", "=",      "",       "."};
    const std::string op = kOps[below(random, std::size(kOps))];
    switch (below(random, 8)) {
        case 0:
            return op + anyNumber(random);
        case 1:
            return op;
        case 2:
            return "(" + anyNumber(random) + "F" + anyNumber(random) + ";" + anyNumber(random) + "B" +
                   anyNumber(random) + ")OVERLAP_F_B";
        case 3:
            return "GPU" + anyNumber(random);
        default:
            return anyNumber(random) + op + anyNumber(random);
    }
}

void mutateTable(Table& rows, Random& random) {
    const std::size_t row = below(random, rows.size()), other = below(random, rows.size());
    std::vector<std::string>& cells = rows[row];
    const std::size_t at = below(random, cells.size());
    const std::string cell = cells.empty() ? anyCell(random) : cells[at];
    switch (below(random, 9)) {
        case 0:
            if (!cells.empty()) cells.erase(place(cells, at));
            return;
        case 1:
            cells.insert(place(cells, at), anyCell(random));
            return;
        case 2:
            if (!cells.empty()) cells[at] = anyCell(random);
            return;
        case 3:
            rows[other].insert(place(rows[other], below(random, rows[other].size())), cell);
            return;
        case 4:
            if (!cells.empty()) std::swap(cells[at], cells[below(random, cells.size())]);
            return;
        case 5:
            if (at + 1 < cells.size()) std::swap(cells[at], cells[at + 1]);
            return;
        case 6:
            std::swap(rows[row], rows[other]);
            return;
        case 7:
            if (oneIn(random, 2))
                rows.erase(place(rows, row));
            else
                rows.insert(place(rows, other), std::vector<std::string>(cells));
            if (rows.empty()) rows.emplace_back();
            return;
        default:
            if (!cells.empty()) mutateBytes(cells[at], random);
    }
}

Json anyValue(Random& random) {
    switch (below(random, 8)) {
        case 0:
            return edgeNumber(random);
        case 1:
            return nullptr;
        case 2:
            return oneIn(random, 2);
        case 3:
            return std::to_string(edgeInteger(random));
        case 4:
            return Json::array({edgeInteger(random), edgeInteger(random)});
        case 5:
            return Json::object({{"rank", edgeInteger(random)}});
        case 6:
            return static_cast<std::uint64_t>(random());
        default:
            return edgeInteger(random);
    }
}

void mutateValue(Json& value, Random& random) {
    if (oneIn(random, 40)) {  // about as deep as JSON may be
        for (std::uint64_t levels = 90 + below(random, 20); levels > 0; --levels) {
            Json outer = Json::array();
            outer.push_back(std::move(value));
            value = std::move(outer);
        }
        return;
    }
    if (!value.is_structured() || value.empty() || oneIn(random, 12)) {
        value = anyValue(random);
        return;
    }
    if (value.is_array()) {
        const std::size_t at = below(random, value.size());
        if (oneIn(random, 4)) return value.erase(at);
        if (oneIn(random, 4)) return value.push_back(Json(value[at]));
        return mutateValue(value[at], random);
    }
    auto member = value.begin();
    std::advance(member, static_cast<std::ptrdiff_t>(below(random, value.size())));
    if (oneIn(random, 8)) {
        value.erase(member);
    } else if (oneIn(random, 8)) {
        const Json copy = member.value();
        std::string name = member.key();
        mutateBytes(name, random);
        value[name] = copy;
    } else {
        mutateValue(member.value(), random);
    }
}

std::string anyWord(Random& random) {
    static const char* const kWords[] = {
        "-p",   "-m",       "-v",     "-d",     "--schedule", "--costs", "F=1,W=2", "--",
        "-",    "",         "--m",    "1,2,4",  "--json",     "1f1b",    "all",     "--auto",
        "=",    "--help",   "file:x", "0=1.5",  "nan",        "1e9",     "-1",      "3,2,2,1",
        "cuda", "--config", "{}",     "--lang", "zh",         "--seed",  "--csv",   "run.bscope"};
    return oneIn(random, 4) ? anyNumber(random) : kWords[below(random, std::size(kWords))];
}

}  // namespace

void mutateCells(std::string& text, Random& random) {
    if (oneIn(random, 6)) return mutateBytes(text, random);
    Table rows;
    for (const std::string& line : pieces(text, '\n')) rows.push_back(pieces(line, ','));
    for (std::uint64_t i = 1 + below(random, 3); i > 0; --i) mutateTable(rows, random);
    std::vector<std::string> lines;
    for (const auto& row : rows) lines.push_back(together(row, ','));
    text = together(lines, '\n');
}

void mutateJson(std::string& text, Random& random) {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || oneIn(random, 6)) return mutateBytes(text, random);
    for (std::uint64_t i = 1 + below(random, 3); i > 0; --i) mutateValue(json, random);
    text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void mutateWords(std::string& text, Random& random) {
    std::vector<std::string> words = pieces(text, '\n');
    for (std::uint64_t i = 1 + below(random, 3); i > 0; --i) {
        const std::size_t at = below(random, words.size());
        switch (below(random, 5)) {
            case 0:
                words.insert(place(words, at), anyWord(random));
                break;
            case 1:
                words[at] = anyWord(random);
                break;
            case 2:
                if (words.size() > 1) words.erase(place(words, at));
                break;
            case 3:
                std::swap(words[at], words[below(random, words.size())]);
                break;
            default:
                mutateBytes(words[at], random);
        }
    }
    text = together(words, '\n');
}

}  // namespace bscope::fuzz
