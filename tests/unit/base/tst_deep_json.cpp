// JSON without an end to its nesting, in every file that the program reads: a sentence, never a stack that
// overflows. Of 100,000 levels, more than any stack has, and of one level too many.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "bscope_process.h"
#include "cards/card_boxes.h"
#include "cli/input/saved_costs.h"
#include "files/shallow_json.h"
#include "model/safetensors.h"
#include "puzzle/level.h"
#include "puzzle/puzzle_progress.h"
#include "registered_test.h"
#include "wire/scenario.h"

namespace tst_deep_json {

using namespace bscope;
namespace fs = std::filesystem;

namespace {

std::string nested(int levels, const char* open = "[", const char* close = "]") {
    std::string text;
    for (int i = 0; i < levels; ++i) text += open;
    for (int i = 0; i < levels; ++i) text += close;
    return text;
}

// Apostrophes for the quotation marks of JSON; moc loses its way in raw strings.
std::string json(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return text;
}

std::string withHeader(const std::string& header) {
    const std::uint64_t size = header.size();
    std::string bytes(sizeof(size), '\0');
    std::memcpy(bytes.data(), &size, sizeof(size));
    return bytes + header;
}

std::string errorOf(const std::function<void()>& read) {
    try {
        read();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "no error";
}

const char* const kWords = "nested more than 100 levels deep";

}  // namespace

class TestDeepJson : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path put(const fs::path& name, const std::string& bytes) const {
        const fs::path file = fs::path(folder_.path().toStdString()) / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }

private slots:
    void levelsAreCountedOutsideOfStrings() {
        QVERIFY(!isTooDeepJson(nested(kMostJsonLevels)));
        QVERIFY(isTooDeepJson(nested(kMostJsonLevels + 1)));
        QVERIFY(!isTooDeepJson(json("{'a':'") + nested(1000) + json("\\'[[', 'b':[1]}")));
        QVERIFY(!isTooDeepJson("\"" + nested(1000, "\\\"[", "]")));
        std::string wide = "[";
        for (int i = 0; i < 1000; ++i) wide += "[{}],";
        QVERIFY(!isTooDeepJson(wide + "[]]"));
        QVERIFY(isTooDeepJson(nested(1000, json("{'a':[").c_str(), "]}")));
        QVERIFY(!isTooDeepJson(""));
        QVERIFY(!isTooDeepJson("\"\\"));
    }

    void filesOfOurOwn_data() {
        QTest::addColumn<int>("levels");
        QTest::newRow("no end") << 100'000;
        QTest::newRow("one too many") << kMostJsonLevels;  // the object around them is one more
    }
    void filesOfOurOwn() {
        QFETCH(int, levels);
        const std::string deep = nested(levels);
        const auto member = [&](const char* name, const char* rest = "") {
            return std::string("{\"") + name + "\":" + deep + rest + "}";
        };
        const std::string stages =
            json("{'bubblescope_costs':1,'p':1,'v':1,'m':1,'source':'','provenance':'','stages':") + deep +
            "}";
        for (const std::string& text : {member("bubblescope_costs"), stages})
            QVERIFY(errorOf([&] { cli::readCosts(put("costs.json", text).string()); }).find(kWords) !=
                    std::string::npos);
        const std::string boxes = member("boxes", ",\"session\":1"), levels_of = member("levels");
        QVERIFY(errorOf([&] { readCardBoxes(put("cards.json", boxes)); }).find(kWords) != std::string::npos);
        QVERIFY(errorOf([&] { readPuzzleProgress(put("puzzle.json", levels_of)); }).find(kWords) !=
                std::string::npos);
        QVERIFY(errorOf([&] { readPuzzlePars(member("pars")); }).find(kWords) != std::string::npos);
        QVERIFY(errorOf([&] { parseConfigJson(member("link"), "it"); }).find(kWords) != std::string::npos);
        QVERIFY(errorOf([&] { parseScenarioJson(member("lesson"), "it"); }).find(kWords) !=
                std::string::npos);
        const fs::path state = put("state.safetensors", withHeader(member("__metadata__")));
        QVERIFY(errorOf([&] { readTensorMetadata(state); }).find(kWords) != std::string::npos);
    }

    void filesOfOtherPrograms() {
        const std::string deep = nested(100'000);
        const std::string event =
            json("{'ph':'X','cat':'kernel','name':'a','ts':1,'dur':1,'args':") + deep + "}";
        put("kineto/rank0.json", json("{'traceEvents':[") + event + "]}");
        put("info/rank0.json", json("{'distributedInfo':") + deep + json(",'traceEvents':[]}"));
        put("other/run.json", json("{'otherData':") + deep + json(",'traceEvents':[]}"));
        put("probe/probe_rank_0.jsonl", json("{'bubblescope_probe':") + deep + "}\n");
        put("primus/config.json", json("{'pp_size':1,'a':") + deep + "}");
        put("primus/pp_rank_0.json", "{}");
        put("ranks/config.json", json("{'pp_size':1,'num_mbs':1}"));
        put("ranks/pp_rank_0.json", json("{'0':") + deep + "}");
        for (const char* name : {"kineto", "info", "other", "probe", "primus", "ranks"}) {
            const auto ran = bscopeRun({"import", folder_.path() + "/" + name});
            QVERIFY2(!ran.crashed, name);
            QCOMPARE(ran.code, 1);
            QVERIFY2(!ran.errors.isEmpty(), name);
        }
    }

    // Every option that takes such a file, of the program itself.
    void optionsThatTakeThem() {
        const QString costs = QString::fromStdString(
            put("deep.json", json("{'bubblescope_costs':") + nested(100'000) + "}").string());
        for (const QStringList& words :
             {QStringList{"schedule", "1f1b", "--costs-from", costs},
              QStringList{"schedule", "--auto", "--costs-from", costs}, QStringList{"run", "--config", costs},
              QStringList{"run", "--scenario", costs}, QStringList{"lesson", "check", costs}}) {
            const auto ran = bscopeRun(words);
            QVERIFY2(!ran.crashed, qPrintable(words.join(' ')));
            QVERIFY2(ran.code == 1 || ran.code == 2, ran.errors);
            QVERIFY2(ran.errors.contains(kWords), ran.errors);
        }
    }
};

BUBBLESCOPE_TEST(TestDeepJson)

}  // namespace tst_deep_json

#include "tst_deep_json.moc"
