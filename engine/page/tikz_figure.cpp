#include "page/tikz_figure.h"

#include <algorithm>

#include "page/figure_drawing.h"
#include "page/figure_signs.h"
#include "page/run_words.h"
#include "page/svg_figure.h"
#include "view/gap_analysis.h"
#include "view/signs.h"
#include "words/number_text.h"
#include "words/shown.h"

namespace bscope::page {

namespace {

constexpr double kUnit_mm = 0.2;
constexpr double kColumn_mm = 120;  // up to here lanes are low
constexpr double kLegendRow = 15, kKeyWidth = 12, kKeyGap = 5, kEntryGap = 14;
constexpr double kLetter = 6.3, kWideLetter = 13;  // of \scriptsize, at most

// Signs that no document of LaTeX has in every encoding are written as what they mean.
std::string texEscaped(std::string_view text) {
    constexpr std::pair<std::string_view, std::string_view> kSpecial[] = {{"\\", "\\textbackslash{}"},
                                                                          {"{", "\\{"},
                                                                          {"}", "\\}"},
                                                                          {"$", "\\$"},
                                                                          {"&", "\\&"},
                                                                          {"#", "\\#"},
                                                                          {"^", "\\textasciicircum{}"},
                                                                          {"_", "\\_"},
                                                                          {"%", "\\%"},
                                                                          {"~", "\\textasciitilde{}"},
                                                                          {"<", "\\textless{}"},
                                                                          {">", "\\textgreater{}"},
                                                                          {"|", "\\textbar{}"},
                                                                          {"·", "$\\cdot$"},
                                                                          {"÷", "$\\div$"},
                                                                          {"×", "$\\times$"},
                                                                          {"−", "$-$"},
                                                                          {"–", "--"},
                                                                          {"\n", " "}};
    const std::string safe = shown(text);
    std::string escaped;
    for (std::size_t i = 0; i < safe.size();) {
        const auto special = std::ranges::find_if(
            kSpecial, [&](const auto& each) { return safe.compare(i, each.first.size(), each.first) == 0; });
        if (special == std::end(kSpecial)) {
            escaped += safe[i++];
        } else {
            escaped += special->second;
            i += special->first.size();
        }
    }
    return escaped;
}

// Of a text in \scriptsize, in units; more rather than less.
double widthOf(const std::string& text) {
    double width = 0;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if ((byte & 0xc0) != 0x80) width += byte >= 0xe3 && byte < 0xf0 ? kWideLetter : kLetter;
    }
    return width;
}

std::string at(double x, double y) {
    return '(' + lengthText(x) + ',' + lengthText(y) + ')';
}

class TikzMaterial : public FigureMaterial {
public:
    TikzMaterial(const FigureFrame& frame, double height, Language language)
        : frame_(frame), height_(height), language_(language) {}

    void group(const char* part, double dx, double dy) override {
        const bool is_plot = part == std::string_view("plot");
        scopes_.push_back(is_plot || dx != 0 || dy != 0);
        if (scopes_.back()) tex_ += "\\begin{scope}[shift={" + at(dx, dy) + "}]\n";
        if (is_plot) tex_ += "\\clip " + at(0, 0) + " rectangle " + at(frame_.plot, height_) + ";\n";
    }
    void endGroup() override {
        if (scopes_.back()) tex_ += "\\end{scope}\n";
        scopes_.pop_back();
    }
    void rect(const std::string& sign, double x, double width, double height) override {
        box(sign, x, 0, width, height);
    }
    void path(const char* sign, const std::vector<FigurePoint>& points, bool is_area) override {
        if (points.empty()) return;
        tex_ += "\\path[bs " + std::string(sign) + ']';
        for (const FigurePoint& point : points) tex_ += (point.drawn ? " -- " : " ") + at(point.x, point.y);
        tex_ += is_area ? " -- cycle;\n" : ";\n";
    }
    void text(const FigureText& text) override {
        const bool measured = text.room >= 0;
        if (measured && text.room < text.least) return;
        const bool whole = !measured || text.room >= text.whole;
        std::string words;
        for (const FigureWord& word : text.words) {
            const std::string escaped = texEscaped(word.text.in(language_));
            if (word.kind == FigureWord::Kind::Chunk)
                words += "{\\tiny " + escaped + '}';
            else if (word.kind != FigureWord::Kind::OfIdeal && (whole || word.kind != FigureWord::Kind::More))
                words += escaped;
        }
        label((measured ? "bs on " : "bs ") + text.sign, text.x, text.y, words);
    }

    void box(const std::string& sign, double x, double y, double width, double height) {
        const bool is_near = sign.starts_with("near ");
        tex_ += "\\path[bs box " + (is_near ? sign.substr(5) + ",bs box near" : sign) + "] " + at(x, y) +
                " rectangle " + at(x + width, y + height) + ";\n";
        // The second code of the weights' half: a line across its upper part.
        if (sign.starts_with('w') && sign.size() == 2)
            tex_ += "\\fill[bsink" + sign + "] " + at(x, y + 0.07 * height) + " rectangle " +
                    at(x + width, y + 0.14 * height) + ";\n";
    }
    void label(const std::string& style, double x, double y, const std::string& words) {
        tex_ += "\\node[" + style + "] at " + at(x, y) + " {" + words + "};\n";
    }
    std::string take() { return std::move(tex_); }

private:
    FigureFrame frame_;
    double height_;
    Language language_;
    std::string tex_;
    std::vector<bool> scopes_;
};

std::string styles(const DataPalette& palette) {
    std::string colours, boxes, inks;
    for (const auto& [sign, fill, ink] : signColours(palette)) {
        colours += "\\definecolor{bs" + sign + "}{HTML}{" + fill + "}\\definecolor{bsink" + sign +
                   "}{HTML}{" + ink + "}%\n";
        boxes += "bs box " + sign + "/.style={fill=bs" + sign + ",draw=white},\n";
        inks += "bs on " + sign + "/.style={text=bsink" + sign + "},\n";
    }
    const auto hatch = [](const char* sign, const char* pattern, const char* ground, const char* lines) {
        return "bs box " + std::string(sign) + "/.style={fill=" + ground + ",postaction={pattern=" + pattern +
               ",pattern color=" + lines + "}},\n";
    };
    return colours + "\\begin{tikzpicture}[x=" + lengthText(kUnit_mm) + "mm,y=-" + lengthText(kUnit_mm) +
           "mm,line width=.3pt,\n"
           "every node/.style={inner sep=0pt,outer sep=0pt,font=\\scriptsize,text height=1.45ex,text "
           "depth=.3ex},\n" +
           boxes + inks + hatch("hr", "north east lines", "black!5", "black!30") +
           hatch("hf", "north west lines", "black!5", "black!30") +
           hatch("hx", "crosshatch", "black!5", "black!30") +
           hatch("hl", "horizontal lines", "black!5", "black!30") +
           hatch("wait", "north east lines", "white", "bsc0") +
           hatch("r0", "north east lines", "bsr0", "black!55") +
           "bs box o0/.style={fill=bso0,draw=bsinko0,densely dotted},bs box near/.style={opacity=.25},\n"
           "bs phase/.style={draw=black!50},bs mem/.style={fill=black!13,draw=black!65},\n"
           "bs cap/.style={draw=black!65,densely dashed},bs tick/.style={draw=black!10},bs "
           "time/.style={text=black!65},\n"
           "bs side/.style={anchor=west},bs name/.style={bs side,font=\\scriptsize\\bfseries},bs strong/.style={bs side},bs "
           "peak/.style={bs "
           "side},\n"
           "bs soft/.style={bs side,text=black!65},bs scale/.style={anchor=east,text=black!65},\n"
           "bs on gl/.style={fill=black!5,text=black!65,inner xsep=1pt},bs on ph/.style={fill=white,text="
           "black!65,inner xsep=2pt}]\n";
}

// Rows of signs with their words; returns where they end.
double drawLegend(TikzMaterial& figure, const std::vector<LegendEntry>& entries, double width, double top,
                  Language language) {
    double x = 0, y = top;
    for (const LegendEntry& entry : entries) {
        const auto boxes = static_cast<double>(entry.signs.size());
        const double key =
            entry.kind == LegendEntry::Kind::Letters ? widthOf(entry.signs.front()) : boxes * kKeyWidth;
        const std::string& words = entry.words.in(language);
        const double needed = key + kKeyGap + widthOf(words);
        if (x > 0 && x + needed > width) x = 0, y += kLegendRow;
        switch (entry.kind) {
            case LegendEntry::Kind::Letters:
                figure.label("bs side", x, y + 5, entry.signs.front());
                break;
            case LegendEntry::Kind::Memory:
                figure.path("mem",
                            {{x, y + 10, false},
                             {x, y + 4},
                             {x + 5, y + 4},
                             {x + 5, y},
                             {x + 11, y},
                             {x + 11, y + 10}},
                            true);
                break;
            case LegendEntry::Kind::Cap:
                figure.path("cap", {{x, y + 5, false}, {x + 11, y + 5}}, false);
                break;
            case LegendEntry::Kind::Strip:
                figure.box(entry.signs.front(), x, y + 2.5, kKeyWidth - 1, 5);
                break;
            default:
                for (std::size_t i = 0; i < entry.signs.size(); ++i)
                    figure.box(entry.signs[i], x + kKeyWidth * static_cast<double>(i), y, kKeyWidth - 1, 10);
        }
        figure.label("bs soft", x + key + kKeyGap - 1, y + 5, texEscaped(words));
        x += needed + kEntryGap;
    }
    return y + kLegendRow;
}

std::string paragraph(const char* place, double y, double width, const std::string& words) {
    return "\\node[" + std::string(place) + ",text width=" + lengthText(width * kUnit_mm) +
           "mm,text height={},text depth={}] at " + at(0, y) + " {" + words + "};\n";
}

// Name and parameters, the badge at the right, or on a line of its own where both have no room.
std::string title(const PagedRun& run, Language language) {
    return "\\textbf{" + texEscaped(titleOf(run).in(language)) + "}\\enspace " +
           texEscaped(parametersOf(run).in(language)) +
           "\\unskip\\hfil\\penalty50\\hskip1em\\hbox{}\\nobreak\\hfil\\hbox{\\setlength{\\fboxsep}{1.5pt}"
           "\\fbox{" +
           texEscaped(badgeOf(run).in(language)) + "}}\\parfillskip=0pt \\par";
}

std::string caption(const PagedRun& run, Language language) {
    Bilingual text =
        sentence("bubble {0} of total: {1}; {2} of ideal: {3}",
                 percentText(run.run.view.summary->bubble_of_total), definitionOfTotal(run),
                 percentText(ofIdeal(run.run.view.summary->bubble_of_total)), definitionOfIdeal());
    for (const Bilingual& remark : run.run.remarks) text += Bilingual(". ") + remark;
    return texEscaped(text.in(language));
}

}  // namespace

Sentence tikzRefusal(const PageRun& run) {
    if (const std::size_t count = operationsOf(run.view); count > kMostTikzOperations)
        return sentence(
            "{0} has {1} operations in an iteration, and LaTeX is slow with more than {2}: `bubblescope {0} "
            "--width MM --export OUT.pdf` writes a PDF of that width",
            run.file, count, kMostTikzOperations);
    return {};
}

std::string tikzFigure(const PageRun& run, double width_mm, ColourScheme scheme, Language language) {
    const PagedRun paged = std::move(pagedRuns({&run, 1}).front());
    FigureFrame frame{.left = 60, .plot = 0, .right = 96, .low = width_mm <= kColumn_mm};
    const double width = width_mm / kUnit_mm;
    frame.plot = width - frame.left - frame.right;
    const double height = figureHeight(paged.view, frame);
    TikzMaterial figure(frame, height, language);
    const DataPalette& palette = dataPalette(scheme, false);
    drawFigure(paged.view, paged.view.extent(), frame, palette, figure);
    const double bottom =
        drawLegend(figure, legendEntries(signsOf(paged.view, false), palette), width, height + 6, language);
    const std::string named = titleOf(paged).in(language) + ", " + parametersOf(paged).in(language) + " · " +
                              badgeOf(paged).in(language) + ", " + run.file;
    return "% " + shown(named) +
           "\n% Bubblescope " BUBBLESCOPE_VERSION
           "; in the preamble: \\usepackage{tikz}\\usetikzlibrary{patterns}\n\\begingroup\n" +
           styles(palette) + paragraph("anchor=south west,align=justify", -2, width, title(paged, language)) +
           figure.take() +
           paragraph("anchor=north west,align=left", bottom + 3, width, caption(paged, language)) +
           "\\path (0,0 |- current bounding box.north) coordinate (bs nw) " + at(width, 0) +
           " coordinate (bs e) (bs e |- current bounding box.south) coordinate (bs se);\n"
           "\\pgfresetboundingbox\\path[use as bounding box] (bs nw) rectangle (bs se);\n"
           "\\end{tikzpicture}\\endgroup\n";
}

}  // namespace bscope::page
