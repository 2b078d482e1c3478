// `cmake --install` to a folder that the build does not know: both programs run from there, the window with the
// engine beside it, and what the desktop reads is in its place.
#include <QFileInfo>
#include <QImage>
#include <QJsonDocument>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "registered_test.h"
#include "wire/frame.h"

namespace tst_install {

namespace {

constexpr int kMost_ms = 150'000;

struct Ended {
    int code = -1;
    QByteArray out;
};

Ended start(const QString& program, const QStringList& words, const QProcessEnvironment& environment) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setProcessEnvironment(environment);
    process.start(program, words);
    if (!process.waitForFinished(kMost_ms)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.errorString().toUtf8()};
    }
    return {process.exitCode(), process.readAll()};
}

}  // namespace

class TestInstall : public QObject {
    Q_OBJECT

private slots:
    void programsRunWhereTheyWereInstalled() {
        QTemporaryDir folder;
        const QString prefix = folder.filePath("a prefix"), bin = prefix + "/bin/";
        const Ended installed = start(QStringLiteral(BUBBLESCOPE_CMAKE),
                                      {"--install", QStringLiteral(BUBBLESCOPE_BUILD_DIR), "--prefix", prefix},
                                      QProcessEnvironment::systemEnvironment());
        QVERIFY2(installed.code == 0, installed.out.constData());
        for (const char* file :
             {"share/applications/bubblescope.desktop", "share/mime/packages/bubblescope.xml",
              "share/icons/hicolor/scalable/apps/bubblescope.svg", "share/doc/bubblescope/LICENSE",
              "share/bubblescope/scenarios/default.json", "share/metainfo/bubblescope.metainfo.xml",
              "share/man/man1/bscope.1", "share/man/man1/bubblescope.1",
              "share/fish/vendor_completions.d/bscope.fish"})
            QVERIFY2(QFileInfo(prefix + '/' + file).isFile(), file);
        // What shells complete is made from the help: every command, its options, every schedule.
        for (const char* shell : {"bash-completion/completions/bscope", "zsh/site-functions/_bscope"}) {
            QFile completion(prefix + "/share/" + shell);
            QVERIFY(completion.open(QIODevice::ReadOnly));
            const QByteArray text = completion.readAll();
            for (const char* part :
                 {"naive gpipe", "pipedream-2bw", "run generate schedule", "--memory-cap-mb"})
                QVERIFY2(text.contains(part), part);
            QVERIFY(!text.contains("title"));  // of the catalog's first line
        }
        for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
            const QImage icon(prefix + QString("/share/icons/hicolor/%1x%1/apps/bubblescope.png").arg(size));
            QCOMPARE(icon.size(), QSize(size, size));
            QVERIFY(icon.pixelColor(size / 2, size / 2).alpha() > 0 && icon.pixelColor(0, 0).alpha() < 128);
        }
        QCOMPARE(QFileInfo(prefix + "/lib/bubblescope/bscope_cuda.so").isFile(),
                 QFileInfo(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope_cuda.so")).isFile());

        QProcessEnvironment elsewhere = QProcessEnvironment::systemEnvironment();
        elsewhere.remove("BSCOPE");
        elsewhere.insert("PATH", "/usr/bin:/bin");
        elsewhere.insert("HOME", folder.path());
        elsewhere.insert("XDG_CONFIG_HOME", folder.filePath("config"));
        const QString picture = folder.filePath("picture.png");
        const Ended window = start(
            bin + "bubblescope", {"--scenario", "default", "--iterations", "2", "--export", picture}, elsewhere);
        QVERIFY2(window.code == 0, window.out.constData());
        QVERIFY(!QImage(picture).isNull());
        const Ended planned = start(bin + "bscope", {"schedule", "1f1b", "-p", "2", "-m", "2", "--json"}, elsewhere);
        QVERIFY2(planned.code == 0, planned.out.constData());
        QVERIFY(QJsonDocument::fromJson(planned.out).isObject());
        const Ended doctor = start(bin + "bscope", {"doctor"}, elsewhere);
        QVERIFY2(!doctor.out.contains("plugin") || !doctor.out.contains(BUBBLESCOPE_BIN_DIR),
                 doctor.out.constData());
    }

    // The file manager's type of a recording is the one that the program says it opens, and its signature the
    // one that recordings begin with; the checkers of the desktop agree, where they are.
    void theDesktopFindsProgramIconAndRecordings() {
        const QString folder = QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/resources/desktop/");
        const QSettings entry(folder + "bubblescope.desktop", QSettings::IniFormat);
        QCOMPARE(entry.value("Desktop Entry/Exec").toString(), "bubblescope %f");
        QCOMPARE(entry.value("Desktop Entry/Icon").toString(), "bubblescope");
        const QString type = entry.value("Desktop Entry/MimeType").toString().remove(';');
        QFile types(folder + "bubblescope.xml"), about(folder + "bubblescope.metainfo.xml");
        QVERIFY(types.open(QIODevice::ReadOnly) && about.open(QIODevice::ReadOnly));
        const QString known = QString::fromUtf8(types.readAll());
        QVERIFY(known.contains("<mime-type type=\"" + type + "\">") &&
                known.contains("<glob pattern=\"*.bscope\"/>"));
        QVERIFY(QString::fromUtf8(about.readAll()).contains("<mediatype>" + type + "</mediatype>"));
        QCOMPARE(bscope::kRecordingMagic, std::string_view("BSCOPE\x1a\n"));
        QVERIFY(known.contains("value=\"BSCOPE\\x1a\\n\""));
        const QString checker = QStandardPaths::findExecutable("desktop-file-validate");
        if (checker.isEmpty()) return;
        const Ended checked =
            start(checker, {folder + "bubblescope.desktop"}, QProcessEnvironment::systemEnvironment());
        QVERIFY2(checked.code == 0 && checked.out.isEmpty(), checked.out.constData());
    }

    // Of a machine without fonts no picture is made, in which boxes would stand for letters.
    void withoutFontsThereIsNoPicture() {
        QTemporaryDir folder;
        QFile fonts(folder.filePath("fonts.conf"));
        QVERIFY(fonts.open(QIODevice::WriteOnly));
        fonts.write("<fontconfig></fontconfig>");
        fonts.close();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", folder.path());
        environment.insert("FONTCONFIG_FILE", fonts.fileName());
        const QString picture = folder.filePath("picture.png");
        for (const char* language : {"en", "zh"}) {
            const Ended ended =
                start(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bubblescope"),
                      {"--scenario", "default", "--predicted", "--export", picture, "--lang", language}, environment);
            QCOMPARE(ended.code, 1);
            QVERIFY2(ended.out.contains("fonts-inter"), ended.out.constData());
            QVERIFY(!QFileInfo::exists(picture));
        }
    }
};

BUBBLESCOPE_TEST(TestInstall)

}  // namespace tst_install

#include "tst_install.moc"
