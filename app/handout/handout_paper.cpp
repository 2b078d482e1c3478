#include "app/handout/handout_paper.h"

#include <QFontMetricsF>
#include <QRegularExpression>
#include <algorithm>
#include <optional>
#include <utility>

#include "widgets/figure/figure_painter.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr double kLogicalDpi = 96, kFooter = 26, kAroundHeading = 7;
constexpr double kVectorPixel = 0.05;
constexpr double kFactors[] = {1, 0.85, 0.75, 0.65};  // of figures that are too high

// On paper a line ends neither between a number and its unit nor within an option of a command.
QString held(const QString& words) {
    static const QRegularExpression before_unit(QStringLiteral("(?<=\\d) (?=(ms|[kMG]B)\\b)")),
        option(QStringLiteral("(?<![\\w-])--(?=\\w)"));
    return unbroken(words)
        .replace(before_unit, QString(QChar::Nbsp))
        .replace(option, QStringLiteral("--\u2060"));
}

QSizeF sizeOf(Paper paper) {
    switch (paper) {
        case Paper::A4:
            return QSizeF(210, 297) / 25.4 * kLogicalDpi;
        case Paper::Letter:
            return QSizeF(8.5, 11) * kLogicalDpi;
        case Paper::Slides:
            break;
    }
    return {960, 540};
}

}  // namespace

HandoutPaper::HandoutPaper(QIODevice& out, Paper paper, const QString& title, Ink ink)
    : size_(sizeOf(paper)),
      pdf_(out, VectorPaper::Kind::Pdf, size_, title),
      slides_(paper == Paper::Slides),
      draws_(ink == Ink::Drawn),
      margin_(slides_ ? 36 : 56) {
    painter_.begin(&pdf_);
    bottom_ = size_.height() - margin_ - kFooter;
    y_ = margin_;
}

QFont HandoutPaper::font(double size, QFont::Weight weight) const {
    return theme_.font(size * scale_ * (slides_ ? 1.35 : 1), weight);
}

void HandoutPaper::drawFooter() {
    const QFont small = theme_.font(slides_ ? 6.5 * 1.35 : 8.5);
    painter_.setPen(QPen(theme_.rule, 0.5));
    const double top = size_.height() - margin_ - kFooter + 8;
    painter_.drawLine(QLineF(margin_, top, size_.width() - margin_, top));
    painter_.setPen(theme_.text_soft);
    painter_.setFont(small);
    painter_.drawText(QRectF(margin_, top + 4, width() - 40, kFooter), Qt::AlignTop | Qt::TextWordWrap,
                      footer_);
    painter_.drawText(QRectF(margin_, top + 4, width(), kFooter), Qt::AlignTop | Qt::AlignRight,
                      QString::number(page_));
}

void HandoutPaper::newPage() {
    if (!heading_.isEmpty()) reserve(0);
    if (y_ <= margin_) return;
    drawFooter();
    pdf_.newPage();
    ++page_;
    y_ = margin_;
}

bool HandoutPaper::end() {
    reserve(0);
    drawFooter();
    painter_.end();
    return pdf_.finish();
}

// A heading comes onto the page of what follows it.
void HandoutPaper::reserve(double height) {
    if (heading_.isEmpty()) {
        if (height > room()) newPage();
        return;
    }
    const QString words = std::exchange(heading_, {});
    const QFont bold = font(11, QFont::DemiBold);
    if (heightOf(held(words), bold, 0) + kAroundHeading + height > room()) newPage();
    y_ += 4;
    text(words, bold, theme_.text_soft, 0, kAroundHeading - 4);
}

double HandoutPaper::heightOf(const QString& text, const QFont& font, double indent) {
    painter_.setFont(font);
    return painter_.boundingRect(QRectF(margin_ + indent, 0, width() - indent, 1e5), Qt::TextWordWrap, text)
        .height();
}

void HandoutPaper::text(const QString& words, const QFont& font, const QColor& colour, double indent,
                        double after) {
    if (words.isEmpty()) return;
    const QString text = held(words);
    const double height = heightOf(text, font, indent);
    reserve(height);
    painter_.setFont(font);  // a new page's footer and a heading have fonts of their own
    painter_.setPen(colour);
    if (draws_)
        painter_.drawText(QRectF(margin_ + indent, y_, width() - indent, 1e5), Qt::TextWordWrap, text);
    y_ += height + after;
}

void HandoutPaper::title(const QString& words, const QString& above) {
    text(above, font(10.5), theme_.text_soft, 0, 2);
    text(words, font(19, QFont::DemiBold), theme_.text, 0, 10);
}

void HandoutPaper::heading(const QString& words) {
    reserve(0);  // one before, to which nothing came
    if (headings_++ == break_before_) newPage();
    heading_ = words;
}

void HandoutPaper::paragraph(const QString& words) {
    text(words, font(12), theme_.text, 0, 10 * scale_);
}

void HandoutPaper::small(const QString& words) {
    text(words, font(9.5), theme_.text_soft, 0, 6 * scale_);
}

void HandoutPaper::boxes(const QStringList& texts) {
    const double side = slides_ ? 14 : 11;
    for (const QString& each : texts) {
        reserve(30);
        const double top = y_;
        text(each, font(12), theme_.text, side + 10, 7);
        painter_.setPen(QPen(theme_.text, 1));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRect(QRectF(margin_ + 1, top + 3, side, side));
    }
    y_ += 4;
}

// As wide as the text, whose left it shares. What would be too high is drawn as that much wider and made
// smaller, as far as its words stay readable.
void HandoutPaper::figure(std::span<const IterationView> views) {
    if (views.empty()) return;
    FigureOptions options;
    options.caption = CaptionLength::None;
    options.layers.ghost = false;
    options.width_mm = width() / kLogicalDpi * 25.4;
    const double most = (bottom_ - margin_) * (slides_ ? 0.6 : 0.45 * scale_ * scale_);
    std::optional<FigurePainter> figure(std::in_place, views, options, kVectorPixel);
    double factor = 1, around = 0;
    if (slides_ || figure->size().height() > most) {
        options.width_mm = 0;
        around = FigurePainter::kPictureMargin;  // the page has its own
        for (const double each : kFactors) {
            factor = each;
            options.size_px = (QSizeF(width(), most) / factor + 2 * QSizeF(around, around)).toSize();
            figure.emplace(views, options, kVectorPixel / factor);
            if (figure->hasRoom()) break;
        }
    }
    const double height = (figure->size().height() - 2 * around) * factor + 10;
    reserve(height);
    if (draws_) {
        painter_.save();
        painter_.translate(margin_, y_);
        painter_.scale(factor, factor);
        painter_.translate(-around, -around);
        figure->draw(painter_);
        painter_.restore();
    }
    y_ += height;
}

void HandoutPaper::emptyGrid(int ranks, int steps) {
    const double names = 52, cell = std::min(18.0, (width() - names) / steps), height = std::max(cell, 13.0);
    reserve(ranks * height + 12);
    painter_.setFont(font(9.5));
    for (int rank = 0; rank < ranks; ++rank) {
        const double top = y_ + rank * height;
        painter_.setPen(theme_.text_soft);
        painter_.drawText(QRectF(margin_, top, names, height), Qt::AlignVCenter, rankText(rank));
        painter_.setPen(QPen(theme_.rule, 0.6));
        painter_.setBrush(Qt::NoBrush);
        for (int step = 0; step < steps; ++step)
            painter_.drawRect(QRectF(margin_ + names + step * cell, top, cell, height));
    }
    y_ += ranks * height + 12;
}

void HandoutPaper::table(const std::vector<QStringList>& rows) {
    if (rows.empty()) return;
    const double height = slides_ ? 22 : 17;
    const bool of_words = rows.front().size() == 2;  // else the columns behind the first are numbers
    const auto fontOf = [this](std::size_t row) { return row == 0 ? font(9.5) : font(10.5); };
    // A column of numbers is as wide as its widest text; the first column takes the rest.
    std::vector<double> widths{width()};
    for (qsizetype column = 1; column < rows.front().size(); ++column) {
        double widest = of_words ? width() * 0.66 : 0;
        for (std::size_t row = 0; row < rows.size() && !of_words; ++row)
            widest = std::max(widest, QFontMetricsF(fontOf(row)).horizontalAdvance(rows[row][column]) + 16);
        widths.push_back(widest);
        widths.front() -= widest;
    }
    reserve(static_cast<double>(rows.size()) * height + 14);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        painter_.setFont(fontOf(row));
        painter_.setPen(row == 0 ? theme_.text_soft : theme_.text);
        double left = margin_;
        for (qsizetype column = 0; column < rows[row].size(); ++column) {
            const double wide = widths[static_cast<std::size_t>(column)];
            painter_.drawText(
                QRectF(left, y_, wide, height),
                Qt::AlignVCenter | (column == 0 || of_words ? int{Qt::AlignLeft} : int{Qt::AlignRight}),
                rows[row][column]);
            left += wide;
        }
        y_ += height;
        if (row == 0) {
            painter_.setPen(QPen(theme_.rule, 0.6));
            painter_.drawLine(QLineF(margin_, y_, margin_ + width(), y_));
        }
    }
    y_ += 12;
}

}  // namespace bscope::ui
