#include "app/find/search.h"

#include <QRegularExpression>
#include <algorithm>

namespace bscope::ui {

std::optional<SearchQuery> parseSearch(const QString& text, bool count_from_zero) {
    static const QRegularExpression box(QStringLiteral("^([A-Za-z_]*)\\s*(\\d*)\\s*(?:@\\s*(\\d+))?$"));
    static const QRegularExpression gap(
        QStringLiteral("^bubble\\s*>\\s*(\\d+(?:\\.\\d+)?)\\s*(ms|F)?\\s*(?:@\\s*(\\d+))?$"),
        QRegularExpression::CaseInsensitiveOption);
    SearchQuery query;
    const QString trimmed = text.trimmed();
    if (const auto match = gap.match(trimmed); match.hasMatch()) {
        const bool forwards = match.captured(2).toUpper() == u"F";
        (forwards ? query.longer_forwards : query.longer_ms) = match.captured(1).toDouble();
        if (!match.captured(3).isEmpty()) query.rank = match.captured(3).toInt();
        return query;
    }
    const auto match = box.match(trimmed);
    if (!match.hasMatch() || trimmed.isEmpty()) return std::nullopt;
    if (!match.captured(1).isEmpty()) {
        query.op = parseOp(match.captured(1).toUpper().toStdString());
        if (!query.op) return std::nullopt;
    }
    if (!match.captured(2).isEmpty()) {
        query.microbatch = match.captured(2).toInt() - (count_from_zero ? 0 : 1);
        if (*query.microbatch < 0) return std::nullopt;
    }
    if (!match.captured(3).isEmpty()) query.rank = match.captured(3).toInt();
    return query;
}

std::vector<SearchHit> findAll(const SearchQuery& query, const IterationView& view) {
    std::vector<SearchHit> hits;
    const auto relative = [&](std::int64_t from_ns, std::int64_t to_ns) {
        return TimeRange{static_cast<double>(from_ns - view.start_ns),
                         static_cast<double>(to_ns - view.start_ns)};
    };
    const bool ran = !view.ran->empty();
    if (query.longer_ms || query.longer_forwards) {
        const double longer_ns =
            query.longer_ms ? *query.longer_ms * 1e6 : *query.longer_forwards * view.medianForward_ns();
        const IterationSummary& summary = view.summary ? *view.summary : view.plan_summary;
        for (const IdleGap& gap : summary.gaps)
            if (static_cast<double>(gap.end_ns - gap.start_ns) > longer_ns &&
                (!query.rank || *query.rank == gap.rank))
                hits.push_back({gap.rank, relative(gap.start_ns, gap.end_ns), std::nullopt});
    } else {
        // Of a running iteration what is planned, so that nothing is missing that is still to come.
        const Timeline& timeline = ran && view.now_ns < 0 ? *view.ran : *view.planned;
        for (int rank = 0; rank < timeline.ranks(); ++rank) {
            if (query.rank && *query.rank != rank) continue;
            for (const Event& event : timeline.compute(rank))
                if ((!query.op || *query.op == event.op) &&
                    (!query.microbatch || *query.microbatch == event.microbatch))
                    hits.push_back({rank, relative(event.start_ns, event.end_ns), event.action()});
        }
    }
    std::stable_sort(hits.begin(), hits.end(), [](const SearchHit& a, const SearchHit& b) {
        return a.range.from_ns < b.range.from_ns;
    });
    return hits;
}

}  // namespace bscope::ui
