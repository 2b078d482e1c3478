// The token of engines that tests start. RawViewer shows it unless told otherwise.
#pragma once

namespace bscope {

inline constexpr const char* kTestToken = "a token for tests";

}  // namespace bscope
