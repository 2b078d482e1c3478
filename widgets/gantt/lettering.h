// Lettering: the few short texts that a picture draws hundreds of times (numbers in boxes, gap lengths,
// numbers in flight), shaped once and kept. Belongs to a theme. Window thread only.
#pragma once

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QStaticText>
#include <array>

#include "widgets/theme.h"

namespace bscope::ui {

class Lettering {
public:
    enum class Style { BoxNumber, SmallBoxNumber, ChunkLetter, Idle, InFlight };

    explicit Lettering(const Theme& theme);
    double width(Style style, const QString& text);
    double height(Style style) const { return face(style).height; }
    // Centred on the height of the digits, so that it looks centred in a box.
    void drawCentred(QPainter& painter, Style style, const QPointF& centre, const QString& text,
                     const QColor& colour);

private:
    struct Label {
        QStaticText text;
        double width = 0, ascent = 0;
    };
    struct Face {
        QFont font;
        double cap_height = 0, height = 0;
        QHash<QString, Label> labels;
    };
    Face& face(Style style) { return faces_[static_cast<std::size_t>(style)]; }
    const Face& face(Style style) const { return faces_[static_cast<std::size_t>(style)]; }
    const Label& label(Face& face, const QString& text);

    std::array<Face, 5> faces_;
};

}  // namespace bscope::ui
