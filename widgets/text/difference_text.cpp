#include "widgets/text/difference_text.h"

#include <QCoreApplication>

#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

struct DifferenceText {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::DifferenceText)
};

}  // namespace

QString differenceText(const ImportOrigin& origin) {
    if (!origin.first_difference) return {};
    const ImportOrigin::Difference& first = *origin.first_difference;
    const QString nearest = scheduleTitle(origin.nearest_schedule), place = QString::number(first.position),
                  rank = QString::number(first.rank), expected = QString::fromStdString(first.expected),
                  found = QString::fromStdString(first.found);
    if (expected.isEmpty())
        return DifferenceText::tr(
                   "Not a schedule of the catalog. The nearest is %1; its order of rank %2 ends before "
                   "operation %3 (counted from 0), where %4 ran.")
            .arg(nearest, rank, place, found);
    if (found.isEmpty())
        return DifferenceText::tr(
                   "Not a schedule of the catalog. The nearest is %1; it has %4 as operation %3 (counted "
                   "from 0) of rank %2, where nothing more ran.")
            .arg(nearest, rank, place, expected);
    return DifferenceText::tr(
               "Not a schedule of the catalog. The nearest is %1, up to operation %3 (counted from 0) of "
               "rank %2: it has %4 there, and %5 ran.")
        .arg(nearest, rank, place, expected, found);
}

}  // namespace bscope::ui
