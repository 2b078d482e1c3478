#include "widgets/controls/brief_notice.h"

#include <QEvent>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr int kLeast_ms = 2500, kPerLetter_ms = 45;  // a slow reader needs longer for more

}  // namespace

BriefNotice::BriefNotice(QWidget* parent) : QLabel(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setTextFormat(Qt::PlainText);
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    over_.setSingleShot(true);
    connect(&over_, &QTimer::timeout, this, &QWidget::hide);
    parent->installEventFilter(this);
    hide();
}

void BriefNotice::say(const QString& text) {
    setText(text);
    setAccessibleName(text);
    place();
    show();
    raise();
    over_.start(kLeast_ms + kPerLetter_ms * static_cast<int>(text.size()));
}

void BriefNotice::followTheme() {
    const Theme& theme = currentTheme();
    setFont(theme.font(12, QFont::Medium));
    setStyleSheet(QStringLiteral("bscope--ui--BriefNotice { background: %1; color: %2; border-radius: %3px;"
                                 " padding: %4px %5px; }")
                      .arg(theme.text.name(), theme.canvas.name())
                      .arg(theme.px(5))
                      .arg(theme.px(6))
                      .arg(theme.px(12)));
    distance_ = theme.px(16);
    place();
}

void BriefNotice::place() {
    const int most = parentWidget()->width() - 2 * distance_;
    setWordWrap(false);
    const int wanted = QLabel::sizeHint().width();
    setWordWrap(true);
    const int width = std::min(wanted, most);
    resize(width, heightForWidth(width));
    move((parentWidget()->width() - width) / 2, parentWidget()->height() - height() - distance_);
}

bool BriefNotice::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) place();
    return QLabel::eventFilter(watched, event);
}

}  // namespace bscope::ui
