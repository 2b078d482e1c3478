#include "widgets/controls/brief_notice.h"

#include <QEvent>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr double kWidestNotice = 560;                      // px at 100 %
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

void BriefNotice::addView(QWidget* view) {
    views_ << view;
    view->installEventFilter(this);
}

void BriefNotice::addWords(QWidget* words) {
    words_ << words;
    words->installEventFilter(this);
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
    setSheet(*this,
             QStringLiteral("bscope--ui--BriefNotice { background: %1; color: %2; border-radius: %3px; }")
                 .arg(theme.text.name(), theme.canvas.name())
                 .arg(theme.px(5)));
    // A sheet's padding would be missing in heightForWidth(), and the last line cut.
    setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(6));
    distance_ = theme.px(16);
    place();
}

void BriefNotice::place() {
    QRect on = parentWidget()->rect();
    for (const QWidget* view : views_)
        if (view->isVisible()) on = QRect(view->mapTo(parentWidget(), QPoint()), view->size());
    for (const QWidget* words : words_)
        if (words->isVisible()) on.setRight(words->mapTo(parentWidget(), QPoint()).x());
    const int most = on.width() - 2 * distance_;
    setWordWrap(false);
    const int wanted = QLabel::sizeHint().width();
    setWordWrap(true);
    const int width = std::min({wanted, most, static_cast<int>(currentTheme().px(kWidestNotice))});
    resize(width, heightForWidth(width));
    move(on.left() + (on.width() - width) / 2, on.bottom() + 1 - height() - distance_);
}

bool BriefNotice::eventFilter(QObject* watched, QEvent* event) {
    const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                       event->type() == QEvent::Show || event->type() == QEvent::Hide;
    if (moved && isVisible()) place();
    return QLabel::eventFilter(watched, event);
}

}  // namespace bscope::ui
