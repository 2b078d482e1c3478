/* The C interface between the engine and the CUDA plugin, a shared library that is loaded when the program
 * runs. Plain C, fixed-size types only: the two sides may be built by different compilers. The version counts
 * every change of this file and of what it includes; a plugin of another version is refused. A function that
 * can fail returns null when it has done its work, else why it has not, which stays valid until the calling
 * thread's next call. No function throws. An operation is a value of kernels/operations.h, read before the
 * call returns. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/operations.h"

#define BSCOPE_PLUGIN_ABI 13
#define BSCOPE_PLUGIN_ENTRY "bscope_cuda_plugin"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BscopeFailure {
    const char* text; /* an English sentence with {0}, {1}, ... for the arguments, or what a library says */
    const char* const* arguments; /* names and numbers, the same in every language */
    uint64_t argument_count;
    int64_t gpu_is_lost; /* 1: nothing more can be done on that GPU in this process */
} BscopeFailure;

typedef const BscopeFailure* BscopeError; /* null: done */

typedef struct BscopeDevice BscopeDevice; /* one GPU in this process */
typedef struct BscopeStream BscopeStream; /* an order of work on it */
typedef struct BscopeOps BscopeOps;       /* operations on a stream, with their working space */
typedef struct BscopeEvent BscopeEvent;   /* a moment in a stream: when it has come so far */
typedef struct BscopeGraph BscopeGraph;   /* work that is handed to a stream in one go, again and again */
typedef struct BscopeLink BscopeLink;     /* one rank's NCCL communicator */

enum {
    BSCOPE_FUSED_BIAS = 1,
    BSCOPE_FUSED_BIAS_GELU = 2,
    BSCOPE_FUSED_GELU_BACKWARD = 4,
    BSCOPE_FUSED_BIAS_BACKWARD = 8
};

typedef struct BscopeGpu {
    char name[128];
    char bus_id[32]; /* "0000:3B:00.0" */
    int32_t compute_major, compute_minor;
    int32_t processors; /* streaming multiprocessors */
    uint64_t total_bytes;
} BscopeGpu;

/* What one GPU can do with another's memory. */
typedef struct BscopePeer {
    int32_t can_access;       /* 1: directly */
    int32_t performance_rank; /* of the path, lower is better; -1 unknown */
    int32_t native_atomics;   /* 1: the path is NVLink, or as good */
} BscopePeer;

enum { BSCOPE_KERNEL = 0, BSCOPE_COPY = 1, BSCOPE_FILL = 2, BSCOPE_CORRELATION = 3 };

/* One record of the tracer. BSCOPE_CORRELATION says that the driver call `correlation` was made while
 * `external` was pushed; the others are spans of the device, times on CLOCK_MONOTONIC. */
typedef struct BscopeTraceRecord {
    int32_t kind;
    uint32_t correlation;
    uint64_t external;
    int64_t start_ns, end_ns;
    uint64_t bytes;
    uint32_t device, stream;
    const char* name; /* mangled, valid during the handler's call; null where there is none */
} BscopeTraceRecord;

typedef void (*BscopeTraceHandler)(void* context, const BscopeTraceRecord* record);

typedef struct BscopeUniqueId {
    char bytes[128];
} BscopeUniqueId;

typedef struct BscopeTransfer {
    int32_t peer;
    int32_t receives; /* 1: into data, 0: from data */
    void* data;
    uint64_t bytes;
} BscopeTransfer;

typedef struct BscopePlugin {
    uint32_t abi;          /* BSCOPE_PLUGIN_ABI: first, so that any version can be read */
    uint32_t toolkit;      /* 13000: CUDA 13.0, what it was built with */
    const char* built_for; /* "sm_80 sm_90" */

    /* The machine. */
    BscopeError (*driver_version)(int32_t* version);         /* 13000; 0: there is none */
    BscopeError (*device_count)(int32_t* count);             /* may be 0; fails without a driver */
    BscopeError (*describe)(int32_t device, BscopeGpu* gpu); /* opens nothing there */
    BscopeError (*peer)(int32_t from, int32_t to, BscopePeer* peer);

    /* Memory and order. */
    BscopeError (*device_open)(int32_t device, BscopeDevice** opened);
    void (*device_close)(BscopeDevice* device);
    BscopeError (*prepare_thread)(BscopeDevice* device);
    BscopeError (*allocate)(BscopeDevice* device, uint64_t bytes, void** memory, int32_t* out_of_memory);
    void (*release)(BscopeDevice* device, void* memory);
    BscopeError (*memory_used)(BscopeDevice* device,
                               uint64_t* bytes); /* by all processes, as the driver counts */
    BscopeError (*copy)(BscopeDevice* device, void* to, const void* from, uint64_t bytes);
    BscopeError (*fill_zero)(BscopeDevice* device, void* memory, uint64_t bytes);
    /* urgent: its kernels are begun before those of other streams that wait too. */
    BscopeError (*stream_open)(BscopeDevice* device, int32_t urgent, BscopeStream** opened);
    void (*stream_close)(BscopeStream* stream);
    BscopeError (*stream_synchronize)(BscopeStream* stream);
    /* The stream does nothing handed to it from now on before the event, as recorded last, has come. Streams
     * may be of different devices. */
    BscopeError (*stream_wait)(BscopeStream* stream, BscopeEvent* event);
    BscopeError (*event_open)(BscopeDevice* device, BscopeEvent** opened);
    void (*event_close)(BscopeEvent* event);
    BscopeError (*event_record)(BscopeEvent* event, BscopeStream* stream);
    BscopeError (*event_done)(BscopeEvent* event, int32_t* done); /* does not wait; 1 when never recorded */
    /* Between two events of one device; waits for both. */
    BscopeError (*event_elapsed)(BscopeEvent* from, BscopeEvent* to, int64_t* elapsed_ns);

    /* By one thread; others may synchronise the stream meanwhile, which waits for what was handed over
     * before. Operations handed to the stream from graph_begin to graph_end are not done but become a graph;
     * the tracer counts its kernels to the graph_launch. Operations may fail in between where they would have
     * to allocate; then graph_end still ends it. A graph may be closed while it runs. */
    BscopeError (*graph_begin)(BscopeStream* stream);
    BscopeError (*graph_end)(BscopeStream* stream, BscopeGraph** made);
    BscopeError (*graph_launch)(BscopeGraph* graph, BscopeStream* stream);
    void (*graph_close)(BscopeGraph* graph);

    /* Operations: those of kernels/operations.h, in the order of the stream. */
    BscopeError (*ops_open)(BscopeStream* stream, int64_t precision, BscopeOps** opened);
    void (*ops_close)(BscopeOps* ops);
    uint64_t (*ops_workspace_bytes)(const BscopeOps* ops);
    /* Bit BSCOPE_FUSED_...: such a product was done in one kernel, or in a product and a kernel of our own.
     */
    void (*ops_fused)(const BscopeOps* ops, uint32_t* fused, uint32_t* apart);
#define BSCOPE_ENTRY(Name, name) BscopeError (*op_##name)(BscopeOps*, const Bscope##Name* operation);
    BSCOPE_OPERATIONS(BSCOPE_ENTRY)
#undef BSCOPE_ENTRY

    /* CUPTI, one tracer a process, at work until it was stopped as often as started. push and pop: per
     * thread, around the calls of one action. drain hands over what is complete and says how many records
     * were dropped since the last call. */
    BscopeError (*trace_version)(uint32_t* version); /* 130001: CUPTI's own count */
    BscopeError (*trace_start)(void);
    BscopeError (*trace_stop)(void);
    BscopeError (*trace_push)(uint64_t external);
    BscopeError (*trace_pop)(void);
    BscopeError (*trace_drain)(BscopeTraceHandler handler, void* context, uint64_t* dropped);

    /* NVTX: ranges of the calling thread, one inside the other; without a profiler they do nothing. */
    void (*range_push)(const char* name);
    void (*range_pop)(void);

    /* NCCL, loaded at the first call. Nothing here waits: open, split and exchange begin something, and
     * link_ready says 1 when nothing that was begun on the link is under way any more, or what went wrong.
     * Until then a link takes no other call than link_ready, link_abort and link_close. A link is used by one
     * thread at a time, but for link_abort. The bytes of a message are device memory. */
    BscopeError (*link_unique_id)(BscopeUniqueId* id);
    BscopeError (*link_open)(BscopeStream* stream, const BscopeUniqueId* id, int32_t rank, int32_t size,
                             BscopeLink** opened);
    /* By all ranks of `from`. Those of one color become a link of their own, ordered by key, with messages on
     * that stream of the same GPU; a color of -1 gets null and needs no stream. Under way on `from`, and then
     * on the new link. */
    BscopeError (*link_split)(BscopeLink* from, int32_t color, int32_t key, BscopeStream* stream,
                              BscopeLink** opened);
    void (*link_close)(BscopeLink* link);
    /* The transfers progress together. Once the link is ready they have their place in the stream. */
    BscopeError (*link_exchange)(BscopeLink* link, const BscopeTransfer* transfers, uint64_t count);
    BscopeError (*link_ready)(BscopeLink* link, int32_t* ready);
    /* What waits for a peer ends, with undefined data; on this side only, the peer may not notice. Links that
     * wait for each other's GPUs are aborted together. A link that was never ready takes `from` with it. */
    void (*link_abort)(BscopeLink* const* links, uint64_t count);
} BscopePlugin;

/* The one symbol a plugin exports. */
typedef const BscopePlugin* (*BscopePluginEntry)(void);

#ifdef __cplusplus
}
#endif
