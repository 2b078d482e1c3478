// Words for configurations. Templates of the engine's problems are listed so that the translator sees them; a
// test makes every problem and checks the list.
#include "widgets/panels/config_text.h"

#include <QCoreApplication>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "schedule/file_schedule.h"
#include "widgets/panels/format.h"

namespace bscope::ui {
namespace {

// Schedule titles as catalog.cpp spells them.
[[maybe_unused]] constexpr const char* kScheduleTitles[] = {
    QT_TRANSLATE_NOOP("Catalog", "Naive"),
    QT_TRANSLATE_NOOP("Catalog", "GPipe"),
    QT_TRANSLATE_NOOP("Catalog", "GPipe (LIFO)"),
    QT_TRANSLATE_NOOP("Catalog", "1F1B"),
    QT_TRANSLATE_NOOP("Catalog", "Interleaved 1F1B"),
    QT_TRANSLATE_NOOP("Catalog", "Forward only"),
    QT_TRANSLATE_NOOP("Catalog", "Eager 1F1B"),
    QT_TRANSLATE_NOOP("Catalog", "Interleaved 1F1B (PyTorch)"),
    QT_TRANSLATE_NOOP("Catalog", "Looped BFS"),
    QT_TRANSLATE_NOOP("Catalog", "Interleaved zero bubble"),
    QT_TRANSLATE_NOOP("Catalog", "Hanayo-style wave"),
};

// Values of clock and durations as toText() spells them; "auto" stands below.
[[maybe_unused]] constexpr const char* kValues[] = {
    QT_TRANSLATE_NOOP("Config", "measured"),
    QT_TRANSLATE_NOOP("Config", "reconstructed"),
    QT_TRANSLATE_NOOP("Config", "raw"),
    QT_TRANSLATE_NOOP("Config", "calibrated"),
};

QString words(const char* text) {
    return QCoreApplication::translate("Config", text);
}

QString number(int value) {
    return QString::number(value);
}

void note(QStringList& changes, const QString& name, const QString& before, const QString& after) {
    if (before == after) return;
    changes << (name.isEmpty() ? QString() : name + ' ') + before + QStringLiteral(" → ") + after;
}

QString splitText(const RunConfig& config) {
    if (config.layers_per_stage.empty()) return words(QT_TRANSLATE_NOOP("Config", "even"));
    QStringList layers;
    for (int count : config.layers_per_stage) layers << number(count);
    return layers.join(' ');
}

QString slowText(const RunConfig& config) {
    if (config.slow_ranks.empty()) return words(QT_TRANSLATE_NOOP("Config", "none"));
    QStringList slow;
    for (const auto& [rank, factor] : config.slow_ranks)
        slow << QStringLiteral("%1 × %2").arg(rank).arg(trimmedText(factor, 2));
    return listText(slow);
}

QString shapeText(const ModelConfig& model) {
    return QStringLiteral("%1 × %2 / %3 · T %4")
        .arg(model.layers)
        .arg(model.hidden)
        .arg(model.heads)
        .arg(model.sequence);
}

// nullptr: no whole number of this name.
int* numberField(RunConfig& config, const std::string& field) {
    const std::initializer_list<std::pair<const char*, int*>> fields{
        {"p", &config.params.p},
        {"m", &config.params.m},
        {"v", &config.params.v},
        {"d", &config.params.d},
        {"group_size", &config.params.group_size},
        {"micro_batch", &config.micro_batch},
        {"layers", &config.model.layers},
        {"hidden", &config.model.hidden},
        {"heads", &config.model.heads},
        {"sequence", &config.model.sequence},
        {"vocabulary", &config.model.vocabulary}};
    for (const auto& [name, number] : fields)
        if (field == name) return number;
    return nullptr;
}

}  // namespace

QString scheduleTitle(const std::string& name) {
    const CatalogEntry* entry = findSchedule(name);
    if (entry != nullptr) return QCoreApplication::translate("Catalog", entry->title);
    const QString text = QString::fromStdString(name);
    return isFileSchedule(name) ? text.section(u'/', -1) : text;
}

QString recomputeText(Recompute value) {
    switch (value) {
        case Recompute::None:
            return words(QT_TRANSLATE_NOOP("Config", "Off"));
        case Recompute::Full:
            return words(QT_TRANSLATE_NOOP("Config", "Full"));
        case Recompute::Selective:
            return words(QT_TRANSLATE_NOOP("Config", "Selective"));
    }
    return {};
}

QString deviceText(DeviceChoice value) {
    if (value == DeviceChoice::Auto) return words(QT_TRANSLATE_NOOP("Config", "auto"));
    return value == DeviceChoice::Cuda ? QStringLiteral("CUDA") : QStringLiteral("CPU");
}

QString linkText(const LinkModel& link) {
    const QString bandwidth = link.gbps > 0 ? withUnit(trimmedText(link.gbps, 1), "Gb/s") : QString();
    if (link.latency_us <= 0)
        return bandwidth.isEmpty() ? words(QT_TRANSLATE_NOOP("Config", "free")) : bandwidth;
    const QString latency = withUnit(trimmedText(link.latency_us / 1000, 3), "ms");
    return bandwidth.isEmpty() ? latency : listText({latency, bandwidth});
}

QString setupSummary(const RunConfig& config) {
    QStringList parts;
    if (config.device != DeviceChoice::Cpu) parts << deviceText(config.device);
    if (config.dtype != Dtype::Fp32) parts << QString::fromLatin1(toText(config.dtype));
    parts << words(QT_TRANSLATE_NOOP("Config", "micro-batch %1")).arg(config.micro_batch);
    if (config.params.d > 1) parts.prepend(QStringLiteral("d = %1").arg(config.params.d));
    parts << (config.layers_per_stage.empty()
                  ? words(QT_TRANSLATE_NOOP("Config", "even split"))
                  : words(QT_TRANSLATE_NOOP("Config", "split %1")).arg(splitText(config)));
    parts << words(QT_TRANSLATE_NOOP("Config", "link %1")).arg(linkText(config.link));
    for (const auto& [rank, factor] : config.slow_ranks)
        parts
            << words(QT_TRANSLATE_NOOP("Config", "rank %1 slow × %2")).arg(rank).arg(trimmedText(factor, 2));
    if (config.memory_cap_mb > 0)
        parts << words(QT_TRANSLATE_NOOP("Config", "cap %1")).arg(capText(config.memory_cap_mb));
    return parts.join(QStringLiteral(" · "));
}

QStringList configChanges(const RunConfig& before, const RunConfig& after) {
    QStringList changes;
    note(changes, {}, scheduleTitle(before.schedule), scheduleTitle(after.schedule));
    note(changes, QStringLiteral("p"), number(before.params.p), number(after.params.p));
    note(changes, QStringLiteral("m"), number(before.params.m), number(after.params.m));
    note(changes, QStringLiteral("v"), number(before.params.v), number(after.params.v));
    note(changes, QStringLiteral("d"), number(before.params.d), number(after.params.d));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "checkpointing")), recomputeText(before.recompute),
         recomputeText(after.recompute));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "micro-batch")), number(before.micro_batch),
         number(after.micro_batch));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "split")), splitText(before), splitText(after));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "link")), linkText(before.link), linkText(after.link));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "slow rank")), slowText(before), slowText(after));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "model")), shapeText(before.model),
         shapeText(after.model));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "clock")), words(toText(before.clock)),
         words(toText(after.clock)));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "durations")), words(toText(before.durations)),
         words(toText(after.durations)));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "device")), deviceText(before.device),
         deviceText(after.device));
    note(changes, {}, QString::fromLatin1(toText(before.dtype)), QString::fromLatin1(toText(after.dtype)));
    const auto graphs = [](const RunConfig& config) {
        return config.cuda_graphs ? words(QT_TRANSLATE_NOOP("Config", "on"))
                                  : words(QT_TRANSLATE_NOOP("Config", "off"));
    };
    note(changes, words(QT_TRANSLATE_NOOP("Config", "CUDA graphs")), graphs(before), graphs(after));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "cap")), capText(before.memory_cap_mb),
         capText(after.memory_cap_mb));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "learning rate")),
         trimmedText(before.training.learning_rate, 6), trimmedText(after.training.learning_rate, 6));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "seed")), QString::number(before.seed),
         QString::number(after.seed));
    note(changes, words(QT_TRANSLATE_NOOP("Config", "data")), QString::fromStdString(before.data_file),
         QString::fromStdString(after.data_file));
    return changes;
}

std::optional<long> configField(RunConfig config, const std::string& field) {
    if (const int* number = numberField(config, field)) return *number;
    if (field == "recompute") return static_cast<long>(config.recompute);
    if (field == "memory_cap_mb") return std::lround(config.memory_cap_mb);
    return std::nullopt;
}

bool setConfigField(RunConfig& config, const std::string& field, long value) {
    if (int* number = numberField(config, field))
        *number = static_cast<int>(value);
    else if (field == "recompute")
        config.recompute = static_cast<Recompute>(value);
    else if (field == "memory_cap_mb")
        config.memory_cap_mb = static_cast<double>(value);
    else
        return false;
    return true;
}

}  // namespace bscope::ui
