#include "widgets/figure/figure.h"

#include <QBuffer>
#include <QClipboard>
#include <QColorSpace>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <cmath>

#include "schedule/catalog.h"
#include "widgets/figure/figure_painter.h"
#include "widgets/figure/figure_words.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {

namespace {

constexpr double kLogicalDpi = 96;
constexpr int kPdfDpi = 1200;
constexpr double kVectorPixel = 0.05;

double pixelsPerLogical(const FigureOptions& options) {
    return options.width_mm > 0 ? options.dpi / kLogicalDpi : options.scale;
}

QString titleOf(std::span<const IterationView> views) {
    return views.empty() ? QString()
                         : scheduleTitle(views.front().config.schedule) + u' ' + parameterText(views.front());
}

void paintSvg(std::span<const IterationView> views, const FigureOptions& options, QIODevice& out) {
    const FigurePainter figure(views, options, kVectorPixel);
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setResolution(static_cast<int>(kLogicalDpi));
    svg.setViewBox(QRectF(QPointF(0, 0), figure.size()));
    svg.setSize(QSize(static_cast<int>(std::lround(figure.size().width())),
                      static_cast<int>(std::lround(figure.size().height()))));
    svg.setTitle(titleOf(views));
    QPainter painter(&svg);
    figure.draw(painter);
}

void paintPdf(std::span<const IterationView> views, const FigureOptions& options, QIODevice& out) {
    const FigurePainter figure(views, options, kVectorPixel);
    QPdfWriter pdf(&out);
    pdf.setCreator(QStringLiteral("Bubblescope ") + QLatin1String(BUBBLESCOPE_VERSION));
    pdf.setTitle(titleOf(views));
    pdf.setResolution(kPdfDpi);
    pdf.setPageSize(
        QPageSize(figure.size() * 72 / kLogicalDpi, QPageSize::Point, QString(), QPageSize::ExactMatch));
    pdf.setPageMargins(QMarginsF());
    QPainter painter(&pdf);
    painter.scale(kPdfDpi / kLogicalDpi, kPdfDpi / kLogicalDpi);
    figure.draw(painter);
}

}  // namespace

QSizeF figureSize(std::span<const IterationView> views, const FigureOptions& options) {
    return FigurePainter(views, options, 1).size();
}

QImage renderFigureImage(std::span<const IterationView> views, const FigureOptions& options) {
    const double factor = pixelsPerLogical(options);
    const FigurePainter figure(views, options, 1 / factor);
    const QSizeF size = figure.size() * factor;
    QImage image(static_cast<int>(std::lround(size.width())), static_cast<int>(std::lround(size.height())),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const int dots_per_m = static_cast<int>(std::lround(factor * kLogicalDpi / 0.0254));
    image.setDotsPerMeterX(dots_per_m);
    image.setDotsPerMeterY(dots_per_m);
    QPainter painter(&image);
    painter.scale(factor, factor);
    figure.draw(painter);
    painter.end();
    image.setColorSpace(QColorSpace::SRgb);
    return options.transparent ? image : image.convertToFormat(QImage::Format_RGB32);
}

QString writeFigure(std::span<const IterationView> views, const FigureOptions& options, const QString& path,
                    FigureFormat format) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return Figure::tr("Cannot write %1: %2.").arg(path, file.errorString());
    switch (format) {
        case FigureFormat::Png:
            if (!renderFigureImage(views, options).save(&file, "PNG"))
                return Figure::tr("Cannot write %1: the picture could not be encoded.").arg(path);
            break;
        case FigureFormat::Svg:
            paintSvg(views, options, file);
            break;
        case FigureFormat::Pdf:
            paintPdf(views, options, file);
            break;
    }
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
        .arg(params.d > 1 ? QStringLiteral("_d%1").arg(params.d) : QString())
        .arg(static_cast<int>(view.config.recompute))
        .arg(view.number())
        .arg(QString::fromLatin1(toText(prepared.provenance())).toLower() + extent,
             QLatin1String(endings[static_cast<int>(format)]));
}

}  // namespace bscope::ui
