// Words for configurations.
#include "widgets/text/config_text.h"

#include <QCoreApplication>
#include <cmath>
#include <string_view>
#include <variant>

#include "config/config_table.h"
#include "schedule/formats/file_schedule.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

// Values and titles as the table of the configuration spells them, but for those that stand below; p, v, m
// and d are the same in every language.
[[maybe_unused]] constexpr const char* kValues[] = {
    QT_TRANSLATE_NOOP("Config", "measured"), QT_TRANSLATE_NOOP("Config", "reconstructed"),
    QT_TRANSLATE_NOOP("Config", "raw"),      QT_TRANSLATE_NOOP("Config", "calibrated"),
    QT_TRANSLATE_NOOP("Config", "stage"),    QT_TRANSLATE_NOOP("Config", "layer"),
};
[[maybe_unused]] constexpr const char* kTitles[] = {
    QT_TRANSLATE_NOOP("Config", "group size"),
    QT_TRANSLATE_NOOP("Config", "vertical sync"),
    QT_TRANSLATE_NOOP("Config", "micro-batch"),
    QT_TRANSLATE_NOOP("Config", "layers"),
    QT_TRANSLATE_NOOP("Config", "hidden size"),
    QT_TRANSLATE_NOOP("Config", "heads"),
    QT_TRANSLATE_NOOP("Config", "sequence"),
    QT_TRANSLATE_NOOP("Config", "vocabulary"),
    QT_TRANSLATE_NOOP("Config", "checkpointing"),
    QT_TRANSLATE_NOOP("Config", "split"),
    QT_TRANSLATE_NOOP("Config", "link latency"),
    QT_TRANSLATE_NOOP("Config", "link speed"),
    QT_TRANSLATE_NOOP("Config", "slow rank"),
    QT_TRANSLATE_NOOP("Config", "clock"),
    QT_TRANSLATE_NOOP("Config", "durations"),
    QT_TRANSLATE_NOOP("Config", "learning rate"),
    QT_TRANSLATE_NOOP("Config", "weight decay"),
    QT_TRANSLATE_NOOP("Config", "gradient clipping"),
    QT_TRANSLATE_NOOP("Config", "seed"),
    QT_TRANSLATE_NOOP("Config", "data"),
    QT_TRANSLATE_NOOP("Config", "cap"),
    QT_TRANSLATE_NOOP("Config", "device"),
    QT_TRANSLATE_NOOP("Config", "number type"),
    QT_TRANSLATE_NOOP("Config", "trace cost"),
    QT_TRANSLATE_NOOP("Config", "CUDA graphs"),
    QT_TRANSLATE_NOOP("Config", "matrix products"),
    QT_TRANSLATE_NOOP("Config", "checkpoint every"),
    QT_TRANSLATE_NOOP("Config", "sequence parallelism"),
    QT_TRANSLATE_NOOP("Config", "segments"),
    QT_TRANSLATE_NOOP("Config", "ZeRO"),
};

// A row in which one legal whole number may stand for an illegal value; null when there is none of this name.
const ConfigRow* fixableRow(const std::string& field) {
    const ConfigRow* row = findConfigRow(field);
    const bool whole = row != nullptr && (std::holds_alternative<Place<int>>(row->place) ||
                                          std::holds_alternative<WordPlace>(row->place));
    return whole || field == "memory_cap_mb" ? row : nullptr;
}

QString words(const char* text) {
    return QCoreApplication::translate("Config", text);
}

QString splitText(const RunConfig& config) {
    if (config.layers_per_stage.empty()) return words(QT_TRANSLATE_NOOP("Config", "even"));
    QStringList layers;
    for (int count : config.layers_per_stage) layers << QString::number(count);
    return layers.join(' ');
}

QString latencyText(const LinkModel& link) {
    return link.latency_us > 0 ? withUnit(trimmedText(link.latency_us / 1000, 6), "ms")
                               : words(QT_TRANSLATE_NOOP("Config", "none"));
}

QString speedText(const LinkModel& link) {
    return link.gbps > 0 ? withUnit(trimmedText(link.gbps, 6), "Gb/s")
                         : words(QT_TRANSLATE_NOOP("Config", "no limit"));
}

QString slowText(const RunConfig& config) {
    if (config.slow_ranks.empty()) return words(QT_TRANSLATE_NOOP("Config", "none"));
    QStringList slow;
    for (const auto& [rank, factor] : config.slow_ranks)
        slow << QStringLiteral("%1 × %2").arg(rank).arg(trimmedText(factor, 2));
    return listText(slow);
}

QString valueText(const ConfigRow& row, const RunConfig& config) {
    const std::string_view name = row.name;
    if (name == "schedule") return scheduleTitle(config.schedule);
    if (name == "layers_per_stage") return splitText(config);
    if (name == "slow_ranks") return slowText(config);
    if (name == "memory_cap_mb") return capText(config.memory_cap_mb);
    if (name == "recompute") return recomputeText(config.recompute);
    if (name == "device") return deviceText(config.device);
    if (name == "matrix_library") return matrixLibraryText(config.matrix_library);
    if (name == "latency_us") return latencyText(config.link);
    if (name == "gbps") return speedText(config.link);
    if (name == "data_file" && config.data_file.empty())
        return words(QT_TRANSLATE_NOOP("Config", "built-in text"));
    if (const auto* flag = std::get_if<Place<bool>>(&row.place))
        return flag->of(config) ? words(QT_TRANSLATE_NOOP("Config", "on"))
                                : words(QT_TRANSLATE_NOOP("Config", "off"));
    if (const auto* choice = std::get_if<WordPlace>(&row.place))
        return words(choice->words[choice->of(config)]);
    if (const auto* text = std::get_if<Place<std::string>>(&row.place))
        return QString::fromStdString(text->of(config));
    if (const auto* seed = std::get_if<Place<std::uint64_t>>(&row.place))
        return QString::number(seed->of(config));
    return trimmedText(numberIn(row, config).value_or(0), 6);
}

}  // namespace

QString scheduleTitle(const std::string& name) {
    const std::string english = titleOf(name);
    return findSchedule(name) != nullptr ? said(Sentence{english, {}}) : QString::fromStdString(english);
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

QString matrixLibraryText(MatrixLibrary value) {
    if (value == MatrixLibrary::OneDnn) return QStringLiteral("oneDNN");
    return value == MatrixLibrary::Loops ? words(QT_TRANSLATE_NOOP("Config", "own loops"))
                                         : words(QT_TRANSLATE_NOOP("Config", "auto"));
}

QString linkText(const LinkModel& link) {
    if (link.latency_us <= 0)
        return link.gbps > 0 ? speedText(link) : words(QT_TRANSLATE_NOOP("Config", "free"));
    return link.gbps > 0 ? listText({latencyText(link), speedText(link)}) : latencyText(link);
}

QString setupSummary(const RunConfig& config) {
    QStringList parts;
    if (config.device != DeviceChoice::Cpu) parts << deviceText(config.device);
    if (config.dtype != Dtype::Fp32) parts << QString::fromLatin1(toText(config.dtype));
    if (config.matrix_library != MatrixLibrary::Auto) parts << matrixLibraryText(config.matrix_library);
    parts << words(QT_TRANSLATE_NOOP("Config", "micro-batch %1")).arg(config.micro_batch);
    if (config.sequence_parallel) parts.prepend(QStringLiteral("SP"));
    if (config.params.segments > 1) parts.prepend(QStringLiteral("q = %1").arg(config.params.segments));
    if (config.params.t > 1) parts.prepend(QStringLiteral("t = %1").arg(config.params.t));
    if (config.params.zero > 0) parts.prepend(QStringLiteral("ZeRO-%1").arg(config.params.zero));
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
    for (const ConfigRow& row : configTable()) {
        if (!differs(row, before, after)) continue;
        const bool names_itself = std::string_view(row.name) == "schedule";
        changes << (names_itself ? QString() : words(row.title) + ' ') + valueText(row, before) +
                       QStringLiteral(" → ") + valueText(row, after);
    }
    return changes;
}

std::optional<long> configField(const RunConfig& config, const std::string& field) {
    const ConfigRow* row = fixableRow(field);
    const auto value = row != nullptr ? numberIn(*row, config) : std::nullopt;
    return value ? std::optional(std::lround(*value)) : std::nullopt;
}

bool setConfigField(RunConfig& config, const std::string& field, long value) {
    const ConfigRow* row = fixableRow(field);
    return row != nullptr && setNumber(*row, config, static_cast<double>(value));
}

}  // namespace bscope::ui
