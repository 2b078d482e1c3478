// How much more something takes than what it is compared with, as people read it: up to twice as much in
// percent ("50.0 % longer"), above as a factor ("49 times as long"). A share that rounds to nothing is not
// worth a sentence. Any thread.
#pragma once

#include <string>

#include "words/number_text.h"

namespace bscope {

inline bool readsAsPercent(double factor) {
    return factor <= 2;
}
inline std::string timesText(double factor) {
    return fixedText(factor, factor < 10 ? 1 : 0);  // "2.4", "49"
}

// Whether it is written as 0.0 % with one decimal.
inline bool roundsToNothing(double share) {
    return share < 0.0005 && share > -0.0005;
}

}  // namespace bscope
