// The memory that the check before a run counts with, held against what a run takes of its device, byte by
// byte: within 1.5 times over schedules, p, d, v and m. And replicas cost memory in proportion to their
// number.
#include <sys/mman.h>
#include <unistd.h>

#include <QTest>
#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "catalog/catalog.h"
#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/ops.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "run_fixture.h"
#include "workers/thread_workers.h"

namespace tst_memory_need {

using namespace bscope;

namespace {

// A CPU that knows what is allocated of it and how much of that has ever been touched: an arena takes its
// memory in chunks, of which the system gives what is written to, a page at a time. Each is mapped by itself,
// since an allocator hands out again what others have written to.
class CountingDevice final : public Device {
public:
    std::string name() const override { return cpu_->name(); }
    std::unique_ptr<Stream> makeStream() override { return cpu_->makeStream(); }
    std::unique_ptr<Ops> makeOps(Stream& stream) override { return cpu_->makeOps(stream); }
    void prepareThread() override { cpu_->prepareThread(); }
    void* allocate(std::size_t bytes) override {
        void* const memory =
            bytes < kLarge ? cpu_->allocate(bytes)
                           : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        const std::lock_guard<std::mutex> lock(mutex_);
        live_[memory] = bytes;
        return memory;
    }
    void release(void* memory, std::size_t bytes) noexcept override {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            live_.erase(memory);
        }
        if (bytes < kLarge)
            cpu_->release(memory, bytes);
        else
            munmap(memory, bytes);
    }
    void copy(void* to, const void* from, std::size_t bytes) override { cpu_->copy(to, from, bytes); }
    void fillZero(void* memory, std::size_t bytes) override { cpu_->fillZero(memory, bytes); }

    std::size_t touchedBytes() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::size_t touched = 0;
        for (const auto& [memory, bytes] : live_)
            touched += bytes < kLarge ? bytes : residentBytes(memory, bytes);
        return touched;
    }

private:
    static constexpr std::size_t kLarge = 1 << 16;

    static std::size_t residentBytes(void* memory, std::size_t bytes) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const auto first = (reinterpret_cast<std::size_t>(memory) + page - 1) / page;
        const std::size_t pages = (reinterpret_cast<std::size_t>(memory) + bytes) / page - first;
        std::vector<unsigned char> resident(pages);
        if (mincore(reinterpret_cast<void*>(first * page), pages * page, resident.data()) != 0) return bytes;
        return page *
               static_cast<std::size_t>(std::count_if(resident.begin(), resident.end(),
                                                      [](unsigned char each) { return (each & 1U) != 0; }));
    }

    std::unique_ptr<Device> cpu_ = makeCpuDevice();
    mutable std::mutex mutex_;
    std::map<void*, std::size_t> live_;
};

// What a run holds of its device when each of its buffers has been used. Nothing is given back before its
// end.
double usedBytes(const RunConfig& config) {
    CountingDevice device;
    Training training(device, config);
    EventCollector observer;
    Pipeline pipeline(training, makePlan(config),
                      std::make_unique<ThreadWorkers>(training.model, makePlan(config),
                                                      Provenance::Reconstructed, usableCores(), observer),
                      observer);
    for (int i = 0; i < 3; ++i) pipeline.iterate(pipeline.end_ns(), 8);
    const auto used = static_cast<double>(device.touchedBytes());
    pipeline.drain();
    return used;
}

double predictedTotal(const RunConfig& config) {
    const std::vector<std::int64_t> each = predictedBytes(makePlan(config));
    return static_cast<double>(std::accumulate(each.begin(), each.end(), std::int64_t{0}));
}

RunConfig replicated(const char* schedule, int p, int m, int v, int d) {
    RunConfig config = tinyConfig(schedule, p, m, v);
    config.params.d = d;
    return config;
}

}  // namespace

class TestMemoryNeed : public QObject {
    Q_OBJECT
private slots:
    void predictedIsWhatIsUsed() {
        int compared = 0;
        for (const char* schedule : {"1f1b", "interleaved", "zb-v", "chimera", "pipedream"})
            for (const int p : {1, 4})
                for (const int m : {4, 8})
                    for (const int d : {1, 2, 6})
                        for (const Recompute recompute : {Recompute::None, Recompute::Full}) {
                            RunConfig config =
                                replicated(schedule, p, m, defaultChunks(*findSchedule(schedule)), d);
                            config.recompute = recompute;
                            if (!problems(config).empty()) continue;
                            const double used = usedBytes(config), predicted = predictedTotal(config);
                            QVERIFY2(
                                predicted < 1.5 * used && used < 1.5 * predicted,
                                qPrintable(QString("%1 p=%2 m=%3 d=%4 recompute %5: used %6, predicted %7")
                                               .arg(schedule)
                                               .arg(p)
                                               .arg(m)
                                               .arg(d)
                                               .arg(static_cast<int>(recompute))
                                               .arg(used)
                                               .arg(predicted)));
                            ++compared;
                        }
        QVERIFY2(compared > 40, qPrintable(QString::number(compared)));
    }

    void replicasCostWhatTheyAre() {
        const auto used = [](int d) { return usedBytes(replicated("1f1b", 2, 2, 1, d)); };
        const double two = used(2), twelve = used(12);
        QVERIFY2(twelve < 6.6 * two, qPrintable(QString("%1, %2").arg(two).arg(twelve)));
    }

    // Of AdamW's two moments, one copy in place of four (6 weights less), and the weights that the ranks copy
    // from once more. How many quarters of the weights are on their way at a time, in either run, is a matter
    // of timing: one copy of the weights is left for that.
    void copiesHoldTheirPartOfTheOptimizerState() {
        RunConfig config = replicated("1f1b", 1, 2, 1, 4);
        const double whole = usedBytes(config), predicted_whole = predictedTotal(config);
        config.params.zero = 1;
        const double divided = usedBytes(config), predicted = predictedTotal(config);
        const Schedule schedule = makeSchedule(config.schedule, config.params);
        double weights = 0;
        for (const std::int64_t of_rank : weightsOfRanks(config, schedule))
            weights += static_cast<double>(of_rank) / 4;
        QCOMPARE(predicted_whole - predicted, 6 * weights);
        QVERIFY2(std::abs(whole - divided - 5.5 * weights) < 1.5 * weights,
                 qPrintable(QString("%1, %2 of %3").arg(whole).arg(divided).arg(weights)));
    }

    void whatTheMachineCannotHoldIsRefusedWithTheNumbers() {
        RunConfig config = replicated("1f1b", 2, 4, 1, 256);
        config.model.hidden = 4096;
        config.model.layers = 64;
        const auto problem = sharedMemoryProblem(makePlan(config), 64'000'000'000);
        QVERIFY(problem);
        const double needed_mb = QString::fromStdString(problem->words.arguments[0].text).toDouble();
        QVERIFY(std::abs(needed_mb - predictedTotal(config) / 1e6) < 1);
        QCOMPARE(problem->words.arguments[1].text, std::string("64000.0"));
    }
};

BUBBLESCOPE_TEST(TestMemoryNeed)

}  // namespace tst_memory_need

#include "tst_memory_need.moc"
