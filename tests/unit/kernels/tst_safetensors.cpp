// Safetensors: what is written is read back; what is broken is refused with a sentence. And the text data.
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <fstream>

#include "chain.h"
#include "model/model_file.h"
#include "registered_test.h"

namespace tst_safetensors {

using namespace bscope;

namespace {

const ModelShape kShape{.L = 2, .C = 8, .heads = 2, .T = 6, .V = 10};

std::string readBytes(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeBytes(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

std::string withHeader(const std::string& header, const std::string& data = {}) {
    const std::uint64_t size = header.size();
    std::string bytes(sizeof(size), '\0');
    std::memcpy(bytes.data(), &size, sizeof(size));
    return bytes + header + data;
}

template <typename Act>
std::string errorOf(const Act& act) {
    try {
        act();
    } catch (const TensorFileError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder;
    std::unique_ptr<Device> device = makeCpuDevice();

    std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

private slots:
    void initTestCase() { device->prepareThread(); }

    void aDeviceIsWrittenToAsItIs() {
        const auto link = path("device");
        std::filesystem::create_symlink("/dev/null", link);
        writeTensors(link, {.tensors = {{"a", {{1}, std::vector<float>{1}}}}, .metadata = {}});
        QVERIFY(std::filesystem::is_symlink(link));
        QVERIFY(std::filesystem::is_character_file(link));
    }

    void roundTrip() {
        const TensorFile content{
            .tensors = {{"a.weight", {{2, 3}, std::vector<float>{1, -2, 3.5F, 0, 1e-30F, INFINITY}}},
                        {"empty", {{0, 4}, std::vector<float>{}}},
                        {"scalar", {{}, std::vector<std::int64_t>{-5}}},
                        {"tokens", {{2, 1}, std::vector<std::int64_t>{1, INT64_MAX}}}},
            .metadata = {{"text", "with \"quotes\", \n and ü"}}};
        writeTensors(path("a"), content);
        QVERIFY(readTensors(path("a")) == content);
        QVERIFY(!std::filesystem::exists(path("a.part")));
        const std::string bytes = readBytes(path("a"));
        std::uint64_t header = 0;
        std::memcpy(&header, bytes.data(), sizeof(header));
        QCOMPARE(header % 8, std::uint64_t{0});
        QCOMPARE(bytes.size(), 8 + header + 6 * 4 + 3 * 8);
    }

    void everyTruncationIsRefused() {
        writeTensors(path("whole"), {.tensors = {{"x", {{5}, std::vector<float>(5)}}}, .metadata = {}});
        const std::string bytes = readBytes(path("whole"));
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            writeBytes(path("cut"), bytes.substr(0, length));
            const std::string error = errorOf([&] { readTensors(path("cut")); });
            QVERIFY2(error.find("cut: ") != std::string::npos && error.find("truncated") != std::string::npos,
                     qPrintable(QString("%1: %2").arg(length).arg(error.c_str())));
        }
    }

    void garbage_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("cause");
        const auto row = [](const char* name, const std::string& bytes, const char* cause) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << cause;
        };
        row("text", "this is a text, not tensors", "not a safetensors file");
        row("not JSON", withHeader("{{{{"), "not JSON");
        row("a list", withHeader("[1]"), "not JSON");
        row("no dtype", withHeader(R"({"x":{}})"), "no dtype");
        row("other dtype", withHeader(R"({"x":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}})", "ab"),
            "BF16");
        row("no shape", withHeader(R"({"x":{"dtype":"F32","data_offsets":[0,4]}})"), "no valid shape");
        row("negative", withHeader(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})"),
            "no valid shape");
        row("offsets", withHeader(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "abcd"),
            "do not fit");
        row("backwards", withHeader(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", "abcd"),
            "do not fit");
        row("one offset", withHeader(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4]}})", "abcd"),
            "do not fit");
        row("huge",
            withHeader(R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})"),
            "impossible shape");
        row("beyond", withHeader(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "abcd"),
            "truncated");
        row("metadata", withHeader(R"({"__metadata__":{"a":1}})"), "not a text");
    }
    void garbage() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, cause);
        writeBytes(path("garbage"), bytes.toStdString());
        const QString error = QString::fromStdString(errorOf([&] { readTensors(path("garbage")); }));
        QVERIFY2(error.contains(cause), qPrintable(error));
    }

    void missingAndUnwritableFiles() {
        QVERIFY(errorOf([&] { readTensors(path("nowhere")); }).find("No such file") != std::string::npos);
        QVERIFY(errorOf([&] { writeTensors(path("no/folder"), {}); }).find("No such file") !=
                std::string::npos);
        QVERIFY(!errorOf([&] { readTensors(path("")); }).empty());
    }

    // Saved in the middle and loaded into another model, training goes on with the same bits.
    void modelResumes() {
        const TestBatch batch(2 * kShape.T, kShape.V);
        const auto train = [&](Model& model, int from, int to) {
            double loss = 0;
            for (int t = from; t < to; ++t) {
                Chain chain(*device, model, {2}, 2);
                loss = chain.iteration(batch.view(), 1);
                chain.stages[0].step({.learning_rate = 0.01F, .step = t + 1});
            }
            return loss;
        };
        Model model(*device, kShape, 1), resumed(*device, kShape, 2);
        train(model, 0, 3);
        saveModel(path("model"), model, ModelContent::WeightsAndOptimizer, {{"iteration", "3"}});
        const auto metadata = loadModel(path("model"), resumed);
        QCOMPARE(metadata.at("iteration"), std::string("3"));
        QCOMPARE(metadata.at("hidden"), std::string("8"));
        QCOMPARE(train(resumed, 3, 6), train(model, 3, 6));
        QVERIFY(allValues(resumed, TensorKind::Weight) == allValues(model, TensorKind::Weight));

        saveModel(path("gradients"), model, ModelContent::Gradients);
        const TensorFile gradients = readTensors(path("gradients"));
        QCOMPARE(gradients.tensors.size(), model.tensorCount());
        const Tensor& qkv = gradients.tensors.at("blocks.1.attn.qkv.weight");
        QVERIFY(qkv.shape == (std::vector<std::size_t>{24, 8}));
        QVERIFY(std::get<std::vector<float>>(qkv.values) == model.read(2, 2, TensorKind::Gradient));

        // Weights alone: the optimizer starts anew.
        saveModel(path("weights"), model, ModelContent::Weights);
        loadModel(path("weights"), resumed);
        const std::vector<float> moments = allValues(resumed, TensorKind::AdamV);
        QVERIFY(std::all_of(moments.begin(), moments.end(), [](float value) { return value == 0.0F; }));
    }

    void otherModelsAreRefused() {
        Model model(*device, kShape, 1);
        const std::vector<float> before = allValues(model, TensorKind::Weight);
        const auto errorWith = [&](ModelShape shape) {
            saveModel(path("other"), Model(*device, shape, 2), ModelContent::Weights);
            return QString::fromStdString(errorOf([&] { loadModel(path("other"), model); }));
        };
        ModelShape shape = kShape;
        shape.V = 11;
        QVERIFY(errorWith(shape).contains("tok_embedding.weight has shape (11, 8), the model needs (10, 8)"));
        shape = kShape;
        shape.L = 1;
        QVERIFY(errorWith(shape).contains("blocks.1.ln1.weight is missing"));
        shape.L = 3;
        QVERIFY(errorWith(shape).contains("12 tensors that the model does not have"));
        shape = kShape;
        shape.heads = 4;
        QVERIFY(errorWith(shape).contains("4 heads"));
        QVERIFY(allValues(model, TensorKind::Weight) == before);
    }

    void batchFile() {
        const TextData text("abcdefghijklmnop", 3);
        const Batch batch = text.batch(5, 4, 6);
        saveBatch(path("batch"), batch);
        const TensorFile file = readTensors(path("batch"));
        const Tensor& tokens = file.tensors.at("tokens");
        const Tensor& targets = file.tensors.at("targets");
        QVERIFY(tokens.shape == (std::vector<std::size_t>{4, 6}));
        for (std::size_t i = 0; i < 24; ++i) {
            const std::int64_t token = std::get<std::vector<std::int64_t>>(tokens.values)[i];
            QCOMPARE(token, std::int64_t{batch.tokens[i]});
            QCOMPARE(std::get<std::vector<std::int64_t>>(targets.values)[i], token + 1);
        }
    }

    void samplesDependOnTheirIndexOnly() {
        const TextData text = TextData::builtIn(1);
        QVERIFY(text.sizeBytes() > 8000);
        const Batch all = text.batch(0, 8, 16), late = text.batch(5, 3, 16);
        QVERIFY(std::equal(late.tokens.begin(), late.tokens.end(), all.tokens.begin() + 5 * 16));
        QVERIFY(std::equal(late.targets.begin(), late.targets.end(), all.targets.begin() + 5 * 16));
        QVERIFY(TextData::builtIn(2).batch(0, 8, 16).tokens != all.tokens);
        for (const std::int32_t token : all.tokens) QVERIFY(token > 0 && token < 128);
    }

    void textsThatDoNotServe() {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, TextData::fromFile(path("nowhere"), 1));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, TextData::fromFile(path(""), 1));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, TextData("abc", 1).batch(0, 1, 3));
        writeBytes(path("bytes"), std::string("\xff\x00\x80\x01", 4));
        const Batch batch = TextData::fromFile(path("bytes"), 1).batch(0, 1, 3);
        QVERIFY(batch.tokens == (std::vector<std::int32_t>{255, 0, 128}));
        QVERIFY(batch.targets == (std::vector<std::int32_t>{0, 128, 1}));
    }
};

BUBBLESCOPE_TEST(SafetensorsTest)

}  // namespace tst_safetensors

#include "tst_safetensors.moc"
