#include "widgets/text/filter_text.h"

#include <QCoreApplication>

#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

struct FilterWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::FilterWords)
};

}  // namespace

QString filterText(const Filter& filter, const IterationView& view, const Notation& notation) {
    QStringList parts;
    QStringList ops, ranks;
    for (const Op op : filter.hidden_ops) ops << QLatin1StringView(opText(op));
    for (const int rank : filter.hidden_ranks) ranks << rankInText(rank, view.ranksAreGpus());
    if (!ops.isEmpty()) parts << FilterWords::tr("without %1").arg(listText(ops));
    if (!ranks.isEmpty()) parts << FilterWords::tr("without %1").arg(listText(ranks));
    if (filter.stage) parts << FilterWords::tr("only stage %1").arg(*filter.stage);
    if (filter.microbatch)
        parts << FilterWords::tr("only micro-batch %1").arg(notation.microbatch(*filter.microbatch));
    return listText(parts);
}

}  // namespace bscope::ui
