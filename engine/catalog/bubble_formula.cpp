#include "catalog/bubble_formula.h"

#include <cctype>
#include <cmath>
#include <cstdio>

#include "catalog/catalog.h"
#include "words/number_text.h"

namespace bscope {

namespace {

// All durations the same up to what is printed of them.
bool areEqual(const OperationDurations& durations) {
    return durationText(durations.f) == durationText(durations.i) &&
           durationText(durations.f) == durationText(durations.w);
}

// a/(b+a) of total is a/b of ideal, and (p-1)/p, where the busy rank is one of p, is p-1.
std::string ofIdeal(const std::string& of_total) {
    std::size_t split = 0;
    for (int depth = 0; split < of_total.size() && (depth > 0 || of_total[split] != '/'); ++split)
        depth += of_total[split] == '(' ? 1 : of_total[split] == ')' ? -1 : 0;
    const std::string idle = of_total.substr(0, split);
    const bool in_brackets = idle.front() == '(' && idle.find(')') + 1 == idle.size();
    const std::string bare = in_brackets ? idle.substr(1, idle.size() - 2) : idle;
    const std::string whole = of_total.substr(split + 1);
    if (whole.front() != '(') return bare;
    const std::string work =
        whole.substr(1, whole.size() - bare.size() - 3);  // without "(", "+" and bare ")"
    return idle + '/' + (work.find('*') == std::string::npos ? work : '(' + work + ')');
}

std::string workFormula(const CatalogEntry& entry) {
    const bool one_chunk = entry.fixed_v == 1 || entry.replicas > 1;  // two replicas share the micro-batches
    return std::string(one_chunk ? "m" : "v*m") + (entry.split_backward ? "*(F+I+W)" : "*(F+B)");
}

std::string shareOf(const std::string& idle, const std::string& work, BubbleShare share) {
    return share == BubbleShare::OfTotal ? idle + "/(" + work + '+' + idle + ')' : idle + "/(" + work + ')';
}

}  // namespace

std::string durationText(double value) {
    return shortText(value, 5);
}

std::string withNumbers(std::string_view formula, const FormulaValues& values) {
    const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto valueOf = [&](char letter) -> std::string {
        switch (letter) {
            case 'p':
                return std::to_string(values.params.p);
            case 'v':
                return std::to_string(values.params.v);
            case 'm':
                return std::to_string(values.params.m);
            case 'q':
                return std::to_string(values.params.segments);
            case 'r':
                return std::to_string(values.rank);
            case 'N':
                return std::to_string(values.group);
            case 'F':
                return durationText(values.durations.f);
            case 'I':
                return durationText(values.durations.i);
            case 'W':
                return durationText(values.durations.w);
            case 'B':
                return durationText(values.durations.i + values.durations.w);
            default:
                return {letter};
        }
    };
    std::string text;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        const bool alone = isLetter(formula[i]) && (i == 0 || !isLetter(formula[i - 1])) &&
                           (i + 1 == formula.size() || !isLetter(formula[i + 1]));
        text += alone ? valueOf(formula[i]) : std::string(1, formula[i]);
    }
    return text;
}

std::string bubbleFormulaLetters(const CatalogEntry& entry, BubbleShare share) {
    const std::string of_total = entry.bubble_formula;
    return share == BubbleShare::OfTotal || of_total.empty() ? of_total : ofIdeal(of_total);
}

std::string formulaForAnyDurations(const CatalogEntry& entry) {
    if (*entry.idle_formula == '\0') return {};
    return shareOf("x", workFormula(entry), BubbleShare::OfTotal) + ", x = " + entry.idle_formula;
}

std::optional<BubbleFormula> bubbleFormula(const CatalogEntry& entry, const ScheduleParams& params,
                                           const OperationDurations& durations, BubbleShare share) {
    const bool any_durations = *entry.idle_formula == '\0' || areEqual(durations);
    const OperationDurations used = any_durations ? OperationDurations{} : durations;
    const auto of_total = entry.bubble_of_total(params, used.f, used.i, used.w);
    if (!of_total || *entry.bubble_formula == '\0') return std::nullopt;
    BubbleFormula formula;
    formula.value = share == BubbleShare::OfTotal ? *of_total : *of_total / (1 - *of_total);
    const FormulaValues values{params, 0, 0, used};
    if (any_durations) {
        formula.letters = bubbleFormulaLetters(entry, share);
        if (const std::size_t chunks = formula.letters.find("v*m");
            params.v == 1 && chunks != std::string::npos)
            formula.letters.erase(chunks, 2);
        formula.numbers = withNumbers(formula.letters, values);
        return formula;
    }
    const double work = used.f + used.i + used.w;
    const int times = params.m * params.segments * (entry.replicas > 1 ? 1 : params.v);
    const std::string x = durationText(*of_total / (1 - *of_total) * work * times);
    formula.letters = shareOf("x", workFormula(entry), share);
    formula.numbers = shareOf(x, std::to_string(times) + '*' + durationText(work), share);
    formula.idle = entry.idle_formula;
    formula.idle_numbers = withNumbers(formula.idle, values) + " = " + x;
    return formula;
}

}  // namespace bscope
