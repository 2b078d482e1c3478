// VectorPaper: a paint device of pages that become a PDF or an SVG, by cairo. In a PDF the text stays text: fonts
// are embedded, and each glyph says the very characters that it was made of, whatever form the font gave it; in an
// SVG each glyph is an outline, so that it looks the same where the fonts are missing. Lengths are logical pixels
// (96 an inch). Window thread only.
#pragma once

#include <QIODevice>
#include <QPaintDevice>
#include <QString>
#include <memory>

namespace bscope::ui {

class CairoEngine;

class VectorPaper : public QPaintDevice {
public:
    enum class Kind { Pdf, Svg };
    // description: SVG only, the text that a program reads to a person who cannot see the picture.
    VectorPaper(QIODevice& out, Kind kind, const QSizeF& size, const QString& title,
                const QString& description = {});
    ~VectorPaper() override;

    void newPage();  // PDF only
    // Ends the document, once every painter has ended: whether all of it was written.
    bool finish();

    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    struct Document;
    std::unique_ptr<Document> document_;
    std::unique_ptr<CairoEngine> engine_;
    QSizeF size_;
};

}  // namespace bscope::ui
