#include "app/window/copy_notice.h"

#include <QApplication>
#include <QClipboard>
#include <QMimeData>
#include <QWidget>

namespace bscope::ui {

CopyNotice::CopyNotice(Shell& shell) : QObject(shell.widget()), shell_(shell) {
    connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, this, &CopyNotice::showWhatWasCopied);
}

void CopyNotice::showWhatWasCopied() {
    const bool in_use = QApplication::activeWindow() != nullptr;
    const QMimeData* copied = in_use ? QGuiApplication::clipboard()->mimeData() : nullptr;
    if (copied == nullptr) return;
    if (copied->hasImage()) return shell_.showBriefly(tr("Picture copied"));
    constexpr qsizetype kMost = 60;
    const QString line = copied->text().section(u'\n', 0, 0).simplified();
    shell_.showBriefly(
        tr("Copied: %1").arg(line.size() > kMost ? line.left(kMost) + QStringLiteral(" …") : line));
}

}  // namespace bscope::ui
