// Files that are written whole or not at all.
#include <sys/resource.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>
#include <sstream>

#include "files/whole_file.h"
#include "registered_test.h"

namespace tst_whole_file {

using namespace bscope;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

void put(const fs::path& file, const std::string& text) {
    writeWholeFile(file, [&](std::ostream& out) { out << text; });
}

std::string errorOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class TestWholeFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path at(const char* name) const { return folder_.filePath(name).toStdString(); }

private slots:
    void whatIsWrittenIsThere() {
        for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 1000000u}) {
            std::string text(size, 'x');
            for (std::size_t i = 0; i < size; i += 7) text[i] = static_cast<char>(i);
            put(at("file"), text);
            QVERIFY(contentOf(at("file")) == text);
            QVERIFY(!fs::exists(at("file.part")));
        }
    }

    void whatWasThereIsNotFollowed() {
        put(at("victim"), "mine");
        fs::create_symlink(at("victim"), at("linked.part"));
        put(at("linked"), "new");
        fs::create_symlink(at("victim"), at("link"));
        put(at("link"), "new");
        std::ofstream(at("stale.part")) << "of a process that was killed";
        put(at("stale"), "new");
        QCOMPARE(contentOf(at("victim")), std::string("mine"));
        for (const char* name : {"linked", "link", "stale"}) {
            QCOMPARE(contentOf(at(name)), std::string("new"));
            QVERIFY(!fs::is_symlink(at(name)));
        }
    }

    void whatFailsLeavesTheOldFile() {
        put(at("old"), "old");
        struct Interrupted {};
        QVERIFY_THROWS_EXCEPTION(Interrupted, writeWholeFile(at("old"), [](std::ostream& out) {
                                     out << "half";
                                     throw Interrupted();
                                 }));
        QCOMPARE(contentOf(at("old")), std::string("old"));
        QVERIFY(!fs::exists(at("old.part")));
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit small{1u << 16, before.rlim_max};  // stands for a full disk
        setrlimit(RLIMIT_FSIZE, &small);
        const std::string error = errorOf([&] { put(at("old"), std::string(1u << 20, 'x')); });
        setrlimit(RLIMIT_FSIZE, &before);
        QCOMPARE(error, std::string("File too large"));
        QCOMPARE(contentOf(at("old")), std::string("old"));
        QVERIFY(!fs::exists(at("old.part")));
        fs::create_directory(at("old.part"));
        QCOMPARE(errorOf([&] { put(at("old"), "new"); }), std::string("File exists"));
        fs::create_directory(at("folder"));
        QVERIFY(!errorOf([&] { put(at("folder"), "new"); }).empty());
        QCOMPARE(errorOf([&] { put(at("none/file"), "new"); }), std::string("No such file or directory"));
    }

    void aDeviceIsWrittenToAsItIs() {
        put("/dev/null", "gone");
        QCOMPARE(errorOf([] { put("/dev/full", std::string(1u << 17, 'x')); }),
                 std::string("No space left on device"));
        QVERIFY(!fs::exists("/dev/full.part"));
    }
};

BUBBLESCOPE_TEST(TestWholeFile)

}  // namespace tst_whole_file

#include "tst_whole_file.moc"
