// Files of other programs, as `bscope import` reads a folder of them: "@@NAME" and a line end before the
// bytes of each. Refusals are ImportError with a sentence. What is read has the ranks and iterations it says,
// fractions that are fractions, and can be parsed in every form it is written in.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/print/json_text.h"
#include "cli/report/import_json.h"
#include "cli/report/import_text.h"
#include "import/trace/import_error.h"
#include "support/export_checks.h"
#include "support/named_files.h"
#include "support/scratch_folder.h"

namespace bscope::fuzz {

namespace {

// Writes what differs from the input before, which makes most inputs one file to write.
void place(const std::vector<NamedText>& files, const std::filesystem::path& folder) {
    static std::map<std::string, std::string> there;
    std::map<std::string, std::string> wanted;
    for (const NamedText& file : files) wanted[file.name] = file.text;
    for (const auto& [name, text] : there)
        if (!wanted.contains(name)) std::filesystem::remove(folder / name);
    for (const auto& [name, text] : wanted) {
        const auto old = there.find(name);
        if (old != there.end() && old->second == text) continue;
        std::ofstream out(folder / name, std::ios::binary);
        require(static_cast<bool>(out.write(text.data(), static_cast<std::streamsize>(text.size()))),
                "an input cannot be written");
    }
    there = std::move(wanted);
}

bool isFraction(double value) {
    return value >= 0 && value <= 1;
}

void check(const ImportedRun& run) {
    require(run.timeline.ranks() == run.schedule.params.p, "a timeline of other ranks than the run's");
    require(run.timeline.provenance() == Provenance::Imported, "an imported run has another provenance");
    require(!run.reports.empty(), "a run without an iteration");
    for (const IterationReport& report : run.reports) {
        require(isFraction(report.bubble_of_total), "a bubble that is no fraction");
        require(report.ranks.size() == static_cast<std::size_t>(report.p), "ranks are missing");
        for (const RankReport& rank : report.ranks)
            require(isFraction(rank.bubble_of_total), "a rank's bubble that is no fraction");
        std::ostringstream printed;
        cli::printImport(printed, run, report, Language::English);
        require(!printed.str().empty(), "import prints nothing");
    }
    const std::string json = cli::jsonText(cli::importJson(run, std::nullopt));
    require(nlohmann::json::accept(json), "import --json prints no JSON", [&] { return json; });
    require(json.find('\n') == std::string::npos, "import --json breaks a line");
    checkChrome(run.timeline, {});
    checkCsv(run.timeline);
}

void run(std::string_view input) {
    static const ScratchFolder folder;
    place(filesOf(input), folder.path());
    const std::vector<std::filesystem::path> paths = {folder.path()};
    ImportedRun imported;
    try {
        imported = importRun(readTracedRun(paths));
    } catch (const ImportError& error) {
        require(*error.what() != '\0', "a refusal says nothing");
        return;
    }
    check(imported);
}

}  // namespace

const Target& target() {
    static const Target imports{"imports", run, mutateFiles};
    return imports;
}

}  // namespace bscope::fuzz
