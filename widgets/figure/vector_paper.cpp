#include "widgets/figure/vector_paper.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <cmath>

#include "widgets/figure/cairo_engine.h"

namespace bscope::ui {

namespace {

constexpr double kPaperDpi = 96, kPointsAnInch = 72;
constexpr double kPointsAPixel = kPointsAnInch / kPaperDpi;

cairo_status_t keep(void* bytes, const unsigned char* data, unsigned int size) {
    static_cast<QByteArray*>(bytes)->append(reinterpret_cast<const char*>(data),
                                            static_cast<qsizetype>(size));
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct VectorPaper::Document {
    QIODevice& out;
    Kind kind;
    QString title, description;
    QByteArray bytes;
    cairo_surface_t* surface = nullptr;
    cairo_t* drawing = nullptr;
    bool finished = false;

    Document(QIODevice& to, Kind of, const QSizeF& size, const QString& name, const QString& words)
        : out(to), kind(of), title(name), description(words) {
        const double width = size.width() * kPointsAPixel, height = size.height() * kPointsAPixel;
        if (kind == Kind::Pdf) {
            surface = cairo_pdf_surface_create_for_stream(keep, &bytes, width, height);
            cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title.toUtf8().constData());
            cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR,
                                           "Bubblescope " BUBBLESCOPE_VERSION);
        } else {
            surface = cairo_svg_surface_create_for_stream(keep, &bytes, width, height);
        }
        drawing = cairo_create(surface);
        cairo_scale(drawing, kPointsAPixel, kPointsAPixel);
    }
    ~Document() {
        cairo_destroy(drawing);
        cairo_surface_finish(surface);
        cairo_surface_destroy(surface);
    }
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    // Glyphs as groups, which programs of SVG Tiny know, too, and newer versions of cairo write by themselves.
    void group() {
        bytes.replace("<symbol overflow=\"visible\"", "<g").replace("</symbol>", "</g>");
    }
    // Programs that read aloud or search know an outline only by these words.
    void describe() {
        const qsizetype head = bytes.indexOf("<svg");
        const qsizetype after = head < 0 ? -1 : bytes.indexOf('>', head);
        if (after < 0) return;
        const auto element = [](const char* name, const QString& text) {
            return text.isEmpty() ? QByteArray()
                                  : QByteArray("\n<") + name + '>' + text.toHtmlEscaped().toUtf8() + "</" +
                                        name + '>';
        };
        bytes.insert(after + 1, element("title", title) + element("desc", description));
    }
};

VectorPaper::VectorPaper(QIODevice& out, Kind kind, const QSizeF& size, const QString& title,
                         const QString& description)
    : document_(std::make_unique<Document>(out, kind, size, title, description)),
      engine_(std::make_unique<CairoEngine>(document_->drawing)),
      size_(size) {}

VectorPaper::~VectorPaper() = default;

void VectorPaper::newPage() {
    cairo_show_page(document_->drawing);
}

bool VectorPaper::finish() {
    Document& document = *document_;
    if (document.finished) return true;
    document.finished = true;
    cairo_show_page(document.drawing);
    cairo_surface_finish(document.surface);
    const bool is_whole = cairo_status(document.drawing) == CAIRO_STATUS_SUCCESS &&
                          cairo_surface_status(document.surface) == CAIRO_STATUS_SUCCESS;
    if (document.kind == Kind::Svg) {
        document.group();
        document.describe();
    }
    return is_whole && document.out.write(document.bytes) == document.bytes.size();
}

QPaintEngine* VectorPaper::paintEngine() const {
    return engine_.get();
}

int VectorPaper::metric(PaintDeviceMetric metric) const {
    const auto whole = [](double value) { return static_cast<int>(std::lround(value)); };
    switch (metric) {
        case PdmWidth:
            return whole(size_.width());
        case PdmHeight:
            return whole(size_.height());
        case PdmWidthMM:
            return whole(size_.width() * 25.4 / kPaperDpi);
        case PdmHeightMM:
            return whole(size_.height() * 25.4 / kPaperDpi);
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return whole(kPaperDpi);
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 24;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return whole(devicePixelRatioFScale());
        default:
            return QPaintDevice::metric(metric);
    }
}

}  // namespace bscope::ui
