// The provenance badge: solid for MEASURED, half filled for RECONSTRUCTED, dashed for PREDICTED; shape before
// colour. No picture is drawn without it.
#pragma once

#include <QPainter>

#include "timeline/event.h"
#include "report/report.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

// "RECONSTRUCTED · CPU · 2 cores", "MEASURED · 4 x H200 · CUPTI".
QString badgeText(Provenance provenance, const QString& device, bool recording,
                  TimingSource timing = TimingSource::Host);
double badgeWidth(const QString& text, const Theme& theme);
double badgeHeight(const Theme& theme);
void drawBadge(QPainter& painter, const QPointF& left_centre, Provenance provenance, const QString& text,
               const Theme& theme);

}  // namespace bscope::ui
