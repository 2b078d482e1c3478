#include "widgets/figure/figure.h"

#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QSaveFile>
#include <QSvgGenerator>
#include <cmath>

#include "catalog/catalog.h"
#include "widgets/figure/figure_painter.h"
#include "widgets/figure/figure_words.h"
#include "widgets/figure/vector_paper.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {

namespace {

constexpr double kLogicalDpi = 96;
constexpr double kVectorPixel = 0.05;

double pixelsPerLogical(const FigureOptions& options) {
    return options.width_mm > 0 ? options.dpi / kLogicalDpi : options.scale;
}

QString titleOf(std::span<const IterationView> views) {
    return views.empty() ? QString()
                         : scheduleTitle(views.front().config.schedule) + u' ' + parameterText(views.front());
}

// Where Inter is missing, fonts with its look and then those that have Chinese.
constexpr const char* kFamilies =
    "font-family=\"Inter, 'Helvetica Neue', Arial, 'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC', "
    "'PingFang SC', 'Microsoft YaHei', sans-serif\"";

QByteArray svgWithText(const FigurePainter& figure, const QString& title) {
    QByteArray written;
    QBuffer out(&written);
    out.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setResolution(static_cast<int>(kLogicalDpi));
    svg.setViewBox(QRectF(QPointF(0, 0), figure.size()));
    svg.setSize(QSize(static_cast<int>(std::lround(figure.size().width())),
                      static_cast<int>(std::lround(figure.size().height()))));
    svg.setTitle(title);
    svg.setDescription(figure.words());  // a sentence is several texts where it changes its font
    QPainter painter(&svg);
    figure.draw(painter);
    painter.end();
    return written.replace("font-family=\"Inter\"", kFamilies);
}

bool paintVectors(const FigurePainter& figure, VectorPaper::Kind kind, const QString& title, QIODevice& out) {
    VectorPaper paper(out, kind, figure.size(), title, figure.words());
    QPainter painter(&paper);
    figure.draw(painter);
    painter.end();
    return paper.finish();
}

bool paintSvg(std::span<const IterationView> views, const FigureOptions& options, QIODevice& out) {
    const FigurePainter figure(views, options, kVectorPixel);
    if (options.svg_text == SvgText::Outlines)
        return paintVectors(figure, VectorPaper::Kind::Svg, titleOf(views), out);
    const QByteArray svg = svgWithText(figure, titleOf(views));
    return out.write(svg) == svg.size();
}

bool paintPdf(std::span<const IterationView> views, const FigureOptions& options, QIODevice& out) {
    return paintVectors(FigurePainter(views, options, kVectorPixel), VectorPaper::Kind::Pdf, titleOf(views),
                        out);
}

}  // namespace

CaptionLength captionOf(const FigureOptions& options) {
    const bool is_column = options.width_mm > 0 && options.width_mm <= kColumnWidth_mm;
    return options.caption.value_or(is_column ? CaptionLength::Short : CaptionLength::Long);
}

QSizeF figureSize(std::span<const IterationView> views, const FigureOptions& options) {
    return FigurePainter(views, options, 1).size();
}

QImage renderFigureImage(std::span<const IterationView> views, const FigureOptions& options) {
    const double factor = pixelsPerLogical(options);
    return FigurePainter(views, options, 1 / factor).image(factor, options.transparent);
}

QString writeFigure(std::span<const IterationView> views, const FigureOptions& options, const QString& path,
                    FigureFormat format) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return Figure::tr("Cannot write %1: %2.").arg(path, file.errorString());
    bool is_whole = false;
    switch (format) {
        case FigureFormat::Png:
            is_whole = renderFigureImage(views, options).save(&file, "PNG");
            break;
        case FigureFormat::Svg:
            is_whole = paintSvg(views, options, file);
            break;
        case FigureFormat::Pdf:
            is_whole = paintPdf(views, options, file);
            break;
    }
    if (!is_whole && file.error() == QFileDevice::NoError)
        return Figure::tr("Cannot write %1: the picture could not be encoded.").arg(path);
    return file.commit() ? QString() : Figure::tr("Cannot write %1: %2.").arg(path, file.errorString());
}

void copyFigure(std::span<const IterationView> views, const FigureOptions& options) {
    if (views.empty()) return;  // nothing is shown yet
    auto* data = new QMimeData;
    data->setImageData(renderFigureImage(views, options));
    QByteArray svg;
    QBuffer buffer(&svg);
    buffer.open(QIODevice::WriteOnly);
    paintSvg(views, options, buffer);
    data->setData(QStringLiteral("image/svg+xml"), svg);
    QGuiApplication::clipboard()->setMimeData(data);
}

std::optional<FigureFormat> figureFormat(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == u"png") return FigureFormat::Png;
    if (ending == u"svg") return FigureFormat::Svg;
    if (ending == u"pdf") return FigureFormat::Pdf;
    return std::nullopt;
}

QString figureFileName(const IterationView& view, FigureFormat format) {
    QString name = QString::fromStdString(bscope::titleOf(view.config.schedule));
    for (QChar& each : name)
        if (!each.isLetterOrNumber() && each != u'-') each = u'_';
    const char* const endings[]{"png", "svg", "pdf"};
    const PreparedView prepared(view);
    const ScheduleParams& params = view.config.params;
    const QString extent = view.now_ns >= 0 ? QStringLiteral("_incomplete") : QString();
    return QStringLiteral("%1_p%2_m%3_v%4%5_ac%6_it%7_%8.%9")
        .arg(name)
        .arg(params.p)
        .arg(params.m)
        .arg(params.v)
        .arg((params.d > 1 ? QStringLiteral("_d%1").arg(params.d) : QString()) +
             (params.zero > 0 ? QStringLiteral("_zero%1").arg(params.zero) : QString()) +
             (params.t > 1 ? QStringLiteral("_t%1").arg(params.t) : QString()) +
             (params.segments > 1 ? QStringLiteral("_q%1").arg(params.segments) : QString()) +
             (view.config.sequence_parallel ? QStringLiteral("_sp") : QString()))
        .arg(static_cast<int>(view.config.recompute))
        .arg(view.number())
        .arg(QString::fromLatin1(toText(prepared.provenance())).toLower() + extent,
             QLatin1String(endings[static_cast<int>(format)]));
}

}  // namespace bscope::ui
