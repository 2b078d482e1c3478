#include "view/text/text_gantt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string_view>
#include <vector>

#include "timeline/analysis.h"
#include "timeline/iteration_events.h"
#include "timeline/places_of.h"
#include "view/text/operation_name.h"
#include "view/palette.h"
#include "view/view_data.h"
#include "words/number_text.h"

namespace bscope {

namespace {

// By TextSigns.
using Sign = std::array<std::string_view, 2>;
constexpr Sign kIdle{"·", "."};

struct Style {
    Op op;
    Sign fill;  // without colours
};

constexpr Style kStyles[] = {
    {Op::Forward, {"─", "-"}},        {Op::Backward, {"━", "="}},  {Op::BackwardInput, {"═", "/"}},
    {Op::BackwardWeight, {"┄", ":"}}, {Op::Recompute, {"~", "~"}}, {Op::ReduceGradients, {"+", "+"}},
    {Op::GatherWeights, {"»", ">"}},
};
constexpr const char* kReset = "\x1b[0m";
constexpr const char* kDim = "\x1b[2m";

const Style& styleOf(Op op) {
    return *std::find_if(std::begin(kStyles), std::end(kStyles), [&](const Style& s) { return s.op == op; });
}

// Of a terminal: Chinese letters and full-width signs take two.
std::size_t cellsOf(std::string_view text) {
    std::size_t cells = 0;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if ((byte & 0xc0) == 0x80) continue;
        cells += byte >= 0xe3 && byte < 0xf0 ? 2 : 1;
    }
    return cells;
}

// Two shades of one of the 16, each with its ink.
const char* basicColourOf(Op op, bool second) {
    switch (op) {
        case Op::Forward:
            return second ? "30;104" : "97;44";
        case Op::Backward:
            return second ? "30;103" : "30;43";
        case Op::BackwardInput:
            return second ? "30;106" : "30;46";
        case Op::BackwardWeight:
            return second ? "30;102" : "30;42";
        case Op::ReduceGradients:
        case Op::GatherWeights:
            return second ? "30;105" : "97;45";
        default:
            return "30;47";
    }
}

std::string direct(Rgb colour) {
    return "2;" + std::to_string(colour >> 16) + ';' + std::to_string(colour >> 8 & 0xff) + ';' +
           std::to_string(colour & 0xff);
}

// Micro-batches take two shades in turn, so that neighbours stay apart. The ink is that for what is shown,
// and none of the 16, which a theme may change.
std::string colourOf(Op op, int microbatch, TerminalColours colours) {
    const bool second = std::max(microbatch, 0) % 2 != 0;
    std::string code;
    const Rgb fill = dataPalette(ColourScheme::Bubblescope, false).fill(op, second ? 1 : 0);
    if (colours == TerminalColours::Basic) {
        code = basicColourOf(op, second);
    } else if (colours == TerminalColours::Direct) {
        code = "38;" + direct(inkOn(fill)) + ";48;" + direct(fill);
    } else {
        const int nearest = terminalColour(fill);
        const bool white = inkOn(rgbOfTerminalColour(nearest)) == 0xffffff;
        code = std::string(white ? "38;5;231" : "38;5;16") + ";48;5;" + std::to_string(nearest);
    }
    return "\x1b[" + code + "m";
}

std::string letterOf(Op op) {
    return op == Op::ReduceGradients ? "A" : op == Op::GatherWeights ? "G" : std::string(opText(op));
}

struct Cell {
    std::string_view fill;
    char letter = 0;  // of a label, instead of the fill
    EventRef box;
};

class Picture {
public:
    Picture(const Timeline& timeline, std::int32_t iteration, int columns, TerminalColours colours,
            Language language, TextSigns signs)
        : summary_(summarize(timeline, iteration)),
          events_(timeline, iteration),
          places_(placesOf(timeline)),
          end_ns_(summary_.end_ns),
          colours_(colours),
          ansi_(colours != TerminalColours::None),
          columns_(static_cast<std::size_t>(std::max(columns, kLeastTextColumns))),
          language_(language),
          signs_(static_cast<std::size_t>(signs)),
          name_width_(nameOf(std::max(0, timeline.ranks() - 1)).size() + 1),
          width_(std::max(columns, kLeastTextColumns) - static_cast<int>(name_width_) - 8) {
        for (int rank = 0; rank < timeline.ranks(); ++rank)
            for (const Event& e : events_.compute(rank)) {
                used_[static_cast<std::size_t>(e.op)] = true;
                if (isOfCopies(e.op)) end_ns_ = std::max(end_ns_, e.end_ns);
            }
    }

    std::string draw() {
        std::ostringstream out;
        for (int rank = 0; rank < events_.ranks(); ++rank) {
            const double bubble = 100 * summary_.ranks[static_cast<std::size_t>(rank)].bubble_of_total;
            out << std::left << std::setw(static_cast<int>(name_width_)) << nameOf(rank) << paint(cells(rank))
                << "  " << std::right << std::setw(4) << fixedText(bubble, 1) << " %\n";
        }
        out << std::string(name_width_, ' ') << axis() << '\n' << legend() << '\n';
        return out.str();
    }

private:
    std::string nameOf(int rank) const { return say(sentence("rank {0}", rank), language_); }

    int column(std::int64_t time_ns) const {
        const double share = static_cast<double>(time_ns - summary_.start_ns) /
                             static_cast<double>(std::max<std::int64_t>(1, end_ns_ - summary_.start_ns));
        return std::clamp(static_cast<int>(std::lround(share * width_)), 0, width_);
    }

    // A box takes the columns its edges round to. One that rounds to nothing leaves its column to its
    // neighbours. What the copies of stages do together comes after the iteration,
    // where nothing else is a bubble.
    std::vector<Cell> cells(int rank) const {
        std::vector<Cell> row(static_cast<std::size_t>(width_), Cell{kIdle[signs_], 0, {}});
        for (int i = column(summary_.end_ns); i < width_; ++i) row[static_cast<std::size_t>(i)].fill = " ";
        const EventSlice boxes = events_.compute(rank);
        for (EventRef box = boxes.begin(); box != boxes.end(); ++box) {
            const Event e = *box;
            if (e.op == Op::OptimizerStep) continue;
            const auto first = static_cast<std::size_t>(column(e.start_ns));
            const auto past = static_cast<std::size_t>(column(e.end_ns));
            const std::string text = label(e, past - first);
            for (std::size_t i = first; i < past; ++i)
                row[i] = {styleOf(e.op).fill[signs_], i - first < text.size() ? text[i - first] : '\0', box};
        }
        return row;
    }

    // "F3", with chunks "F3b"; shortened to what the box holds.
    std::string label(const Event& e, std::size_t room) const {
        const std::string letter = letterOf(e.op);
        const std::string number = e.microbatch < 0 ? "" : pieceText(e.microbatch, e.segment);
        const auto chunk = static_cast<char>('a' + places_.of(e.stage).chunk % 26);
        const std::string candidates[] = {places_.lettered() ? letter + number + chunk : letter + number,
                                          letter + number, ansi_ && e.microbatch >= 0 ? number : letter};
        for (const std::string& text : candidates)
            if (text.size() <= room) return text;
        return "";
    }

    std::string paint(const std::vector<Cell>& row) const {
        std::string text;
        EventRef open;
        bool coloured = false;
        for (const Cell& cell : row) {
            if (ansi_ && (&cell == row.data() || cell.box != open)) {
                if (coloured) text += kReset;
                text += cell.box ? colourOf(cell.box->op, cell.box->microbatch, colours_) : kDim;
                coloured = true;
            }
            open = cell.box;
            if (cell.letter != 0)
                text += cell.letter;
            else
                text += ansi_ && cell.box ? std::string_view(" ") : cell.fill;
        }
        return coloured ? text + kReset : text;
    }

    // Labels at 1, 2 or 5 times a power of ten, about twelve columns apart.
    std::string axis() const {
        const double length_ms = static_cast<double>(end_ns_ - summary_.start_ns) / 1e6;
        std::string line(static_cast<std::size_t>(width_), ' ');
        if (length_ms <= 0) return line;
        const double raw = length_ms * 12 / width_;
        const double power = std::pow(10.0, std::floor(std::log10(raw)));
        const double step = raw <= power       ? power
                            : raw <= 2 * power ? 2 * power
                            : raw <= 5 * power ? 5 * power
                                               : 10 * power;
        const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 6);
        for (int tick = 0; tick * step <= length_ms; ++tick) {
            const auto at = static_cast<std::size_t>(std::lround(tick * step / length_ms * width_));
            std::string text = "|";
            text.append(fixedText(tick * step, decimals)).append(tick == 0 ? " ms" : "");
            if (at + text.size() <= line.size()) line.replace(at, text.size(), text);
        }
        return line;
    }

    // In lines of whole entries.
    std::string legend() const {
        std::string text, line;
        std::size_t cells = 0;  // of the line
        const auto add = [&](const std::string& entry, std::size_t width) {
            if (cells > 0 && cells + 1 + width > columns_) {
                text += line + '\n';
                line.clear();
                cells = 0;
            }
            line += (cells > 0 ? " " : "") + entry;
            cells += (cells > 0 ? 1 : 0) + width;
        };
        const std::string numbers =
            say(sentence("{0}, iteration {1}, {2} ms, bubble {3} % of total;", toText(summary_.provenance),
                         iterationNumber(summary_.iteration, summary_.provenance == Provenance::Imported),
                         fixedText(static_cast<double>(summary_.iteration_ns) / 1e6, 2),
                         percentNumber(summary_.bubble_of_total)),
                language_);
        add(numbers, cellsOf(numbers));
        for (const Style& style : kStyles) {
            if (!used_[static_cast<std::size_t>(style.op)]) continue;
            const std::string letter = letterOf(style.op),
                              name = say({operationName(style.op), {}}, language_);
            const std::string plain = ansi_ ? ' ' + letter + ' ' : letter + std::string(style.fill[signs_]);
            const std::string sign = ansi_ ? colourOf(style.op, 0, colours_) + plain + kReset : plain;
            add(sign + ' ' + name, cellsOf(plain) + 1 + cellsOf(name));
        }
        const std::string bubble = say({"bubble", {}}, language_);
        add(std::string(kIdle[signs_]) + ' ' + bubble, 2 + cellsOf(bubble));
        return text + line;
    }

    IterationSummary summary_;
    IterationEvents events_;
    StagePlaces places_;
    std::int64_t end_ns_;  // of the picture
    TerminalColours colours_;
    bool ansi_;
    std::size_t columns_;
    Language language_;
    std::size_t signs_;
    std::size_t name_width_;  // of "rank 3", which has no wide letters in any language
    int width_;
    std::array<bool, kOpCount> used_ = {};
};

}  // namespace

std::string textGantt(const Timeline& timeline, std::int32_t iteration, int columns, TerminalColours colours,
                      Language language, TextSigns signs) {
    return Picture(timeline, iteration, columns, colours, language, signs).draw();
}

}  // namespace bscope
