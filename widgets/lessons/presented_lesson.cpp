#include "widgets/lessons/presented_lesson.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/lessons/lesson_parts.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kSide = 28, kTop = 12, kLeastPx = 14, kGreatestPx = 44;
constexpr double kMostOfHeight = 0.45;  // of the page: the pictures have the rest
constexpr double kSmall = 0.6;          // heading and foot, as a share of the text
constexpr double kTable = 0.7;          // what stands in a table

// The table's letters are a little smaller than the text.
double tableScale(int font_px) {
    return kTable * font_px / 12;
}

int linesHeight(const QFont& font, const QString& text, int width) {
    if (text.isEmpty()) return 0;
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, text).height();
}

}  // namespace

PresentedLesson::PresentedLesson(LessonWalk& walk, QWidget* parent) : QWidget(parent), walk_(walk) {
    setFocusPolicy(Qt::StrongFocus);
    connect(&walk_, &LessonWalk::changed, this, &PresentedLesson::follow);
    connect(&walk_, &LessonWalk::replaced, this, [this] { typed_.clear(); });
    follow();
}

void PresentedLesson::follow() {
    const bool another = std::exchange(step_, walk_.step()) != walk_.step();
    pages_ = lessonPages(walk_);
    const int last = static_cast<int>(pages_.size()) - 1;
    if (another)
        page_ = 0;
    else if (std::exchange(tried_, walk_.tried()) != walk_.tried() && walk_.tried() >= 0)
        page_ = last;  // what the runs that were just asked for show
    page_ = std::clamp(page_, 0, last);
    fit();
    update();
}

QFont PresentedLesson::font(int px, bool strong) const {
    QFont made = currentTheme().font(12, strong ? QFont::DemiBold : QFont::Normal);
    made.setPixelSize(px);
    return made;
}

QStringList PresentedLesson::optionsOf(const LessonPage& page) const {
    QStringList options;
    if (page.kind == LessonPage::Kind::Tries)
        for (const LessonTry& each : walk_.lesson().tries) options << each.title;
    if (page.kind == LessonPage::Kind::Question && walk_.lesson().asks_number)
        options << QStringLiteral("%1 %2").arg(typed_.isEmpty() ? QStringLiteral("…") : typed_,
                                               walk_.lesson().number_unit);
    else if (page.kind == LessonPage::Kind::Question)
        for (const LessonChoice& each : walk_.lesson().choices) options << each.text;
    return options;
}

int PresentedLesson::heightNeeded(int width, int font_px) const {
    const int room = width - 2 * kSide, small = static_cast<int>(font_px * kSmall);
    int most = 0;
    for (const LessonPage& page : pages_) {
        int height = linesHeight(font(small, true), unbroken(page.heading), room) +
                     linesHeight(font(font_px), unbroken(page.text), room);
        for (const QString& option : optionsOf(page))
            height += linesHeight(font(font_px), unbroken(option), room - 2 * font_px) + font_px / 5;
        if (page.kind == LessonPage::Kind::Comparison)
            height += static_cast<int>(comparisonHeight(*walk_.lesson().comparison, tableScale(font_px)));
        most = std::max(most, height);
    }
    return most + 2 * kTop + small / 2 + linesHeight(font(small), QStringLiteral("X"), room) + small / 2;
}

// As large as requested, smaller where the pictures would have too little.
void PresentedLesson::fit() {
    if (parentWidget() == nullptr || parentWidget()->height() == 0) return;
    const int width = parentWidget()->width();
    const int most = static_cast<int>(parentWidget()->height() * kMostOfHeight);
    font_px_ = requested_px_;
    while (font_px_ > kLeastPx && heightNeeded(width, font_px_) > most) --font_px_;
    const int height = heightNeeded(width, font_px_);
    if (height == minimumHeight()) return;
    setFixedHeight(height);
    emit fitted();
}

void PresentedLesson::requestFont(int font_px) {
    requested_px_ = std::clamp(font_px, kLeastPx, kGreatestPx);
    fit();
    update();
}

void PresentedLesson::followTheme() {
    fit();
}

void PresentedLesson::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void PresentedLesson::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) follow();
    QWidget::changeEvent(event);
}

void PresentedLesson::next() {
    if (page_ + 1 < static_cast<int>(pages_.size())) {
        ++page_;
        update();
    } else {
        walk_.goOn();
    }
}

void PresentedLesson::back() {
    if (page_ > 0) {
        --page_;
    } else if (walk_.step() > LessonStep::Look) {
        walk_.goBack();
        page_ = static_cast<int>(pages_.size()) - 1;
    }
    update();
}

void PresentedLesson::digit(int number) {
    const LessonPage& page = pages_[static_cast<std::size_t>(page_)];
    if (page.kind == LessonPage::Kind::Question && walk_.lesson().asks_number)
        return type(typed_ + QString::number(number));
    if (number < 1 || number > static_cast<int>(optionsOf(page).size())) return;
    if (page.kind == LessonPage::Kind::Question)
        walk_.choose(number - 1);
    else
        emit walk_.tryRun(number - 1);
}

void PresentedLesson::type(const QString& typed) {
    bool is_number = false;
    const double value = typed.toDouble(&is_number);
    if (!typed.isEmpty() && (!is_number || value > 1e6)) return;
    typed_ = typed;
    walk_.estimateIs(typed.isEmpty() ? std::nullopt : std::optional(value));
    follow();
}

bool PresentedLesson::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {  // its keys come before those of the window
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == 0 && key->key() < Qt::Key_F1) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void PresentedLesson::keyPressEvent(QKeyEvent* event) {
    if ((event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) != 0) return event->ignore();
    const int key = event->key();
    if (key >= Qt::Key_0 && key <= Qt::Key_9) return digit(key - Qt::Key_0);
    switch (key) {
        case Qt::Key_Right:
        case Qt::Key_Space:
        case Qt::Key_PageDown:
            return next();
        case Qt::Key_Left:
        case Qt::Key_PageUp:
            return back();
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return walk_.numbersHidden() ? next() : emit walk_.nextMark();
        case Qt::Key_Period:
            return type(typed_ + u'.');
        case Qt::Key_Backspace:
            return type(typed_.chopped(std::min<qsizetype>(1, typed_.size())));
        case Qt::Key_C:
            return walk_.openCurtain();
        case Qt::Key_R:
            return emit walk_.again();
        case Qt::Key_B:
            return emit blackened();
        case Qt::Key_L:
            return emit walk_.changeLanguage();
        case Qt::Key_M:
            return emit memoryToggled();
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return requestFont(requested_px_ + 2);
        case Qt::Key_Minus:
            return requestFont(requested_px_ - 2);
        case Qt::Key_Escape:
            return emit left();
        default:
            event->ignore();
    }
}

QString PresentedLesson::footText() const {
    const LessonData& lesson = walk_.lesson();
    QStringList parts;
    if (lesson.number > 0) parts << tr("%1 of %2").arg(lesson.number).arg(lesson.count);
    parts << lesson.title << tr("page %1 of %2").arg(page_ + 1).arg(pages_.size());
    if (!walk_.progress().isEmpty()) parts << walk_.progress();
    if (lesson.contradicted && !walk_.numbersHidden()) parts << tr("R: run again");
    return parts.join(QStringLiteral("  ·  "));
}

void PresentedLesson::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(QRectF(0, 0, width(), theme.line()), theme.rule);
    const LessonPage& page = pages_[static_cast<std::size_t>(page_)];
    const int room = width() - 2 * kSide, small = static_cast<int>(font_px_ * kSmall);
    int y = kTop;
    const auto write = [&](const QFont& font, const QColor& ink, int indent, const QString& text) {
        const int height = linesHeight(font, text, room - indent);
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(QRect(kSide + indent, y, room - indent, height), Qt::TextWordWrap, text);
        y += height;
    };
    write(font(small, true), theme.text_soft, 0, unbroken(page.heading));
    y += small / 2;
    write(font(font_px_), theme.text, 0, unbroken(page.text));
    if (page.kind == LessonPage::Kind::Comparison)
        paintComparison(painter, QRectF(kSide, y, room, height() - y), *walk_.lesson().comparison,
                        tableScale(font_px_));
    const bool question = page.kind == LessonPage::Kind::Question;
    int number = 0;
    for (const QString& option : optionsOf(page)) {
        y += font_px_ / 5;
        const bool mine = question ? number == walk_.guess() : number == walk_.tried();
        const bool counts = !question || !walk_.lesson().asks_number;
        painter.setFont(font(font_px_, true));
        painter.setPen(mine ? theme.accent : theme.text_soft);
        painter.drawText(
            QRect(kSide, y, 2 * font_px_, linesHeight(font(font_px_), unbroken(option), room - 2 * font_px_)),
            Qt::AlignLeft | Qt::AlignVCenter, counts ? QString::number(number + 1) : QStringLiteral("="));
        write(font(font_px_, mine), mine ? theme.accent : theme.text, 2 * font_px_, unbroken(option));
        ++number;
    }
    painter.setFont(font(small));
    painter.setPen(theme.text_soft);
    const QRect foot(kSide, height() - kTop / 2 - QFontMetrics(painter.font()).height(), room,
                     QFontMetrics(painter.font()).height());
    const QString keys = tr("→ next   ← back   C curtain   B black   L 中文   Esc");
    const int keys_width = QFontMetrics(painter.font()).horizontalAdvance(keys);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(painter.font())
                         .elidedText(footText(), Qt::ElideRight, std::max(0, room - keys_width - small)));
    painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, keys);
}

BlackScreen::BlackScreen(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_DeleteOnClose);
    setGeometry(window->rect());
    show();
    raise();
    setFocus();
}

void BlackScreen::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), Qt::black);
}

void BlackScreen::keyPressEvent(QKeyEvent*) {
    close();
}

bool BlackScreen::event(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return QWidget::event(event);
    event->accept();
    return true;
}

void BlackScreen::mousePressEvent(QMouseEvent*) {
    close();
}

}  // namespace bscope::ui
