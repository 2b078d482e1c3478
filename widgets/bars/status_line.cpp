// Words and painting of the status line.
#include "widgets/bars/status_line.h"

#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <cmath>
#include <utility>

#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent),
      language_(new Button(ButtonLook::Quiet, Glyph::None, this)),
      scale_(new Button(ButtonLook::Quiet, Glyph::None, this)),
      more_(new Button(ButtonLook::Plain, Glyph::More, this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(language_, &QAbstractButton::clicked, this, &StatusLine::languageClicked);
    connect(scale_, &QAbstractButton::clicked, this, &StatusLine::scaleClicked);
    connect(more_, &QAbstractButton::clicked, this, &StatusLine::showLeftOut);
    more_->setDesignHeight(18);
}

void StatusLine::setData(const StatusData& status) {
    data_ = status;
    // Measuring texts is most of what a status costs, and it comes with every redraw of the picture.
    if (Words now = words(); now != words_) say(std::move(now));
}

StatusLine::Words StatusLine::words() const {
    return {stateGlyph(),
            stateText(),
            data_.range,
            data_.language,
            withUnit(numberText(100 * data_.scale, 0), "%"),
            parts()};
}

void StatusLine::say(Words words) {
    words_ = std::move(words);
    language_->setText(words_.language);
    scale_->setText(words_.scale);
    language_->setToolTip(tr("Language"));
    more_->setToolTip(tr("What has no room here"));
    more_->setAccessibleName(more_->toolTip());
    scale_->setToolTip(tr("Scale of the window"));
    setAccessibleName(words_.state + QStringLiteral(", ") + words_.parts.join(QStringLiteral(", ")));
    place();
    update();
}

QString StatusLine::stateGlyph() const {
    switch (data_.state) {
        case SessionState::Idle:
            return QStringLiteral("○");
        case SessionState::Starting:
            return QStringLiteral("◐");
        case SessionState::Running:
        case SessionState::Pausing:
            return QStringLiteral("●");
        case SessionState::Paused:
            return QStringLiteral("‖");
        case SessionState::Failed:
            return QStringLiteral("■");
        case SessionState::Disconnected:
            return QStringLiteral("▲");
        case SessionState::Replaying:
            return QStringLiteral("▶");
    }
    return {};
}

QString StatusLine::stateText() const {
    const QString number = QString::number(data_.iteration + 1);
    switch (data_.state) {
        case SessionState::Idle:
            return tr("Ready");
        case SessionState::Starting:
            return tr("Starting");
        case SessionState::Running:
            if (data_.iteration < 0) return tr("Running");
            return data_.progress < 0
                       ? tr("Running · iteration %1 starts").arg(number)
                       : tr("Running · iteration %1, %2 %").arg(number, numberText(100 * data_.progress, 0));
        case SessionState::Pausing:
            return data_.iteration < 0 ? tr("Pausing") : tr("Pausing after %1").arg(number);
        case SessionState::Paused:
            return data_.iteration < 0 ? tr("Paused") : tr("Paused at %1").arg(number);
        case SessionState::Failed:
            return tr("Failed");
        case SessionState::Disconnected:
            return data_.retry_s < 0 ? tr("Disconnected")
                                     : tr("Disconnected, retry in %1 s").arg(data_.retry_s);
        case SessionState::Replaying:
            return data_.read_to.isEmpty()
                       ? tr("Replaying %1").arg(data_.file)
                       : tr("Replaying %1, read up to iteration %2").arg(data_.file, data_.read_to);
    }
    return {};
}

// On GPUs the tracer is what costs, and the host's load disturbs nothing that is timed.
QStringList StatusLine::costParts(const IterationReport& report) {
    const bool on_gpus = report.timing.ofGpus();
    const std::optional<double> cost = on_gpus ? report.tracing_cost : report.tracing_share;
    QStringList parts;
    if (cost) parts << tr("Tracing cost %1").arg(shareText(*cost));
    if (on_gpus) return parts;
    const QString ratio = numberText(report.wall_over_cpu, 2);
    parts << (report.disturbed ? disturbedText(report) : tr("wall/CPU %1, undisturbed").arg(ratio));
    return parts;
}

// By weight, since the last ones have no room in a narrow window: what the reader is doing, what is wrong
// with the numbers, then where they come from.
QStringList StatusLine::parts() const {
    QStringList parts;
    if (!data_.note.isEmpty()) parts << data_.note;
    const bool losses = data_.report && data_.dropped_events > 0;
    if (!data_.straggler.isEmpty()) parts << data_.straggler;
    if (losses) parts << tr("Dropped events %1").arg(data_.dropped_events);
    if (!data_.engine.isEmpty()) parts << tr("Engine: %1").arg(data_.engine);
    if (data_.report) {
        const bool imported = data_.report->provenance == Provenance::Imported;
        if (!imported) parts << costParts(*data_.report);
        if (!losses && !imported) parts << tr("Dropped events %1").arg(data_.dropped_events);
    }
    return parts;
}

void StatusLine::followTheme() {
    const Theme& theme = currentTheme();
    setFixedHeight(theme.px(24));
    place();
}

void StatusLine::place() {
    const Theme& theme = currentTheme();
    int right = width() - theme.px(14);
    for (Button* button : {scale_, language_}) {
        button->resize(button->sizeHint());
        right -= button->width();
        button->move(right, (height() - button->height()) / 2);
        right -= theme.px(16);
    }
    fitting_ = partsThatFit();
    more_->setVisible(fitting_ < words_.parts.size());
    int left = partsLeft();
    const QFontMetrics metrics(theme.font(11.5));
    for (int i = 0; i < fitting_; ++i) left += theme.px(25) + metrics.horizontalAdvance(words_.parts[i]);
    more_->resize(more_->sizeHint());
    more_->move(left + theme.px(10), (height() - more_->height()) / 2);
}

int StatusLine::rangeWidth() const {
    const Theme& theme = currentTheme();
    return QFontMetrics(theme.font(11.5)).horizontalAdvance(words_.range) + theme.px(16);
}

int StatusLine::partsRight() const {
    return language_->x() - currentTheme().px(8) - rangeWidth();
}

int StatusLine::partsLeft() const {
    const Theme& theme = currentTheme();
    return theme.px(30) + QFontMetrics(theme.font(11.5, QFont::DemiBold)).horizontalAdvance(words_.state);
}

// What does not fit whole is left out, and with it all that comes after.
int StatusLine::partsThatFit() const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(theme.font(11.5));
    const QStringList& all = words_.parts;
    const int more = more_->sizeHint().width() + theme.px(12);
    int left = partsLeft(), fitting = 0;
    for (const QString& part : all) {
        left += theme.px(25) + metrics.horizontalAdvance(part);
        if (left + (fitting + 1 < all.size() ? more : 0) > partsRight()) break;
        ++fitting;
    }
    return fitting;
}

QStringList StatusLine::leftOut() const {
    return words_.parts.mid(fitting_);
}

void StatusLine::showLeftOut() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString& part : leftOut()) menu->addAction(part);
    menu->popup(more_->mapToGlobal(QPoint(0, -menu->sizeHint().height())));
}

void StatusLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) say(words());
    QWidget::changeEvent(event);
}

void StatusLine::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    const auto advance = [&painter](const QString& text) {
        return painter.fontMetrics().horizontalAdvance(text);
    };
    painter.setFont(theme.font(11, QFont::DemiBold));
    painter.setPen(isAtWork(data_.state) ? theme.ok : theme.text_soft);
    int left = theme.px(14);
    painter.drawText(QRect(left, 0, theme.px(18), height()), Qt::AlignVCenter, words_.glyph);
    left += theme.px(16);
    painter.setFont(theme.font(11.5, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRect(left, 0, advance(words_.state) + 2, height()), Qt::AlignVCenter, words_.state);
    left += advance(words_.state);

    painter.setFont(theme.font(11.5));
    for (const QString& part : words_.parts.mid(0, fitting_)) {
        const int text_width = advance(part);
        painter.fillRect(left + theme.px(12), theme.px(6), 1, height() - theme.px(12), theme.rule);
        left += theme.px(25);
        painter.setPen(theme.text_soft);
        painter.drawText(QRect(left, 0, text_width + 2, height()), Qt::AlignVCenter, part);
        left += text_width;
    }
    painter.setPen(theme.text_faint);
    painter.drawText(QRect(partsRight(), 0, rangeWidth() - theme.px(8), height()),
                     Qt::AlignVCenter | Qt::AlignRight, words_.range);
}

}  // namespace bscope::ui
