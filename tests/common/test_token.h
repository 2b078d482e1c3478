// The token of engines that tests start. RawViewer shows it unless given another.
#pragma once

namespace bscope {

inline constexpr const char* kTestToken = "a token for tests";

}  // namespace bscope
