// Tips: one that is too wide for a line is shown in several, where Qt would show one as wide as the screen.
// LongTips does so for the tips that widgets and the cells and heads of tables have been given, in all
// windows; texts with markup it leaves to Qt.
#pragma once

#include <QObject>
#include <QPoint>
#include <QString>

class QWidget;

namespace bscope::ui {

// For what a widget has painted itself: shows plain text, whatever signs are in it; empty: none.
void showTip(const QPoint& on_screen, const QString& text, QWidget* of);

class LongTips : public QObject {
public:
    explicit LongTips(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace bscope::ui
