// LessonClaims: what a lesson says about the numbers of its runs, as data, so that nothing is said that the
// runs just made do not show. A claim compares two expressions: `A.iteration_ms ~5% B.iteration_ms` (they
// differ by at most 5 % of the greater), `B.tokens_per_s < 2 * A.tokens_per_s`. Pure functions.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <span>

#include "widgets/data/view_data.h"

namespace bscope::ui {

// Whether it is so; nullopt while a run is missing, or when the claim cannot be read, which is then reported.
std::optional<bool> claimHolds(const QString& claim, std::span<const std::optional<IterationView>> runs,
                               QString* problem = nullptr);

// A run that something else on the machine held up.
bool anyDisturbed(std::span<const std::optional<IterationView>> runs);

}  // namespace bscope::ui
