#include "lesson_book.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <optional>

#include "wire/scenario.h"

namespace bscope::ui {
namespace {

QString oneDecimal(double value) {
    return QString::number(value, 'f', 1);
}
QString percent(double share) {
    return oneDecimal(100.0 * share);
}
double ofIdeal(double of_total) {
    return of_total / (1.0 - of_total);
}

// Numbers of a whole run; nullopt for a name that does not exist.
std::optional<QString> numberOf(const IterationReport& report, const QString& name) {
    if (name == u"iteration_ms") return oneDecimal(report.iteration_ms);
    if (name == u"bubble") return percent(report.bubble_of_total);
    if (name == u"bubble_ideal") return percent(report.bubble_of_ideal);
    if (name == u"theory")
        return report.theory_bubble_of_total ? percent(*report.theory_bubble_of_total) : QStringLiteral("–");
    if (name == u"theory_ideal")
        return report.theory_bubble_of_total ? percent(ofIdeal(*report.theory_bubble_of_total))
                                             : QStringLiteral("–");
    if (name == u"tokens_per_s") return QString::number(report.tokens_per_s, 'f', 0);
    if (name == u"p") return QString::number(report.p);
    if (name == u"m") return QString::number(report.m);
    if (name == u"v") return QString::number(report.v);
    return std::nullopt;
}

// Numbers of one rank.
std::optional<QString> numberOf(const RankReport& rank, const QString& name) {
    if (name == u"bubble") return percent(rank.bubble_of_total);
    if (name == u"peak_mb") return oneDecimal(static_cast<double>(rank.peak_activation_bytes) / 1e6);
    if (name == u"in_flight") return QString::number(rank.peak_in_flight);
    return std::nullopt;
}

std::optional<QString> lookUp(const QRegularExpressionMatch& match,
                              std::span<const std::optional<IterationView>> runs) {
    const auto run = static_cast<std::size_t>(match.captured(1)[0].unicode() - u'A');
    if (run >= runs.size()) return std::nullopt;
    const bool has_rank = !match.captured(3).isEmpty();
    const std::size_t rank = match.captured(3).toULongLong();
    if (!runs[run] || !runs[run]->report) {
        const bool known = has_rank ? numberOf(RankReport{}, match.captured(2)).has_value()
                                    : numberOf(IterationReport{}, match.captured(2)).has_value();
        return known ? std::optional(QStringLiteral("…")) : std::nullopt;
    }
    const IterationReport& report = *runs[run]->report;
    if (!has_rank) return numberOf(report, match.captured(2));
    return rank < report.ranks.size() ? numberOf(report.ranks[rank], match.captured(2)) : std::nullopt;
}

std::string readAll(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw WireError("cannot open " + path.toStdString() + ": " + file.errorString().toStdString());
    return file.readAll().toStdString();
}

}  // namespace

QString textOf(const wire::Text& text, Language language) {
    const std::string& own = language == Language::Chinese ? text.zh() : text.en();
    return QString::fromStdString(own.empty() ? text.en() : own);
}

QString fillNumbers(const QString& text, std::span<const std::optional<IterationView>> runs,
                    QStringList* unknown) {
    static const QRegularExpression placeholder(QStringLiteral("\\{([A-Z])\\.([a-z_]+)(?:\\.(\\d+))?\\}"));
    QString filled;
    qsizetype from = 0;
    for (auto matches = placeholder.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const std::optional<QString> number = lookUp(match, runs);
        if (!number && unknown) unknown->append(match.captured());
        filled += QStringView(text).mid(from, match.capturedStart() - from);
        filled += number.value_or(match.captured());
        from = match.capturedEnd();
    }
    filled += QStringView(text).mid(from);
    return filled;
}

LessonBook LessonBook::embedded() {
    return ofFolder(QStringLiteral(":/scenarios"));
}

LessonBook LessonBook::ofFolder(const QString& folder) {
    LessonBook book;
    const QDir dir(folder);
    for (const QString& name : dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        try {
            book.scenarios_.push_back(parseScenarioJson(readAll(dir.filePath(name)), name.toStdString()));
        } catch (const WireError& error) {
            book.problems_.append(QString::fromUtf8(error.what()));
        }
    }
    return book;
}

std::vector<const wire::Scenario*> LessonBook::lessons() const {
    std::vector<const wire::Scenario*> lessons;
    for (const wire::Scenario& scenario : scenarios_)
        if (scenario.has_lesson()) lessons.push_back(&scenario);
    return lessons;
}

const wire::Scenario* LessonBook::find(const QString& id) const {
    const auto at =
        std::find_if(scenarios_.begin(), scenarios_.end(),
                     [name = id.toStdString()](const wire::Scenario& s) { return s.id() == name; });
    return at == scenarios_.end() ? nullptr : &*at;
}

wire::Scenario openScenario(const QString& file_or_id) {
    const LessonBook book = LessonBook::embedded();
    if (const wire::Scenario* known = book.find(file_or_id)) return *known;
    if (QFileInfo::exists(file_or_id)) return loadScenarioFile(file_or_id.toStdString());
    std::string ids;
    for (const wire::Scenario& scenario : book.scenarios()) ids += (ids.empty() ? "" : ", ") + scenario.id();
    throw WireError("there is no scenario " + file_or_id.toStdString() +
                    ", neither a file nor one of: " + ids);
}

}  // namespace bscope::ui
