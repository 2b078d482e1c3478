// The words about each schedule, one entry a catalog row. What numbers can say (placement, bubble, memory,
// messages) is not repeated here.
#include <algorithm>
#include <iterator>

#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "catalog/virtual_microbatches.h"

namespace bscope {

namespace {

// clang-format off
// schedule, peak of rank r, source in Chinese ("" = as in the catalog);
// summary and rule in English, summary and rule in Chinese;
// the N of the peak
constexpr ExplanationWords kExplanations[] = {
    {"naive", "1", "GPipe，arXiv:1811.06965",
     "The model is cut into stages and one micro-batch walks through all of them before the next begins, so only one rank works at a time. It is what happens without any pipelining, and the baseline for everything else.",
     "Rank r: for each micro-batch i: F(i), then B(i).",
     "模型按层切成若干阶段，一个微批次走完全部阶段后下一个才开始，因此任何时刻只有一个 Rank 在工作。相当于没有流水；其他调度都拿它作基线。",
     "Rank r：对每个微批次 i：先 F(i)，再 B(i)。"},
    {"gpipe", "m", "arXiv:1811.06965；反向按 0..m-1 的次序，与 PyTorch 相同",
     "All micro-batches run forward, then all run backward, in the same order. The pipe fills and drains once per iteration; every rank keeps the activations of all m micro-batches until the backward begins, so memory grows with m.",
     "Rank r: F(0) .. F(m-1), then B(0) .. B(m-1).",
     "所有微批次先做完前向，再按相同次序做反向。每次迭代流水线填充、排空各一次；每个 Rank 要把 m 个微批次的激活值保留到反向开始，激活内存随 m 增长。",
     "Rank r：F(0) .. F(m-1)，然后 B(0) .. B(m-1)。"},
    {"gpipe-lifo", "m", "arXiv:1811.06965；反向按 m-1..0 的次序，与论文插图相同",
     "GPipe with the backward in reverse: the micro-batch that went forward last comes back first, as the paper draws it. Time and memory peak are those of GPipe; gradients accumulate in the order m-1 .. 0.",
     "Rank r: F(0) .. F(m-1), then B(m-1) .. B(0).",
     "反向次序倒过来的 GPipe：最后前向的微批次最先反向，与论文插图一致。时间与内存峰值同 GPipe；梯度按 m-1 .. 0 的次序累积。",
     "Rank r：F(0) .. F(m-1)，然后 B(m-1) .. B(0)。"},
    {"1f1b", "min(m,p-r)", "PipeDream-Flush，arXiv:2006.09503；DAPPLE，arXiv:2007.01045",
     "After a warm-up each rank alternates one forward and one backward, so that a micro-batch's activations are freed as early as possible. At equal m the bubble is that of GPipe; the gain is memory: rank r holds at most p - r micro-batches, which lets a larger m fit, and that lowers the bubble.",
     "Rank r: w = min(p-1-r, m) forwards (warm-up); then F, B alternately (steady); then the remaining w backwards (cool-down).",
     "预热之后每个 Rank 一次前向、一次反向交替进行，使激活值尽早释放。在相同 m 下气泡与 GPipe 相同；收益在内存：Rank r 至多保留 p - r 个微批次，因而可用更大的 m，气泡才随之下降。",
     "Rank r：先做 w = min(p-1-r, m) 次前向（预热）；随后 F、B 交替（稳态）；最后补完 w 次反向（冷却）。"},
    {"interleaved", "min(v*m,(v-1)*N+2*(p-1-r)+1)", "Megatron-LM，arXiv:2104.04473；v = 1 时即提前式 1F1B",
     "Every rank holds v chunks of the model instead of one contiguous block, so a micro-batch visits each rank v times and the pipe fills with chunks that are v times shorter. The bubble shrinks to about 1/v; in exchange each micro-batch sends p*v - 1 messages each way instead of p - 1, and more activations are in flight.",
     "1F1B over virtual micro-batches: N micro-batches (N = p unless a group size is given) of chunk 0, the same of chunk 1, and so on; warm-up of rank r: (v-1)*N + 2*(p-1-r) forwards; backwards take the chunks in reverse.",
     "每个 Rank 持有模型的 v 个不相邻的块，而不是连续一段；微批次经过每个 Rank v 次，填充流水线的块缩短为 1/v。气泡缩小到约 1/v，代价是每个微批次每个方向 p*v - 1 条消息而不是 p - 1 条，在途的激活值也更多。",
     "对虚拟微批次做 1F1B：先是块 0 的 N 个微批次（未给分组大小时 N = p），再是块 1 的，依此类推；Rank r 预热 (v-1)*N + 2*(p-1-r) 次前向；反向按相反的块次序。",
     givenGroupSize},
    {"interleaved-combined", "min(v*m,(v-1)*N+2*(p-1-r)+2)", "Megatron-LM：预热多做一次前向的交错式 1F1B",
     "Interleaved 1F1B with one more forward in the warm-up of every rank. In the steady phase the forward and the backward of one step then do not depend on each other, so that they may share a cell and the communication of one hides behind the computation of the other (all-to-all of experts). Here the two run one after the other. The bubble is that of interleaved 1F1B; one more chunk is in flight on every rank.",
     "As interleaved, with a warm-up of rank r of (v-1)*N + 2*(p-1-r) + 1 forwards.",
     "预热阶段每个 Rank 多做一次前向的交错式 1F1B。这样在稳态中，同一步的前向与反向互不依赖，可以放进同一格，一方的通信（专家的 all-to-all）藏在另一方的计算之后。这里两者先后执行。气泡与交错式 1F1B 相同；每个 Rank 多一个在途的块。",
     "同 interleaved，Rank r 预热 (v-1)*N + 2*(p-1-r) + 1 次前向。",
     givenGroupSize},
    {"seq1f1b", "min(p-r-1+q,m*q)", "arXiv:2406.03488；每条序列切成 q 段",
     "1F1B whose unit is a segment: every sequence is cut into q segments, so that the pipe fills and drains with units that are q times shorter, and a rank holds p - r - 1 + q segments instead of p - r whole micro-batches. The forward of a segment reads the keys and values of the segments before it, which are kept; so backwards take the segments in reverse and add to the gradients of earlier keys and values. Later segments look at more keys, so that equal cuts do not cost the same.",
     "Rank r: w = min(p-r-2+q, m*q) forwards of segments, micro-batch by micro-batch; then F, B alternately, the backwards of each micro-batch from segment q-1 to segment 0; then the remaining backwards.",
     "以段为单位的 1F1B：每条序列切成 q 段，填充和排空流水线的单位缩短为 1/q，每个 Rank 保留 p - r - 1 + q 段，而不是 p - r 个完整的微批次。一段的前向要读取前面各段的键和值（KV），它们一直保留；因此反向按相反的次序处理各段，并加到前面各段键和值的梯度上。越靠后的段要看的键越多，等长切分的耗时并不相等。",
     "Rank r：先按微批次顺序做 w = min(p-r-2+q, m*q) 段的前向；随后 F、B 交替，每个微批次的反向从第 q-1 段到第 0 段；最后补完反向。"},
    {"eager-1f1b", "min(m,2*(p-r)-1)", "On Optimizing the Communication of Model Parallelism，arXiv:2211.05322",
     "1F1B with a warm-up twice as deep. A round trip over the link is hidden behind the additional micro-batches: as long as a latency is at most (F+B)/2, a slow link costs 2(p-1) latencies once; 1F1B pays about 2(p-1)/p of one for every micro-batch. The price is nearly twice the activations.",
     "Rank r: w = min(2*(p-1-r), m) forwards; then F, B alternately; then the remaining backwards.",
     "预热深度加倍的 1F1B。多出的微批次掩盖链路往返：只要一个延迟不超过 (F+B)/2，慢链路只付一次 2(p-1) 个延迟；1F1B 则平均每个微批次付约 2(p-1)/p 个。代价是激活内存接近两倍。",
     "Rank r：先做 w = min(2*(p-1-r), m) 次前向；随后 F、B 交替；最后补完反向。"},
    {"interleaved-pytorch", "min(v*m,(v-1)*N+2*(p-1-r)+1)", "arXiv:2104.04473；分组大小由等长的轮次得出，与 PyTorch 相同",
     "The interleaved schedule as PyTorch makes it: m is divided into max(1, m div p) equal rounds, whose length is the group size. So m need not be a multiple of p, but the rounds must be equal.",
     "As interleaved, with N = m / max(1, m div p) micro-batches of one chunk at a time.",
     "PyTorch 的交错式调度：把 m 平分为 max(1, m div p) 轮，每轮长度即分组大小。m 不必是 p 的倍数，但各轮必须等长。",
     "同 interleaved，每次处理一个块的 N = m / max(1, m div p) 个微批次。",
     roundGroupSize},
    {"looped-bfs", "v*m", "",
     "All micro-batches pass a chunk before the next chunk begins: breadth first. Each stage's weights are needed in one stretch per direction, which suits sharded weights (FSDP); the activations of all micro-batches stay in memory.",
     "Rank r: for chunks 0 .. v-1: F of all micro-batches; then for chunks v-1 .. 0: B of micro-batches m-1 .. 0.",
     "广度优先：所有微批次通过一个块之后才开始下一个块。每个阶段的权重在每个方向上只需要集中用一次，适合分片权重（FSDP）；所有微批次的激活值都留在内存中。",
     "Rank r：对块 0 .. v-1：所有微批次的 F；然后对块 v-1 .. 0：微批次 m-1 .. 0 的 B。"},
    {"zb-h1", "min(m,p)", "",
     "The backward is split: I, the gradient of the input, which the previous stage waits for, and W, the gradient of the weights, which no stage waits for. Ws fill the gaps of 1F1B, within the memory of 1F1B's fullest rank: a third of its idle time when F = I = W, m >= p and messages take no time.",
     "Rank r: p-1-r forwards; then F, I alternately; W lags r input gradients behind; the remaining Ws at the end.",
     "把反向拆成两半：I（输入梯度，前一阶段在等它）和 W（权重梯度，没有阶段等它）。W 用来填补 1F1B 的空隙，激活内存不超过 1F1B 中占用最多的那个 Rank（Rank 0）；F = I = W、m >= p 且通信不计时的情况下，空闲时间为其三分之一。",
     "Rank r：先做 p-1-r 次前向；随后 F、I 交替；W 比 I 滞后 r 个微批次；剩余的 W 放在最后。"},
    {"zb-h2", "min(m,2*p-1)", "",
     "ZB-H1 with a warm-up so deep that no rank waits between its first and last operation when F = I = W, m >= 2p - 1 and messages take no time: the span of a rank then has no bubble, at nearly twice the activations. The iterations form a parallelogram. It is lost when a global norm stands before the optimizer step, unless the step is validated afterwards and rolled back; with a flush and a norm, as here, the iteration still contains the fill.",
     "Rank r: min(m, 2*(p-1-r)) forwards; then F, I alternately; W begins after 2r input gradients; the remaining Ws at the end.",
     "预热更深的 ZB-H1：在 F = I = W、m >= 2p - 1 且通信不计时的情况下，每个 Rank 从第一个到最后一个操作之间不再等待，这段时间没有气泡；激活内存接近两倍。各次迭代因此呈平行四边形。若优化器更新之前有全局范数，这一点就会失去，除非更新后再验证并回滚；像这里这样有 flush 和范数时，整次迭代仍含填充时间。",
     "Rank r：先做 min(m, 2*(p-1-r)) 次前向；随后 F、I 交替；W 在 2r 个输入梯度之后开始；剩余的 W 放在最后。"},
    {"zb-interleaved", "min(v*m,(v-1)*N+p)", "arXiv:2401.10241，用于多个块，与 PyTorch 相同",
     "The zero-bubble idea on interleaved chunks, as in PyTorch: input gradients at once, weight gradients later into the gaps. With v = 1 it is ZB-H1.",
     "As interleaved-pytorch with a warm-up of (v-1)*N + p-1-r forwards; after each I, once r input gradients are done, the oldest W.",
     "把零气泡的思路用到交错排布的模型块上，做法与 PyTorch 一致：输入梯度立即计算，权重梯度稍后填入空隙。v = 1 时即 ZB-H1。",
     "同 interleaved-pytorch，预热 (v-1)*N + p-1-r 次前向；完成 r 个输入梯度之后，每个 I 后面执行最早的 W。",
     roundGroupSize},
    {"zb-v", "2*p for m >= 2*p-1", "",
     "Two chunks per rank in a V: rank r holds stages r and 2p-1-r, so the first rank also computes the loss and the turn needs no message. With F = I = W, m >= 2p - 1 and messages that take no time there is no bubble within a rank's span, at the activations of 1F1B's fullest rank.",
     "Warm-up of 2(p-r)-1 forwards going down, then both chunks in turn; every I of the returning chunk is followed by its W; Ws of the other chunk fill the end. Written for at least 2p-1 micro-batches; what goes beyond m is left out.",
     "每个 Rank 两个块，排成 V 形：Rank r 持有阶段 r 和 2p-1-r，首个 Rank 同时计算损失，转折处无需消息。反向拆分；F = I = W、m >= 2p - 1 且通信不计时的情况下，每个 Rank 从第一个到最后一个操作之间没有气泡，激活内存不超过 1F1B 中占用最多的那个 Rank（Rank 0）。",
     "先做 2(p-r)-1 次下行前向，随后两个块轮流；返回块的每个 I 后面紧跟其 W；另一块的 W 填在末尾。按至少 2p-1 个微批次构造，超出 m 的部分删去。"},
    {"v-half", "", "",
     "A V-shaped schedule made by repeating one micro-batch's pattern every six slots, chosen so that every rank keeps about half of what 1F1B's fullest rank (rank 0) keeps, and one micro-batch more ((p + 2)/2 micro-batches, rounded down), for a larger bubble than ZB-V's.",
     "Slots of micro-batch 0 on rank r: 2r, 3p-2-r, 3p+g-1+2r, 6p+g-2-r (g = 3 for even p, else 0), micro-batch j six slots later each; idle slots take Ws; operations then move earlier where memory allows.",
     "V 形调度：把一个微批次的构造块每隔六个时间片重复一次，使每个 Rank 保留的激活值约为 1F1B 中占用最多的那个 Rank（Rank 0）的一半，再加一个微批次（共 (p + 2)/2 个，向下取整），代价是气泡比 ZB-V 更大。",
     "微批次 0 在 Rank r 上的时间片：2r、3p-2-r、3p+g-1+2r、6p+g-2-r（p 为偶数时 g = 3，否则 0），微批次 j 各晚 6j；空闲时间片放 W；随后在内存允许时前移。"},
    {"v-min", "", "",
     "The V-shaped building block with the fewest activations alive: every rank keeps about a third of what 1F1B's fullest rank (rank 0) keeps, and one micro-batch more ((p + 4)/3 micro-batches, rounded down), for a larger bubble than V-Half's. It is tuned to F = I = W and loses much when they differ.",
     "Slots of micro-batch 0 on rank r: r, 2p-1-r, 2p+g+r, 4p+g-1-r (g = 2 when p is a multiple of 3, else 0), micro-batch j six slots later each; then as V-Half.",
     "激活内存最少的 V 形构造块：每个 Rank 保留的激活值约为 1F1B 中占用最多的那个 Rank（Rank 0）的三分之一，再加一个微批次（共 (p + 4)/3 个，向下取整），代价是气泡比 V-Half 更大。它按 F = I = W 设计，三者不等时损失明显。",
     "微批次 0 在 Rank r 上的时间片：r、2p-1-r、2p+g+r、4p+g-1-r（p 为 3 的倍数时 g = 2，否则 0），微批次 j 各晚 6j；其余同 V-Half。"},
    {"v-1f1b", "", "arXiv:2405.15362，反向不拆分",
     "1F1B on a V placement with the backward in one piece: the activations of a rank are balanced over all ranks instead of falling from the first to the last.",
     "The V-shaped building block with backwards of two slots, repeated every six slots and pulled together.",
     "V 形阶段放置、反向不拆分的 1F1B：激活内存在各 Rank 之间均衡，而不是从首个 Rank 到末个 Rank 递减。",
     "反向占两个时间片的 V 形构造块，每隔六个时间片重复一次，再向前收紧。"},
    {"dualpipe-v", "2*p+1", "deepseek-ai/DualPipe；arXiv:2412.19437，对半切开",
     "DualPipe cut in half: one replica in a V. Forwards of one chunk run together with backwards of the other, so that the communication of one can hide behind the computation of the other.",
     "Eight steps; in the steady part cells (F of one chunk; B of the other) that overlap; near the end the backwards are split, and Ws fill the drain.",
     "DualPipe 对半切开（cut-in-half）：只有一份权重，排成 V 形。一个块的前向与另一个块的反向同时进行，使一方的通信藏在另一方的计算之后。",
     "共八步；稳态由可重叠的格（一块的 F；另一块的 B）组成；接近结束时拆分反向，用 W 填补排空。"},
    {"hanayo", "", "参照 arXiv:2308.15762；由折叠 Chimera 推得",
     "Each micro-batch runs down and up the ranks v/2 times in waves, so that the bubble shrinks like Chimera's without a second copy of the weights. This order is derived by folding Chimera; it has not been compared with the authors' own.",
     "Stages zigzag over the ranks. Unit of p micro-batches; micro-batch j at its q-th of S = v*p stages: F in slot 2j+q, B in slot 2j+2S-1-q; units follow every 2*v*p slots.",
     "每个微批次以波浪方式在各 Rank 间往返 v/2 次，像 Chimera 那样缩小气泡，却不需要第二份权重。此顺序由折叠 Chimera 推得，尚未与作者的顺序核对。",
     "阶段在各 Rank 间往复排列。每单元 p 个微批次；微批次 j 在第 q 个阶段（共 S = v*p 个）：F 在时间片 2j+q，B 在时间片 2j+2S-1-q；单元间隔 2*v*p 个时间片。"},
    {"chimera", "p/2+1+min(r,p-1-r)", "arXiv:2107.06925；每 p 个微批次为一单元，首尾相接",
     "Two replicas of the model run in opposite directions and fill each other's bubbles, at twice the weights and one reduction of gradients between the replicas per iteration. Units of p micro-batches follow each other directly, so there are small bubbles between them.",
     "Unit of p micro-batches, half in each direction; micro-batch j at its q-th stage: F in slot 2j+q, B in slot 2j+2p-1-q; units follow every 2p slots. A last half unit runs in one direction.",
     "模型的两份副本以相反方向运行，互相填补气泡；代价是两倍的权重，以及每次迭代一次副本间的梯度归约。p 个微批次为一单元，单元首尾相接，之间有小气泡。",
     "每单元 p 个微批次，两个方向各一半；微批次 j 在第 q 个阶段：F 在时间片 2j+q，B 在时间片 2j+2p-1-q；单元间隔 2p 个时间片。最后半个单元只走一个方向。"},
    {"dualpipe", "p+1", "deepseek-ai/DualPipe；arXiv:2412.19437",
     "Micro-batches enter at both ends of the pipe, on two replicas of the weights; forward of one direction and backward of the other share a cell, so that communication hides behind computation. Made for very large expert models, where it overlaps all-to-all messages.",
     "Eight steps per rank; in the steady part overlapped cells (F of one direction; B of the other); near the end backwards are split and Ws fill the drain.",
     "微批次从流水线两端同时进入，权重有两份副本；一个方向的前向与另一个方向的反向放在同一格里，使通信藏在计算之后。为超大专家模型而设计，用来掩盖 all-to-all 通信。",
     "每个 Rank 八步；稳态由可重叠的格（一个方向的 F；另一个方向的 B）组成；接近结束时拆分反向，用 W 填补排空。"},
    {"pipedream", "min(m,p-r)", "SOSP'19；不断流的 m 个小批量",
     "An endless stream without a flush: after each backward the rank updates its weights. A backward must use the weights of its forward, so every mini-batch in flight has its own version (weight stashing). With equal stages the steady state has no bubble; the price is weight memory and gradients of stale weights.",
     "The order of 1F1B over all mini-batches of the stream, an optimizer step after every backward.",
     "没有 flush，数据源源不断：每次反向之后 Rank 立即更新权重。反向必须使用其前向的权重，因此每个在途小批量都有自己的版本（权重存储）。阶段均匀时稳态没有气泡；代价是权重内存和陈旧的梯度。",
     "对整个数据流采用 1F1B 的顺序，每次反向之后做一次优化器更新。"},
    {"pipedream-2bw", "p-r", "arXiv:2006.09503；不断流，画出三个批次，每批 m 个微批次",
     "PipeDream with gradient accumulation over m micro-batches and only two versions of the weights: a batch uses the version before the newest, so every update is late by exactly one.",
     "The order of 1F1B over the micro-batches of all batches, without a flush; a step after every m backwards; m >= p. Three batches are drawn.",
     "在 m 个微批次上累积梯度、只保留两个权重版本的 PipeDream：每个批次使用上一个版本，因此每次更新恰好延迟一步。",
     "对所有批次的微批次采用 1F1B 的顺序，没有 flush；每 m 次反向更新一次；m >= p。图中画三个批次。"},
    {"forward-only", "1", "推理；v > 1 时深度优先",
     "Inference: no backward, so activations are dropped as soon as they are sent. The pipe only has to fill and drain once; small online batches keep it mostly empty.",
     "Rank r: F of all micro-batches; with v > 1 p micro-batches of one chunk at a time.",
     "推理：没有反向，激活值发送后立即丢弃。流水线只需填充、排空一次；同时到达的在线请求太少时，它大部分时间空着。",
     "Rank r：所有微批次的 F；v > 1 时每次处理一个块的 p 个微批次。"},
};
// clang-format on

}  // namespace

const ExplanationWords* findWords(std::string_view schedule) {
    const auto found =
        std::find_if(std::begin(kExplanations), std::end(kExplanations),
                     [&](const ExplanationWords& words) { return schedule == words.schedule; });
    return found == std::end(kExplanations) ? nullptr : found;
}

std::string titleOf(const CatalogEntry& entry, Language language) {
    return say(sentence(entry.title), language);
}

std::string sourceOf(const CatalogEntry& entry, Language language) {
    const ExplanationWords* words = findWords(entry.name);
    const bool chinese = language == Language::Chinese && words != nullptr && *words->source_zh != '\0';
    return chinese ? words->source_zh : entry.source;
}

}  // namespace bscope
