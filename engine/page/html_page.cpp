#include "page/html_page.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "page/page_words.h"
#include "page/run_numbers.h"
#include "page/svg_figure.h"
#include "view/text/provenance_words.h"

namespace bscope::builtin {
extern const std::string_view page_style, page_script;
}

namespace bscope::page {

namespace {

// The hash of the script as a policy names it: hexadecimal digits in base 64.
std::string base64OfHex(std::string_view hex) {
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    unsigned bits = 0;
    int held = 0;
    for (const char digit : hex) {
        bits = bits << 4 | static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
        for (held += 4; held >= 6; held -= 6) text += kLetters[bits >> (held - 6) & 0x3f];
    }
    if (held > 0) text += kLetters[bits << (6 - held) & 0x3f];
    while (text.size() % 4 != 0) text += '=';
    return text;
}

std::string style() {
    const std::string dark = paletteStyle(true);
    std::string css = ":root{" + paletteStyle(false) + "}:root[data-theme=dark]{" + dark +
                      "}@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){" + dark +
                      "}}";
    return css + std::string(builtin::page_style);
}

std::string choice(const char* name, const Sentence& label,
                   std::initializer_list<std::pair<const char*, std::string>> values) {
    std::string buttons;
    for (const auto& [value, text] : values)
        buttons += "<button type=\"button\" data-set=\"" + std::string(name) + "\" value=\"" + value + "\">" +
                   text + "</button>";
    return "<div class=\"choice\" role=\"group\"><span>" + inBoth(label) + "</span>" + buttons + "</div>";
}

std::string bar() {
    return "<nav>" +
           choice("bubble", sentence("bubble"),
                  {{"total", inBoth(sentence("of total"))}, {"ideal", inBoth(sentence("of ideal"))}}) +
           choice("lang", sentence("language"),
                  {{"en", "English"}, {"zh", "<span lang=\"zh\">中文</span>"}}) +
           choice("theme", sentence("colours"),
                  {{"light", inBoth(sentence("light"))}, {"dark", inBoth(sentence("dark"))}}) +
           "</nav>";
}

std::string zoomBar() {
    const auto button = [](const char* value, const char* sign, const Sentence& words) {
        return "<button type=\"button\" data-zoom=\"" + std::string(value) +
               "\"><span aria-hidden=\"true\">" + sign + "</span><span class=\"unseen\">" + inBoth(words) +
               "</span></button>";
    };
    return "<div class=\"zoom\">" + button("in", "+", sentence("closer")) +
           button("out", "−", sentence("farther")) + button("all", "0", sentence("all of it")) + "</div>";
}

std::string section(const PagedRun& run, const std::string& letter, const TimeRange& extent, Templates& words,
                    nlohmann::json& figures) {
    Figure figure = svgFigure(run.view, extent, words);
    figures.push_back(std::move(figure.data));
    std::string html = "<section class=\"run\"><header><h2>" + letter + inBoth(titleOf(run)) + "</h2><p>" +
                       inBoth(parametersOf(run)) + "</p>" + badgeHtml(run) + "</header>" + numbersOf(run);
    html += "<div class=\"stage\">" + zoomBar() + figure.svg + "</div>";
    html += legendOf(signsOf(run.view, false)) + causesOf(run);
    if (!run.run.remarks.empty()) {
        html += "<ul class=\"remarks\">";
        for (const Bilingual& remark : run.run.remarks) html += "<li>" + inBoth(remark) + "</li>";
        html += "</ul>";
    }
    return html + "</section>";
}

std::string footer(std::span<const PagedRun> runs) {
    std::string html = "<footer>";
    std::set<Provenance> said;
    for (const PagedRun& run : runs)
        if (said.insert(run.view.provenance()).second)
            html += "<p>" + inBoth(provenanceWords(run.view.provenance())) + "</p>";
    html += "<p>" +
            inBoth(sentence("Point at a box, a strip or a gap to see what it is; click a box to follow its "
                            "micro-batch through all ranks. Drag to move; Ctrl and the wheel, or + and −, to "
                            "zoom; 0 shows all; arrow keys go from box to box, Esc lets go.")) +
            "</p><p>";
    std::string files;
    for (const PagedRun& run : runs) files += (files.empty() ? "" : ", ") + run.run.file;
    return html +
           inBoth(sentence("Written by Bubblescope {0} from {1}. The page loads nothing from elsewhere.",
                           BUBBLESCOPE_VERSION, files)) +
           "</p></footer>";
}

}  // namespace

Sentence refusal(std::span<const PageRun> runs) {
    for (const PageRun& run : runs)
        if (const std::size_t count = operationsOf(run.view); count > kMostOperations)
            return sentence(
                "{0} has {1} operations in an iteration, and a page of more than {2} is slow in a browser: "
                "--chrome writes it for Perfetto",
                run.file, count, kMostOperations);
    return {};
}

std::string htmlPage(std::span<const PageRun> runs, Language language) {
    const std::vector<PagedRun> paged = pagedRuns(runs);
    TimeRange extent{0, 1};
    for (const PagedRun& run : paged) extent.to_ns = std::max(extent.to_ns, run.view.extent().to_ns);

    Templates words;
    nlohmann::json figures = nlohmann::json::array();
    std::string sections;
    for (std::size_t i = 0; i < paged.size(); ++i)
        sections += section(paged[i], letterOf(i, paged.size()), extent, words, figures);
    const std::string policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" +
                               base64OfHex(BUBBLESCOPE_PAGE_SCRIPT_SHA256) +
                               "'; base-uri 'none'; form-action 'none'";
    const char* lang = language == Language::Chinese ? "zh" : "en";
    std::string title = escaped(paged.front().run.file);
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"" + std::string(lang) + "\" data-lang=\"" + lang +
        "\" data-bubble=\"total\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"" +
        policy +
        "\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta "
        "name=\"generator\" content=\"Bubblescope " BUBBLESCOPE_VERSION "\"><title>" +
        title + " · Bubblescope</title>\n<style>" + style() + "</style></head>\n<body>" + hatchPatterns() +
        "<main><div class=\"top\"><h1>Bubblescope</h1>" + bar() + "</div><p class=\"intro\">" +
        inBoth(sentence("Each row is a rank, and each box one micro-batch that passes through it: "
                        "forward, then backward. Hatched time is idle: the bubble.")) +
        "</p>";
    if (paged.size() > 1) html += comparisonOf(paged);
    html += sections + footer(paged) + "</main><div id=\"card\" role=\"status\" hidden></div>";
    html += "<script type=\"application/json\" id=\"data\">" +
            inScript({{"words", words.table()}, {"figures", figures}}) + "</script>\n<script>" +
            std::string(builtin::page_script) + "</script></body></html>\n";
    return html;
}

}  // namespace bscope::page
