/* The operations as a C compiler sees them: their sizes in the order of the list, and where an operand's
 * precision stands. It is also the proof that the plugin's interface is C. */
#include "kernels/plugin/plugin_abi.h"

#define SIZE(Name, name) sizeof(Bscope##Name),
const uint64_t operation_sizes_in_c[] = {BSCOPE_OPERATIONS(SIZE) 0};
const uint64_t precision_offset_in_c = offsetof(BscopeOperand, precision);
const uint64_t table_size_in_c = sizeof(BscopePlugin);
