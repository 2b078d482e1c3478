// The plugin loads, and each thing that can be missing has its sentence. Where the plugin was built and there
// is no GPU, as on most machines that run this, loading it must work and the missing driver or GPU must be
// named.
#include <QTest>
#include <cstdint>
#include <fstream>

#include "bscope_process.h"
#include "kernels/plugin/cuda_device.h"
#include "registered_test.h"

namespace tst_cuda_plugin {

using namespace bscope;

namespace {

QString fake(const char* name) {
    return QCoreApplication::applicationDirPath() + "/" + name;
}

// In English; every one has its Chinese, too.
QString loadError(const QString& file) {
    try {
        CudaPlugin::load(file.toStdString());
    } catch (const PluginError& error) {
        const std::string chinese = say(error.said, Language::Chinese);
        return chinese == error.what() ? "only English: " + QString(error.what()) : error.what();
    }
    return "loaded";
}

#ifdef BUBBLESCOPE_CUDA_PLUGIN
QString builtPlugin() {
    return QStringLiteral(BUBBLESCOPE_BIN_DIR) + "/bscope_cuda.so";
}
#endif

}  // namespace

class TestCudaPlugin : public QObject {
    Q_OBJECT

private slots:
    void aPluginThatIsNotThere() {
        const QString error = loadError(fake("no_such_plugin.so"));
        QVERIFY2(error.startsWith("the CUDA plugin ") && error.contains("no_such_plugin.so is not there"),
                 qPrintable(error));
        QVERIFY2(error.contains("bubblescope-cuda") && error.contains("build again"), qPrintable(error));
    }

    void aFileThatIsNoLibrary() {
        QTemporaryDir folder;
        const QString file = folder.filePath("text.so");
        std::ofstream(file.toStdString()) << "not a library";
        const QString error = loadError(file);
        QVERIFY2(error.startsWith("the CUDA plugin ") && error.contains("cannot be loaded"),
                 qPrintable(error));
    }

    void aLibraryThatIsNoPlugin() {
        const QString error = loadError(fake("fake_plugin_nothing.so"));
        QVERIFY2(error.startsWith("the CUDA plugin ") && error.contains("is no plugin of this program"),
                 qPrintable(error));
    }

    void aPluginOfAnotherVersion() {
        const QString error = loadError(fake("fake_plugin_version.so"));
        const QString version = QString::number(BSCOPE_PLUGIN_ABI + 6);
        QVERIFY2(error.startsWith("the CUDA plugin "), qPrintable(error));
        QVERIFY2(error.contains("interface version " + version + ", this program needs " +
                                QString::number(BSCOPE_PLUGIN_ABI)),
                 qPrintable(error));
    }

    void theEnvironmentNamesAFile() {
        qputenv("BSCOPE_CUDA_PLUGIN", "/some/where.so");
        QCOMPARE(CudaPlugin::defaultFile(), std::filesystem::path("/some/where.so"));
        qunsetenv("BSCOPE_CUDA_PLUGIN");
    }

    void theDoctorSaysIt() {
        qputenv("BSCOPE_CUDA_PLUGIN", qPrintable(fake("fake_plugin_version.so")));
        const auto outcome = bscopeRun({"doctor"});
        qunsetenv("BSCOPE_CUDA_PLUGIN");
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.contains("build both from the same sources"), outcome.out);
    }

#ifdef BUBBLESCOPE_CUDA_PLUGIN
    void theBuiltPluginIsComplete() {
        const auto plugin = CudaPlugin::load(builtPlugin().toStdString());
        const BscopePlugin& api = plugin->api();
        QCOMPARE(api.abi, std::uint32_t{BSCOPE_PLUGIN_ABI});
        QVERIFY(QString(api.built_for).contains("sm_"));
        // From the first function to the last, the table is pointers, and none is missing.
        const auto* function = reinterpret_cast<const std::uintptr_t*>(&api.driver_version);
        const auto* const end = reinterpret_cast<const std::uintptr_t*>(&api + 1);
        for (int i = 0; function + i < end; ++i) QVERIFY2(function[i] != 0, qPrintable(QString::number(i)));
    }

    void withoutAGpuItSaysWhatIsMissing() {
        const auto plugin = CudaPlugin::load(builtPlugin().toStdString());
        Sentence missing;
        try {
            plugin->count();
            QSKIP("there is a GPU here");
        } catch (const PluginError& error) {
            missing = error.said;
        }
        const std::string text = say(missing, Language::English);
        QVERIFY2(text.find("no NVIDIA driver") != text.npos || text.find("finds no GPU") != text.npos ||
                     text.find("install a newer driver") != text.npos,
                 text.c_str());
        QVERIFY2(say(missing, Language::Chinese) != text, text.c_str());
        QVERIFY_THROWS_EXCEPTION(PluginError, plugin->gpus());
        const BscopeError untraced = plugin->api().trace_start();
        QVERIFY(untraced != nullptr);
        const QString why = untraced->text;
        QVERIFY2(why.contains("CUPTI") || why.contains("libcupti"), untraced->text);
        QVERIFY_THROWS_EXCEPTION(PluginError, makeCudaDevice(plugin, 0, Precision::Fp32));
    }

    void aProfilerHearsOfRanges() {
        const QTemporaryDir folder;
        const QString heard = folder.filePath("heard.txt");
        qputenv("NVTX_LISTENER_FILE", heard.toLocal8Bit());
        qputenv("NVTX_INJECTION64_PATH", fake("nvtx_listener.so").toLocal8Bit());
        const auto plugin = CudaPlugin::load(builtPlugin().toStdString());
        plugin->api().range_push("rank 1: 2F0");
        plugin->api().range_pop();
        for (const char* name : {"NVTX_LISTENER_FILE", "NVTX_INJECTION64_PATH"}) qunsetenv(name);
        QFile file(heard);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("Bubblescope push rank 1: 2F0\nBubblescope pop\n"));
    }

    void theEngineStartsWithoutADriver() {
        const auto outcome = bscopeRun({"doctor"});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.contains("built with CUDA"), outcome.out);
    }
#endif
};

BUBBLESCOPE_TEST(TestCudaPlugin)

}  // namespace tst_cuda_plugin

#include "tst_cuda_plugin.moc"
