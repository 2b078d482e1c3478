// Mutated files and words through the programs themselves: each ends by itself within 10 s, with a status and
// no signal, in less than 1 GB, and what it wrote can be parsed. BUBBLESCOPE_MUTANTS says how many mutants a
// program gets, BUBBLESCOPE_FUZZ_SEED which ones; a mutant that is a finding stays in the folder `findings`.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <nlohmann/json.hpp>

#include "registered_test.h"
#include "support/byte_mutator.h"
#include "support/message_mutator.h"
#include "support/named_files.h"
#include "support/text_mutator.h"
#include "support/watched_program.h"

namespace tst_programs {

using namespace bscope::fuzz;

namespace {

constexpr double kLimit_s = 10, kLimitMb = 1000;
const std::string kBscope = BUBBLESCOPE_BIN_DIR "/bscope", kWindow = BUBBLESCOPE_BIN_DIR "/bubblescope";

using Mutate = void (*)(std::string&, Random&);

// Words no command knows: what was read before is checked, then the line is refused and nothing runs.
const std::vector<std::string> kRefused = {"--no-such-option", "--nor-this-one"};

struct Program {
    const char* name;
    const char* seeds;  // folder
    Mutate mutate;
    const char* input;  // the file it is given; *.d: a folder of files; "": the mutant is its words
    std::vector<std::string> words;  // INPUT: the file
};

std::vector<Program> programs() {
    const std::vector<std::string> tiny = {"--hidden", "8", "--heads",       "1", "--seq", "4",
                                           "--layers", "4", "--micro-batch", "1", "-p",    "2",
                                           "-m",       "2", "--iterations",  "1"};
    const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    std::vector<Program> all = {
        {"replay", "recording", mutateRecording, "in.bscope", {kBscope, "replay", "INPUT"}},
        {"replay_json", "recording", mutateRecording, "in.bscope", {kBscope, "replay", "INPUT", "--json"}},
        {"export",
         "recording",
         mutateRecording,
         "in.bscope",
         {kBscope, "export", "INPUT", "--chrome", "out.json", "--csv", "out.csv"}},
        {"validate", "schedule_file", mutateCells, "in.csv", {kBscope, "validate", "INPUT"}},
        {"validate_json", "schedule_file", mutateCells, "in.csv", {kBscope, "validate", "INPUT", "--json"}},
        {"schedule", "schedule_file", mutateCells, "in.csv", {kBscope, "schedule", "file:INPUT"}},
        {"run_schedule",
         "schedule_file",
         mutateCells,
         "in.csv",
         {kBscope, "run", "--schedule", "file:INPUT", "--hidden", "8", "--heads", "1", "--seq", "4",
          "--micro-batch", "1", "--iterations", "1"}},
        {"run_load", "safetensors", mutateBytes, "in.safetensors",
         with({kBscope, "run", "--load", "INPUT"}, tiny)},
        {"run_config", "config", mutateJson, "in.json",
         with({kBscope, "run", "--config", "INPUT"}, kRefused)},
        {"run_scenario", "config", mutateJson, "in.json",
         with({kBscope, "run", "--scenario", "INPUT"}, kRefused)},
        {"import", "imports", mutateFiles, "in.d", {kBscope, "import", "INPUT"}},
        {"import_json", "imports", mutateFiles, "in.d", {kBscope, "import", "INPUT", "--json"}},
        {"words", "command_line", mutateWords, "", {kBscope}},
    };
    if (QFile::exists(QString::fromStdString(kWindow))) {
        all.push_back({"window",
                       "recording",
                       mutateRecording,
                       "in.bscope",
                       {kWindow, "INPUT", "--export", "out.svg", "--size", "640x400"}});
    }
    return all;
}

int fromEnvironment(const char* name, int otherwise) {
    bool is_number = false;
    const int value = qEnvironmentVariableIntValue(name, &is_number);
    return is_number ? value : otherwise;
}

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool isXml(const QByteArray& text) {
    QXmlStreamReader reader(text);
    while (!reader.atEnd()) reader.readNext();
    return !reader.hasError();
}

}  // namespace

class TestPrograms : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString at(const char* name) const { return folder_.filePath(QString::fromUtf8(name)); }

    std::vector<std::string> wordsOf(const Program& program, const std::string& mutant) const {
        std::vector<std::string> words;
        for (std::string word : program.words) {
            if (const auto place = word.find("INPUT"); place != std::string::npos)
                word.replace(place, 5, at(program.input).toStdString());
            if (word.starts_with("out.")) word = at(word.c_str()).toStdString();
            words.push_back(word);
        }
        if (*program.input != '\0') return words;
        for (const QByteArray& word : QByteArray::fromStdString(mutant).split('\n'))
            words.push_back(QByteArray(word).replace('/', '_').replace('\0', '_').toStdString());
        words.insert(words.end(), kRefused.begin(), kRefused.end());
        return words;
    }

    static bool writeFile(const QString& path, const std::string& text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) &&
               file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size());
    }
    bool writeInput(const Program& program, const std::string& mutant) const {
        const QString path = at(program.input);
        if (*program.input == '\0') return true;
        if (!path.endsWith(QStringLiteral(".d"))) return writeFile(path, mutant);
        if (!QDir(path).removeRecursively() || !QDir().mkpath(path)) return false;
        for (const NamedText& file : filesOf(mutant))
            if (!writeFile(QDir(path).filePath(QString::fromStdString(file.name)), file.text)) return false;
        return true;
    }

    // Empty, or what went wrong.
    QString troubleOf(const Program& program, const std::string& mutant) {
        for (const char* name : {"out", "err", "out.json", "out.csv", "out.svg"}) QFile::remove(at(name));
        if (!writeInput(program, mutant)) return QStringLiteral("the mutant cannot be written");
        const Ended ended = runWatched(wordsOf(program, mutant), folder_.path().toStdString(), kLimit_s);
        if (ended.timed_out) return QStringLiteral("it did not end within %1 s").arg(kLimit_s);
        if (ended.signal != 0) return QStringLiteral("it was ended by signal %1").arg(ended.signal);
        if (ended.peak_mb > kLimitMb) return QStringLiteral("it took %1 MB").arg(ended.peak_mb);
        if (ended.status != 0) {
            const bool says_why = QFileInfo(at("err")).size() + QFileInfo(at("out")).size() > 0;
            return says_why ? QString() : QStringLiteral("it failed without a word");
        }
        if (QFile::exists(at("out.json")) &&
            !nlohmann::json::accept(contentsOf(at("out.json")).toStdString()))
            return QStringLiteral("what it wrote is no JSON");
        if (QFile::exists(at("out.svg")) && !isXml(contentsOf(at("out.svg"))))
            return QStringLiteral("what it wrote is no SVG");
        return {};
    }

    static QString keep(const Program& program, const std::string& mutant) {
        QDir().mkpath(QStringLiteral("findings"));
        const QString path =
            QStringLiteral("findings/%1-%2").arg(program.name).arg(qHash(QByteArray::fromStdString(mutant)));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(mutant.data(), static_cast<qint64>(mutant.size()));
        return QFileInfo(path).absoluteFilePath();
    }

private slots:
    void stand_data() {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const Program& program : programs()) QTest::addRow("%s", program.name) << index++;
    }
    void stand() {
        QFETCH(int, index);
        const Program program = programs()[static_cast<std::size_t>(index)];
        const QDir seeds(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/fuzz/seeds/%1").arg(program.seeds));
        const QStringList names = seeds.entryList(QDir::Files, QDir::Name);
        QVERIFY(!names.isEmpty());
        const int mutants = fromEnvironment("BUBBLESCOPE_MUTANTS", 12);
        Random random(static_cast<std::uint64_t>(fromEnvironment("BUBBLESCOPE_FUZZ_SEED", 1)));
        int findings = 0;
        for (int i = 0; i < mutants; ++i) {
            const QString& name =
                names[static_cast<int>(below(random, static_cast<std::uint64_t>(names.size())))];
            std::string mutant = contentsOf(seeds.filePath(name)).toStdString();
            for (std::uint64_t changes = below(random, 4); changes > 0; --changes)
                program.mutate(mutant, random);
            const QString trouble = troubleOf(program, mutant);
            if (trouble.isEmpty()) continue;
            ++findings;
            qWarning().noquote() << program.name << trouble << keep(program, mutant);
        }
        qInfo().noquote() << program.name << mutants << "mutants" << findings << "findings";
        QCOMPARE(findings, 0);
    }
};

BUBBLESCOPE_TEST(TestPrograms)

}  // namespace tst_programs

#include "tst_programs.moc"
