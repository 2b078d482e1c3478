// The terms. Both languages stand here and not in a translation file, since both are always shown.
#include "widgets/panels/glossary.h"

#include <QStringList>

namespace bscope::ui {
namespace {

constexpr GlossaryTerm kTerms[] = {
    {"pipeline parallelism", "流水线并行", "PP, pipeline model parallelism",
     "The model is cut by layers into stages on several devices; activations flow forward, gradients back.",
     "把模型按层切成若干阶段放到多个设备上，激活值向前传，梯度向后传。"},
    {"stage", "阶段", "段, pipeline stage", "The consecutive layers that one device holds as one piece.",
     "一个设备上连续的若干层，作为一个整体执行。"},
    {"rank", "设备序号", "device, 设备",
     "One member of the pipeline: one device or core with its own stages.",
     "流水线里的一个成员：一个设备或核，带着自己的阶段。"},
    {"micro-batch", "微批次", "微批, micro batch",
     "A piece of the mini-batch that walks through the pipeline on its own.",
     "小批量切出来的一份，独立走过整条流水线。"},
    {"mini-batch", "小批量", "global batch, 全局批", "All samples of one optimizer step: m micro-batches.",
     "一次优化器更新所用的全部样本，等于 m 个微批次。"},
    {"bubble", "气泡", "空泡, idle time", "Time in which a device has nothing to do and waits.",
     "设备无事可做、只能等待的时间。"},
    {"bubble ratio", "气泡率", "空泡率, bubble fraction",
     "Either idle time over total time, (p−1)/(m+p−1), or over ideal time, (p−1)/m. Always say which.",
     "两种定义：空闲除以总时间 (p−1)/(m+p−1)，或除以理想时间 (p−1)/m。说的时候要讲明分母。"},
    {"forward", "前向", "F, 前向传播", "A stage turns its input activations into output activations.",
     "阶段把输入激活值算成输出激活值。"},
    {"backward", "反向", "B, 反向传播",
     "A stage turns the gradient of its output into gradients of its input and weights.",
     "阶段由输出的梯度求出输入和权重的梯度。"},
    {"F-then-B", "先前向后反向", "GPipe schedule, 全前向后全反向",
     "All forward passes first, then all backward passes.", "先做完全部前向，再做全部反向。"},
    {"1F1B", "一前一后", "PipeDream-Flush, one forward one backward",
     "After a warm-up every forward is followed by a backward; at most p − r micro-batches live on rank r.",
     "预热之后一次前向跟一次反向，rank r 上最多留 p − r 份微批次。"},
    {"warm-up", "预热", "fill phase", "From a rank's first forward to its first backward.",
     "从第一次前向到第一次反向之前。"},
    {"steady", "稳定阶段", "稳态, steady state", "Forward and backward take turns.", "前向和反向交替进行。"},
    {"cool-down", "冷却", "排空, drain phase", "After the last forward only backward passes are left.",
     "最后一次前向之后，只剩反向。"},
    {"fill", "填充", "ramp-up",
     "Idle time before work reaches a rank, or before the first gradient comes back.",
     "活还没传到、或第一个梯度还没回来时的空闲。"},
    {"drain", "排空", "ramp-down",
     "Idle time after a rank's last forward, while gradients run out of the pipe.",
     "最后一次前向之后，梯度陆续流出时的空闲。"},
    {"flush", "刷新", "pipeline flush, 同步点", "All micro-batches finish before the weights change.",
     "所有微批次都做完，才更新权重。"},
    {"weight stashing", "权重存储", "权重暂存",
     "An old weight version is kept for every micro-batch in flight.",
     "为每个在途微批次保留它前向时用的那版权重。"},
    {"weight version", "权重版本", "", "The weights as they were after a given optimizer step.",
     "某次优化器更新之后的那一版权重。"},
    {"staleness", "陈旧度", "delay, 延迟更新", "How many updates old the weights of a gradient are.",
     "求梯度所用的权重落后了几次更新。"},
    {"placement", "放置", "stage placement, 阶段放置",
     "Which rank holds which stages: in a loop, in a V that turns at the last rank, or twice, once each way.",
     "哪些阶段放在哪个 rank 上：循环、在末端折返的 V 形，或正反各一份。"},
    {"step-by-rank grid", "步骤网格", "schedule grid, time table, 时间表",
     "The textbook picture: a row a rank, a column a step; F, I and W take one step, B two.",
     "教科书上的图：每个 rank 一行，每步一列；F、I、W 各占一步，B 占两步。"},
    {"schedule file", "调度文件", "compute_only CSV, file:PATH",
     "An order somebody wrote: a row a rank, cells such as 2F0 or 3B1. Open it to see every broken rule.",
     "自己写的顺序：每个 rank 一行，格子如 2F0、3B1。打开即可看到违反的每条规则。"},
    {"optimality gap", "最优差距", "lower bound, 下界",
     "By how much an order is longer than what no order can beat.",
     "一个顺序比任何顺序都无法突破的下界长多少。"},
    {"activation", "激活值", "activations, 中间结果",
     "What forward must keep until backward of the same micro-batch.",
     "前向要留到同一微批次反向时用的中间结果。"},
    {"activation checkpointing", "激活重计算", "re-materialisation, 激活检查点, recompute",
     "Keep the stage input only and run forward again before backward: time for memory.",
     "只留阶段输入，反向前再算一遍前向：用时间换显存。"},
    {"virtual stage", "虚拟阶段", "model chunk, 模型块",
     "One of the v pieces of the model that a rank holds.", "一个 rank 上 v 块模型中的一块。"},
    {"virtual pipeline", "虚拟流水线", "VPP, interleaved 1F1B, 交错式",
     "Every rank holds v chunks that are not neighbours; bubble divided by v, messages multiplied by v.",
     "每个 rank 放 v 块不相邻的层；气泡除以 v，消息数乘以 v。"},
    {"zero bubble", "零气泡", "ZB-H1, ZB-H2, ZB-V",
     "Backward is split so that weight gradients fill the bubble.", "把反向拆开，用求权重梯度去填气泡。"},
    {"input gradient", "输入梯度", "dgrad, I", "The half of backward that the stage before waits for.",
     "反向中前一阶段等着要的那一半。"},
    {"weight gradient", "权重梯度", "wgrad, W", "The half of backward that nobody waits for before the step.",
     "反向中更新之前没人等的那一半。"},
    {"gradient accumulation", "梯度累积", "", "Gradients of all micro-batches are added up before one step.",
     "所有微批次的梯度相加，再更新一次。"},
    {"tensor parallelism", "张量并行", "TP", "A single layer is cut over devices; needs a fast link.",
     "把一层内部切到多个设备上，要求高速互联。"},
    {"data parallelism", "数据并行", "DP, FSDP",
     "Every replica has the model and other samples; gradients are averaged.",
     "每个副本一份模型、各算各的样本，梯度取平均。"},
    {"throughput", "吞吐量", "tokens/s", "Tokens trained a second: what a run is judged by, not its bubble.",
     "每秒训练的 token 数；评判运行看它，而不是气泡率。"},
    {"utilisation", "利用率", "utilization, 1 − bubble", "Share of time in which the devices compute.",
     "设备在计算的时间占比。"},
    {"peak memory", "峰值显存", "peak activation memory, 显存峰值",
     "The most bytes a rank holds at any moment.", "一个 rank 任一时刻占用的最大字节数。"},
    {"in flight", "在途", "在途微批次", "Micro-batches whose forward began and whose backward has not ended.",
     "前向已开始、反向还没做完的微批次。"},
    {"critical path", "关键路径", "",
     "A chain of operations without slack: it decides the iteration's length.",
     "没有任何空隙的一串操作，它决定一次迭代的时长。"},
    {"straggler", "慢节点", "掉队者, slow rank",
     "The rank that all others wait for; it is the one with the least bubble.",
     "别人都在等的那个 rank；它自己的气泡反而最小。"},
    {"kernel", "核函数", "CUDA kernel, 内核",
     "A program that a GPU runs at one launch; one operation of a stage launches many.",
     "GPU 一次启动所运行的程序；阶段的一个操作会启动许多个。"},
    {"launch gap", "启动间隙", "launch overhead, 启动开销",
     "Time inside an operation in which none of its kernels ran: the host was too slow to launch the next.",
     "操作之内没有任何核函数在运行的时间：主机来不及启动下一个。"},
    {"CUPTI", "CUPTI", "CUDA Profiling Tools Interface, 性能剖析",
     "NVIDIA's interface that says when each kernel began and ended; one program at a time may hold it.",
     "NVIDIA 的剖析接口，给出每个核函数的起止时刻；同一时间只能由一个程序占用。"},
    {"driver memory", "驱动显存", "used memory, 已用显存, nvidia-smi",
     "What the driver reports as used on a GPU by everybody: weights, libraries and other programs too.",
     "驱动报告的整卡已用显存：包括权重、各种库和其他程序。"},
    {"process group", "进程组", "communicator, 通信组",
     "Ranks that talk to each other: those of one pipeline, or those that hold the same stage.",
     "互相通信的一组 rank：同一条流水线的，或持有同一阶段的。"},
    {"sweet spot", "甜点", "knee, 拐点", "The m beyond which more micro-batches no longer pay.",
     "再增大 m 也不划算的那个点。"},
};

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

}  // namespace bscope::ui
