#include "app/tune/advice_record.h"

#include <QSettings>
#include <QVariant>
#include <algorithm>

namespace bscope::ui {
namespace {

// A device's name has signs that mean folders in a key.
QString keyOf(const QString& machine) {
    return QStringLiteral("advice/%1").arg(QString::fromLatin1(machine.toUtf8().toHex()));
}

}  // namespace

std::vector<double> AdviceRecord::errorsOn(const QString& machine) {
    std::vector<double> errors;
    for (const QVariant& each : QSettings().value(keyOf(machine)).toList()) {
        bool number = false;
        const double error = each.toDouble(&number);
        if (number && error >= 0) errors.push_back(error);
    }
    return errors;
}

void AdviceRecord::follow(const QString& machine, const std::vector<PromiseOutcome>& of_run) {
    std::vector<double> errors = absoluteErrors(of_run);
    if (errors.empty() && now_.empty()) return;
    if (machine != machine_ || errors.size() < now_.size()) {
        machine_ = machine;
        before_ = errorsOn(machine);
    }
    if (errors == now_) return;
    now_ = std::move(errors);
    std::vector<double> all = before_;
    all.insert(all.end(), now_.begin(), now_.end());
    QVariantList kept;
    const std::size_t first = all.size() > std::size_t{kKept} ? all.size() - kKept : 0;
    for (std::size_t i = first; i < all.size(); ++i) kept << all[i];
    QSettings().setValue(keyOf(machine), kept);
}

}  // namespace bscope::ui
