// What a test asks the fake CUDA (fake.h). Found by dlsym in bscope_cuda_checked.so.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// The rules broken since the last call, one a line; valid until the next call.
const char* fake_cuda_broken(void);

#ifdef __cplusplus
}
#endif
