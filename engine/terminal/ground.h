// What the terminal's own colours are like, as far as the environment says so.
#pragma once

namespace bscope::terminal {

// As COLORFGBG says ("15;0": the last number is the ground); false where it is not set.
bool hasLightGround();

}  // namespace bscope::terminal
