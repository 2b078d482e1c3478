// The terms. Both languages stand here and not in a translation file, since both are always shown.
#include "widgets/help/glossary.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr GlossaryTerm kTerms[] = {
    {"pipeline parallelism", "流水线并行", "PP, pipeline model parallelism",
     "The model is cut by layers into stages on several devices; activations flow forward, gradients back.",
     "把模型按层切成若干阶段放到多个设备上，激活值向前传，梯度向后传。", "lesson:nobody-works-together"},
    {"stage", "阶段", "段, pipeline stage", "The consecutive layers that one device holds as one piece.",
     "一个设备上连续的若干层，作为一个整体执行。", "lesson:nobody-works-together"},
    {"rank", "Rank", "device, 设备, 卡, 设备序号, 进程号",
     "One member of the pipeline: one device or core with its own stages.",
     "流水线的一个成员：一个设备或一个 CPU 核，执行自己的阶段。", "lesson:nobody-works-together"},
    {"micro-batch", "微批次", "micro batch",
     "A piece of the mini-batch that passes through the pipeline on its own.",
     "小批量切出来的一份，独立走过整条流水线。", "lesson:micro-batches-fill-the-pipe"},
    {"mini-batch", "小批量", "batch", "All samples of one optimizer step: d · m micro-batches.",
     "一次优化器更新所用的全部样本，即 d · m 个微批次。", "lesson:the-memory-wall"},
    {"global batch", "全局批次", "GBS, global batch size",
     "The samples of a mini-batch over all replicas: d · m · micro-batch size.",
     "全部副本一次更新的样本数：d · m · 微批次大小。", "lesson:eight-devices"},
    {"micro-batch size", "微批次大小", "MBS, micro batch size",
     "Samples in one micro-batch; larger ones use a device better and take more memory.",
     "一个微批次的样本数；越大设备利用越好，占用内存也越多。", "lesson:the-memory-wall"},
    {"bubble", "气泡", "空泡, idle time", "Time in which a device has nothing to do and waits.",
     "设备无事可做、只能等待的时间。", "lesson:nobody-works-together"},
    {"bubble ratio", "气泡率", "空泡率, bubble fraction",
     "Either idle time over total time, (p−1)/(m+p−1), or over ideal time, (p−1)/m. Always say which.",
     "两种定义：空闲除以总时间 (p−1)/(m+p−1)，或除以理想时间 (p−1)/m。使用时须注明是哪一种。",
     "lesson:two-formulas-one-bubble"},
    {"forward", "前向", "F, 前向传播", "A stage turns its input activations into output activations.",
     "阶段把输入激活值算成输出激活值。", "schedule:forward-only"},
    {"backward", "反向", "B, 反向传播",
     "A stage turns the gradient of its output into gradients of its input and weights.",
     "阶段由输出的梯度求出输入和权重的梯度。", "lesson:split-the-backward"},
    {"F-then-B", "先前向后反向", "GPipe schedule, 全前向后全反向",
     "All forward passes first, then all backward passes.", "先做完全部前向，再做全部反向。",
     "schedule:gpipe"},
    {"1F1B", "一次前向一次反向", "PipeDream-Flush, DAPPLE, one forward one backward, 一前一后",
     "After a warm-up every forward is followed by a backward; at most p − r micro-batches live on rank r.",
     "预热之后一次前向跟一次反向，Rank r 上最多留 p − r 个微批次。", "lesson:1f1b-against-gpipe"},
    {"warm-up", "预热", "fill phase", "From a rank's first forward to its first backward.",
     "从第一次前向到第一次反向之前。", "lesson:how-many-in-flight"},
    {"steady", "稳态", "steady state", "Forward and backward take turns.", "前向和反向交替进行。",
     "schedule:1f1b"},
    {"cool-down", "冷却", "cooldown, 收尾", "After the last forward only backward passes are left.",
     "最后一次前向之后，只剩反向。", "schedule:1f1b"},
    {"fill", "填充", "ramp-up",
     "Idle time before work reaches a rank, or before the first gradient comes back.",
     "工作还没传到、或第一个梯度还没回来时的空闲。", "lesson:micro-batches-fill-the-pipe"},
    {"drain", "排空", "ramp-down",
     "Idle time after a rank's last forward, while the last gradients leave the pipe.",
     "最后一次前向之后，梯度陆续流出时的空闲。", "lesson:micro-batches-fill-the-pipe"},
    {"flush", "同步（flush）", "pipeline flush, 刷新, 同步点",
     "All micro-batches finish before the weights change.", "所有微批次都做完，才更新权重。",
     "lesson:where-is-the-zero"},
    {"weight stashing", "权重存储", "权重暂存",
     "An old weight version is kept for every micro-batch in flight.",
     "为每个在途微批次保留它前向时用的那版权重。", "lesson:never-flush"},
    {"weight version", "权重版本", "", "The weights as they were after a given optimizer step.",
     "某次优化器更新之后的那一版权重。", "lesson:never-flush"},
    {"staleness", "陈旧度", "delay, 延迟更新", "How many updates old the weights of a gradient are.",
     "求梯度所用的权重落后了几次更新。", "lesson:never-flush"},
    {"placement", "阶段放置", "stage placement",
     "Which rank holds which stages: in a loop, in a V that turns at the last rank, or twice, once each way.",
     "哪些阶段放在哪个 Rank 上：循环、在末端折返的 V 形，或正反各一份。", "schedule:zb-v"},
    {"step-by-rank grid", "步骤网格", "schedule grid, time table, 时间表",
     "The textbook picture: a row a rank, a column a step; F, I and W take one step, B two.",
     "教科书上的图：每个 Rank 一行，每步一列；F、I、W 各占一步，B 占两步。", "schedule:1f1b"},
    {"schedule file", "调度文件", "compute_only CSV, file:PATH",
     "An order from a file: a row a rank, cells such as 2F0 or 3B1. Open it to see every broken rule.",
     "文件给出的顺序：每个 Rank 一行，格子如 2F0、3B1。打开即可看到违反的每条规则。",
     "lesson:find-the-impossible-box"},
    {"optimality gap", "最优性差距", "lower bound, 下界",
     "By how much an order is longer than the lower bound that no order can beat.",
     "一个顺序比下界长多少；任何顺序都不可能短于下界。", ""},
    {"activation", "激活值", "activations, 中间结果",
     "What forward must keep until backward of the same micro-batch.",
     "前向要留到同一微批次反向时用的中间结果。", "lesson:how-many-in-flight"},
    {"activation checkpointing", "激活重计算",
     "re-materialisation, checkpointing, 激活检查点, 重计算, recompute",
     "Keep only a part of the activations, such as the stage input, and compute the rest again before "
     "backward: time for memory.",
     "只留一部分激活值（例如阶段输入），反向之前重新计算其余部分：用时间换内存。", "lesson:checkpointing"},
    {"virtual stage", "虚拟阶段", "model chunk, 模型块",
     "One of the v pieces of the model that a rank holds.", "一个 Rank 上 v 块模型中的一块。",
     "lesson:virtual-stages"},
    {"virtual pipeline", "虚拟流水线", "VPP, interleaved 1F1B, 交错式",
     "Every rank holds v chunks that are not neighbours: the bubble divided by v, (p·v−1)/(p−1) times the "
     "messages, a little more than v.",
     "每个 Rank 持有 v 个不相邻的模型块：气泡除以 v，消息变为 (p·v−1)/(p−1) 倍，略多于 v 倍。",
     "lesson:virtual-stages"},
    {"zero bubble", "零气泡", "ZB-H1, ZB-H2, ZB-V",
     "Backward is split so that weight gradients fill the bubble.", "把反向拆开，用权重梯度的计算去填气泡。",
     "lesson:where-is-the-zero"},
    {"input gradient", "输入梯度", "dgrad, I", "The half of backward that the stage before waits for.",
     "反向中前一阶段等待的那一半。", "lesson:split-the-backward"},
    {"weight gradient", "权重梯度", "wgrad, W",
     "The half of backward that no stage waits for before the step.",
     "反向的另一半：优化器更新之前没有阶段等待它。", "lesson:split-the-backward"},
    {"gradient accumulation", "梯度累积", "", "Gradients of all micro-batches are added up before one step.",
     "所有微批次的梯度累积起来，再更新一次。", "lesson:micro-batches-fill-the-pipe"},
    {"tensor parallelism", "张量并行", "TP",
     "A single layer is cut over devices; needs a fast link. Not run here.",
     "把一层内部切到多个设备上，要求高速互联。这里没有实现。", "lesson:eight-devices"},
    {"data parallelism", "数据并行", "DP, DDP",
     "Every replica has the model and other samples; gradients are averaged.",
     "每个副本都有完整的模型，处理不同的样本，梯度取平均。", "lesson:eight-devices"},
    {"FSDP", "分片数据并行", "ZeRO, fully sharded data parallelism, 全分片数据并行",
     "Data parallelism whose replicas share out weights, gradients and optimizer state; a layer's weights "
     "are gathered when it is computed. Not run here.",
     "各副本分摊权重、梯度和优化器状态的数据并行，计算到某一层时再收齐这一层的权重。这里没有实现。",
     "lesson:eight-devices"},
    {"throughput", "吞吐量", "tokens/s",
     "Tokens trained per second: the measure of a run, rather than its bubble.",
     "每秒训练的 token 数；评判运行看它，而不是气泡率。", "lesson:can-the-bubble-explain-it"},
    {"Improve", "改进", "what would help, 怎样更快, tune, 调优",
     "The view (Ctrl+2) with one table of the open run: as it is, then every change of schedule, m, v, "
     "recomputation or split, predicted with the run's own costs, and the results of those that ran. Enter "
     "applies a line.",
     "一个视图（Ctrl+2），用一张表列出打开的运行：先是现状，再是调度、m、v、重计算、切分的每种改动，"
     "按本次运行的耗时预测；运行过的还给出实际结果。按回车采用一行。",
     ""},
    {"same mini-batch", "小批量不变", "fixed mini-batch",
     "Changes after which an iteration still has as many samples: another m only with another micro-batch "
     "size.",
     "一次迭代的样本数不变的改动：改 m 时微批次大小随之改变。", "lesson:the-memory-wall"},
    {"utilisation", "利用率", "utilization, 1 − bubble", "Share of time in which the devices compute.",
     "设备在计算的时间占比。", "lesson:can-the-bubble-explain-it"},
    {"peak memory", "峰值内存", "peak activation memory, 内存峰值, 峰值显存, 显存峰值",
     "The most bytes of activations that a rank holds at any moment.",
     "一个 Rank 的激活值在任一时刻占用的最大字节数。", "lesson:how-many-in-flight"},
    {"in flight", "在途", "在途微批次",
     "Micro-batches whose forward has begun and whose backward, with its weight half, has not ended.",
     "前向已开始、反向（含权重梯度）还没做完的微批次。", "lesson:how-many-in-flight"},
    {"critical path", "关键路径", "",
     "The chain of operations, messages and pauses that ends last: shorten one of them, and the iteration "
     "gets shorter until another chain ends last.",
     "最后结束的那一串操作、消息和停顿：缩短其中一个，迭代就变短，直到另一串成为最后结束的。",
     "lesson:split-the-backward"},
    {"straggler", "掉队者", "慢节点, slow rank",
     "The rank that all others wait for; it is the one with the least bubble.",
     "其他 Rank 都在等的那个 Rank；它自己的气泡反而最小。", "lesson:one-slow-gpu"},
    {"kernel", "核函数", "CUDA kernel, 内核",
     "A program that a GPU runs at one launch; one operation of a stage launches many.",
     "GPU 一次启动所运行的程序；阶段的一个操作会启动许多个。", ""},
    {"launch gap", "启动间隙", "launch overhead, 启动开销",
     "Time inside an operation in which none of its kernels ran: the host was too slow to launch the next.",
     "操作之内没有任何核函数在运行的时间：主机来不及启动下一个。", ""},
    {"CUPTI", "CUPTI", "CUDA Profiling Tools Interface, 性能分析",
     "NVIDIA's interface that reports when each kernel began and ended; one program at a time can use it.",
     "NVIDIA 的性能分析接口，给出每个核函数的起止时刻；同一时间只能由一个程序占用。", ""},
    {"driver memory", "驱动显存", "used memory, 已用显存, nvidia-smi",
     "What the driver reports as used on a GPU in total: weights, libraries and other programs.",
     "驱动报告的整卡已用显存：包括权重、各种库和其他程序。", ""},
    {"process group", "进程组", "communicator, 通信组",
     "Ranks that communicate with each other: those of one pipeline, or those that hold the same stage.",
     "互相通信的一组 Rank：同一条流水线的，或持有同一阶段的。", "lesson:eight-devices"},
    {"sweet spot", "甜点", "knee, 拐点", "The m beyond which more micro-batches no longer pay.",
     "再增大 m 也不划算的那个点。", "lesson:the-memory-wall"},
    {"eager 1F1B", "提前式 1F1B", "1F1B overlap friendly",
     "1F1B with a warm-up twice as deep: a round trip over the link is hidden behind further micro-batches.",
     "预热深度加倍的 1F1B：用更多微批次掩盖链路上的往返。", "lesson:when-the-link-is-slow"},
    {"round trip", "往返", "RTT",
     "An activation down the link and its gradient back up; 1F1B waits for one again and again.",
     "激活值经链路送出、梯度再送回的一个来回；1F1B 在稳态里反复等待它。", "lesson:when-the-link-is-slow"},
    {"point-to-point", "点对点", "P2P, send, receive",
     "A message from one rank to one other, as pipelines use them; all-reduce is the other kind.",
     "一个 Rank 发给另一个 Rank 的消息，用于流水线；另一类是集合通信，如全归约。",
     "lesson:waiting-or-sending"},
    {"exposed / hidden communication", "暴露 / 掩盖的通信", "overlap, 重叠",
     "Exposed: a rank stands still for it. Hidden: the rank computes meanwhile.",
     "暴露：Rank 停下来等它；掩盖：Rank 同时在计算。", "lesson:when-the-link-is-slow"},
    {"all-reduce", "全归约", "allreduce, 归约",
     "All copies of a stage end up with the sum of their gradients; a plain reduce leaves it on one of them.",
     "一个阶段的全部副本都得到它们梯度之和；只让其中一个得到的，是归约（reduce）。", "lesson:eight-devices"},
    {"group size", "分组大小", "N, microbatch_group_size_per_vp_stage",
     "Interleaved: the number of micro-batches that pass a chunk before the next chunk begins; p unless "
     "given.",
     "交错式：多少个微批次通过一个块之后才轮到下一个块；未给出时为 p。", "lesson:m-6-on-four-ranks"},
    {"span", "跨度", "",
     "Of a rank: from its first start to its last end. Zero-bubble papers count idle time within it only.",
     "一个 Rank 从第一个操作开始到最后一个操作结束的这段时间。零气泡论文只统计其中的空闲。",
     "lesson:where-is-the-zero"},
    {"parallelogram", "平行四边形", "",
     "Iterations that follow each other without waiting for all ranks, each rank a little later.",
     "各 Rank 不等其他 Rank 就依次进入下一次迭代，图上因此呈现的形状。", "lesson:where-is-the-zero"},
    {"post-validation", "后校验", "optimizer post-validation",
     "Step first, check the global norm afterwards and roll back if necessary: this keeps the parallelogram.",
     "先更新，再检查全局范数，必要时回滚；由此保住平行四边形。", "lesson:where-is-the-zero"},
    {"gradient norm, clipping", "梯度范数、裁剪", "grad norm, clip",
     "The length of all gradients as one vector; above a limit all are scaled down. All ranks must wait for "
     "it.",
     "全部梯度作为一个向量的长度；超过上限就整体缩小。所有 Rank 都要等它。", "lesson:where-is-the-zero"},
    {"MFU / HFU", "模型 / 硬件算力利用率", "model FLOPs utilization, hardware FLOPs utilization",
     "Share of the devices' peak that the model needs (MFU), or that ran, recomputation included (HFU).",
     "占设备峰值算力之比：模型所需（MFU），或实际执行、含重计算（HFU）。", "lesson:checkpointing"},
    {"efficiency", "效率", "1 − bubble", "1 − bubble of total: the share of time in which ranks compute.",
     "1 − 气泡占总时间的比例，即各 Rank 在计算的时间占比。", "lesson:can-the-bubble-explain-it"},
    {"ZB-H1, ZB-H2", "ZB-H1、ZB-H2", "ZB1P, ZB2P, ZB-1P, ZB-2P",
     "Zero-bubble schedules with stages in one line: H1 with the memory of 1F1B, H2 with nearly twice as "
     "much.",
     "阶段排成一行的零气泡调度：H1 内存同 1F1B，H2 接近两倍。", "schedule:zb-h1"},
    {"ZB-V", "ZB-V", "ZBV", "Zero bubble with two chunks a rank in a V, within the memory of 1F1B.",
     "每个 Rank 两个块、排成 V 形的零气泡调度，内存不超过 1F1B。", "schedule:zb-v"},
    {"V-Half, V-Min", "V-Half、V-Min", "controllable memory, 可控内存",
     "V-shaped schedules with about a half and a third of 1F1B's activation memory, and larger bubbles.",
     "V 形调度，激活内存约为 1F1B 的一半和三分之一，气泡更大。", "schedule:v-half"},
    {"DualPipe, DualPipeV", "DualPipe、DualPipeV", "bidirectional, 双向",
     "Micro-batches enter at both ends on two copies of the weights; V: cut in half, one copy.",
     "微批次从两端进入，权重有两份副本；V 版对半切开，只有一份。", "lesson:dualpipe-or-zb-v"},
    {"Chimera", "Chimera", "bidirectional, 双向流水线",
     "Two replicas in opposite directions fill each other's bubbles.", "两份副本方向相反，互相填补气泡。",
     "lesson:there-and-back"},
    {"Hanayo", "波浪", "wave, Hanayo",
     "Micro-batches run up and down the ranks in waves, with one copy of the weights.",
     "微批次在各 Rank 间来回如波浪，权重只有一份。", "lesson:there-and-back"},
    {"looped BFS", "广度优先", "breadth-first pipeline",
     "All micro-batches pass a chunk before the next chunk begins; suits sharded weights.",
     "所有微批次通过一个块之后才开始下一个块，适合分片权重。", "schedule:looped-bfs"},
    {"PipeDream, 2BW", "双缓冲权重", "PipeDream-2BW, double-buffered weights, asynchronous, 异步",
     "Pipelines that are never flushed; 2BW keeps two versions of the weights.",
     "没有 flush 的流水线；2BW 保留两个权重版本。", "lesson:never-flush"},
    {"vertical sync", "垂直同步", "",
     "PipeDream: a micro-batch uses the same version of the weights on every rank.",
     "PipeDream：一个微批次在每个 Rank 上都使用同一版权重。", "schedule:pipedream"},
    {"embedding", "词嵌入", "token embedding", "The first layer: turns tokens into vectors.",
     "第一层：把 token 变成向量。", "lesson:the-heavy-head"},
    {"output head", "输出层", "lm_head, head",
     "The last layer: turns vectors into a score for every token; it makes the last stage longer.",
     "最后一层：由向量得出每个 token 的得分；它使最后一个阶段更长。", "lesson:the-heavy-head"},
    {"selective recomputation", "选择性重计算", "selective checkpointing",
     "Only what takes much memory and little time, such as attention, is computed again.",
     "只重计算占内存多而耗时少的部分，例如注意力。", "lesson:checkpointing"},
    {"PREDICTED", "预测", "predicted", "Times from the costs of each operation; nothing ran.",
     "由各操作的耗时推算的时间；没有实际运行。", "schedule:1f1b"},
    {"RECONSTRUCTED", "重建", "reconstructed",
     "Each operation ran and was timed alone; one device clock per rank gives its position.",
     "每个操作单独运行并计时；位置由每个 Rank 一个的设备时钟给出。", "lesson:nobody-works-together"},
    {"MEASURED", "实测", "measured", "All ranks ran at the same time; their times share one time base.",
     "所有 Rank 同时运行；时间采用同一时间基准。", ""},
    {"IMPORTED", "导入", "imported", "Times that another program recorded of its own run.",
     "其他程序在它自己的运行中记录的时间。", ""},
    {"schedule", "调度", "pipeline schedule, 流水线调度",
     "Which rank computes what in which order: GPipe, 1F1B, interleaved, zero bubble.",
     "每个 Rank 按什么顺序计算什么：GPipe、1F1B、交错式、零气泡。", "schedule:1f1b"},
    {"noise", "波动", "scatter, 离散, 抖动",
     "How much the time of one operation differs from iteration to iteration, without a persistent cause.",
     "同一操作在各次迭代之间的耗时差异，没有固定的原因。", ""},
    {"wait", "等待", "", "A receive before its message has left: the sender is not done.",
     "接收时消息尚未发出：发送方还没做完。", "lesson:waiting-or-sending"},
    {"transfer", "传输", "", "From the end of the sender's work until the message has arrived.",
     "从发送方做完到消息到达。", "lesson:waiting-or-sending"},
    {"prefill / decode", "预填充 / 解码", "inference, 推理",
     "Inference: all tokens of the prompt at once, then one token after the other. Decoding is not run here.",
     "推理：先一次处理提示词的全部 token，再逐个生成 token。这里没有实现解码。", "lesson:is-inference-worse"},
    {"expert parallelism", "专家并行", "EP, MoE",
     "The experts of a layer are on several devices; each token is sent to its own (all-to-all). Not run "
     "here.",
     "一层的各个专家放到多个设备上，token 送往各自的专家（all-to-all）。这里没有实现。",
     "lesson:dualpipe-or-zb-v"},
    {"sequence parallelism", "序列并行", "SP",
     "Megatron-LM's: beside tensor parallelism LayerNorm and dropout work on 1/t of the tokens, and each "
     "all-reduce becomes a reduce-scatter and an all-gather of the same volume. Not run here.",
     "Megatron-LM 的做法：在张量并行组内，LayerNorm 和 dropout 各处理 1/t 的 token，每次全归约"
     "换成总量相同的 reduce-scatter 加 all-gather。这里没有实现。",
     ""},
    {"context parallelism", "上下文并行", "CP, ring attention",
     "Long samples: every device holds a part of the tokens through all layers, and attention passes keys "
     "and values round a ring. Another thing than sequence parallelism. Not run here.",
     "用于超长样本：每个设备在所有层里只持有一部分 token，注意力计算时沿环传递 K 和 V。与序列并行不是一回事。"
     "这里没有实现。",
     ""},
    {"3D parallelism", "三维并行", "TP · PP · DP", "Tensor, pipeline and data parallelism together.",
     "张量、流水线、数据并行一起使用。", "lesson:eight-devices"},
};

// Of "ZB-H1, ZB-H2", "MFU / HFU" and "ZB-H1、ZB-H2" the names one by one.
QStringList namesOf(const GlossaryTerm& term) {
    static const QRegularExpression between(QStringLiteral(", | / |、"));
    QStringList names;
    for (const char* text : {term.english, term.chinese, term.aliases})
        for (const QString& name : QString::fromUtf8(text).split(between, Qt::SkipEmptyParts))
            if (name.size() > 1) names << name;
    return names;
}

// Words with spaces between them are found whole, in one or several; Chinese has no spaces. Capitals are
// abbreviations: DP is not "dp".
bool names(const QString& text, const QString& name) {
    static const QRegularExpression han(QStringLiteral("\\p{Han}"));
    if (name.contains(han)) return text.contains(name);
    const QRegularExpression word(QStringLiteral("(?<![\\w-])") + QRegularExpression::escape(name) +
                                      QStringLiteral("(?:e?s)?(?![\\w-])"),
                                  name == name.toUpper() ? QRegularExpression::NoPatternOption
                                                         : QRegularExpression::CaseInsensitiveOption);
    return text.contains(word);
}

}  // namespace

std::span<const GlossaryTerm> glossary() {
    return kTerms;
}

bool matches(const GlossaryTerm& term, const QString& query) {
    QStringList texts;
    for (const char* text : {term.english, term.chinese, term.aliases, term.meaning_en, term.meaning_zh})
        texts << QString::fromUtf8(text);
    const QString all = texts.join('\n');
    for (const QString& word : query.split(' ', Qt::SkipEmptyParts))
        if (!all.contains(word, Qt::CaseInsensitive)) return false;
    return true;
}

std::vector<const GlossaryTerm*> termsIn(const QString& text) {
    std::vector<const GlossaryTerm*> found;
    for (const GlossaryTerm& term : kTerms) {
        const QStringList own = namesOf(term);
        if (std::ranges::any_of(own, [&](const QString& name) { return names(text, name); }))
            found.push_back(&term);
    }
    return found;
}

}  // namespace bscope::ui
