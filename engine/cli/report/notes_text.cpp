#include "cli/report/notes_text.h"

#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "view/view_data.h"

namespace bscope::cli {
namespace {

// One line, with blanks for what steers a terminal; what else must not be shown, TextTable escapes.
std::string lineOf(std::string text) {
    for (char& each : text)
        if (static_cast<unsigned char>(each) < ' ' || each == '\x7f') each = ' ';
    return text;
}

std::string msText(std::int64_t time_ns) {
    return fixed(static_cast<double>(time_ns) / 1e6, 3);
}

}  // namespace

nlohmann::ordered_json noteJson(const RunNote& note) {
    nlohmann::ordered_json out = {{"note", note.id}, {"iteration", note.iteration}};
    if (note.when) {
        out["from_ns"] = note.when->from_ns;
        out["to_ns"] = note.when->to_ns;
    }
    if (note.rank >= 0) out["rank"] = note.rank;
    if (note.action) out["action"] = toText(*note.action);
    out["text"] = note.text;
    return out;
}

void printNotes(const LinePrinter& printer, const std::vector<RunNote>& notes, bool is_import) {
    TextTable table("rrlrrl");
    table.row({printer.words("iteration"), printer.words("rank"), printer.words("operation"),
               printer.words("from ms"), printer.words("to ms"), printer.words("note")});
    for (const RunNote& note : notes)
        table.row({std::to_string(iterationNumber(note.iteration, is_import)),
                   note.rank >= 0 ? std::to_string(note.rank) : "-", note.action ? toText(*note.action) : "-",
                   note.when ? msText(note.when->from_ns) : "-", note.when ? msText(note.when->to_ns) : "-",
                   lineOf(note.text)});
    table.print(printer.out());
}

}  // namespace bscope::cli
