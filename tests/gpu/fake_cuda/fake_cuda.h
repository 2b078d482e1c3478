// What a test asks the fake CUDA (fake.h). Found by dlsym in bscope_cuda_checked.so.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// The rules broken since the last call, one a line; valid until the next call.
const char* fake_cuda_broken(void);

// A GPU that a fault has taken is there again, as in a new process; the calling thread's last error is gone.
void fake_cuda_restart(void);

#ifdef __cplusplus
}
#endif
