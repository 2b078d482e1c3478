// What there is to say of what is looked at: the selected box or gap, else where the idle time comes from;
// and the head of the picture. Pure functions; texts are fit for a terminal.
#pragma once

#include <string>
#include <vector>

#include "terminal/scene.h"

namespace bscope::terminal {

// One sentence, perhaps longer than a line; empty: nothing is known.
std::string factsOf(const Scene& scene);

// "1F1B · p=4 m=8 v=1 d=1 · iteration 12".
std::string titleOf(const Scene& scene);
// "● MEASURED · CPU, 2 cores": a sign for each source of times, and what ran it.
std::string badgeOf(const Scene& scene);
// The bubble with its definition first; those that do not fit are left out from behind.
std::vector<std::string> numbersOf(const Scene& scene);

}  // namespace bscope::terminal
