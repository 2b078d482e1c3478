// Module dependencies follow the table: every #include in the tree and every link that a module call names is
// checked against "Who may include whom" of docs/ARCHITECTURE.md.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "registered_test.h"

namespace tst_layers {

namespace {

using Modules = QMap<QString, QStringList>;  // module -> what its row names

QString readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The table of docs/ARCHITECTURE.md with this head: first column -> last column.
Modules tableUnder(const QString& head) {
    Modules modules;
    const QString text = readFile(BUBBLESCOPE_SOURCE_DIR "/docs/ARCHITECTURE.md");
    const QString rows = text.section(head, 1).section("\n\n", 0, 0);
    static const QRegularExpression row(R"(^\| ([a-z/]+) \|(?:.*\|)? ([^|]+) \|$)",
                                        QRegularExpression::MultilineOption);
    for (auto it = row.globalMatch(rows); it.hasNext();) {
        const auto match = it.next();
        const QString allowed = match.captured(2);
        modules[match.captured(1)] = allowed == "nothing" ? QStringList() : allowed.split(", ");
    }
    return modules;
}

Modules table() {
    return tableUnder("| module | may include |");
}

Modules foldersOfTheWindow() {
    return tableUnder("| folder | holds | includes of its module |");
}

// The folder a module lives in.
QString folder(const QString& module) {
    const bool outside_engine = module == "app" || module == "widgets" || module.startsWith("kernels");
    const bool is_base = module == "words" || module == "host" || module == "files";
    return QString(BUBBLESCOPE_SOURCE_DIR) + (is_base ? "/kernels/base/" : outside_engine ? "/" : "/engine/") + module;
}

// What an include stands for: a module, a named library, or empty for the standard library and the system.
QString target(const QString& include, const Modules& modules) {
    static const QList<QPair<QRegularExpression, QString>> libraries = {
        {QRegularExpression("^Q[A-Z]|^Qt"), "Qt"},
        {QRegularExpression("^qcustomplot"), "QCustomPlot"},
        {QRegularExpression("^(cairo|ft2build)"), "cairo"},
        {QRegularExpression("^gif_lib[.]h"), "giflib"},
        {QRegularExpression("^google/protobuf"), "protobuf"},
        {QRegularExpression("^nlohmann"), "json"},
        {QRegularExpression("^asio"), "asio"},
        {QRegularExpression("^CLI/"), "CLI11"},
        {QRegularExpression("^oneapi/dnnl|^dnnl"), "oneDNN"},
        {QRegularExpression("^(cuda|cupti|nccl|cublas|nvtx|mma[.]h)"), "CUDA"},
        {QRegularExpression("^mpi[.]h"), "MPI"},
        {QRegularExpression("^simdjson"), "simdjson"},
        {QRegularExpression("^zlib[.]h"), "zlib"},
        {QRegularExpression("^isa-l/"), "isa-l"},
        {QRegularExpression("^sqlite3[.]h"), "sqlite"},
        {QRegularExpression("^curses[.]h"), "ncurses"},
    };
    for (const auto& [pattern, name] : libraries)
        if (pattern.match(include).hasMatch()) return name;
    for (const char* module : {"kernels/cpu", "kernels/plugin", "kernels/cuda"})
        if (include.startsWith(QString(module) + "/")) return module;
    const QString module = include.section('/', 0, 0);
    return include.contains('/') && modules.contains(module) ? module : QString();
}

QStringList sources(const QString& module) {
    QStringList files;
    QDirIterator it(folder(module), {"*.h", "*.cpp", "*.cu", "*.cuh"}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString file = it.next();
        if (module == "kernels" && file.section("/kernels/", -1).contains('/')) continue;
        files += file;
    }
    return files;
}

using Graph = QMap<QString, QSet<QString>>;  // folder -> the folders whose headers it includes

QString folderOf(const QString& file) {
    return file.section('/', 0, -2);
}

// All folders with sources of the project, relative to its root.
Graph folders() {
    Graph graph;
    const QString root = QString(BUBBLESCOPE_SOURCE_DIR) + "/";
    static const QRegularExpression include("^\\s*#\\s*include\\s*\"([^\"]+)\"",
                                            QRegularExpression::MultilineOption);
    for (const char* top : {"engine", "kernels", "widgets", "app"}) {
        QDirIterator it(root + top, {"*.h", "*.cpp", "*.cu", "*.cuh"}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString file = it.next(), own = folderOf(file.mid(root.size()));
            QSet<QString>& included = graph[own];
            for (auto match = include.globalMatch(readFile(file)); match.hasNext();) {
                const QString name = match.next().captured(1);
                for (const QString& base : {QString(), QString("engine/"), QString("kernels/base/")})
                    if (QFile::exists(root + base + name) && folderOf(base + name) != own)
                        included += folderOf(base + name);
            }
        }
    }
    return graph;
}

// Every folder that can be reached from this one.
QSet<QString> reached(const Graph& graph, const QString& from) {
    QSet<QString> seen;
    QStringList open{from};
    while (!open.isEmpty())
        for (const QString& next : graph[open.takeLast()])
            if (!seen.contains(next)) {
                seen += next;
                open += next;
            }
    return seen;
}

// Types that a source declares in a namespace with a name, "bscope::Event".
QSet<QString> typesOf(const QString& file) {
    static const QRegularExpression type(
        R"(^(?:template <.*> )?(?:struct|class|union|enum class) (?:alignas\(\w+\) )?(\w+)\b(?!::)[^;]*$)"),
        opens(R"(^namespace (\S+ )?\{)"), closes("^\\}  // namespace");
    QSet<QString> types;
    QStringList namespaces;
    for (const QString& line : readFile(file).split('\n')) {
        if (const auto match = opens.match(line); match.hasMatch())
            namespaces += match.captured(1).trimmed();
        else if (closes.match(line).hasMatch() && !namespaces.isEmpty())
            namespaces.removeLast();
        else if (const auto declared = type.match(line);
                 declared.hasMatch() && !namespaces.contains(QString()))
            types += (namespaces + QStringList{declared.captured(1)}).join("::");
    }
    return types;
}

}  // namespace

class TestLayers : public QObject {
    Q_OBJECT

private slots:
    void theTableNamesEveryModule() {
        const Modules modules = table();
        for (const char* module :
             {"files",        "schedule", "timeline", "kernels", "kernels/cpu", "kernels/plugin",
              "kernels/cuda", "model",    "plan",     "clock",   "rank",        "gpu",
              "workers",      "run",      "mpi",      "import",  "wire",        "server",
              "terminal",     "cli",      "widgets",  "app"}) {
            QVERIFY2(modules.contains(module), module);
            QVERIFY2(!sources(module).isEmpty(), module);
        }
    }

    void everyIncludeIsAllowed_data() {
        QTest::addColumn<QString>("module");
        const Modules modules = table();
        for (const QString& module : modules.keys()) QTest::newRow(qPrintable(module)) << module;
    }

    void everyIncludeIsAllowed() {
        QFETCH(QString, module);
        const Modules modules = table();
        QStringList broken;
        static const QRegularExpression include("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">]",
                                                QRegularExpression::MultilineOption);
        for (const QString& file : sources(module)) {
            for (auto it = include.globalMatch(readFile(file)); it.hasNext();) {
                const QString included = it.next().captured(1);
                const QString to = target(included, modules);
                if (!to.isEmpty() && to != module && !modules[module].contains(to))
                    broken += file.section('/', -2) + " includes " + included;
            }
        }
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join("\n")));
    }

    // Two folders that include each other, on whatever way round, are one that cannot be read alone.
    void noCircleBetweenFolders() {
        const Graph graph = folders();
        QVERIFY(graph.contains("engine/workers") && graph.contains("widgets/controls"));
        QVERIFY(graph["app/window"].contains("widgets/gantt"));
        QVERIFY(graph["engine/run"].contains("engine/workers"));
        QStringList in_circles;
        for (const QString& folder : graph.keys())
            if (reached(graph, folder).contains(folder)) in_circles += folder;
        QVERIFY2(in_circles.isEmpty(), qPrintable(in_circles.join(' ')));
    }

    // What a person reads as one list, and finds the place for a change in.
    void noFolderHasMoreThan40Files() {
        for (const QString& folder : folders().keys()) {
            const QDir dir(QString(BUBBLESCOPE_SOURCE_DIR) + "/" + folder);
            const auto files = dir.entryList({"*.h", "*.cpp", "*.cu", "*.cuh"}, QDir::Files).size();
            QVERIFY2(files <= 40, qPrintable(QString("%1: %2 files").arg(folder).arg(files)));
        }
    }

    // Two types of one name share the constructors that a compiler does not put in line, whatever their
    // sizes.
    void aNameIsOneType() {
        QMap<QString, QString> declared;  // type -> file
        QStringList twice;
        for (const QString& module : table().keys()) {
            if (module == "kernels/cuda")
                continue;  // its emulation declares again what a GPU's compiler brings
            for (const QString& file : sources(module))
                for (const QString& type : typesOf(file)) {
                    if (declared.contains(type)) twice += type + ": " + declared[type] + ", " + file;
                    declared[type] = file;
                }
        }
        QCOMPARE(declared["bscope::Event"].section('/', -2), QString("timeline/event.h"));
        QVERIFY2(twice.isEmpty(), qPrintable(twice.join("\n")));
    }

    // Inside `widgets` and `app` a folder includes the folders that its row names, and every folder has a
    // row, but for the program.
    void everyFolderOfTheWindowKeepsItsRow() {
        const Modules rows = foldersOfTheWindow();
        const Graph graph = folders();
        QStringList broken;
        for (const QString& folder : graph.keys()) {
            const QString module = folder.section('/', 0, 0);
            if ((module != "widgets" && module != "app") || folder == "app/main") continue;
            if (!rows.contains(folder)) broken += folder + " has no row";
            for (const QString& included : graph[folder])
                if (included.section('/', 0, 0) == module && !rows[folder].contains(included.section('/', 1)))
                    broken += folder + " includes " + included;
        }
        for (const QString& folder : rows.keys())
            if (!graph.contains(folder)) broken += folder + " has a row and no source";
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join("\n")));
    }

    // A folder of the engine is a module with a row of its own, or lies in one (`cli/report`).
    void everyFolderOfTheEngineIsAModule() {
        const Modules modules = table();
        for (const QString& folder : folders().keys())
            if (folder.startsWith("engine/"))
                QVERIFY2(modules.contains(folder.section('/', 1, 1)), qPrintable(folder));
    }

    // The engine must start on a machine without CUDA.
    void onlyThePluginSeesCuda() {
        const Modules modules = table();
        QVERIFY(modules["kernels/cuda"].contains("CUDA"));
        for (const QString& module : modules.keys())
            if (module != "kernels/cuda") QVERIFY2(!modules[module].contains("CUDA"), qPrintable(module));
        QVERIFY(!readFile(BUBBLESCOPE_SOURCE_DIR "/engine/cli/CMakeLists.txt").contains("CUDA::"));
    }

    // A module that links another one can include it by accident later; the link is held to the same table.
    void everyLinkIsAllowed() {
        const Modules modules = table();
        static const QRegularExpression call(R"(bubblescope_module\((\w+)([^)]*)\))");
        for (const QString& module : modules.keys()) {
            const auto match = call.match(readFile(folder(module) + "/CMakeLists.txt"));
            if (module == "kernels/cuda") continue;  // linked by nothing, links no module
            QVERIFY2(match.hasMatch(), qPrintable(module));
            static const QRegularExpression linked(R"(\bbs_(\w+))");
            for (auto it = linked.globalMatch(match.captured(2)); it.hasNext();) {
                const QString to = it.next().captured(1).replace("kernels_", "kernels/");
                QVERIFY2(modules[module].contains(to), qPrintable(module + " links " + to));
            }
        }
    }
};

BUBBLESCOPE_TEST(TestLayers)

}  // namespace tst_layers

#include "tst_layers.moc"
