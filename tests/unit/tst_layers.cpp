// The house keeps its walls: every #include and every link in the tree is held against the table
// "Who may include whom" of docs/ARCHITECTURE.md.
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

using Rooms = QMap<QString, QStringList>;  // room -> what its row names

QString readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The table of docs/ARCHITECTURE.md with this head: first column -> last column.
Rooms tableUnder(const QString& head) {
    Rooms rooms;
    const QString text = readFile(BUBBLESCOPE_SOURCE_DIR "/docs/ARCHITECTURE.md");
    const QString rows = text.section(head, 1).section("\n\n", 0, 0);
    static const QRegularExpression row(R"(^\| ([a-z/]+) \|(?:.*\|)? ([^|]+) \|$)",
                                        QRegularExpression::MultilineOption);
    for (auto it = row.globalMatch(rows); it.hasNext();) {
        const auto match = it.next();
        const QString allowed = match.captured(2);
        rooms[match.captured(1)] = allowed == "nothing" ? QStringList() : allowed.split(", ");
    }
    return rooms;
}

Rooms table() {
    return tableUnder("| room | may include |");
}

Rooms foldersOfTheWindow() {
    return tableUnder("| folder | holds | includes of its room |");
}

// The folder a room lives in.
QString folder(const QString& room) {
    const bool outside_engine = room == "app" || room == "widgets" || room.startsWith("kernels");
    return QString(BUBBLESCOPE_SOURCE_DIR) + (outside_engine ? "/" : "/engine/") + room;
}

// What an include stands for: a room, a named library, or empty for the standard library and the system.
QString target(const QString& include, const Rooms& rooms) {
    static const QList<QPair<QRegularExpression, QString>> libraries = {
        {QRegularExpression("^Q[A-Z]|^Qt"), "Qt"},
        {QRegularExpression("^qcustomplot"), "QCustomPlot"},
        {QRegularExpression("^(cairo|ft2build)"), "cairo"},
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
    };
    for (const auto& [pattern, name] : libraries)
        if (pattern.match(include).hasMatch()) return name;
    for (const char* room : {"kernels/cpu", "kernels/plugin", "kernels/cuda"})
        if (include.startsWith(QString(room) + "/")) return room;
    const QString room = include.section('/', 0, 0);
    return include.contains('/') && rooms.contains(room) ? room : QString();
}

QStringList sources(const QString& room) {
    QStringList files;
    QDirIterator it(folder(room), {"*.h", "*.cpp", "*.cu", "*.cuh"}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString file = it.next();
        if (room == "kernels" && file.section("/kernels/", -1).contains('/')) continue;
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
                for (const QString& base : {QString(), QString("engine/")})
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
    void theTableNamesEveryRoom() {
        const Rooms rooms = table();
        for (const char* room :
             {"files", "schedule", "timeline", "kernels", "kernels/cpu", "kernels/plugin", "kernels/cuda",
              "model", "plan",     "clock",    "rank",    "gpu",         "crew",           "run",
              "mpi",   "import",   "wire",     "server",  "cli",         "widgets",        "app"}) {
            QVERIFY2(rooms.contains(room), room);
            QVERIFY2(!sources(room).isEmpty(), room);
        }
    }

    void everyIncludeIsAllowed_data() {
        QTest::addColumn<QString>("room");
        const Rooms rooms = table();
        for (const QString& room : rooms.keys()) QTest::newRow(qPrintable(room)) << room;
    }

    void everyIncludeIsAllowed() {
        QFETCH(QString, room);
        const Rooms rooms = table();
        QStringList broken;
        static const QRegularExpression include("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">]",
                                                QRegularExpression::MultilineOption);
        for (const QString& file : sources(room)) {
            for (auto it = include.globalMatch(readFile(file)); it.hasNext();) {
                const QString included = it.next().captured(1);
                const QString to = target(included, rooms);
                if (!to.isEmpty() && to != room && !rooms[room].contains(to))
                    broken += file.section('/', -2) + " includes " + included;
            }
        }
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join("\n")));
    }

    // Two folders that include each other, on whatever way round, are one that nobody can read alone.
    void noCircleBetweenFolders() {
        const Graph graph = folders();
        QVERIFY(graph.contains("engine/crew") && graph.contains("widgets/controls"));
        QVERIFY(graph["app/window"].contains("widgets/gantt"));
        QVERIFY(graph["engine/run"].contains("engine/crew"));
        QStringList in_circles;
        for (const QString& folder : graph.keys())
            if (reached(graph, folder).contains(folder)) in_circles += folder;
        QVERIFY2(in_circles.isEmpty(), qPrintable(in_circles.join(' ')));
    }

    // Two types of one name share the constructors that a compiler does not put in line, whatever their
    // sizes.
    void aNameIsOneType() {
        QMap<QString, QString> declared;  // type -> file
        QStringList twice;
        for (const QString& room : table().keys()) {
            if (room == "kernels/cuda")
                continue;  // its emulation declares again what a GPU's compiler brings
            for (const QString& file : sources(room))
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
        const Rooms rows = foldersOfTheWindow();
        const Graph graph = folders();
        QStringList broken;
        for (const QString& folder : graph.keys()) {
            const QString room = folder.section('/', 0, 0);
            if ((room != "widgets" && room != "app") || folder == "app/main") continue;
            if (!rows.contains(folder)) broken += folder + " has no row";
            for (const QString& included : graph[folder])
                if (included.section('/', 0, 0) == room && !rows[folder].contains(included.section('/', 1)))
                    broken += folder + " includes " + included;
        }
        for (const QString& folder : rows.keys())
            if (!graph.contains(folder)) broken += folder + " has a row and no source";
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join("\n")));
    }

    // A folder of the engine is a room with a row of its own, but for a room's program (`cli/main`).
    void everyFolderOfTheEngineIsARoom() {
        const Rooms rooms = table();
        for (const QString& folder : folders().keys())
            if (folder.startsWith("engine/") && !folder.endsWith("/main"))
                QVERIFY2(rooms.contains(folder.section('/', 1)), qPrintable(folder));
    }

    // The engine must start on a machine without CUDA.
    void onlyThePluginSeesCuda() {
        const Rooms rooms = table();
        QVERIFY(rooms["kernels/cuda"].contains("CUDA"));
        for (const QString& room : rooms.keys())
            if (room != "kernels/cuda") QVERIFY2(!rooms[room].contains("CUDA"), qPrintable(room));
        QVERIFY(!readFile(BUBBLESCOPE_SOURCE_DIR "/engine/cli/CMakeLists.txt").contains("CUDA::"));
    }

    // A room that links another one can include it by accident later; the link is held to the same table.
    void everyLinkIsAllowed() {
        const Rooms rooms = table();
        static const QRegularExpression call(R"(bubblescope_room\((\w+)([^)]*)\))");
        for (const QString& room : rooms.keys()) {
            const auto match = call.match(readFile(folder(room) + "/CMakeLists.txt"));
            if (room == "kernels/cuda") continue;  // linked by nothing, links no room
            QVERIFY2(match.hasMatch(), qPrintable(room));
            static const QRegularExpression linked(R"(\bbs_(\w+))");
            for (auto it = linked.globalMatch(match.captured(2)); it.hasNext();) {
                const QString to = it.next().captured(1).replace("kernels_", "kernels/");
                QVERIFY2(rooms[room].contains(to), qPrintable(room + " links " + to));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestLayers)
#include "tst_layers.moc"
