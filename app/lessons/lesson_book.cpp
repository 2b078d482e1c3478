#include "app/lessons/lesson_book.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <optional>

#include "wire/scenario.h"

namespace bscope::ui {
namespace {

double ofIdeal(double of_total) {
    return of_total / (1.0 - of_total);
}

// A number of a run and how it is printed; NaN: this run has none.
struct LessonNumber {
    double value;
    int decimals;
};

// Of a whole run; nullopt for a name that does not exist.
std::optional<LessonNumber> numberOf(const IterationReport& report, const QString& name) {
    const double theory = report.theory_bubble_of_total.value_or(std::nan(""));
    if (name == u"iteration_ms") return LessonNumber{report.iteration_ms, 1};
    if (name == u"bubble") return LessonNumber{100 * report.bubble_of_total, 1};
    if (name == u"bubble_ideal") return LessonNumber{100 * report.bubble_of_ideal, 1};
    if (name == u"theory") return LessonNumber{100 * theory, 1};
    if (name == u"theory_ideal") return LessonNumber{100 * ofIdeal(theory), 1};
    if (name == u"tokens_per_s") return LessonNumber{report.tokens_per_s, 0};
    if (name == u"p") return LessonNumber{static_cast<double>(report.p), 0};
    if (name == u"m") return LessonNumber{static_cast<double>(report.m), 0};
    if (name == u"v") return LessonNumber{static_cast<double>(report.v), 0};
    return std::nullopt;
}

// Of one rank.
std::optional<LessonNumber> numberOf(const RankReport& rank, const QString& name) {
    if (name == u"bubble") return LessonNumber{100 * rank.bubble_of_total, 1};
    if (name == u"peak_mb") return LessonNumber{static_cast<double>(rank.peak_activation_bytes) / 1e6, 1};
    if (name == u"in_flight") return LessonNumber{static_cast<double>(rank.peak_in_flight), 0};
    return std::nullopt;
}

const QString kNumberName = QStringLiteral("([A-Z])\\.([a-z_]+)(?:\\.(\\d+))?");

bool isThere(const std::optional<IterationView>& run) {
    return run && run->report;
}

// nullopt for a name, a run or a rank that does not exist.
std::optional<LessonNumber> lookUp(const QRegularExpressionMatch& match,
                                   std::span<const std::optional<IterationView>> runs) {
    const auto run = static_cast<std::size_t>(match.captured(1)[0].unicode() - u'A');
    if (run >= runs.size()) return std::nullopt;
    const bool has_rank = !match.captured(3).isEmpty();
    const std::size_t rank = match.captured(3).toULongLong();
    const IterationReport report = isThere(runs[run]) ? *runs[run]->report : IterationReport{};
    if (!has_rank) return numberOf(report, match.captured(2));
    if (!isThere(runs[run])) return numberOf(RankReport{}, match.captured(2));
    return rank < report.ranks.size() ? numberOf(report.ranks[rank], match.captured(2)) : std::nullopt;
}

bool isThere(const QRegularExpressionMatch& match, std::span<const std::optional<IterationView>> runs) {
    return isThere(runs[static_cast<std::size_t>(match.captured(1)[0].unicode() - u'A')]);
}

std::string readAll(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw WireError(
            sentence("cannot open {0}: {1}", path.toStdString(), file.errorString().toStdString()));
    return file.readAll().toStdString();
}

}  // namespace

QString textOf(const wire::Text& text, Language language) {
    const std::string& own = language == Language::Chinese ? text.zh() : text.en();
    return QString::fromStdString(own.empty() ? text.en() : own);
}

QString fillNumbers(const QString& text, std::span<const std::optional<IterationView>> runs,
                    QStringList* unknown) {
    static const QRegularExpression placeholder(QStringLiteral("\\{%1\\}").arg(kNumberName));
    QString filled;
    qsizetype from = 0;
    for (auto matches = placeholder.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const std::optional<LessonNumber> number = lookUp(match, runs);
        if (!number && unknown) unknown->append(match.captured());
        filled += QStringView(text).mid(from, match.capturedStart() - from);
        if (!number)
            filled += match.captured();
        else if (!isThere(match, runs))
            filled += u'…';
        else
            filled += std::isnan(number->value) ? QStringLiteral("–")
                                                : QString::number(number->value, 'f', number->decimals);
        from = match.capturedEnd();
    }
    filled += QStringView(text).mid(from);
    return filled;
}

std::optional<double> lessonNumber(const QString& name, std::span<const std::optional<IterationView>> runs) {
    static const QRegularExpression whole(QRegularExpression::anchoredPattern(kNumberName));
    const QRegularExpressionMatch match = whole.match(name);
    if (!match.hasMatch()) return std::nullopt;
    const std::optional<LessonNumber> number = lookUp(match, runs);
    if (!number) return std::nullopt;
    return isThere(match, runs) ? number->value : std::nan("");
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
    throw WireError(
        sentence("no scenario {0}: it is neither a file nor one of: {1}", file_or_id.toStdString(), ids));
}

}  // namespace bscope::ui
