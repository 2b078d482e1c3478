#include "page/markdown_table.h"

#include <set>

#include "page/run_words.h"
#include "view/text/provenance_words.h"
#include "words/shown.h"

namespace bscope::page {

namespace {

std::string markdownEscaped(std::string_view text) {
    std::string escaped;
    for (const char c : shown(text)) {
        if (std::string_view("\\*_[]<>|~&#").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

class Table {
public:
    explicit Table(Language language) : language_(language) {}
    void row(const Bilingual& label) { text_ += (text_.empty() ? "| " : "|\n| ") + of(label) + ' '; }
    void cell(const Bilingual& text) { text_ += "| " + of(text) + ' '; }
    void rule(std::size_t cells) {
        text_ += "|\n|---";
        for (std::size_t i = 0; i < cells; ++i) text_ += "|---:";
    }
    void line(const std::string& text) { text_ += text + '\n'; }
    std::string of(const Bilingual& text) const { return markdownEscaped(text.in(language_)); }
    std::string take() { return std::move(text_); }

private:
    Language language_;
    std::string text_;
};

}  // namespace

std::string markdownTable(std::span<const PageRun> all, Language language) {
    const std::vector<PagedRun> runs = pagedRuns(all);
    Table table(language);
    // A cell a run; beside each but the first one its difference from that.
    const auto described = [&](auto describe) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            table.cell(describe(i));
            if (i > 0) table.cell("");
        }
    };
    table.row("");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        table.cell(letterOf(i, runs.size()) + titleOf(runs[i]));
        if (i > 0) table.cell(std::string(1, static_cast<char>('A' + i)) + " − A");
    }
    table.rule(2 * runs.size() - 1);
    table.row(sentence("run"));
    described([&](std::size_t i) { return parametersOf(runs[i]); });
    table.row(sentence("source of its times"));
    described([&](std::size_t i) { return badgeOf(runs[i]); });
    for (const NumberRow& row : rowsOf(runs)) {
        table.row(row.label);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            table.cell(row.values[i]);
            if (i > 0) table.cell(row.differences[i - 1]);
        }
    }
    table.line("|\n");

    table.line("- " + table.of(sentence("bubble, of total: {0}; of ideal: {1}",
                                        definitionOfTotal(runs.front()), definitionOfIdeal())));
    std::set<Provenance> said;
    for (const PagedRun& run : runs)
        if (said.insert(run.view.provenance()).second)
            table.line("- " + table.of(provenanceWords(run.view.provenance())));
    if (runs.size() > 1)
        for (const Sentence& caveat : caveatsOf(runs)) table.line("- " + table.of(caveat));
    std::string files;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        files += (i > 0 ? ", " : "") + runs[i].run.file;
        for (const Bilingual& remark : runs[i].run.remarks)
            table.line("- " + table.of(letterOf(i, runs.size()) + remark));
    }
    table.line("- " + table.of(sentence("from {0}, by Bubblescope {1}", files, BUBBLESCOPE_VERSION)));
    return table.take();
}

}  // namespace bscope::page
