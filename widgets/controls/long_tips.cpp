#include "widgets/controls/long_tips.h"

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QTextDocument>
#include <QToolTip>

#include "widgets/theme/theme_style.h"

namespace bscope::ui {

namespace {

constexpr int kWidest = 440;  // at 100 %

bool isLong(const QString& tip) {
    return QFontMetrics(QToolTip::font()).size(0, tip).width() > currentTheme().px(kWidest);
}

QString tipOf(const QWidget& widget, const QPoint& at) {
    const auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
    if (view == nullptr || view->viewport() != &widget) return widget.toolTip();
    if (const auto* head = qobject_cast<const QHeaderView*>(view)) {
        const int section = head->logicalIndexAt(at);
        return section < 0
                   ? QString()
                   : head->model()->headerData(section, head->orientation(), Qt::ToolTipRole).toString();
    }
    return view->indexAt(at).data(Qt::ToolTipRole).toString();
}

}  // namespace

void showTip(const QPoint& on_screen, const QString& text, QWidget* of) {
    const bool is_long = isLong(text);
    const auto spaces = is_long ? Qt::WhiteSpaceNormal : Qt::WhiteSpacePre;
    const bool as_markup = is_long || Qt::mightBeRichText(text);
    QToolTip::showText(on_screen, as_markup ? Qt::convertFromPlainText(text, spaces) : text, of);
}

LongTips::LongTips(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool LongTips::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip) return false;
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr) return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tipOf(*widget, help->pos());
    if (!isLong(tip) || Qt::mightBeRichText(tip)) return false;
    showTip(help->globalPos(), tip, widget);
    return true;
}

}  // namespace bscope::ui
