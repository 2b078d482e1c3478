// The caption of a figure: what ran, how its times were taken, the numbers with their definitions, version
// and date, so that a picture found alone still says what it shows. Translated.
#pragma once

#include <QDate>
#include <QString>
#include <span>

#include "view/prepared_view.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

// The numbers alone, for a figure whose paper says the rest.
QString shortCaption(std::span<const PreparedView> groups, const Notation& notation);
QString captionText(std::span<const PreparedView> groups, const Notation& notation, const QDate& date);

}  // namespace bscope::ui
