<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>bscope::ui::Callout</name>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>bscope::ui::CardDialog</name>
    <message>
        <source>Interview cards</source>
        <translation>面试卡片</translation>
    </message>
    <message>
        <source>Session finished</source>
        <translation>本轮结束</translation>
    </message>
    <message numerus="yes">
        <source>%1  ·  %n left</source>
        <translation>
            <numerusform>%1  ·  还剩 %n 张</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 known at the first attempt</source>
        <translation>第一次就答出：%1/%2 张</translation>
    </message>
    <message>
        <source>Known cards come less often: in every second session, then in every fourth.</source>
        <translation>会的卡片出现得少些：先隔一轮出现一次，再隔三轮出现一次。</translation>
    </message>
    <message>
        <source>Answer aloud in half a minute, then turn the card.</source>
        <translation>用半分钟口头回答，再翻面。</translation>
    </message>
    <message>
        <source>In numbers</source>
        <translation>数值示例</translation>
    </message>
    <message>
        <source>The trap</source>
        <translation>陷阱</translation>
    </message>
    <message>
        <source>Show me  S</source>
        <translation>演示  S</translation>
    </message>
    <message>
        <source>Lesson  L</source>
        <translation>课程  L</translation>
    </message>
    <message>
        <source>Did not know  2</source>
        <translation>不会  2</translation>
    </message>
    <message>
        <source>Knew it  1</source>
        <translation>会  1</translation>
    </message>
    <message>
        <source>Next: %1  Space</source>
        <translation>下一步：%1  空格</translation>
    </message>
    <message>
        <source>Once more</source>
        <translation>再来一轮</translation>
    </message>
    <message>
        <source>Once more  Space</source>
        <translation>再来一轮  空格</translation>
    </message>
    <message>
        <source>Turn  Space</source>
        <translation>翻面  空格</translation>
    </message>
</context>
<context>
    <name>bscope::ui::CardsController</name>
    <message>
        <source>All cards start again in the first box; the old file is kept as %1.</source>
        <translation>所有卡片都从第一个盒子重新开始；原文件保留为 %1。</translation>
    </message>
    <message>
        <source>Progress with the cards is not saved.</source>
        <translation>卡片的学习进度不会保存。</translation>
    </message>
    <message>
        <source>Interview cards</source>
        <translation>面试卡片</translation>
    </message>
    <message>
        <source>Answer aloud in half a minute, then turn the card. A card that you know goes one box up; those of the last box come least often.</source>
        <translation>先用半分钟出声作答，再翻面。答得出的卡片升一盒；最后一盒的卡片最少出现。</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Or one of them:</source>
        <translation>或者选其中一张：</translation>
    </message>
    <message>
        <source>box %1 of %2</source>
        <translation>第 %1 盒，共 %2 盒</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>测验</translation>
    </message>
    <message>
        <source>Ten questions; every wrong option is a common mistake, which is named when it is chosen.</source>
        <translation>十道题；每个错误选项都是常见的误算，答错时会指出是哪一种。</translation>
    </message>
    <message>
        <source>Common misconceptions, each with the lesson that corrects it:</source>
        <translation>常见的误解，以及澄清它的课程：</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
</context>
<context>
    <name>BubbleWords</name>
    <message>
        <source>Idle time ÷ compute time, summed over ranks, without the optimizer step.</source>
        <translation>空闲 ÷ 计算，各 Rank 求和，不含优化器。</translation>
    </message>
    <message>
        <source>theory = %1</source>
        <translation>理论 = %1</translation>
    </message>
    <message>
        <source>Idle time ÷ (ranks × iteration time), without the optimizer step.</source>
        <translation>空闲 ÷（Rank 数 × 迭代时间），不含优化器。</translation>
    </message>
    <message>
        <source>No iteration is complete yet. The costs are taken from the last run.</source>
        <translation>还没有完整的迭代。耗时取自上次运行。</translation>
    </message>
    <message>
        <source>No iteration is complete yet. The costs are estimated from the model&apos;s shape alone.</source>
        <translation>还没有完整的迭代。耗时仅由模型的形状估计。</translation>
    </message>
    <message>
        <source>Idle time ÷ (ranks × iteration time). Each rank counts from its last operation of the iteration before, without optimizer steps.</source>
        <translation>空闲时间 ÷（Rank 数 × 迭代时间）。各 Rank 从自己上一次迭代的最后一个操作算起，不含优化器。</translation>
    </message>
    <message>
        <source>Idle time ÷ compute time, summed over ranks. Each rank counts from its last operation of the iteration before, without optimizer steps.</source>
        <translation>空闲时间 ÷ 计算时间，各 Rank 求和。各 Rank 从自己上一次迭代的最后一个操作算起，不含优化器。</translation>
    </message>
    <message>
        <source>Predicted with the costs of the open run; nothing ran.</source>
        <translation>按打开的运行的耗时预测；没有实际运行。</translation>
    </message>
    <message>
        <source>No iteration is complete yet. The costs are the medians of the whole run.</source>
        <translation>尚无完整的迭代。耗时取整个运行的中位数。</translation>
    </message>
    <message>
        <source>Predicted with costs given by hand; nothing ran.</source>
        <translation>按手工给定的耗时预测；没有实际运行。</translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>without checkpointing</source>
        <translation>无重计算</translation>
    </message>
    <message>
        <source>with full checkpointing</source>
        <translation>完全重计算</translation>
    </message>
    <message>
        <source>with selective checkpointing</source>
        <translation>选择性重计算</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 as planned</source>
        <translation>%1（按计划）</translation>
    </message>
    <message>
        <source>To plan: how much later (+) or earlier (−) the rank&apos;s last operation ended than in the plan of this iteration; both are counted from the iteration&apos;s start.</source>
        <translation>较计划：该 Rank 的最后一个操作比本次迭代的计划晚（+）或早（−）多少结束，两者都从迭代开始算起。</translation>
    </message>
    <message>
        <source>shown after your guess</source>
        <translation>猜完再揭开</translation>
    </message>
    <message>
        <source>durations pooled over %1</source>
        <translation>耗时由 %1 合并</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>micro-batch %1 of %2 (index %3 in files), stage %4, %5</source>
        <translation>微批次 %1/%2（文件中编号 %3），阶段 %4，%5</translation>
    </message>
    <message>
        <source>%1 to %2, lasts %3</source>
        <translation>%1 到 %2，历时 %3</translation>
    </message>
    <message>
        <source>planned %1 to %2, lasts %3</source>
        <translation>计划：%1 到 %2，历时 %3</translation>
    </message>
    <message>
        <source>takes %1 of activations</source>
        <translation>占用激活内存 %1</translation>
    </message>
    <message>
        <source>frees %1 of activations</source>
        <translation>释放激活内存 %1</translation>
    </message>
    <message>
        <source>disturbed: something else ran on this core</source>
        <translation>受干扰：这个核上还有别的程序在跑</translation>
    </message>
    <message>
        <source>waited %1 for the sender, since %2</source>
        <translation>从 %2 起等发送方 %1</translation>
    </message>
    <message>
        <source>arrived while the receiver was busy: hidden</source>
        <translation>接收方还在计算时就已到达：通信被掩盖</translation>
    </message>
    <message>
        <source>travelled %1, until %2</source>
        <translation>传输 %1，到 %2 为止</translation>
    </message>
    <message>
        <source>idle %1 · %2</source>
        <translation>空闲 %1 · %2</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations, number in flight</source>
        <translation>激活内存，数字为在途数</translation>
    </message>
    <message>
        <source>cap %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入层</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>layers %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>%1 stage %2</source>
        <translation>%1 阶段 %2</translation>
    </message>
    <message>
        <source>%1 layers %2</source>
        <translation>%1 层 %2</translation>
    </message>
    <message>
        <source>%1 to plan</source>
        <translation>较计划 %1</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>份在途</translation>
    </message>
    <message>
        <source>checkpointing off</source>
        <translation>重计算关</translation>
    </message>
    <message>
        <source>checkpointing full, every layer</source>
        <translation>逐层完全重计算</translation>
    </message>
    <message>
        <source>checkpointing full</source>
        <translation>完全重计算</translation>
    </message>
    <message>
        <source>checkpointing selective</source>
        <translation>选择性重计算</translation>
    </message>
    <message>
        <source>layers %1</source>
        <translation>各阶段层数 %1</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>predicted bubble</source>
        <translation>预测气泡</translation>
    </message>
    <message>
        <source>(theory %1)</source>
        <translation>（理论 %1）</translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation>第 %1 次迭代</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>range</source>
        <translation>选区</translation>
    </message>
    <message>
        <source>busy %1</source>
        <translation>忙碌 %1</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>现在 %1</translation>
    </message>
    <message>
        <source>memory curves: no room</source>
        <translation>内存曲线：放不下</translation>
    </message>
    <message>
        <source>numbers hidden: zoom in</source>
        <translation>数字已隐藏：请放大</translation>
    </message>
    <message>
        <source>%1 versions</source>
        <translation>%1 个版本</translation>
    </message>
    <message>
        <source>makes weight version %1</source>
        <translation>产生权重版本 %1</translation>
    </message>
    <message>
        <source>weight version %1</source>
        <translation>权重版本 %1</translation>
    </message>
    <message>
        <source>%1, from gradients of weights %2 versions older</source>
        <translation>%1，所用梯度的权重旧了 %2 个版本</translation>
    </message>
    <message>
        <source>%1, %2 versions behind the newest</source>
        <translation>%1，比最新版本落后 %2 个</translation>
    </message>
    <message>
        <source>data-parallel replica %1 of %2: micro-batch %3 of all %4; stage %5 in files</source>
        <translation>数据并行副本 %1（共 %2 份）：全部 %4 个微批次中的第 %3 个；文件中为阶段 %5</translation>
    </message>
    <message>
        <source>replica %1</source>
        <translation>副本 %1</translation>
    </message>
    <message>
        <source>ended at %1</source>
        <translation>止于 %1</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>whole GPU: %1</source>
        <translation>整卡：%1</translation>
    </message>
    <message>
        <source>GPU: %1</source>
        <translation>整卡：%1</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Cut: the recording ends here</source>
        <translation>不完整：录制到此为止</translation>
    </message>
    <message>
        <source>paused at %1</source>
        <translation>停于 %1</translation>
    </message>
    <message>
        <source>cut at %1</source>
        <translation>断于 %1</translation>
    </message>
    <message>
        <source>Bubblescope&apos;s own</source>
        <translation>Bubblescope 自有</translation>
    </message>
    <message>
        <source>as in Megatron-LM</source>
        <translation>同 Megatron-LM</translation>
    </message>
    <message>
        <source>as in the zero-bubble papers</source>
        <translation>同零气泡论文</translation>
    </message>
    <message>
        <source>as in PyTorch</source>
        <translation>同 PyTorch</translation>
    </message>
    <message>
        <source>as in DualPipe</source>
        <translation>同 DualPipe</translation>
    </message>
    <message>
        <source>disturbed: wall/CPU %1</source>
        <translation>受干扰：墙钟/CPU %1</translation>
    </message>
    <message>
        <source>Other programs used these cores: on one rank, operations took %1 times their CPU time, so boxes, gaps and the bubble differ from those on an idle machine.</source>
        <translation>这些核心还被其他程序占用：有一个 Rank 的操作，墙钟时间是其 CPU 时间的 %1 倍，因此方块、空隙和气泡都与空闲机器上的不同。</translation>
    </message>
    <message>
        <source>disturbed: waiting for a core %1</source>
        <translation>受干扰：等待 CPU 核心 %1</translation>
    </message>
    <message>
        <source>Other programs used these cores: ranks that were ready to run waited for a core, in total for %1 of the iteration, so gaps and the bubble differ from those on an idle machine.</source>
        <translation>这些核心还被其他程序占用：本可继续的 Rank 等待核心的时间合计为本次迭代的 %1，因此空隙和气泡都与空闲机器上的不同。</translation>
    </message>
    <message>
        <source>The first rank had to wait until more iterations were requested; this wait counts as idle time.</source>
        <translation>第一个 Rank 曾等待后续迭代的请求，这段等待也计为空闲。</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>模型块</translation>
    </message>
    <message>
        <source>collectives, in wide boxes</source>
        <translation>集合通信（宽框内）</translation>
    </message>
    <message>
        <source>kernels, in wide boxes</source>
        <translation>核函数（宽框内）</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>last computation ends</source>
        <translation>最后一个计算结束</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>incomplete, up to %1</source>
        <translation>未完成，截至 %1</translation>
    </message>
    <message>
        <source>checkpointing on</source>
        <translation>重计算开启</translation>
    </message>
    <message>
        <source>waited %1 for the message, since %2; waiting and transfer are not distinguished</source>
        <translation>从 %2 起等待消息 %1；等待与传输无法区分</translation>
    </message>
    <message>
        <source>CUDA events</source>
        <translation>CUDA 事件</translation>
    </message>
    <message>
        <source>not traced</source>
        <translation>未跟踪</translation>
    </message>
    <message>
        <source>%1 of the idle time so far; gap %2 of %3 by length.</source>
        <translation>占目前空闲时间的 %1；按长度排第 %2，共 %3 段空隙。</translation>
    </message>
    <message>
        <source>%1 of the iteration&apos;s idle time; gap %2 of %3 by length.</source>
        <translation>占本次迭代空闲时间的 %1；按长度排第 %2，共 %3 段空隙。</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>A rank that is significantly slower than the others.</source>
        <translation>明显比其他 Rank 慢的 Rank。</translation>
    </message>
    <message>
        <source>The rank was free and all inputs had arrived, but the operation had not started.</source>
        <translation>Rank 空闲，输入已到齐，操作却还没有开始。</translation>
    </message>
    <message>
        <source>Activations computed a second time.</source>
        <translation>激活值被重新计算了一遍。</translation>
    </message>
    <message>
        <source>Idle time while the pipeline fills, due to the order of the schedule.</source>
        <translation>流水线填充期间，由调度顺序造成的空闲。</translation>
    </message>
    <message>
        <source>Idle time while the pipeline drains, due to the order of the schedule.</source>
        <translation>流水线排空期间，由调度顺序造成的空闲。</translation>
    </message>
    <message>
        <source>Idle time between fill and drain, due to the order of the schedule.</source>
        <translation>填充与排空之间，由调度顺序造成的空闲。</translation>
    </message>
    <message>
        <source>Its cause is being computed.</source>
        <translation>正在分析原因。</translation>
    </message>
    <message>
        <source>Its cause is computed when the iteration is complete.</source>
        <translation>迭代完成后分析原因。</translation>
    </message>
    <message>
        <source>Optimizer steps between two operations.</source>
        <translation>两个操作之间的优化器更新。</translation>
    </message>
    <message>
        <source>Single operations that took longer than the median of their kind.</source>
        <translation>个别操作的耗时超过同类的中位数。</translation>
    </message>
    <message>
        <source>Stages that take longer than the mean of all stages.</source>
        <translation>耗时超过各阶段平均值的阶段。</translation>
    </message>
    <message>
        <source>The part of message time that does not depend on message size.</source>
        <translation>消息时间中与消息大小无关的部分。</translation>
    </message>
    <message>
        <source>The rest of message time.</source>
        <translation>消息时间的其余部分。</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>start of %1</source>
        <translation>%1 开始</translation>
    </message>
    <message>
        <source>the baseline %1 has no such operation</source>
        <translation>基线 %1 没有这个操作</translation>
    </message>
    <message>
        <source>in the baseline %1 %2: here %3</source>
        <translation>基线 %1 中为 %2：这里 %3</translation>
    </message>
    <message>
        <source>in the baseline %1: the same length</source>
        <translation>与基线 %1 中一样长</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>This</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <source>by micro-batch</source>
        <translation>按微批次</translation>
    </message>
    <message>
        <source>by warm-up</source>
        <translation>按预热</translation>
    </message>
    <message>
        <source>by cool-down</source>
        <translation>按冷却</translation>
    </message>
    <message>
        <source>Aligned by time: both iterations begin at 0.</source>
        <translation>按时间对齐：两次迭代都从 0 开始。</translation>
    </message>
    <message>
        <source>Aligned by micro-batch: the first operation of micro-batch %1 begins at the same place in both.</source>
        <translation>按微批次对齐：两者中微批次 %1 的第一个操作从同一位置开始。</translation>
    </message>
    <message>
        <source>One of the two has no such point: both begin at 0.</source>
        <translation>其中一次迭代没有这样的时刻：两者都从 0 开始。</translation>
    </message>
    <message>
        <source>Both begin at 0.</source>
        <translation>两者都从 0 开始。</translation>
    </message>
    <message>
        <source>The baseline is drawn %1 later than it ran; the ruler has the times of this iteration.</source>
        <translation>基线比实际运行晚 %1 绘制；标尺为当前迭代的时间。</translation>
    </message>
    <message>
        <source>The baseline is drawn %1 earlier than it ran; the ruler has the times of this iteration.</source>
        <translation>基线比实际运行早 %1 绘制；标尺为当前迭代的时间。</translation>
    </message>
    <message>
        <source>Aligned by phase: the first operation of any rank that is not a forward begins at the same place in both; no rank ends its warm-up earlier.</source>
        <translation>按阶段对齐：各 Rank 中最早的非前向操作，在两者中从同一位置开始；没有 Rank 更早结束预热。</translation>
    </message>
    <message>
        <source>Aligned by phase: the last forward of any rank ends at the same place in both; no rank begins its cool-down later.</source>
        <translation>按阶段对齐：各 Rank 中最晚的前向操作，在两者中于同一位置结束；没有 Rank 更晚开始冷却。</translation>
    </message>
    <message>
        <source>in the last %1 iterations: median %2, from %3 to %4</source>
        <translation>最近 %1 次迭代：中位数 %2，从 %3 到 %4</translation>
    </message>
    <message>
        <source>note %1: %2</source>
        <translation>备注 %1：%2</translation>
    </message>
    <message>
        <source>costs given by hand</source>
        <translation>耗时由手工给定</translation>
    </message>
    <message>
        <source>This iteration is drawn %1 later than it ran; the ruler has the times of the baseline.</source>
        <translation>当前迭代比实际运行晚 %1 绘制；标尺为基线的时间。</translation>
    </message>
    <message>
        <source>This iteration is drawn %1 earlier than it ran; the ruler has the times of the baseline.</source>
        <translation>当前迭代比实际运行早 %1 绘制；标尺为基线的时间。</translation>
    </message>
    <message>
        <source>reserved for activations</source>
        <translation>为激活值预留</translation>
    </message>
    <message>
        <source>The memory reserved for activations is unknown: this recording is from a version that did not record it.</source>
        <translation>为激活值预留的内存未知：这份录制出自尚不记录此项的版本。</translation>
    </message>
    <message>
        <source>with medians</source>
        <translation>取中位数</translation>
    </message>
    <message>
        <source>single</source>
        <translation>单次耗时</translation>
    </message>
    <message>
        <source>before the change</source>
        <translation>改动之前</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>waited %1 for its input, then %2 transfer</source>
        <translation>等待输入 %1，再传输 %2</translation>
    </message>
    <message>
        <source>its input had arrived: it waited for the rank to become free</source>
        <translation>输入已到达：它在等这个 Rank 空出来</translation>
    </message>
    <message>
        <source>Arena of rank %1: %2 reserved for activations, at most %3 of it in use at once.</source>
        <translation>Rank %1 的内存池：为激活值预留 %2，其中同时使用的最多 %3。</translation>
    </message>
    <message>
        <source>reserved %1</source>
        <translation>预留 %1</translation>
    </message>
    <message>
        <source>all messages</source>
        <translation>全部消息</translation>
    </message>
    <message>
        <source>plan behind the run</source>
        <translation>运行背后的计划</translation>
    </message>
    <message>
        <source>differs from the baseline by 5 %, 25 %</source>
        <translation>与基线相差 5 %、25 % 起</translation>
    </message>
    <message>
        <source>calibrated from the next iteration on</source>
        <translation>下一次迭代起校准</translation>
    </message>
    <message>
        <source>calibrated, from 1 iteration</source>
        <translation>已校准，1 次迭代</translation>
    </message>
    <message>
        <source>calibrated, medians of %1 iterations</source>
        <translation>已校准，%1 次迭代的中位数</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>已校准</translation>
    </message>
    <message>
        <source>by stage, as in GPipe</source>
        <translation>按阶段着色，同 GPipe</translation>
    </message>
    <message>
        <source>%1, stages 0–%2</source>
        <translation>%1，阶段 0–%2</translation>
    </message>
    <message>
        <source>%1, %2 colours in turn</source>
        <translation>%1，%2 种颜色循环使用</translation>
    </message>
    <message>
        <source>greys, for print</source>
        <translation>灰度，用于打印</translation>
    </message>
    <message>
        <source>received %1 from the other copies of the stage</source>
        <translation>从该阶段的其他副本收到 %1</translation>
    </message>
    <message>
        <source>shard %1</source>
        <translation>分片 %1</translation>
    </message>
    <message>
        <source>tensor-parallel shard %1 of %2, computed together with the others</source>
        <translation>张量并行分片 %1（共 %2 个），与其他分片一起计算</translation>
    </message>
    <message>
        <source>segment %1 of %2: it reads the keys and values of those before it</source>
        <translation>第 %1 段（共 %2 段）：读取前面各段的键和值</translation>
    </message>
</context>
<context>
    <name>Config</name>
    <message>
        <source>even</source>
        <translation>均分</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>完全</translation>
    </message>
    <message>
        <source>Selective</source>
        <translation>选择性</translation>
    </message>
    <message>
        <source>free</source>
        <translation>零耗时</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>微批次大小 %1</translation>
    </message>
    <message>
        <source>even split</source>
        <translation>均分</translation>
    </message>
    <message>
        <source>split %1</source>
        <translation>切分 %1</translation>
    </message>
    <message>
        <source>link %1</source>
        <translation>链路 %1</translation>
    </message>
    <message>
        <source>rank %1 slow × %2</source>
        <translation>Rank %1 耗时 × %2</translation>
    </message>
    <message>
        <source>cap %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>checkpointing</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>split</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>slow rank</source>
        <translation>慢 Rank</translation>
    </message>
    <message>
        <source>clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>durations</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>cap</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>data</source>
        <translation>训练文本</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA Graph</translation>
    </message>
    <message>
        <source>checkpoint every</source>
        <translation>重计算单位</translation>
    </message>
    <message>
        <source>segments</source>
        <translation>段数</translation>
    </message>
    <message>
        <source>sequence parallelism</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>matrix products</source>
        <translation>矩阵乘法</translation>
    </message>
    <message>
        <source>own loops</source>
        <translation>自带的循环</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>reconstructed</source>
        <translation>重建</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>group size</source>
        <translation>分组大小</translation>
    </message>
    <message>
        <source>vertical sync</source>
        <translation>垂直同步</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>sequence</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表大小</translation>
    </message>
    <message>
        <source>link latency</source>
        <translation>链路延迟</translation>
    </message>
    <message>
        <source>link speed</source>
        <translation>链路带宽</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>gradient clipping</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>number type</source>
        <translation>数值类型</translation>
    </message>
    <message>
        <source>trace cost</source>
        <translation>跟踪开销测量</translation>
    </message>
    <message>
        <source>built-in text</source>
        <translation>内置文本</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
</context>
<context>
    <name>Figure</name>
    <message>
        <source>; durations are the medians of the runs %1 together</source>
        <translation>；耗时取 %1 各次运行合起来的中位数</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 ranks at the same time on %2, one time base</source>
        <translation>%1 个 Rank 在 %2 上同时运行，时间基准相同</translation>
    </message>
    <message>
        <source>each operation run and timed alone on %1 and placed on %2 device clocks</source>
        <translation>每个操作都在 %1 上真实执行并单独计时，再排到 %2 个设备时钟上</translation>
    </message>
    <message>
        <source>run and timed by another program; times from its files: %1</source>
        <translation>由其他程序运行并计时，数据取自其文件：%1</translation>
    </message>
    <message>
        <source>predicted from the costs of each operation; nothing ran</source>
        <translation>由各操作的耗时预测，没有实际运行</translation>
    </message>
    <message>
        <source>layers split evenly</source>
        <translation>各阶段层数均分</translation>
    </message>
    <message>
        <source>rank %1 slowed down %2 times</source>
        <translation>Rank %1 的耗时为 %2 倍</translation>
    </message>
    <message>
        <source>link %1</source>
        <translation>链路 %1</translation>
    </message>
    <message>
        <source>Bubble %1 of total = idle time ÷ (%3 × iteration time of %2)</source>
        <translation>气泡占总时间 %1 = 空闲时间 ÷（%3 × 迭代时间 %2）</translation>
    </message>
    <message>
        <source>Bubble %1 of ideal = idle time ÷ busy time; iteration time %2</source>
        <translation>气泡相对理想时间 %1 = 空闲时间 ÷ 忙碌时间；迭代时间 %2</translation>
    </message>
    <message>
        <source>%1 tokens/s.</source>
        <translation>%1 tokens/s。</translation>
    </message>
    <message>
        <source>Iteration %1 of a %2</source>
        <translation>%2的第 %1 次迭代</translation>
    </message>
    <message>
        <source>Cannot write %1: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Cannot write %1: the picture could not be encoded.</source>
        <translation>无法写入 %1：图片编码失败。</translation>
    </message>
    <message>
        <source>d = %1 data-parallel replicas, rank = stage rank × %1 + replica</source>
        <translation>d = %1 份数据并行副本，Rank = 流水线 Rank × %1 + 副本</translation>
    </message>
    <message>
        <source>GPT (%1 layers, hidden %2, sequence %3, micro-batch %4, %5)</source>
        <translation>GPT（%1 层，隐藏维度 %2，序列长度 %3，微批次大小 %4，%5）</translation>
    </message>
    <message>
        <source>; predicted %1</source>
        <translation>；预测 %1</translation>
    </message>
    <message>
        <source>, theory %1%2</source>
        <translation>，理论 %1%2</translation>
    </message>
    <message>
        <source>, x = %1 = %2 (durations in %3)</source>
        <translation>，x = %1 = %2（耗时单位 %3）</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1: </source>
        <translation>%1：</translation>
    </message>
    <message>
        <source>The recording ends in this iteration, so its end is missing.</source>
        <translation>录制在这次迭代中结束，缺少其末尾。</translation>
    </message>
    <message>
        <source>Incomplete: the iteration is shown up to %1; the plan follows.</source>
        <translation>未完成：该次迭代只画到 %1，之后是计划。</translation>
    </message>
    <message>
        <source>training in another program</source>
        <translation>其他程序的训练</translation>
    </message>
    <message>
        <source>stage %1 × %2</source>
        <translation>阶段 %1 × %2</translation>
    </message>
    <message>
        <source>predicted from costs given by hand, %1; nothing ran</source>
        <translation>按手工给定的耗时预测（%1），没有实际运行</translation>
    </message>
    <message>
        <source>bubble %1 of total</source>
        <translation>气泡占总时间 %1</translation>
    </message>
    <message>
        <source>bubble %1 of ideal</source>
        <translation>气泡相对理想时间 %1</translation>
    </message>
    <message>
        <source>Costs are those of one chunk; every rank has the same work in all plans.</source>
        <translation>耗时均指单个模型块；各计划中每个 Rank 的计算量相同。</translation>
    </message>
    <message>
        <source>theory %1</source>
        <translation>理论 %1</translation>
    </message>
    <message>
        <source>iteration time %1</source>
        <translation>迭代时间 %1</translation>
    </message>
    <message>
        <source>incomplete, up to %1</source>
        <translation>未完成，画到 %1 为止</translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source>; durations are the medians of %1 iterations</source>
        <translation>；耗时为 %1 次迭代的中位数</translation>
    </message>
    <message>
        <source>A film as .mp4 or .webp is written by the program ffmpeg, which is not here: install the package ffmpeg, or write a .gif, which needs nothing.</source>
        <translation>.mp4 和 .webp 影片由程序 ffmpeg 写出，这里没有它：请安装软件包 ffmpeg，或写 .gif，它不需要其他程序。</translation>
    </message>
    <message>
        <source>A .gif shows at most %1 frames per second: give --fps %1 or fewer, or write an .mp4.</source>
        <translation>.gif 每秒最多 %1 帧：请给出 --fps %1 或更小，或写 .mp4。</translation>
    </message>
    <message>
        <source>An .mp4 needs an even width and height: give --size %1x%2.</source>
        <translation>.mp4 的宽和高须为偶数：请给出 --size %1x%2。</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1: on the way, at times of neither</source>
        <translation>%1：移动途中，时间不属于任何一方</translation>
    </message>
    <message>
        <source>t = %1 tensor-parallel shards, rank = stage rank × %1 + shard</source>
        <translation>t = %1 个张量并行分片，Rank = 流水线 Rank × %1 + 分片</translation>
    </message>
    <message>
        <source>q = %1 segments of every sequence</source>
        <translation>每条序列 q = %1 段</translation>
    </message>
    <message>
        <source>sequence parallelism</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>d = %1 data-parallel replicas of t = %2 tensor-parallel shards, rank = (stage rank × %1 + replica) × %2 + shard</source>
        <translation>d = %1 个数据并行副本，各 t = %2 个张量并行分片，Rank = (流水线 Rank × %1 + 副本) × %2 + 分片</translation>
    </message>
    <message>
        <source>ZeRO-%1: each copy of a stage has 1/%2 of the optimizer state</source>
        <translation>ZeRO-%1：一个阶段的每份副本只存 1/%2 的优化器状态</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>pt</source>
        <translation>点</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>ScheduleFiles</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>it is a pipe or a device, not a file</source>
        <translation>这是管道或设备，不是文件</translation>
    </message>
    <message>
        <source>it is larger than %1 MB</source>
        <translation>文件超过 %1 MB</translation>
    </message>
    <message>
        <source>%1 is not a text file: a schedule is a table with a row for each rank.</source>
        <translation>%1 不是文本文件：调度是一张表，每个 Rank 一行。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
</context>
<context>
    <name>SweepWords</name>
    <message>
        <source>%1 would need %2, over the cap of %3.</source>
        <translation>%1 需要 %2，超过上限 %3。</translation>
    </message>
    <message>
        <source>%1 has a smaller bubble (%2 against %3)</source>
        <translation>%1 的气泡更小（%2 对 %3）</translation>
    </message>
    <message>
        <source>%1, but divides the same samples into more, smaller pieces, each with a fixed cost, and is %2 slower.</source>
        <translation>%1，但同样的样本切得更碎，每份都有固定开销，结果慢了 %2。</translation>
    </message>
    <message>
        <source>%1, yet is %2 slower.</source>
        <translation>%1，却慢了 %2。</translation>
    </message>
    <message>
        <source>%1 has the same bubble (%2) and is %3 slower.</source>
        <translation>%1 的气泡占比相同（%2），慢了 %3。</translation>
    </message>
    <message>
        <source>%1 idles more (%2 against %3) and is %4 slower.</source>
        <translation>%1 空闲更多（%2 对 %3），慢了 %4。</translation>
    </message>
    <message>
        <source>%1 samples cannot be cut into %2 equal micro-batches</source>
        <translation>%1 个样本无法均分成 %2 个微批次</translation>
    </message>
    <message>
        <source>No value fits: every one is illegal or over the cap.</source>
        <translation>没有合适的取值：每个取值都不合法，或超出上限。</translation>
    </message>
    <message>
        <source>%1 gives the most tokens/s under the cap.</source>
        <translation>上限之内，%1 的 tokens/s 最高。</translation>
    </message>
    <message>
        <source>%1 gives the most tokens/s.</source>
        <translation>%1 的 tokens/s 最高。</translation>
    </message>
    <message>
        <source>%1 is the largest value tried; a larger one may be better still.</source>
        <translation>%1 是试过的最大值，再大也许更好。</translation>
    </message>
    <message>
        <source>checkpointing %1</source>
        <translation>重计算：%1</translation>
    </message>
    <message>
        <source>micro-batches/s</source>
        <translation>微批次/s</translation>
    </message>
    <message>
        <source>its order is not in the catalog and is unknown for other values</source>
        <translation>它的顺序不在目录中，其他取值下的顺序无从得知</translation>
    </message>
    <message>
        <source>the time of selective recomputation is unknown for this run</source>
        <translation>无法得知这次运行采用选择性重计算时的耗时</translation>
    </message>
    <message>
        <source>Predicted from the costs in %1: %2 is best.</source>
        <translation>按 %1 中的耗时预测，%2 最好。</translation>
    </message>
    <message>
        <source>Predicted with the costs of the run: %1 is best.</source>
        <translation>按本次运行的耗时预测，%1 最好。</translation>
    </message>
    <message>
        <source>Predicted with costs estimated before anything ran: %1 is best.</source>
        <translation>按运行之前估计的耗时预测，%1 最好。</translation>
    </message>
    <message>
        <source>Whole numbers from 1, with spaces between them: 1 2 4 8</source>
        <translation>从 1 开始的整数，以空格分隔：1 2 4 8</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>No value is given. %1</source>
        <translation>没有给出取值。%1</translation>
    </message>
    <message>
        <source>%1 cannot be tried. %2</source>
        <translation>%1 无法尝试。%2</translation>
    </message>
    <message>
        <source>Predicted ahead of it, and not run yet: %1.</source>
        <translation>预测更高、还没有运行的有：%1。</translation>
    </message>
    <message>
        <source>So far, with %1 of %2 values, %3 gives the most tokens/s.</source>
        <translation>到目前为止（%2 个值中的 %1 个），%3 的 tokens/s 最高。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>with one iteration each, the noise is unknown</source>
        <translation>各只有一次迭代，无法得知波动</translation>
    </message>
    <message>
        <source>Of these, %1 takes the least memory.</source>
        <translation>其中 %1 占用内存最少。</translation>
    </message>
    <message>
        <source>The values that have not run are predicted with that.</source>
        <translation>尚未运行的值按此预测。</translation>
    </message>
    <message>
        <source>So far, with %1 of %2 values, %3: %4.</source>
        <translation>到目前为止（%2 个值中的 %1 个），%3：%4。</translation>
    </message>
    <message>
        <source>Fitted to what ran, a micro-batch takes %1 ms regardless of its size plus %2 ms per sample (residual %3).</source>
        <translation>按实际运行拟合：每个微批次固定 %1 ms，另加每样本 %2 ms（残差 %3）。</translation>
    </message>
    <message>
        <source>Fitted to what ran, a micro-batch takes %1 ms per sample, and no fixed time that the scatter would show (residual %2).</source>
        <translation>按实际运行拟合：每个微批次每样本 %1 ms，固定部分小于波动，看不出来（残差 %2）。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::BubbleSection</name>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>this run,
iteration %1</source>
        <translation>本次运行，
第 %1 次迭代</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Reconstructed</source>
        <translation>重建</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Theory</source>
        <translation>理论</translation>
    </message>
    <message>
        <source>The formula with this run&apos;s mean durations: forward F, input gradient I (with recomputation R), weight gradient W.
This run minus theory begins with F = I = W.</source>
        <translation>公式代入本次运行的平均耗时：前向 F、输入梯度 I（含重计算 R）、权重梯度 W。
“本次运行与理论之差”则从 F = I = W 开始。</translation>
    </message>
    <message>
        <source>m=%1 pred.</source>
        <translation>m=%1 预测</translation>
    </message>
    <message>
        <source>New, pred.</source>
        <translation>改后预测</translation>
    </message>
    <message>
        <source>predicted,
not run</source>
        <translation>预测，
没有运行</translation>
    </message>
    <message>
        <source>predicted, none
complete yet</source>
        <translation>预测，还没有
完整的迭代</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>previous run,
%1</source>
        <translation>改动前的运行，
%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::CommandPalette</name>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Type a part of a name: a command, schedule, option or lesson</source>
        <translation>输入名称的一部分：命令、调度、选项或课程</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配的内容</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Commands</name>
    <message>
        <source>Weights, gradients, optimizer and buffers under the activations</source>
        <translation>在激活内存之下画出权重、梯度、优化器和缓冲区</translation>
    </message>
    <message>
        <source>Memory without and with checkpointing</source>
        <translation>有无重计算的内存对比</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Pan left</source>
        <translation>左移</translation>
    </message>
    <message>
        <source>Pan right</source>
        <translation>右移</translation>
    </message>
    <message>
        <source>Lanes up</source>
        <translation>向上滚动泳道</translation>
    </message>
    <message>
        <source>Lanes down</source>
        <translation>向下滚动泳道</translation>
    </message>
    <message>
        <source>Whole iteration</source>
        <translation>显示整次迭代</translation>
    </message>
    <message>
        <source>Zoom to the measured range</source>
        <translation>放大到选区</translation>
    </message>
    <message>
        <source>Focus the selection</source>
        <translation>放大到选中的方块</translation>
    </message>
    <message>
        <source>Undo zoom</source>
        <translation>撤销缩放</translation>
    </message>
    <message>
        <source>Clear selection and range, then the filter</source>
        <translation>清除选中和选区，再清除筛选</translation>
    </message>
    <message>
        <source>Previous box on the lane</source>
        <translation>泳道上一个方块</translation>
    </message>
    <message>
        <source>Next box on the lane</source>
        <translation>泳道下一个方块</translation>
    </message>
    <message>
        <source>Follow the dependency or the chain of reasons back</source>
        <translation>沿依赖或原因链回溯</translation>
    </message>
    <message>
        <source>Follow the dependency or the chain of reasons forwards</source>
        <translation>沿依赖或原因链往后</translation>
    </message>
    <message>
        <source>Highlight the micro-batch&apos;s whole path</source>
        <translation>高亮微批次的全程</translation>
    </message>
    <message>
        <source>Bubbles</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Time in units of F</source>
        <translation>以 F 为时间单位</translation>
    </message>
    <message>
        <source>Follow the run</source>
        <translation>跟随运行</translation>
    </message>
    <message>
        <source>Next largest gap of the iteration</source>
        <translation>本次迭代中下一大的空隙</translation>
    </message>
    <message>
        <source>Back to the larger gap</source>
        <translation>回到更大的空隙</translation>
    </message>
    <message>
        <source>Measure the selected box or gap</source>
        <translation>量取选中的方块或空隙</translation>
    </message>
    <message>
        <source>no box is selected</source>
        <translation>没有选中方块</translation>
    </message>
    <message>
        <source>nothing is selected</source>
        <translation>没有选中任何内容</translation>
    </message>
    <message>
        <source>no range is measured</source>
        <translation>没有选区</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Extend the measured range to the selection</source>
        <translation>把选区扩展到选中处</translation>
    </message>
    <message>
        <source>Measure only the range&apos;s own lanes, or all lanes</source>
        <translation>选区只量自己的泳道，或全部泳道</translation>
    </message>
    <message>
        <source>Only operations like the selected one</source>
        <translation>只看与选中方块同类的操作</translation>
    </message>
    <message>
        <source>Only the selected micro-batch</source>
        <translation>只看选中的微批次</translation>
    </message>
    <message>
        <source>Only the rank of the selected box</source>
        <translation>只看选中方块所在的 Rank</translation>
    </message>
    <message>
        <source>Only the stage of the selected box</source>
        <translation>只看选中方块所在的阶段</translation>
    </message>
    <message>
        <source>Difference from the baseline</source>
        <translation>与基线的差异</translation>
    </message>
    <message>
        <source>Arrows of all messages</source>
        <translation>全部消息的箭头</translation>
    </message>
    <message>
        <source>Plan behind what ran</source>
        <translation>已运行部分背后的计划</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FirstSteps</name>
    <message>
        <source>There is no picture to explain yet</source>
        <translation>还没有可以讲解的画面</translation>
    </message>
    <message>
        <source>A box is one operation</source>
        <translation>一个方块是一次操作</translation>
    </message>
    <message>
        <source>Each lane of the picture is a rank, and each box is work on the micro-batch whose number it shows. The colour is the kind of work, as in the legend below. Click a box to follow its micro-batch from beginning to end.</source>
        <translation>图中每一行是一个 Rank，每个方块是它为这个编号的微批次做的计算；颜色表示算的是什么，见图下方的图例。单击方块，可以看到它的微批次的全程。</translation>
    </message>
    <message>
        <source>A gap is a bubble</source>
        <translation>空隙就是气泡</translation>
    </message>
    <message>
        <source>The rank has nothing to compute here: it waits, or it is done. Click the gap to learn how long and why, or press ; to go from gap to gap.</source>
        <translation>这段时间里该 Rank 没有计算：它在等待，或者已经做完。单击它，或按 ; 键逐个查看，就能知道有多长、为什么。</translation>
    </message>
    <message>
        <source>m is the number of micro-batches</source>
        <translation>m 是微批次的数量</translation>
    </message>
    <message>
        <source>Every iteration sends this many through the ranks. Change m, and the new plan with its bubble appears before anything runs.</source>
        <translation>每次迭代把这么多个微批次依次送过各个 Rank。改一改 m，运行之前就会显示新的计划和气泡。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::GradientController</name>
    <message>
        <source>The run was recorded by another program, and its model is unknown.</source>
        <translation>这次运行由其他程序记录，模型未知。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::GradientDialog</name>
    <message>
        <source>checkpointing: %1</source>
        <translation>激活重计算：%1</translation>
    </message>
    <message>
        <source>%1 layers, hidden %2, sequence %3</source>
        <translation>%1 层，隐藏维度 %2，序列长度 %3</translation>
    </message>
    <message>
        <source>Gradient check</source>
        <translation>梯度校验</translation>
    </message>
    <message>
        <source>Gradient check: does the pipeline compute what one device computes?</source>
        <translation>梯度校验：流水线算出的结果与单个设备一样吗？</translation>
    </message>
    <message>
        <source>Out of date; changed since: %1.</source>
        <translation>结果已过时，之后的改动：%1。</translation>
    </message>
    <message>
        <source>Training iterations done, of the pipeline and of one device: %1 of %2</source>
        <translation>流水线与单个设备的训练迭代，已完成：%1 / %2</translation>
    </message>
    <message>
        <source>Preparing …</source>
        <translation>正在准备……</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新校验</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>A separate process on this machine trains both from the initial weights of the seed; the weights of the run do not change.</source>
        <translation>两者都由本机上的一个独立进程从该种子的初始权重开始训练；当前运行的权重不受影响。</translation>
    </message>
    <message>
        <source>The run is paused during the check and continues afterwards.</source>
        <translation>校验期间运行暂停，结束后继续。</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未能校验</translation>
    </message>
    <message>
        <source>Not checked yet</source>
        <translation>尚未校验</translation>
    </message>
    <message>
        <source>Cannot be checked</source>
        <translation>无法校验</translation>
    </message>
    <message>
        <source>Different: the copies of the weights are not equal</source>
        <translation>不一致：权重的各份副本不相同</translation>
    </message>
    <message>
        <source>Equal to one device, bitwise, %1 tensors</source>
        <translation>与单个设备逐比特一致，%1 个张量</translation>
    </message>
    <message>
        <source>Equal to one device within the tolerance, %1 tensors</source>
        <translation>与单个设备在容差内一致，%1 个张量</translation>
    </message>
    <message>
        <source>Different from one device</source>
        <translation>与单个设备不一致</translation>
    </message>
    <message>
        <source>Compared with one device that applies the same delayed updates (%2): the loss of %1 iterations, then the weights and both Adam moments of every tensor.</source>
        <translation>比较的是：%1 次迭代的损失，以及之后每个张量的权重和 Adam 的两个动量；对照的单个设备采用同样的延迟更新（%2）。</translation>
    </message>
    <message>
        <source>Compared: the loss and every gradient, before clipping, of %1 iterations (%2).</source>
        <translation>比较的是：%1 次迭代的损失和裁剪之前的全部梯度（%2）。</translation>
    </message>
    <message>
        <source>Largest difference: %1 of the tensor&apos;s largest value, in %2, iteration %3.</source>
        <translation>最大差异：该张量最大值的 %1 倍，位于 %2，第 %3 次迭代。</translation>
    </message>
    <message>
        <source>Replicas first sum their own micro-batches and then each other&apos;s, so the last bits may differ; differences up to %1 are within the tolerance.</source>
        <translation>各副本先对自己的微批次求和，再互相求和，因此末几位可能不同：差异不超过 %1 即在容差内。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::GradientJob</name>
    <message>
        <source>The check could not be started: %1.</source>
        <translation>无法开始校验：%1。</translation>
    </message>
    <message>
        <source>Check that the program bscope is installed beside this one.</source>
        <translation>请检查程序 bscope 是否安装在本程序旁边。</translation>
    </message>
    <message>
        <source>The check ended by itself with exit code %1.</source>
        <translation>校验自行结束，退出码 %1。</translation>
    </message>
    <message>
        <source>The check ended unexpectedly.</source>
        <translation>校验意外结束。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::HandCostsController</name>
    <message>
        <source>Iteration %1</source>
        <translation>迭代 %1</translation>
    </message>
    <message>
        <source>bubble %1 of total</source>
        <translation>气泡占总时间 %1</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message>
        <source>activations of at most %1 on a rank</source>
        <translation>每个 Rank 的激活值最多 %1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::HandCostsDialog</name>
    <message>
        <source>Costs by hand</source>
        <translation>手工给定耗时</translation>
    </message>
    <message>
        <source>Nothing runs: the canvas shows the plan of the current configuration with these costs. An unsplit backward takes I + W, a recomputation takes F.</source>
        <translation>不会运行任何东西：画布按这些耗时显示当前配置的计划。不拆分的反向耗时为 I + W，重计算与 F 一样。</translation>
    </message>
    <message>
        <source>F, ms (the unit of I and W)</source>
        <translation>F，ms（I 和 W 的单位）</translation>
    </message>
    <message>
        <source>I, F</source>
        <translation>I，F</translation>
    </message>
    <message>
        <source>W, F</source>
        <translation>W，F</translation>
    </message>
    <message>
        <source>Time of one message of zero bytes, in microseconds</source>
        <translation>零字节消息的传输时间，单位微秒</translation>
    </message>
    <message>
        <source>%1, regardless of the time unit; now %2</source>
        <translation>%1，不随时间单位改变；现为 %2</translation>
    </message>
    <message>
        <source>F, ms</source>
        <translation>F，ms</translation>
    </message>
    <message>
        <source>I, ms</source>
        <translation>I，ms</translation>
    </message>
    <message>
        <source>W, ms</source>
        <translation>W，ms</translation>
    </message>
    <message>
        <source>Link latency, µs</source>
        <translation>链路延迟，µs</translation>
    </message>
    <message>
        <source>Link, Gb/s (0: infinite)</source>
        <translation>链路，Gb/s（0 为无穷大）</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>As in the run</source>
        <translation>恢复为运行值</translation>
    </message>
    <message>
        <source>As estimated</source>
        <translation>恢复为估计值</translation>
    </message>
    <message>
        <source>The medians of the last run</source>
        <translation>最近一次运行的中位数</translation>
    </message>
    <message>
        <source>From the shape of the model alone</source>
        <translation>只由模型形状推算</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Stage %1: × %2 of these times</source>
        <translation>阶段 %1：上述耗时的 %2 倍</translation>
    </message>
    <message>
        <source>Message: %1</source>
        <translation>消息：%1</translation>
    </message>
    <message>
        <source>Drag a bar, or choose one with Left and Right and change it with Up and Down; Home or a double click resets it to 1. The line marks the costs in the fields.</source>
        <translation>上下拖动柱条，或用 ←、→ 选择，用 ↑、↓ 改变；按 Home 或双击恢复为 1。横线对应上面各栏的耗时。</translation>
    </message>
    <message>
        <source>The link&apos;s latency: drag the bar, or change it with Up and Down; Home or a double click resets it to 0. The line marks one F.</source>
        <translation>链路延迟：上下拖动柱条，或用 ↑、↓ 改变；按 Home 或双击归零。横线对应一个 F。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::NoteEditor</name>
    <message>
        <source>New note, iteration %1</source>
        <translation>新备注，第 %1 次迭代</translation>
    </message>
    <message>
        <source>Note, iteration %1</source>
        <translation>备注，第 %1 次迭代</translation>
    </message>
    <message>
        <source>On</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>bscope::ui::NotesController</name>
    <message>
        <source>Notes can only be added to an iteration that ran, and none is shown</source>
        <translation>备注只能写在运行过的迭代上，而现在没有显示这样的迭代</translation>
    </message>
    <message>
        <source>Noted. File &gt; Save the recording as… keeps it with the imported run</source>
        <translation>已记下。用“文件 &gt; 录制另存为…”可与导入的运行一起保存</translation>
    </message>
    <message>
        <source>Noted. A recording of this run (Ctrl+R) keeps it</source>
        <translation>已记下。录制这次运行（Ctrl+R）即可保存</translation>
    </message>
    <message>
        <source>Noted. It is written to the file when the whole file has been read</source>
        <translation>已记下。整个文件读完后写入其中</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>%1 of stage %2, %3</source>
        <translation>%1，阶段 %2，%3</translation>
    </message>
    <message>
        <source>the whole iteration</source>
        <translation>整次迭代</translation>
    </message>
    <message>
        <source>a time</source>
        <translation>某一时刻</translation>
    </message>
    <message>
        <source>a range</source>
        <translation>一段时间</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>The last change of a note is undone</source>
        <translation>已撤销备注的改动</translation>
    </message>
    <message>
        <source>There are no notes yet: Ctrl+B writes one</source>
        <translation>还没有备注：按 Ctrl+B 写一条</translation>
    </message>
    <message>
        <source>%1 (the events of its iteration are not kept)</source>
        <translation>%1（它所在迭代的事件已不保留）</translation>
    </message>
    <message>
        <source>note: %1</source>
        <translation>备注：%1</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Note on this iteration: %1</source>
        <translation>这次迭代的备注：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::NotesList</name>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>There are no notes yet. Ctrl+B writes one on the selected operation, gap or range, on the time under the pointer or on the whole iteration.</source>
        <translation>还没有备注。按 Ctrl+B 可在选中的操作、空隙或时间段上，在指针所在的时刻或整次迭代上写一条。</translation>
    </message>
    <message>
        <source>Enter goes to a note, F2 changes it, Del deletes it, Ctrl+Z undoes the last change. The numbers match those on the flags.</source>
        <translation>Enter 转到备注，F2 修改，Del 删除，Ctrl+Z 撤销上一次改动。编号与小旗上的数字一致。</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>On</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>修改…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>bscope::ui::RunButton</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重连</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>bscope::ui::BarRoom</name>
    <message>
        <source>Undo: %1</source>
        <translation>撤销：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ControlBar</name>
    <message>
        <source>new run from iteration %1</source>
        <translation>第 %1 次迭代起重新训练</translation>
    </message>
    <message>
        <source>from iteration %1</source>
        <translation>第 %1 次迭代生效</translation>
    </message>
    <message>
        <source>Click to undo</source>
        <translation>单击撤销</translation>
    </message>
    <message>
        <source>set by the lesson</source>
        <translation>课程设定</translation>
    </message>
    <message>
        <source>One iteration</source>
        <translation>单步：只跑一次迭代</translation>
    </message>
    <message>
        <source>Export picture (Ctrl+E)</source>
        <translation>导出图片 (Ctrl+E)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Speed of the replay</source>
        <translation>回放速度</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>About this schedule (E)</source>
        <translation>关于此调度 (E)</translation>
    </message>
    <message>
        <source>About this schedule</source>
        <translation>关于此调度</translation>
    </message>
    <message>
        <source>Step-by-rank grid (G)</source>
        <translation>步骤网格 (G)</translation>
    </message>
    <message>
        <source>Step-by-rank grid</source>
        <translation>步骤网格</translation>
    </message>
    <message>
        <source>What does not fit here</source>
        <translation>放不下的内容</translation>
    </message>
    <message>
        <source>not in the files</source>
        <translation>文件中没有</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Step</source>
        <comment>one iteration</comment>
        <translation>单步</translation>
    </message>
    <message>
        <source>Improve</source>
        <translation>改进</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PipelineFields</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>p: pipeline ranks</source>
        <translation>p：流水线的 Rank 数</translation>
    </message>
    <message>
        <source>m: micro-batches of one iteration</source>
        <translation>m：每次迭代的微批次数</translation>
    </message>
    <message>
        <source>v: model chunks per rank (virtual pipeline)</source>
        <translation>v：每个 Rank 的模型块数（虚拟流水线）</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Checkpointing</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Activation checkpointing: do not keep all activations of the forward pass, recompute them in the backward pass</source>
        <translation>激活重计算：前向的激活值不全部保留，反向时重新计算</translation>
    </message>
    <message>
        <source>v = %1, the usual v of %2</source>
        <translation>v = %1，%2 的常用值</translation>
    </message>
    <message>
        <source>v = %1 for %2</source>
        <translation>%2 用 v = %1</translation>
    </message>
    <message>
        <source>v = %1 for %2: v = %3 is not possible with this p, m and number of layers</source>
        <translation>%2 取 v = %1：在当前的 p、m 和层数下无法取 v = %3</translation>
    </message>
</context>
<context>
    <name>bscope::ui::DetailSection</name>
    <message>
        <source>Micro-batch %1</source>
        <translation>微批次 %1</translation>
    </message>
    <message>
        <source>Esc clears</source>
        <translation>Esc 清除</translation>
    </message>
    <message>
        <source>#%1 · Esc clears</source>
        <translation>#%1 · Esc 清除</translation>
    </message>
    <message>
        <source>F starts</source>
        <translation>F 开始</translation>
    </message>
    <message>
        <source>B ends</source>
        <translation>B 结束</translation>
    </message>
    <message>
        <source>%1 on %2, stage %3: %4 to %5, %6.</source>
        <translation>%2 上的 %1，阶段 %3：%4 到 %5，历时 %6。</translation>
    </message>
    <message>
        <source>Waited %1, transfer %2.</source>
        <translation>等待 %1，传输 %2。</translation>
    </message>
    <message>
        <source>Takes %1, freed by %2.</source>
        <translation>占用 %1，由 %2释放。</translation>
    </message>
    <message>
        <source>Frees %1, taken by %2.</source>
        <translation>释放 %1，由 %2占用。</translation>
    </message>
    <message>
        <source>It is on the critical path.</source>
        <translation>它在关键路径上。</translation>
    </message>
    <message>
        <source>Nothing in the iteration waits for it.</source>
        <translation>本次迭代中没有操作等它。</translation>
    </message>
    <message>
        <source>Slack %1.</source>
        <translation>松弛量 %1。</translation>
    </message>
    <message>
        <source>of one rank</source>
        <translation>1 个 Rank</translation>
    </message>
    <message>
        <source>Takes %1.</source>
        <translation>占用 %1。</translation>
    </message>
    <message>
        <source>Frees %1.</source>
        <translation>释放 %1。</translation>
    </message>
    <message>
        <source>Where idle time goes</source>
        <translation>空闲时间的去向</translation>
    </message>
    <message>
        <source>sum of %1 ranks</source>
        <translation>%1 个 Rank 合计</translation>
    </message>
    <message>
        <source>Uses %1.</source>
        <translation>其%1。</translation>
    </message>
    <message>
        <source>held, %1</source>
        <translation>留存 %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy these lines as text (Ctrl+C)</source>
        <translation>把这几行复制为文本（Ctrl+C）</translation>
    </message>
    <message>
        <source>F ends</source>
        <translation>F 结束</translation>
    </message>
    <message>
        <source>W ends</source>
        <translation>W 结束</translation>
    </message>
    <message>
        <source>B or W ends</source>
        <translation>B/W 结束</translation>
    </message>
    <message>
        <source>Waited %1 for its input, transfer included.</source>
        <translation>等待输入 %1，含传输。</translation>
    </message>
    <message>
        <source>baseline %1 · Esc clears</source>
        <translation>基线 %1 · Esc 清除</translation>
    </message>
</context>
<context>
    <name>bscope::ui::EngineConnection</name>
    <message>
        <source>The engine, the program bscope, was not found.</source>
        <translation>找不到引擎程序 bscope。</translation>
    </message>
    <message>
        <source>Build it beside this program, or put its path into the environment variable BSCOPE.</source>
        <translation>请把它编译到本程序旁边，或用环境变量 BSCOPE 指明它的路径。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::EngineProcess</name>
    <message>
        <source>The engine could not be started: %1.</source>
        <translation>引擎无法启动：%1。</translation>
    </message>
    <message>
        <source>Check that the program bscope is installed beside this one.</source>
        <translation>请检查 bscope 是否装在本程序旁边。</translation>
    </message>
    <message>
        <source>A new engine can be started with the same settings.</source>
        <translation>可以用同样的设置启动新的引擎。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::EngineSocket</name>
    <message>
        <source>Check the address, and that `bscope serve` is listening there.</source>
        <translation>请检查地址，并确认在那里监听的是 `bscope serve`。</translation>
    </message>
    <message>
        <source>Check that `bscope serve` of this version is listening there.</source>
        <translation>请确认在那里监听的是本版本的 `bscope serve`。</translation>
    </message>
    <message>
        <source>The engine at %1 is version %2 and speaks stream version %3; this window speaks version %4.</source>
        <translation>%1 的引擎是 %2 版，数据流格式为第 %3 版；本窗口用的是第 %4 版。</translation>
    </message>
    <message>
        <source>Nothing listens at %1: the connection was refused.</source>
        <translation>%1 上没有程序在监听：连接被拒绝。</translation>
    </message>
    <message>
        <source>Start an engine there: bscope serve --listen %1</source>
        <translation>请在那里启动引擎：bscope serve --listen %1</translation>
    </message>
    <message>
        <source>There is no machine named %1.</source>
        <translation>找不到名为 %1 的机器。</translation>
    </message>
    <message>
        <source>Check the name, or use the machine&apos;s address in numbers.</source>
        <translation>请检查名称，或改用数字形式的地址。</translation>
    </message>
    <message>
        <source>The engine at %1 closed the connection.</source>
        <translation>%1 的引擎关闭了连接。</translation>
    </message>
    <message>
        <source>The connection to %1 broke: %2.</source>
        <translation>与 %1 的连接中断：%2。</translation>
    </message>
    <message>
        <source>Check the network between the two machines.</source>
        <translation>请检查两台机器之间的网络。</translation>
    </message>
    <message>
        <source>The picture stays, and the window reconnects automatically. If the engine has ended, start it again on that machine; bscope serve --load FILE continues from the state that --keep-every saved.</source>
        <translation>画面保持不变；窗口会自动重新连接。如果引擎已结束，请在那台机器上重新启动它；bscope serve --load FILE 会从 --keep-every 保存的状态继续。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ExplanationView</name>
    <message>
        <source>%1 from the other shards</source>
        <translation>来自其他分片 %1</translation>
    </message>
    <message>
        <source>%1 of activations and their gradients</source>
        <translation>激活值及其梯度 %1</translation>
    </message>
    <message>
        <source>%1 of gradients to add</source>
        <translation>待归约的梯度 %1</translation>
    </message>
    <message>
        <source>%1 of stepped weights</source>
        <translation>更新后的权重 %1</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>阶段放置</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>By formula it receives in an iteration: %1.</source>
        <translation>按公式，它每次迭代收到：%1。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>激活内存</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Weight versions</source>
        <translation>权重版本</translation>
    </message>
    <message>
        <source>Known as</source>
        <translation>各框架的叫法</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Ranks of %1 replicas</source>
        <translation>%1 个副本的 Rank</translation>
    </message>
    <message>
        <source>Pipeline-parallel groups (%1): %2</source>
        <translation>流水线并行组（%1 个）：%2</translation>
    </message>
    <message>
        <source>Data-parallel groups (%1): %2</source>
        <translation>数据并行组（%1 个）：%2</translation>
    </message>
    <message>
        <source>Ranks of %1 replicas, each of %2 shards</source>
        <translation>%1 个副本、每个 %2 个分片的 Rank</translation>
    </message>
    <message>
        <source>Tensor-parallel groups (%1): %2</source>
        <translation>张量并行组（%1 个）：%2</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ExportJob</name>
    <message>
        <source>The files hold %1 replicas of the pipeline: give only the files of one, or make a recording of it first (bscope import --replica N -o RUN.bscope).</source>
        <translation>文件中有 %1 个流水线副本：只给其中一个的文件，或先为它做一个录制文件（bscope import --replica N -o RUN.bscope）。</translation>
    </message>
    <message>
        <source>The recording holds no complete iteration.</source>
        <translation>录制文件里没有完整的迭代。</translation>
    </message>
    <message>
        <source>Wrote %1: iteration %2.</source>
        <translation>已写入 %1：第 %2 次迭代。</translation>
    </message>
    <message>
        <source>Wrote %1: iteration %2, and %3 below it.</source>
        <translation>已写入 %1：迭代 %2，下方是 %3。</translation>
    </message>
    <message>
        <source>Wrote %1: iteration %2, and %3 beside it.</source>
        <translation>已写入 %1：迭代 %2，旁边是 %3。</translation>
    </message>
    <message>
        <source>Wrote %1: iteration %2, drawn once: the last iteration of --beside is the same one.</source>
        <translation>已写入 %1：第 %2 次迭代，只画一次：--beside 的最后一次迭代就是它。</translation>
    </message>
    <message>
        <source>No plan can be made with these costs.</source>
        <translation>用这些耗时无法得出计划。</translation>
    </message>
    <message>
        <source>%1 cannot be drawn below: %2</source>
        <translation>%1 不能画在下面：%2</translation>
    </message>
    <message>
        <source>It is %1 pixels high, not %2: all lanes need as much.</source>
        <translation>图高 %1 像素，而不是 %2 像素：显示全部泳道需要这么高。</translation>
    </message>
    <message>
        <source>Wrote %1: the plan of %2.</source>
        <translation>已写入 %1：%2 的计划。</translation>
    </message>
    <message>
        <source>Wrote %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>Wrote %1: from iteration %2 to %3.</source>
        <translation>已写入 %1：从迭代 %2 到 %3。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FailureBar</name>
    <message>
        <source>Hide details</source>
        <translation>收起详情</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PageJob</name>
    <message>
        <source>The page could not be written: %1.</source>
        <translation>网页无法写入：%1。</translation>
    </message>
    <message>
        <source>Check that the program bscope is installed beside this one.</source>
        <translation>请检查程序 bscope 是否安装在本程序旁边。</translation>
    </message>
    <message>
        <source>bscope ended unexpectedly</source>
        <translation>bscope 意外结束</translation>
    </message>
    <message>
        <source>The page could not be written: %1</source>
        <translation>网页无法写入：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FigureExporter</name>
    <message>
        <source>Export picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>SVG (*.svg)</source>
        <translation>SVG (*.svg)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Page for a browser</source>
        <translation>浏览器网页</translation>
    </message>
    <message>
        <source>HTML (*.html)</source>
        <translation>HTML (*.html)</translation>
    </message>
    <message>
        <source>There is no run to make a page of: let an iteration run to its end, or open a recording.</source>
        <translation>没有可以生成网页的运行：请让一次迭代运行到结束，或打开一份录制。</translation>
    </message>
    <message>
        <source>A film is of a complete iteration or a plan: none is shown.</source>
        <translation>影片取自完整的迭代或计划：当前没有显示任何一个。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FileReport</name>
    <message>
        <source>Flight recorder dumps of %1 ranks.</source>
        <translation>%1 个 Rank 的 flight recorder 转储。</translation>
    </message>
    <message>
        <source>Planned: %1.</source>
        <translation>计划：%1。</translation>
    </message>
    <message>
        <source>No rank waits: every recorded operation has ended.</source>
        <translation>没有 Rank 在等待：记录到的操作都已结束。</translation>
    </message>
    <message>
        <source>A rank waits, but these dumps do not show why.</source>
        <translation>有 Rank 在等待，而这些转储中看不出原因。</translation>
    </message>
    <message>
        <source>The causes come first, then every rank.</source>
        <translation>先列原因，再列每个 Rank。</translation>
    </message>
    <message>
        <source>Close the dumps</source>
        <translation>关闭转储</translation>
    </message>
    <message>
        <source>Its messages under the rules of the communication layers. Choose a rule under which it stands still to see where.</source>
        <translation>其中的消息，按底层通信的各种规则推演。选择一条会使它停住的规则，即可看到停在哪里。</translation>
    </message>
    <message>
        <source>A time table: a column is a unit of time.</source>
        <translation>时间表：一列是一个时间单位。</translation>
    </message>
    <message>
        <source>An order of actions with its messages (compute_comms).</source>
        <translation>带消息的动作顺序（compute_comms）。</translation>
    </message>
    <message>
        <source>An order of actions (compute_only).</source>
        <translation>动作顺序（compute_only）。</translation>
    </message>
    <message>
        <source>Note: %1.</source>
        <translation>注：%1。</translation>
    </message>
    <message>
        <source>Every rule holds: it can run.</source>
        <translation>所有规则都满足：可以运行。</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Close the file</source>
        <translation>关闭文件</translation>
    </message>
    <message>
        <source>Broken rules: %1. Choose one to see its cell.</source>
        <translation>违反的规则：%1 条。选择一条可查看其格子。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::GlossaryDialog</name>
    <message>
        <source>Glossary</source>
        <translation>术语表</translation>
    </message>
    <message>
        <source>Search: bubble, VPP, 重计算 …</source>
        <translation>搜索：气泡、VPP、bubble……</translation>
    </message>
    <message>
        <source>Terms of this text</source>
        <translation>这段文字中的术语</translation>
    </message>
    <message>
        <source>All other terms</source>
        <translation>其他术语</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>No term contains all of these words.</source>
        <translation>没有术语同时含有这些词。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::GridStrip</name>
    <message>
        <source>Step by rank</source>
        <translation>步骤网格</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>the time table as it is written</source>
        <translation>按原样显示的时间表</translation>
    </message>
    <message>
        <source>the cells as they are written</source>
        <translation>按原样显示的格子</translation>
    </message>
    <message>
        <source>the order, each action as early as it can run</source>
        <translation>按顺序执行，每个动作尽早开始</translation>
    </message>
    <message>
        <source>%1 %2 · F, I and W take one step, B two, messages none · %3 in all</source>
        <translation>%1 %2 · F、I、W 各占一步，B 占两步，消息不占 · 共 %3 步</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Select the operation, here and on the canvas</source>
        <translation>在这里和画布上选中该操作</translation>
    </message>
</context>
<context>
    <name>bscope::ui::HelpDialog</name>
    <message>
        <source>drag in the strip under the lanes</source>
        <translation>在泳道下方的条带中拖动</translation>
    </message>
    <message>
        <source>move the frame of the visible part; its edges zoom</source>
        <translation>移动可见部分的方框；拖边则缩放</translation>
    </message>
    <message>
        <source>Other programs&apos; runs</source>
        <translation>其他程序的运行</translation>
    </message>
    <message>
        <source>drop a folder or several files</source>
        <translation>把文件夹或多个文件拖进来</translation>
    </message>
    <message>
        <source>import the run that they hold</source>
        <translation>导入其中的运行</translation>
    </message>
    <message>
        <source>In a field</source>
        <translation>在输入框里</translation>
    </message>
    <message>
        <source>Enter, Esc</source>
        <translation>Enter、Esc</translation>
    </message>
    <message>
        <source>apply the value and return to the picture</source>
        <translation>应用数值，焦点回到图上</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>↑、↓</translation>
    </message>
    <message>
        <source>one step</source>
        <translation>加减一档</translation>
    </message>
    <message>
        <source>In the iteration strip</source>
        <translation>在迭代条上</translation>
    </message>
    <message>
        <source>PgUp, PgDn, J, K</source>
        <translation>PgUp、PgDn、J、K</translation>
    </message>
    <message>
        <source>iteration before, after</source>
        <translation>上一次、下一次迭代</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>first one shown, newest</source>
        <translation>显示的第一次、最新一次</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图上</translation>
    </message>
    <message>
        <source>wheel, Ctrl + wheel, pinch</source>
        <translation>滚轮、Ctrl + 滚轮、双指捏合</translation>
    </message>
    <message>
        <source>zoom at the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Shift + wheel, right drag, Shift + drag</source>
        <translation>Shift + 滚轮、右键拖动、Shift + 拖动</translation>
    </message>
    <message>
        <source>move left and right</source>
        <translation>左右移动</translation>
    </message>
    <message>
        <source>left drag</source>
        <translation>左键拖动</translation>
    </message>
    <message>
        <source>measure: time, busy and bubble of the range</source>
        <translation>量取选区：时间、忙碌、气泡</translation>
    </message>
    <message>
        <source>Alt + drag, middle drag</source>
        <translation>Alt + 拖动、中键拖动</translation>
    </message>
    <message>
        <source>zoom to the range</source>
        <translation>放大到选区</translation>
    </message>
    <message>
        <source>Ctrl + drag</source>
        <translation>Ctrl + 拖动</translation>
    </message>
    <message>
        <source>measure only on the lanes that it crosses</source>
        <translation>只在拖过的泳道上量取选区</translation>
    </message>
    <message>
        <source>click</source>
        <translation>单击</translation>
    </message>
    <message>
        <source>select: highlight the micro-batch&apos;s whole path</source>
        <translation>选中：高亮该微批次的全程</translation>
    </message>
    <message>
        <source>double click on the ruler</source>
        <translation>双击标尺</translation>
    </message>
    <message>
        <source>the whole iteration</source>
        <translation>显示整次迭代</translation>
    </message>
    <message>
        <source>wheel over lane names</source>
        <translation>在泳道名上滚动滚轮</translation>
    </message>
    <message>
        <source>lanes up and down, when they do not fit</source>
        <translation>泳道放不下时上下滚动</translation>
    </message>
    <message>
        <source>Elsewhere</source>
        <translation>其他地方</translation>
    </message>
    <message>
        <source>click on a bar of the iteration strip</source>
        <translation>单击迭代条上的一根柱子</translation>
    </message>
    <message>
        <source>show that iteration</source>
        <translation>显示那次迭代</translation>
    </message>
    <message>
        <source>click on a legend entry</source>
        <translation>单击图例中的一项</translation>
    </message>
    <message>
        <source>show or hide it; operations become pale (filter)</source>
        <translation>显示或隐藏它；操作则变淡（筛选）</translation>
    </message>
    <message>
        <source>click on a column while tuning</source>
        <translation>调优时单击一列</translation>
    </message>
    <message>
        <source>pick that value</source>
        <translation>选用那个取值</translation>
    </message>
    <message>
        <source>drop a file on the window</source>
        <translation>把文件拖进窗口</translation>
    </message>
    <message>
        <source>Trains a real Transformer through a real pipeline, times every operation and shows it live.</source>
        <translation>在真实的流水线上训练真实的 Transformer，给每个操作计时，并实时画出来。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later; without any warranty.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本；不提供任何担保。</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>使用的软件</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>鼠标</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>In the step-by-rank grid</source>
        <translation>在步骤网格里</translation>
    </message>
    <message>
        <source>Left, Right, Home, End</source>
        <translation>←、→、Home、End</translation>
    </message>
    <message>
        <source>along the rank</source>
        <translation>沿着同一 Rank 移动</translation>
    </message>
    <message>
        <source>the rank above, below at the same step</source>
        <translation>同一步的上一个、下一个 Rank</translation>
    </message>
    <message>
        <source>+, −, 0</source>
        <translation>+、−、0</translation>
    </message>
    <message>
        <source>wider steps, narrower steps, reset</source>
        <translation>加宽、收窄每一步，恢复默认</translation>
    </message>
    <message>
        <source>back to the picture</source>
        <translation>回到图上</translation>
    </message>
    <message>
        <source>click on a cell of the grid</source>
        <translation>单击网格里的格子</translation>
    </message>
    <message>
        <source>select its box; Ctrl + wheel widens the steps</source>
        <translation>选中对应方块；Ctrl + 滚轮改变步宽</translation>
    </message>
    <message>
        <source>open a recording, a scenario or a schedule</source>
        <translation>打开录制文件、场景或调度文件</translation>
    </message>
    <message>
        <source>click on a box that a GPU computed</source>
        <translation>单击 GPU 算出的方块</translation>
    </message>
    <message>
        <source>also: its kernels, beside the picture</source>
        <translation>还会在图旁列出它的核函数</translation>
    </message>
    <message>
        <source>%1: </source>
        <translation>%1：</translation>
    </message>
    <message>
        <source>click on a gap</source>
        <translation>单击一段空隙</translation>
    </message>
    <message>
        <source>select: its length, share and cause, beside the picture</source>
        <translation>选中：时长、占比和原因显示在图旁</translation>
    </message>
    <message>
        <source>click on the name of a lane</source>
        <translation>单击泳道名</translation>
    </message>
    <message>
        <source>draw its boxes pale, or not (filter)</source>
        <translation>让它的方块变淡或恢复（筛选）</translation>
    </message>
    <message>
        <source>Ctrl + click on a bar of the iteration strip</source>
        <translation>Ctrl + 单击迭代条上的一根柱子</translation>
    </message>
    <message>
        <source>compare that iteration, as baseline, with the one on the canvas</source>
        <translation>把那次迭代作为基线，与画布上的迭代比较</translation>
    </message>
    <message>
        <source>In the list of notes</source>
        <translation>在备注列表中</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>go to the note</source>
        <translation>转到备注</translation>
    </message>
    <message>
        <source>F2, Del</source>
        <translation>F2、Del</translation>
    </message>
    <message>
        <source>change it, delete it</source>
        <translation>修改、删除</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Ctrl+Z</translation>
    </message>
    <message>
        <source>undo the last change of a note</source>
        <translation>撤销备注的上一次改动</translation>
    </message>
    <message>
        <source>click on a flag with a number</source>
        <translation>单击带数字的小旗</translation>
    </message>
    <message>
        <source>open its note to change or delete it</source>
        <translation>打开对应的备注，修改或删除</translation>
    </message>
    <message>
        <source>In the legend</source>
        <translation>在图例中</translation>
    </message>
    <message>
        <source>Tab, then Left, Right</source>
        <translation>Tab，再按 ←、→</translation>
    </message>
    <message>
        <source>go to a switch</source>
        <translation>转到某个开关</translation>
    </message>
    <message>
        <source>Space, Enter</source>
        <translation>空格、Enter</translation>
    </message>
    <message>
        <source>show it or draw it pale</source>
        <translation>正常显示，或变淡</translation>
    </message>
    <message>
        <source>drag along the ruler while an iteration is played slowly</source>
        <translation>慢速播放时沿标尺拖动</translation>
    </message>
    <message>
        <source>show it as it was at that time</source>
        <translation>显示该时刻的样子</translation>
    </message>
    <message>
        <source>In the form of costs by hand</source>
        <translation>在手工给定耗时的表单中</translation>
    </message>
    <message>
        <source>undo the last change of the costs</source>
        <translation>撤销上一次对耗时的改动</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Z, Ctrl+Y</source>
        <translation>Ctrl+Shift+Z、Ctrl+Y</translation>
    </message>
    <message>
        <source>redo it</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Left, Right, Up, Down</source>
        <translation>←、→、↑、↓</translation>
    </message>
    <message>
        <source>choose the bar of a stage, change it</source>
        <translation>选择一个阶段的柱条，改变它</translation>
    </message>
    <message>
        <source>Search: pause, gap, Ctrl+E …</source>
        <translation>搜索：暂停、空隙、Ctrl+E……</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Nothing here contains all of these words.</source>
        <translation>没有同时包含这些词的内容。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ImportJob</name>
    <message>
        <source>The files could not be read: %1.</source>
        <translation>文件无法读取：%1。</translation>
    </message>
    <message>
        <source>Check that the program bscope is installed beside this one.</source>
        <translation>请检查 bscope 程序是否安装在本程序旁边。</translation>
    </message>
    <message>
        <source>Reading %1 ended unexpectedly.</source>
        <translation>读取 %1 意外中止。</translation>
    </message>
    <message>
        <source>%1 cannot be imported.</source>
        <translation>%1 无法导入。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ImportHelp</name>
    <message>
        <source>Open the folder that holds the files of every rank of the pipeline.</source>
        <translation>请打开含有流水线全部 Rank 的文件的文件夹。</translation>
    </message>
    <message>
        <source>Put the files of one run into a folder of their own, without files of other runs.</source>
        <translation>请把一次运行的文件单独放进一个文件夹，不要混入其他运行的文件。</translation>
    </message>
    <message>
        <source>With data parallelism the files hold the same pipeline several times. In a terminal: bscope import FOLDER --replica 0 -o RUN.bscope; open that recording.</source>
        <translation>使用数据并行时，文件里有多条相同的流水线。请在终端执行 bscope import FOLDER --replica 0 -o RUN.bscope，再打开这个录制文件。</translation>
    </message>
    <message>
        <source>Give the files names with their rank, rank0.json, rank1.json; ranks count from 0.</source>
        <translation>请在文件名中写明 Rank：rank0.json、rank1.json，从 0 开始。</translation>
    </message>
    <message>
        <source>--stages RANK:PLACE,... names each rank of the files once and each place once, where the files do not say which stage a rank runs.</source>
        <translation>文件没有写明 Rank 运行哪个阶段时，用 --stages RANK:PLACE,... 给出：每个 Rank 一次，每个位置一次。</translation>
    </message>
    <message>
        <source>Record once more with the probe, or with names around what a stage computes: torch.profiler.record_function(&quot;PP:0F0&quot;) is stage 0, forward, micro-batch 0.</source>
        <translation>请用探针重新记录，或给每个阶段的计算加上名称：torch.profiler.record_function(&quot;PP:0F0&quot;) 表示阶段 0、前向、微批次 0。</translation>
    </message>
    <message>
        <source>nsys profile --trace=cuda,nvtx, the training with its NVTX ranges on (Megatron-LM: --nvtx-ranges), then nsys export --type sqlite.</source>
        <translation>用 nsys profile --trace=cuda,nvtx 记录，训练要打开 NVTX 区间（Megatron-LM：--nvtx-ranges），再执行 nsys export --type sqlite。</translation>
    </message>
    <message>
        <source>Record with mstx ranges whose names say forward or backward; databases need msprof-analyze cluster -m pp_chart.</source>
        <translation>记录时使用名称含 forward 或 backward 的 mstx 区间；数据库还需要先执行 msprof-analyze cluster -m pp_chart。</translation>
    </message>
    <message>
        <source>The program ended before its profiler had written the file, or the file was not copied completely. Record at least one whole iteration and wait until the profiler has written its file.</source>
        <translation>程序在性能分析器写完文件之前就结束了，或者文件没有复制完整。请至少记录一次完整的迭代，并等性能分析器写完文件。</translation>
    </message>
    <message>
        <source>Open the recording by itself, with File &gt; Open.</source>
        <translation>请用“文件”菜单单独打开这份录制文件。</translation>
    </message>
    <message>
        <source>The names contradict each other: check how the recording program numbers its stages, chunks and micro-batches (all from 0).</source>
        <translation>名称互相矛盾：请检查记录它的程序怎样给阶段、模型块和微批次编号（都从 0 开始）。</translation>
    </message>
    <message>
        <source>The file differs from what its program writes: copy it again from where it was written.</source>
        <translation>文件与记录它的程序所写的格式不符：请从原处重新复制一份。</translation>
    </message>
    <message>
        <source>Record fewer iterations, or a smaller pipeline.</source>
        <translation>请减少记录的迭代数，或使用更小的流水线。</translation>
    </message>
    <message>
        <source>Install SQLite&apos;s development files and build the program again.</source>
        <translation>请安装 SQLite 的开发文件，重新编译本程序。</translation>
    </message>
    <message>
        <source>It contains no run: the message above lists what can be opened.</source>
        <translation>其中没有可导入的运行：上面的消息列出了可以打开的文件。</translation>
    </message>
    <message>
        <source>When files are refused</source>
        <translation>文件无法导入时</translation>
    </message>
    <message>
        <source>How a run is opened</source>
        <translation>怎样打开</translation>
    </message>
    <message>
        <source>File &gt; Import the run in a folder, or drop a folder or several files on the window</source>
        <translation>“文件”菜单中的“导入文件夹中的运行”，或把文件夹或多个文件拖到窗口上</translation>
    </message>
    <message>
        <source>All files of one run, those of every rank of the pipeline.</source>
        <translation>一次运行的全部文件，包括流水线每个 Rank 的。</translation>
    </message>
    <message>
        <source>The same from a terminal.</source>
        <translation>从终端打开，效果相同。</translation>
    </message>
    <message>
        <source>Prints text and writes a recording, which can be used like one made by this program. --explain lists what each file was recognised as.</source>
        <translation>输出文本，并写成录制文件；本程序录制文件的各种用法对它都适用。--explain 说明每个文件被认作什么。</translation>
    </message>
    <message>
        <source>Two runs side by side; in the window, open one, pin it as the baseline (N), and open the other.</source>
        <translation>两次运行并列；在窗口中先打开一个，把它固定为基线（N），再打开另一个。</translation>
    </message>
    <message>
        <source>How a run is recorded</source>
        <translation>怎样记录</translation>
    </message>
    <message>
        <source>PyTorch, TorchTitan</source>
        <translation>PyTorch、TorchTitan</translation>
    </message>
    <message>
        <source>torch.profiler.profile with ProfilerActivity.CPU and CUDA, export_chrome_trace to rank0.json, rank1.json and so on. Since PyTorch 2.9, schedules with several stages per rank name their operations; those of Schedule1F1B are inferred.</source>
        <translation>torch.profiler.profile，带 ProfilerActivity.CPU 和 CUDA，用 export_chrome_trace 写到 rank0.json、rank1.json 等。自 PyTorch 2.9 起，每个 Rank 有多个阶段的调度会写明操作名称；Schedule1F1B 的操作靠推断。</translation>
    </message>
    <message>
        <source>nsys profile --trace=cuda,nvtx, training with --nvtx-ranges; then nsys export --type sqlite. Or the event timers&apos; event_times_PP...json.</source>
        <translation>nsys profile --trace=cuda,nvtx，训练加 --nvtx-ranges；再执行 nsys export --type sqlite。也可以用事件计时器的 event_times_PP...json。</translation>
    </message>
    <message>
        <source>zero bubble (sail)</source>
        <translation>零气泡（sail）</translation>
    </message>
    <message>
        <source>nsys as above: its NVTX ranges name every operation.</source>
        <translation>同上用 nsys：它的 NVTX 区间写明了每个操作。</translation>
    </message>
    <message>
        <source>The folder that pp_vis reads: config.json and pp_rank_R.json of every rank.</source>
        <translation>pp_vis 读取的文件夹：config.json 和每个 Rank 的 pp_rank_R.json。</translation>
    </message>
    <message>
        <source>Ascend</source>
        <translation>昇腾</translation>
    </message>
    <message>
        <source>ASCEND_PROFILER_OUTPUT with trace_view.json and mstx ranges around forward_step and backward_step, or the databases after msprof-analyze cluster -m pp_chart.</source>
        <translation>ASCEND_PROFILER_OUTPUT，其中有 trace_view.json，且 forward_step 和 backward_step 外有 mstx 区间；或执行过 msprof-analyze cluster -m pp_chart 的数据库。</translation>
    </message>
    <message>
        <source>MegatronApp, the straggler analysis</source>
        <translation>MegatronApp、StragglerAnalysis</translation>
    </message>
    <message>
        <source>The benchmark-data-...json of every rank or the trace that is made of them; the timeline of StragglerAnalysis. A file may hold all ranks and replicas.</source>
        <translation>每个 Rank 的 benchmark-data-...json，或由它们汇总成的跟踪文件；StragglerAnalysis 的时间线。一个文件可以包含全部 Rank 和副本。</translation>
    </message>
    <message>
        <source>Everything else: the probe</source>
        <translation>其他情况：探针</translation>
    </message>
    <message>
        <source>Copy integrations/pytorch/bubblescope_probe.py into the project: with bubblescope_probe.record(&quot;runs/x&quot;) as probe: probe.attach(schedule). Open runs/x while it grows, and the window follows. From another machine: bscope collect --listen ADDRESS:PORT -o FOLDER, and record(..., live=&quot;HOST:PORT&quot;, token_file=...).</source>
        <translation>把 integrations/pytorch/bubblescope_probe.py 复制到项目里：with bubblescope_probe.record(&quot;runs/x&quot;) as probe: probe.attach(schedule)。训练时就可以打开 runs/x，窗口会跟随更新。从另一台机器发送：bscope collect --listen ADDRESS:PORT -o FOLDER，并使用 record(..., live=&quot;HOST:PORT&quot;, token_file=...)。</translation>
    </message>
    <message>
        <source>What IMPORTED means</source>
        <translation>IMPORTED 的含义</translation>
    </message>
    <message>
        <source>Another program ran and timed it. Its files are read and nothing is added: loss, tokens and memory are absent where the files lack them. Predictions use the medians of its operations.</source>
        <translation>由其他程序运行并计时。只读取它的文件，不添加任何内容：文件中没有的损失、token 数和内存就不显示。预测使用其各操作的中位数。</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>Not in the files, but derived from the order of the operations or from the messages between the ranks.</source>
        <translation>文件没有写明，由操作的顺序或 Rank 之间的消息得出。</translation>
    </message>
    <message>
        <source>clocks as recorded</source>
        <translation>时钟与记录一致</translation>
    </message>
    <message>
        <source>No operation starts before what it waits for has ended: the recorded times of different ranks are consistent.</source>
        <translation>没有操作早于它所等待的操作结束：各 Rank 记录的时间本来就一致。</translation>
    </message>
    <message>
        <source>clocks moved</source>
        <translation>时钟经过移动</translation>
    </message>
    <message>
        <source>The ranks&apos; clocks differed. They are shifted until every message arrives after it was sent; times of different ranks remain uncertain. Durations, and intervals on one rank, are not affected.</source>
        <translation>各 Rank 的时钟不一致，已移动到每条消息都在发出之后到达；不同 Rank 的时间之间仍有误差。耗时以及同一 Rank 上的间隔不受影响。</translation>
    </message>
    <message>
        <source>no shift of the clocks is consistent</source>
        <translation>怎样移动时钟都无法一致</translation>
    </message>
    <message>
        <source>Two operations contradict each other, and both are named. No number of such files would be right: check that they are of one run.</source>
        <translation>有两个操作互相矛盾，两者都会指出。这样的文件得不出可信的数字：请检查它们是否属于同一次运行。</translation>
    </message>
    <message>
        <source>waiting and transfer are not separated</source>
        <translation>等待与传输未区分</translation>
    </message>
    <message>
        <source>The files record only one end of each message.</source>
        <translation>文件中只有消息的一端。</translation>
    </message>
    <message>
        <source>Nothing to import: no rank waits for another one's stage. A pipeline's run has messages between neighbouring ranks.</source>
        <translation>没有可导入的内容：没有 Rank 等待另一个 Rank 的阶段。流水线的运行在相邻 Rank 之间有消息。</translation>
    </message>
    <message>
        <source>The names of the ranges do not match what ran, or the files are of several runs: put a range around what a stage computes, without its receive, and give the files of one run.</source>
        <translation>区间的名称与实际运行的内容不符，或文件来自多次运行：请只给阶段的计算加上区间，不要把接收包括在内，并只提供一次运行的文件。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ReplicaMap</name>
    <message>
        <source>Forward and backward of %1 replicas and %2 stages</source>
        <translation>%1 个副本、%2 个阶段的前向与反向</translation>
    </message>
    <message>
        <source>Replica %1, stage %2: forward %3, backward %4 in the median.</source>
        <translation>副本 %1，阶段 %2：前向中位数 %3，反向中位数 %4。</translation>
    </message>
    <message>
        <source>%1 times what the stage takes in the other replicas.</source>
        <translation>是该阶段在其他副本中耗时的 %1 倍。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ReplicaSection</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>A slow worker: rank %1 of replica %2.</source>
        <translation>一个慢 worker：副本 %2 的 Rank %1。</translation>
    </message>
    <message>
        <source>A heavy stage: stage %1.</source>
        <translation>一个过重的阶段：阶段 %1。</translation>
    </message>
    <message>
        <source>Micro-batches with unequal work, for example sequences of unequal length.</source>
        <translation>微批次工作量不均，序列长度不等时就会这样。</translation>
    </message>
    <message>
        <source>Slowdown %1: %2 with the durations recorded, %3 with every operation at the mean of its kind.</source>
        <translation>减速比 %1：按记录的耗时重放为 %2，每个操作都取同类平均耗时时为 %3。</translation>
    </message>
    <message>
        <source>Its cause is neither a slow worker nor a heavy stage nor unequal micro-batches.</source>
        <translation>原因既不是慢 worker、过重的阶段，也不是微批次不均。</translation>
    </message>
    <message>
        <source>Shares of the slowdown: the slowest workers (%1 of %2) %3, stage %4 %5, unequal micro-batches %6.</source>
        <translation>减速的构成：最慢的 worker（%2 个中的 %1 个）占 %3，阶段 %4 占 %5，微批次不均占 %6。</translation>
    </message>
    <message>
        <source>Correlation of a micro-batch&apos;s forward and backward: %1.</source>
        <translation>同一微批次前向与反向的相关系数：%1。</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>%1 × %2 stages</source>
        <translation>%1 × %2 个阶段</translation>
    </message>
    <message>
        <source>One row per replica, one column per stage; medians of forward (above) and backward, %1.</source>
        <translation>每行一个副本，每列一个阶段；上为前向、下为反向的中位数（%1）。</translation>
    </message>
    <message>
        <source>One row per replica, one column per stage; the colour shows forward and backward together.</source>
        <translation>每行一个副本，每列一个阶段；颜色表示前向与反向之和。</translation>
    </message>
    <message>
        <source>Full colour: 1.5 times the median of all cells.</source>
        <translation>颜色最浓处：达到全部格子中位数的 1.5 倍。</translation>
    </message>
    <message>
        <source>The replicas cannot be replayed, or are too large for a replay, so the causes of their slowdown are unknown.</source>
        <translation>这些副本无法重放，或规模太大，因此减速的原因未知。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ImportSection</name>
    <message>
        <source>Clocks as recorded.</source>
        <translation>各 Rank 时钟按记录。</translation>
    </message>
    <message>
        <source>Clocks moved by up to %1.</source>
        <translation>各 Rank 时钟最多平移 %1。</translation>
    </message>
    <message>
        <source>Inferred: forward and backward, numbers of the micro-batches.</source>
        <translation>推断所得：前向与反向、微批次编号。</translation>
    </message>
    <message>
        <source>Inferred: forward and backward.</source>
        <translation>推断所得：前向与反向。</translation>
    </message>
    <message>
        <source>Inferred: numbers of the micro-batches.</source>
        <translation>推断所得：微批次编号。</translation>
    </message>
    <message>
        <source>The bubble may be too low, by up to %1 percentage points.</source>
        <translation>气泡可能偏低，最多低 %1 个百分点。</translation>
    </message>
    <message>
        <source>How the files were read</source>
        <translation>文件的解读方式</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>The files hold start and end of every operation.</source>
        <translation>文件中有每个操作的起止时间。</translation>
    </message>
    <message>
        <source>An operation lasts from its first to its last kernel.</source>
        <translation>操作从其第一个核函数开始，到最后一个核函数结束。</translation>
    </message>
    <message>
        <source>The files hold no kernels: the time of an operation is the host&apos;s, from the arrival of its message to its return.</source>
        <translation>文件中没有核函数：操作的时间取自主机，从所需消息到达算起，到主机返回为止。</translation>
    </message>
    <message>
        <source>No file names the operations, so that what the host does between a message and an operation&apos;s calls counts as work: the bubble may be too low, by up to %1 percentage points, and on busy cores further off, either way. A smaller difference from a run whose operations are named means nothing.</source>
        <translation>文件没有写明操作，因此主机在消息与操作的调用之间所做的事也算作工作：气泡可能偏低，至多低 %1 个百分点；核心繁忙时还可能向任一方向偏离更多。与写明操作的运行相比，小于这一数值的差别没有意义。</translation>
    </message>
    <message>
        <source>The files hold neither kernels nor calls, only ranges: the time of an operation is the host&apos;s, from the arrival of its message to the end of its range or to its send, so handing over counts as work.</source>
        <translation>文件中既没有核函数也没有调用，只有区间：操作的时间取自主机，从所需消息到达算起，到其区间结束或开始发送为止，因此交出结果也算作工作。</translation>
    </message>
    <message>
        <source>The files hold neither kernels nor calls, only ranges: the time of an operation is the host&apos;s, from the arrival of its message to the end of its range or to its send. Handing over counts as work, so the bubble is too low, by up to %1 percentage points if operations took as long as the shortest of their kind.</source>
        <translation>文件中既没有核函数也没有调用，只有区间：操作的时间取自主机，从所需消息到达算起，到其区间结束或开始发送为止。交出结果也算作工作，因此气泡偏低；若各操作都和同类中最短的一样长，则至多低 %1 个百分点。</translation>
    </message>
    <message>
        <source>Times of the ranks are as recorded and contradict each other: what was read as operations is not operations, or not of one pipeline, so the numbers are wrong.</source>
        <translation>各 Rank 的时间保持记录原样，且互相矛盾：被当作操作的并非操作，或不属于同一条流水线，因此数字不可信。</translation>
    </message>
    <message>
        <source>Clocks as recorded: no operation starts before what it waits for has ended.</source>
        <translation>时钟保持原样：没有操作在其所等待的操作结束之前开始。</translation>
    </message>
    <message>
        <source>Clocks of the ranks moved by up to %1 against each other, so that no operation starts before what it waits for has ended.</source>
        <translation>各 Rank 的时钟相对移动至多 %1，使任何操作都不早于其所等待操作的结束。</translation>
    </message>
    <message>
        <source>Clock error that the messages cannot rule out: up to %1.</source>
        <translation>消息无法排除的时钟误差：至多 %1。</translation>
    </message>
    <message>
        <source>Inferred from the messages between the ranks: what is a forward and what a backward. The files name no operation.</source>
        <translation>哪些是前向、哪些是反向，由 Rank 之间的消息推断。文件中没有操作的名称。</translation>
    </message>
    <message>
        <source>Inferred from the order of the operations: numbers of the micro-batches. The files do not contain them.</source>
        <translation>微批次编号由操作的顺序推断。文件中没有。</translation>
    </message>
    <message>
        <source>Waiting and transfer of messages are not separated: the files do not record both ends. Among the causes of the bubble, the quickest message of the iteration counts as link latency, and the additional time of the others as link bandwidth.</source>
        <translation>消息的等待与传输合并计算：文件中没有消息的两端。在气泡的原因中，本次迭代最快的一条消息算作链路延迟，其他消息超出它的部分算作链路带宽。</translation>
    </message>
    <message>
        <source>File &gt; Import the start-up iteration too shows it.</source>
        <translation>用“文件 &gt; 连同启动迭代一起导入”可以查看它。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::IterationStrip</name>
    <message numerus="yes">
        <source>%n newer</source>
        <translation>
            <numerusform>新增 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Iteration %1: %2, bubble %3, loss %4</source>
        <translation>第 %1 次迭代：%2，气泡 %3，损失 %4</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1 次</translation>
    </message>
    <message>
        <source>bubble, %</source>
        <translation>气泡 %</translation>
    </message>
    <message>
        <source>Iteration %1: %2, bubble %3</source>
        <translation>迭代 %1：%2，气泡 %3</translation>
    </message>
    <message>
        <source>Ctrl+click: compare it with the one on the canvas</source>
        <translation>Ctrl+单击：与画布上的迭代比较</translation>
    </message>
    <message>
        <source>note: %1</source>
        <translation>备注：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::KernelList</name>
    <message>
        <source>copy of %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>fill of %1</source>
        <translation>填充 %1</translation>
    </message>
    <message>
        <source>No longer kept: only the latest iterations keep their kernels.</source>
        <translation>已不再保留：只有最近几次迭代保留核函数。</translation>
    </message>
    <message>
        <source>Unknown: the times of this run come from CUDA events, which do not record kernels.</source>
        <translation>未知：本次运行的时间来自 CUDA 事件，它不记录核函数。</translation>
    </message>
    <message>
        <source>Not here yet: while a stream runs, CUPTI delivers kernels a little after their boxes end.</source>
        <translation>还没有到：流式运行时，CUPTI 交出核函数的时间比方块结束略晚。</translation>
    </message>
    <message>
        <source>More may come: while a stream runs, CUPTI delivers them late.</source>
        <translation>可能还会增加：流式运行时，CUPTI 交出核函数较晚。</translation>
    </message>
    <message>
        <source>This box ran no kernel.</source>
        <translation>这个方块没有运行核函数。</translation>
    </message>
    <message>
        <source>They did not arrive: this window or the disk was too slow for them.</source>
        <translation>没有收到：窗口或磁盘来不及接收。</translation>
    </message>
    <message>
        <source>Kernels of %1</source>
        <translation>%1 的核函数</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the selected lines, or all</source>
        <translation>复制选中的行；没有选中就复制全部</translation>
    </message>
    <message>
        <source>%1 launched; none ran for %2 µs (%3).</source>
        <translation>启动了 %1 个；有 %2 µs（%3）没有任何一个在运行。</translation>
    </message>
    <message>
        <source>Some did not arrive: this window or the disk was too slow for them.</source>
        <translation>有一部分没有收到：窗口或磁盘来不及接收。</translation>
    </message>
    <message>
        <source>%1 by CUPTI.</source>
        <translation>%1，来自 CUPTI。</translation>
    </message>
    <message>
        <source>Durations are measured; the position of the box in the iteration is reconstructed.</source>
        <translation>耗时是实测的；方块在迭代中的位置是重建的。</translation>
    </message>
    <message>
        <source>Launch gap: time inside the box in which none of its kernels ran.</source>
        <translation>启动间隙：方块之内没有任何核函数在运行的时间。</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>核函数</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Share of the box&apos;s time</source>
        <translation>占方块时长的比例</translation>
    </message>
    <message>
        <source>all-reduce, %1 sent</source>
        <translation>all-reduce，发送 %1</translation>
    </message>
    <message>
        <source>reduce-scatter, %1 sent</source>
        <translation>reduce-scatter，发送 %1</translation>
    </message>
    <message>
        <source>all-gather, %1 sent</source>
        <translation>all-gather，发送 %1</translation>
    </message>
    <message>
        <source>Collectives of %1</source>
        <translation>%1 的集合通信</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>%1 collectives over the shards: %2 µs waiting for other shards, %3 µs adding and transferring (%4 of the box together), %5 sent.</source>
        <translation>各分片之间 %1 次集合通信：等其他分片 %2 µs，求和与传输 %3 µs（合占方块的 %4），发送 %5。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LegendBar</name>
    <message>
        <source>Show or hide (%1)</source>
        <translation>显示或隐藏 (%1)</translation>
    </message>
    <message>
        <source>Follow: on</source>
        <translation>跟随：开</translation>
    </message>
    <message>
        <source>Follow: off</source>
        <translation>跟随：关</translation>
    </message>
    <message>
        <source>Colours: %1</source>
        <translation>配色：%1</translation>
    </message>
    <message>
        <source>By operation, a rank&apos;s chunks by their shade; the next ones with C</source>
        <translation>按操作着色，同一 Rank 的模型块以深浅区分；按 C 换下一种</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>What else the picture shows</source>
        <translation>图中的其他记号</translation>
    </message>
    <message>
        <source>Draw these operations pale, or not; the iteration's numbers stay</source>
        <translation>让这些操作变淡或恢复；迭代的数值不变</translation>
    </message>
    <message>
        <source>Show each new iteration as it runs; the zoom stays (Shift+F)</source>
        <translation>随运行显示每个新的迭代；缩放保持不变（Shift+F）</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Handout</name>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>What to look at</source>
        <translation>看哪里</translation>
    </message>
    <message>
        <source>Follow-up</source>
        <translation>追问</translation>
    </message>
    <message>
        <source>Interview, 30 seconds</source>
        <translation>面试，30 秒</translation>
    </message>
    <message>
        <source>Symbols</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>symbol</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>ranks of the pipeline</source>
        <translation>流水线的 Rank 数</translation>
    </message>
    <message>
        <source>micro-batches of an iteration</source>
        <translation>一次迭代的微批次数</translation>
    </message>
    <message>
        <source>chunks per rank</source>
        <translation>每个 Rank 的模型块数</translation>
    </message>
    <message>
        <source>forward and backward of a stage, and their times</source>
        <translation>一个阶段的前向和反向，以及它们的时间</translation>
    </message>
    <message>
        <source>halves of B: gradient of the input, of the weights</source>
        <translation>B 的两半：输入的梯度、权重的梯度</translation>
    </message>
    <message>
        <source>a rank, from 0</source>
        <translation>某个 Rank，从 0 数起</translation>
    </message>
    <message>
        <source>latency of a message</source>
        <translation>一条消息的延迟</translation>
    </message>
    <message>
        <source>equal stages, free link</source>
        <translation>各阶段等长，链路不花时间</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>一次迭代</translation>
    </message>
    <message>
        <source>bubble of ideal</source>
        <translation>气泡，相对理想时间</translation>
    </message>
    <message>
        <source>in flight on rank r, 1F1B</source>
        <translation>1F1B 中 Rank r 的在途数</translation>
    </message>
    <message>
        <source>bubble of total, interleaved</source>
        <translation>交错式的气泡，占总时间</translation>
    </message>
    <message>
        <source>Lesson %1</source>
        <translation>第 %1 课</translation>
    </message>
    <message>
        <source>durations pooled over %1</source>
        <translation>耗时由 %1 合并</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>Draw your guess</source>
        <translation>画出你的猜测</translation>
    </message>
    <message>
        <source>bubble, %</source>
        <translation>气泡，%</translation>
    </message>
    <message>
        <source>theory, %</source>
        <translation>理论值，%</translation>
    </message>
    <message>
        <source>in flight, rank 0</source>
        <translation>在途，Rank 0</translation>
    </message>
    <message>
        <source>peak, rank 0, MB</source>
        <translation>峰值，Rank 0，MB</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>× %1: %2</source>
        <comment>a wrong choice and why it is wrong</comment>
        <translation>× %1：%2</translation>
    </message>
    <message>
        <source>builds on</source>
        <translation>先修</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>Cannot write %1: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Wrote %1: %2 pages.</source>
        <translation>已写入 %1：共 %2 页。</translation>
    </message>
    <message>
        <source>Wrote %1: %2, runs A to %3.</source>
        <translation>已写入 %1：%2，运行 A 到 %3。</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>试过的结果</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a further run and what it shows</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LessonController</name>
    <message>
        <source>The numbers are those of this run&apos;s median iteration.</source>
        <translation>数字取自本次运行的中位迭代。</translation>
    </message>
    <message>
        <source>The numbers are those of each run&apos;s median iteration.</source>
        <translation>数字取自各次运行的中位迭代。</translation>
    </message>
    <message>
        <source>Runs of equal stages share their durations.</source>
        <translation>阶段相同的运行共用同一组耗时。</translation>
    </message>
    <message>
        <source>Basics</source>
        <translation>入门</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Balance</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>Zero bubble</source>
        <translation>零气泡</translation>
    </message>
    <message>
        <source>Asynchronous training and scale</source>
        <translation>异步与规模</translation>
    </message>
    <message>
        <source>Progress was not saved: %1</source>
        <translation>学习进度没有保存：%1</translation>
    </message>
    <message>
        <source> and </source>
        <comment>between the names of runs</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>name and title of a run</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 is drawn now, %2 after your guess. Before you answer, imagine where the covered boxes and gaps will be.</source>
        <translation>现在画出的是 %1；%2 猜完再揭开。回答之前，先想一想被盖住的方块和空隙会在哪里。</translation>
    </message>
    <message>
        <source>%1 is drawn after your guess. Before you answer, imagine where its boxes and gaps will be.</source>
        <translation>%1 猜完再揭开。回答之前，先想一想它的方块和空隙会在哪里。</translation>
    </message>
    <message>
        <source>iteration %1 of %2</source>
        <translation>迭代 %1 / %2</translation>
    </message>
    <message>
        <source>Other programs ran on this machine during the run.</source>
        <translation>运行期间机器上还有其他程序。</translation>
    </message>
    <message>
        <source>In flight, most at one time</source>
        <translation>同时在途的微批次，最多</translation>
    </message>
    <message>
        <source>your settings come back after the lesson</source>
        <translation>课程结束后恢复你的设置</translation>
    </message>
    <message>
        <source>lesson %1, “%2”</source>
        <translation>第 %1 课《%2》</translation>
    </message>
    <message>
        <source> and </source>
        <comment>between lessons</comment>
        <translation>和</translation>
    </message>
    <message>
        <source>Builds on %1.</source>
        <translation>请先学%1。</translation>
    </message>
    <message>
        <source>%1 of run %2: bubble %3.</source>
        <translation>运行 %2 的 %1：气泡 %3。</translation>
    </message>
    <message>
        <source>Sweep: m = %1 at %2 samples</source>
        <translation>扫描：m = %1，%2 个样本</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between parts of a sentence</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>puzzle level “%1”</source>
        <translation>拼图关卡“%1”</translation>
    </message>
    <message>
        <source>sheet of lesson %1</source>
        <translation>第 %1 课的习题页</translation>
    </message>
    <message numerus="yes">
        <source>Then %n interview cards.</source>
        <translation>
            <numerusform>然后是 %n 张面试卡片。</numerusform>
        </translation>
    </message>
    <message>
        <source>Homework: %1.</source>
        <translation>作业：%1。</translation>
    </message>
    <message>
        <source>At the end: the quiz.</source>
        <translation>最后：测验。</translation>
    </message>
    <message>
        <source>To read: %1.</source>
        <translation>阅读：%1。</translation>
    </message>
    <message>
        <source>%1 of %2 iterations have run.</source>
        <translation>%2 次迭代已跑完 %1 次。</translation>
    </message>
    <message>
        <source>The numbers settle while you read.</source>
        <translation>读的时候，数字会随运行更新，直到跑完。</translation>
    </message>
    <message>
        <source>The numbers are predicted; they settle while you read.</source>
        <translation>目前的数字是预测值；读的时候会随运行更新，直到跑完。</translation>
    </message>
    <message>
        <source>The numbers of %1 are predicted; all settle while you read.</source>
        <translation>%1 的数字目前是预测值；读的时候，各项数字会随运行更新，直到跑完。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LessonList</name>
    <message>
        <source>✓ right</source>
        <translation>✓ 一次答对</translation>
    </message>
    <message>
        <source>◐ done</source>
        <translation>◐ 已学过</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Look, guess, then see: numbers come from runs made here, or are marked as predicted.</source>
        <translation>先看图，再猜，然后揭晓：数字来自这里的真实运行，否则会注明是预测。</translation>
    </message>
    <message>
        <source>%1 lessons, about %2 minutes together.</source>
        <translation>共 %1 课，约 %2 分钟。</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>builds on %1</source>
        <translation>先学第 %1 课</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LessonWalk</name>
    <message>
        <source>Right: %1</source>
        <translation>答对了：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PresentedLesson</name>
    <message>
        <source>Story</source>
        <translation>背景</translation>
    </message>
    <message>
        <source>What to look at</source>
        <translation>看哪里</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>揭晓</translation>
    </message>
    <message>
        <source>Right: %1</source>
        <translation>正确答案：%1</translation>
    </message>
    <message>
        <source>Your guess: %1</source>
        <translation>你的猜测：%1</translation>
    </message>
    <message>
        <source>Your estimate</source>
        <translation>你的估计</translation>
    </message>
    <message>
        <source>Where the numbers come from</source>
        <translation>数值来源</translation>
    </message>
    <message>
        <source>Follow-up</source>
        <translation>追问</translation>
    </message>
    <message>
        <source>Interview, 30 seconds</source>
        <translation>面试 30 秒</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>动手验证</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>page %1 of %2</source>
        <translation>第 %1 / %2 页</translation>
    </message>
    <message>
        <source>R: run again</source>
        <translation>R：重跑</translation>
    </message>
    <message>
        <source>→ next   ← back   C curtain   B black   L 中文   Esc</source>
        <translation>→ 下一页   ← 上一页   C 揭幕   B 黑屏   L English   Esc</translation>
    </message>
    <message>
        <source>To read</source>
        <translation>延伸阅读</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LessonPanel</name>
    <message>
        <source>Run again</source>
        <translation>重跑</translation>
    </message>
    <message>
        <source>Lesson %1 of %2</source>
        <translation>课程 %1 / %2</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>全部课程</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>看图</translation>
    </message>
    <message>
        <source>Guess</source>
        <translation>猜</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>揭晓</translation>
    </message>
    <message>
        <source>Follow-up</source>
        <translation>追问</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>背景</translation>
    </message>
    <message>
        <source>What to look at</source>
        <translation>看哪里</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>after these iterations</source>
        <translation>等这些迭代运行完</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>动手验证</translation>
    </message>
    <message>
        <source>Interview, 30 seconds</source>
        <translation>面试 30 秒</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>your guess</source>
        <translation>你的猜测</translation>
    </message>
    <message>
        <source>your guess, right</source>
        <translation>你猜对了</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一步：%1</translation>
    </message>
    <message>
        <source>Guess first</source>
        <translation>请先猜</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>To read</source>
        <translation>延伸阅读</translation>
    </message>
    <message>
        <source>Marked in the picture: %1 of %2  M</source>
        <translation>图中标记：第 %1 处，共 %2 处  M</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LossPlot</name>
    <message>
        <source>Loss %1</source>
        <translation>损失 %1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Baseline</name>
    <message>
        <source>baseline %1: bubble %2, tokens/s %3</source>
        <translation>基线 %1：气泡 %2，tokens/s %3</translation>
    </message>
    <message>
        <source>baseline %1: bubble %2, iteration %3</source>
        <translation>基线 %1：气泡 %2，迭代时间 %3</translation>
    </message>
    <message>
        <source>%1 (noise unknown)</source>
        <translation>%1（波动未知）</translation>
    </message>
    <message>
        <source>; bubble %1 → %2</source>
        <translation>；气泡 %1 → %2</translation>
    </message>
    <message>
        <source>baseline %1: the last complete iteration</source>
        <translation>基线 %1：最近跑完的一次迭代</translation>
    </message>
    <message>
        <source>baseline %1: this iteration</source>
        <translation>基线 %1：就是这次迭代</translation>
    </message>
    <message>
        <source>no difference (within %1 pt)</source>
        <translation>无差异（%1 个百分点以内）</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ConnectDialog</name>
    <message>
        <source>Connect to an engine</source>
        <translation>连接引擎</translation>
    </message>
    <message>
        <source>Host and port</source>
        <translation>主机和端口</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Host and port are needed, for example gpu-server:7070.</source>
        <translation>需要主机和端口，例如 gpu-server:7070。</translation>
    </message>
    <message>
        <source>Start an engine on that machine, then enter its address here, or the URL that it prints:

bscope serve --listen 127.0.0.1:7070 --show-url

Through ssh -L 7070:127.0.0.1:7070 it is localhost:7070.</source>
        <translation>在那台机器上启动引擎，然后在这里输入它的地址，或粘贴它打印的 URL：

bscope serve --listen 127.0.0.1:7070 --show-url

通过 ssh -L 7070:127.0.0.1:7070 连接时，地址是 localhost:7070。</translation>
    </message>
    <message>
        <source>from the file that the engine prints when it starts</source>
        <translation>见引擎启动时给出的文件</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Notices</name>
    <message>
        <source> … (%1 more characters)</source>
        <translation> …（另有 %1 个字符）</translation>
    </message>
    <message>
        <source>Connect again</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>%1 cannot run.</source>
        <translation>“%1”不能运行。</translation>
    </message>
    <message>
        <source>This scenario</source>
        <translation>这个场景</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Iteration %1 is the last complete one.</source>
        <translation>最近一次完整的是第 %1 次迭代。</translation>
    </message>
    <message>
        <source>Reconnect now</source>
        <translation>立即重连</translation>
    </message>
    <message>
        <source>Restart from the saved state</source>
        <translation>从保存的状态重新启动</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>The engine cannot run this configuration.</source>
        <translation>引擎无法运行这个配置。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FileController</name>
    <message>
        <source>%1 does not exist yet: waiting for ranks: %2 of %3 have written</source>
        <translation>%1 尚不存在：正在等待 Rank，%3 个中已有 %2 个写入</translation>
    </message>
    <message>
        <source>%1: waiting for ranks: %2 of %3 have written</source>
        <translation>%1：正在等待 Rank，%3 个中已有 %2 个写入</translation>
    </message>
    <message>
        <source>%1: waiting for the first whole iteration</source>
        <translation>%1：正在等待第一次完整的迭代</translation>
    </message>
    <message>
        <source>Which replica?</source>
        <translation>哪个副本？</translation>
    </message>
    <message>
        <source>Replica %1: ranks %2</source>
        <translation>副本 %1：Rank %2</translation>
    </message>
    <message>
        <source>%1 contains %2 replicas of the pipeline, which ran at the same time. One is shown at a time.</source>
        <translation>%1 中有 %2 个并行运行的流水线副本，一次显示其中一个。</translation>
    </message>
    <message>
        <source>Reading %1: %2 %</source>
        <translation>正在读取 %1：%2 %</translation>
    </message>
    <message>
        <source>Import the run in a folder</source>
        <translation>导入文件夹中的运行</translation>
    </message>
    <message>
        <source>recording to %1</source>
        <translation>正在录制到 %1</translation>
    </message>
    <message>
        <source>not recording</source>
        <translation>未录制</translation>
    </message>
    <message>
        <source>an imported run</source>
        <translation>导入的运行</translation>
    </message>
    <message>
        <source>a recording</source>
        <translation>录制文件</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Choose a recording (.bscope), a scenario (.json) or a schedule (.csv).</source>
        <translation>请选择录制文件（.bscope）、场景（.json）或调度（.csv）。</translation>
    </message>
    <message>
        <source>Open recording, scenario, schedule or trace</source>
        <translation>打开录制文件、场景、调度或跟踪文件</translation>
    </message>
    <message>
        <source>Recordings, scenarios, schedules and traces (*.bscope *.json *.csv *.tsv *.txt *.gz *.sqlite *.db *.jsonl *.pftrace);;All files (*)</source>
        <translation>录制文件、场景、调度和跟踪文件 (*.bscope *.json *.csv *.tsv *.txt *.gz *.sqlite *.db *.jsonl *.pftrace);;所有文件 (*)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>Record to a file</source>
        <translation>录制到文件</translation>
    </message>
    <message>
        <source>Recordings (*.bscope)</source>
        <translation>录制文件 (*.bscope)</translation>
    </message>
    <message>
        <source>States are files on the engine&apos;s machine, and this window has no running engine.</source>
        <translation>状态文件存放在引擎所在的机器上，而本窗口当前没有引擎在运行。</translation>
    </message>
    <message>
        <source>Press Run first.</source>
        <translation>请先按“运行”。</translation>
    </message>
    <message>
        <source>States (*.safetensors)</source>
        <translation>状态文件 (*.safetensors)</translation>
    </message>
    <message>
        <source>Save weights and optimizer</source>
        <translation>保存权重与优化器状态</translation>
    </message>
    <message>
        <source>Load weights and optimizer</source>
        <translation>载入权重与优化器状态</translation>
    </message>
    <message>
        <source>updated as the file grows</source>
        <translation>随文件增长而更新</translation>
    </message>
    <message>
        <source>Save the recording</source>
        <translation>录制另存为</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>已保存：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LookActions</name>
    <message>
        <source>Colours: %1; forward light, backward dark</source>
        <translation>配色：%1；前向浅，反向深</translation>
    </message>
    <message>
        <source>Colours: %1; by operation, a rank&apos;s chunks by their shade</source>
        <translation>配色：%1；按操作着色，同一 Rank 的模型块以深浅区分</translation>
    </message>
</context>
<context>
    <name>bscope::ui::StatusController</name>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>watching only</source>
        <translation>仅观看</translation>
    </message>
</context>
<context>
    <name>bscope::ui::CopyNotice</name>
    <message>
        <source>Picture copied</source>
        <translation>图片已复制</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::TimelineController</name>
    <message>
        <source>Export gaps and causes</source>
        <translation>导出空隙及原因</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n gaps</source>
        <translation>
            <numerusform>%1：%n 段空隙</numerusform>
        </translation>
    </message>
    <message>
        <source>Starting engine, %1 s</source>
        <translation>正在启动引擎，%1 s</translation>
    </message>
    <message>
        <source>Pausing after this iteration</source>
        <translation>本次迭代结束后暂停</translation>
    </message>
    <message>
        <source>Paused at %1</source>
        <translation>停在第 %1 次迭代</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>from here %1</source>
        <translation>从这里起 %1</translation>
    </message>
    <message>
        <source>disturbed</source>
        <translation>受干扰</translation>
    </message>
    <message>
        <source>Click for calibrated durations: medians in place of single ones.</source>
        <translation>单击改用校准后的耗时：以中位数代替单次耗时。</translation>
    </message>
    <message>
        <source>what if ×</source>
        <translation>假设分析 ×</translation>
    </message>
    <message>
        <source>A plan with the costs of the run. Click to see the run again.</source>
        <translation>按该运行的耗时得出的计划。单击可回到该运行。</translation>
    </message>
    <message>
        <source>Calibrated durations: the median of each stage and operation over the last iterations, 8 at most</source>
        <translation>校准后的耗时：每个阶段、每种操作取最近若干次（最多 8 次）迭代的中位数</translation>
    </message>
    <message>
        <source>filter: %1 ×</source>
        <translation>筛选：%1 ×</translation>
    </message>
    <message>
        <source>filter ×</source>
        <translation>筛选 ×</translation>
    </message>
    <message>
        <source>Pale: what the filter leaves out (%1).</source>
        <translation>变淡的是被筛掉的部分（%1）。</translation>
    </message>
    <message>
        <source>The iteration&apos;s numbers cover everything; a measured range states which of its numbers are filtered. Click to show everything (Esc).</source>
        <translation>迭代的数值始终针对全部操作；选区的数值会注明哪些只针对筛选结果。单击恢复全部显示（Esc）。</translation>
    </message>
    <message>
        <source>No events of such an iteration are kept</source>
        <translation>没有保留任何这样的迭代的事件</translation>
    </message>
    <message>
        <source>Iteration %1 is nearest to the median of %2 iterations, %3</source>
        <translation>第 %1 次迭代最接近 %2 次迭代的中位数 %3</translation>
    </message>
    <message>
        <source>costs by hand ×</source>
        <translation>手工耗时 ×</translation>
    </message>
    <message>
        <source>by hand ×</source>
        <translation>手工 ×</translation>
    </message>
    <message>
        <source>A plan with costs given by hand. Click to see the run again.</source>
        <translation>按手工给定的耗时推演的计划。单击可回到运行。</translation>
    </message>
    <message>
        <source>playing ×</source>
        <translation>播放中 ×</translation>
    </message>
    <message>
        <source>played up to here ×</source>
        <translation>播放到此 ×</translation>
    </message>
    <message>
        <source>play ×</source>
        <translation>播放 ×</translation>
    </message>
    <message>
        <source>This iteration is not complete yet: J shows the one before</source>
        <translation>本次迭代尚未完成：按 J 显示上一次</translation>
    </message>
    <message>
        <source>More than the training runs on this machine (this window, too): durations are now medians of up to 8 iterations. “calibrated”, above, switches back to single ones.</source>
        <translation>除了训练，这台机器上还有其他程序在运行（本窗口也算）：耗时改用最多 8 次迭代的中位数。点上方的“已校准”可换回单次耗时。</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>已校准</translation>
    </message>
    <message>
        <source>Every duration is the median of its stage and operation over the last iterations, 8 at most.</source>
        <translation>每个耗时都是同一阶段、同一操作在最近若干次（最多 8 次）迭代中的中位数。</translation>
    </message>
    <message>
        <source>Click for raw durations, as they were timed.</source>
        <translation>单击换回原始耗时，即实际计时的结果。</translation>
    </message>
    <message>
        <source>Raw durations, as they were timed, until another run begins</source>
        <translation>原始耗时，即实际计时的结果；直到开始另一次运行</translation>
    </message>
    <message>
        <source>the plan of %1 ×</source>
        <translation>%1 的计划 ×</translation>
    </message>
    <message>
        <source>plan ×</source>
        <translation>计划 ×</translation>
    </message>
    <message>
        <source>The plan that was asked for. Click to see the run again.</source>
        <translation>所要查看的计划。单击可回到该运行。</translation>
    </message>
    <message>
        <source>The iteration as it was at the time of the line, which can be dragged along the ruler; Shift+P plays and pauses, Alt+. and Alt+, step, with Shift by whole micro-batches. Click to see all of it again.</source>
        <translation>迭代在竖线所示时刻的样子；可沿标尺拖动竖线；Shift+P 播放或暂停，Alt+. 与 Alt+, 单步，加 Shift 则按整个微批次走。单击重新显示整次迭代。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PuzzleController</name>
    <message>
        <source>Open a grid</source>
        <translation>打开表格</translation>
    </message>
    <message>
        <source>Schedules (*.csv *.tsv *.txt);;All files (*)</source>
        <translation>调度 (*.csv *.tsv *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the grid</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Schedules (*.csv)</source>
        <translation>调度 (*.csv)</translation>
    </message>
    <message>
        <source>All levels start again; the old file is kept as %1.</source>
        <translation>所有关卡重新开始；原文件保留为 %1。</translation>
    </message>
    <message>
        <source>Solved levels are not saved.</source>
        <translation>关卡的完成情况不会保存。</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>This cannot be trained now: the main window shows the reason.</source>
        <translation>现在不能训练：原因见主窗口。</translation>
    </message>
    <message>
        <source>Training did not start: the main window shows the reason.</source>
        <translation>训练没有开始：原因见主窗口。</translation>
    </message>
    <message>
        <source>Training with this schedule; its iteration appears here once it is complete.</source>
        <translation>正在用这个调度训练；一次迭代完成后显示在这里。</translation>
    </message>
    <message>
        <source>Trained, iteration %1: bubble %2. Planned with the durations of that run: %3; the textbook&apos;s %4: %5.</source>
        <translation>已训练，第 %1 次迭代：气泡 %2。按该次运行的耗时预测：%3；教科书的 %4：%5。</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>这里不能运行</translation>
    </message>
    <message>
        <source>Build your own schedule</source>
        <translation>自己搭一个调度</translation>
    </message>
    <message>
        <source>Place every operation on its rank; three stars for the fewest steps. What is built can be trained.</source>
        <translation>把每个操作放到它的 Rank 上；步数最少可得三星。搭好的调度可以直接训练。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PuzzleDialog</name>
    <message>
        <source>%1 belongs to rank %2, which holds its stage.</source>
        <translation>%1 属于 Rank %2：它的阶段放在那里。</translation>
    </message>
    <message>
        <source>This level has whole backwards only.</source>
        <translation>本关只有完整的反向。</translation>
    </message>
    <message>
        <source>None of these is left on this rank.</source>
        <translation>这个 Rank 上已经没有这种操作可放了。</translation>
    </message>
    <message>
        <source>Possible next: %1 at the end of rank %2.</source>
        <translation>接下来可以放：%1，放在 Rank %2 的末尾。</translation>
    </message>
    <message>
        <source>Everything is placed. To shorten it, move operations of the critical path.</source>
        <translation>全部放好了。要缩短，请移动关键路径上的操作。</translation>
    </message>
    <message>
        <source>Within the memory cap of this level, nothing can be placed at the end of any rank. Move a backward to an earlier place, or undo.</source>
        <translation>在本关的内存上限之内，任何 Rank 的末尾都放不下操作了。请把某个反向提前，或撤销。</translation>
    </message>
    <message>
        <source>It can train once everything is placed.</source>
        <translation>全部放好之后才能训练。</translation>
    </message>
    <message>
        <source> (%1 allowed)</source>
        <translation>（最多 %1）</translation>
    </message>
    <message>
        <source>Steps %1 (par %2)  ·  idle %3, bubble %4  ·  most in flight on each rank: %5%6</source>
        <translation>%1 步（最佳 %2）  ·  空闲 %3，气泡 %4  ·  各 Rank 在途最多：%5%6</translation>
    </message>
    <message>
        <source>Build your own schedule</source>
        <translation>自己搭一个调度</translation>
    </message>
    <message>
        <source>F, I and W take 1 step, B takes 2; messages take none: predicted, nothing ran.</source>
        <translation>F、I、W 各占 1 步，B 占 2 步，消息不占时间：这是预测，没有运行任何东西。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Hint  H</source>
        <translation>提示  H</translation>
    </message>
    <message>
        <source>Why not shorter?  G</source>
        <translation>为何不能更短？  G</translation>
    </message>
    <message>
        <source>Start from…  S</source>
        <translation>起点…  S</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Train it  T</source>
        <translation>开始训练  T</translation>
    </message>
    <message>
        <source>In the grid: arrow keys move the caret; F, B, I, W place the next operation of that kind there; Delete removes one; Ctrl with an arrow key moves one; Page keys change the level. Below the grid are the operations left for the caret&apos;s rank: click one, press Enter, or drag it to the grid; drag it back to remove it. Underlined: the critical path.</source>
        <translation>在表格里：方向键移动光标，F、B、I、W 在光标处放下一个相应的操作，Delete 移除，Ctrl 加方向键移动，PageUp、PageDown 换关卡。表格下面是光标所在 Rank 还没放的操作：单击、按回车或拖到表格里；拖回来就移除。下划线：关键路径。</translation>
    </message>
    <message>
        <source>Empty grid</source>
        <translation>空表格</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PuzzleTray</name>
    <message>
        <source>Nothing is left to place on this rank.</source>
        <translation>这个 Rank 的操作都放好了。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::MeasureJob</name>
    <message>
        <source>The runs could not be started: %1.</source>
        <translation>无法开始运行：%1。</translation>
    </message>
    <message>
        <source>Check that the program bscope is installed beside this one.</source>
        <translation>请检查程序 bscope 是否与本程序装在同一处。</translation>
    </message>
    <message>
        <source>The runs ended by themselves with exit code %1.</source>
        <translation>运行自行结束，退出码 %1。</translation>
    </message>
    <message>
        <source>The runs ended unexpectedly.</source>
        <translation>运行意外结束。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::QuizGrids</name>
    <message>
        <source>What is right</source>
        <translation>正确的情形</translation>
    </message>
    <message>
        <source>Where your answer would be right</source>
        <translation>你的答案对应的情形</translation>
    </message>
</context>
<context>
    <name>bscope::ui::QuizDialog</name>
    <message>
        <source>No time limit  T</source>
        <translation>不限时  T</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>还剩 %1</translation>
    </message>
    <message>
        <source>time is up after %1: %2 of %3 answered</source>
        <translation>限时 %1 已到：%3 题答了 %2 题</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>用时 %1，限时 %2</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>your answer</source>
        <translation>你的答案</translation>
    </message>
    <message>
        <source>The mistake: %1</source>
        <translation>错在：%1</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>答对了。</translation>
    </message>
    <message>
        <source>Possible misconceptions</source>
        <translation>可能的误解</translation>
    </message>
    <message>
        <source>avoided</source>
        <translation>避开</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 次中 %1 次</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>测验</translation>
    </message>
    <message>
        <source>Quiz %1</source>
        <translation>测验 %1</translation>
    </message>
    <message>
        <source>Question %1 of %2</source>
        <translation>第 %1 题，共 %2 题</translation>
    </message>
    <message>
        <source>%1 of %2 right</source>
        <translation>%2 题答对 %1 题</translation>
    </message>
    <message>
        <source>Show me  S</source>
        <translation>演示  S</translation>
    </message>
    <message>
        <source>Another quiz  Enter</source>
        <translation>再来一套  回车</translation>
    </message>
    <message>
        <source>Next  Enter</source>
        <translation>下一题  回车</translation>
    </message>
    <message>
        <source>Keys 1 to %1. F = 1, B = 2 (I = W = 1) and a free link unless the question says otherwise.</source>
        <translation>按 1 到 %1 作答。除非题目另有说明，F = 1、B = 2（I = W = 1），链路不花时间。</translation>
    </message>
    <message>
        <source>Back to the options  S</source>
        <translation>回到选项  S</translation>
    </message>
    <message>
        <source>In the window  W</source>
        <translation>在窗口中看  W</translation>
    </message>
</context>
<context>
    <name>bscope::ui::MainWindow</name>
    <message>
        <source>%1 cannot run with these p, v and m</source>
        <translation>在当前的 p、v、m 下，%1 无法运行</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::HelpController</name>
    <message>
        <source>Bubblescope %1: a real pipeline, live.</source>
        <translation>Bubblescope %1：真实的流水线，实时可见。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::MemorySection</name>
    <message>
        <source>Including activations, a rank holds at most %1 MB.</source>
        <translation>连同激活内存，每个 Rank 最多占用 %1 MB。</translation>
    </message>
    <message>
        <source>%1 without checkpointing</source>
        <translation>无重计算 %1</translation>
    </message>
    <message>
        <source>%1 with full checkpointing</source>
        <translation>完全重计算 %1</translation>
    </message>
    <message>
        <source>%1 with selective checkpointing</source>
        <translation>选择性重计算 %1</translation>
    </message>
    <message>
        <source>Predicted largest peak: %1.</source>
        <translation>预测的最大峰值：%1。</translation>
    </message>
    <message>
        <source>Peak activation memory</source>
        <translation>激活内存峰值</translation>
    </message>
    <message>
        <source>cap %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>The change leaves the largest peak at %1.</source>
        <translation>更改后最大峰值仍为 %1。</translation>
    </message>
    <message>
        <source>Largest peak %1 → %2</source>
        <translation>最大峰值 %1 → %2</translation>
    </message>
    <message>
        <source>Of the weights, %1 MB are older versions.</source>
        <translation>其中旧版本权重 %1 MB。</translation>
    </message>
    <message>
        <source>What the GPU&apos;s driver reports as used at the end of the iteration: by this run with its weights, libraries and contexts, and by every other program.</source>
        <translation>迭代结束时 GPU 驱动报告的已用显存：包括本次运行的权重、库和上下文，以及所有其他程序。</translation>
    </message>
    <message>
        <source>In use on each GPU, other programs included: %1</source>
        <translation>每块 GPU 已用显存（含其他程序）：%1</translation>
    </message>
    <message>
        <source>In use on each GPU, other programs included: %1 to %2</source>
        <translation>每块 GPU 已用显存（含其他程序）：%1 到 %2</translation>
    </message>
    <message>
        <source>In addition, per rank: weights %1, gradients %2, Adam %3, buffers %4 MB.</source>
        <translation>另计（每个 Rank）：权重 %1、梯度 %2、Adam %3、缓冲区 %4 MB。</translation>
    </message>
    <message>
        <source>Most chunks in flight</source>
        <translation>在途模型块最多</translation>
    </message>
    <message>
        <source>Most micro-batches in flight</source>
        <translation>在途微批次最多</translation>
    </message>
    <message>
        <source>Reserved for activations, per rank: %1 MB, of which at most %2 MB are in use.</source>
        <translation>每个 Rank 为激活值预留 %1 MB，其中最多同时使用 %2 MB。</translation>
    </message>
    <message>
        <source>The memory reserved for activations is unknown: this recording is from a version that did not record it.</source>
        <translation>为激活值预留的内存未知：这份录制出自尚不记录此项的版本。</translation>
    </message>
    <message>
        <source>Counted by the arena that holds a rank&apos;s activations: what it has taken from the device, in whole blocks, by the end of the iteration. It returns nothing, so later iterations need not allocate memory.</source>
        <translation>由存放该 Rank 激活值的内存池计数：到迭代结束时，它按整块从设备取得的内存。内存池不归还内存，后面的迭代就不必再申请。</translation>
    </message>
    <message>
        <source>What else a rank holds</source>
        <translation>Rank 上的其他占用</translation>
    </message>
    <message>
        <source>Where a curve ends later, the iteration takes longer: recomputing costs time.</source>
        <translation>曲线结束得更晚，表示迭代更长：重计算要花时间。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::NumbersDock</name>
    <message>
        <source>iteration %1: %2</source>
        <translation>第 %1 次迭代：%2</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>The numbers come after your guess.</source>
        <translation>先猜，猜完再看数字。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PendingStrip</name>
    <message>
        <source>Pending</source>
        <translation>待生效</translation>
    </message>
    <message>
        <source>%1: a new run starts</source>
        <translation>%1：将重新训练</translation>
    </message>
    <message>
        <source>%1, from iteration %2</source>
        <translation>%1，第 %2 次迭代起</translation>
    </message>
    <message>
        <source>bubble %1 → %2</source>
        <translation>气泡 %1 → %2</translation>
    </message>
    <message>
        <source>throughput %1</source>
        <translation>吞吐 %1</translation>
    </message>
    <message>
        <source>iteration %1 → %2</source>
        <translation>迭代 %1 → %2</translation>
    </message>
    <message>
        <source>peak unchanged</source>
        <translation>峰值不变</translation>
    </message>
    <message>
        <source>peak %1 → %2</source>
        <translation>峰值 %1 → %2</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>bright: new ones</source>
        <translation>亮色：新增的微批次</translation>
    </message>
    <message>
        <source>v = %1 is the only v of %2</source>
        <translation>%2 只能用 v = %1</translation>
    </message>
    <message>
        <source>v = %1 is the usual v of %2</source>
        <translation>v = %1 是 %2 的常用值</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PlacementPicture</name>
    <message>
        <source>copy %1</source>
        <translation>副本 %1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ProblemChip</name>
    <message>
        <source>%1 (and %2 more)</source>
        <translation>%1（另有 %2 处）</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>改用 %1</translation>
    </message>
    <message>
        <source>Use the nearest legal values</source>
        <translation>改用最近的合法值</translation>
    </message>
</context>
<context>
    <name>bscope::ui::RankPicture</name>
    <message>
        <source>%1 ranks: one column per stage, one row per replica. Point at a rank, or move with the arrow keys.</source>
        <translation>共 %1 个 Rank：每列一个阶段，每行一个副本。把指针移到某个 Rank 上，或用方向键移动。</translation>
    </message>
    <message>
        <source>Rank %1: stage %2, replica %3. Exchanges activations among %4; reduces gradients with %5.</source>
        <translation>Rank %1：阶段 %2，副本 %3。在 %4 之间传递激活值；在 %5 之间归约梯度。</translation>
    </message>
    <message>
        <source>replica %1</source>
        <translation>副本 %1</translation>
    </message>
    <message>
        <source>%1 ranks: one column per stage, one row per replica and shard. Point at a rank, or move with the arrow keys.</source>
        <translation>共 %1 个 Rank：每列一个阶段，每行一个副本的一个分片。把指针移到某个 Rank 上，或用方向键移动。</translation>
    </message>
    <message>
        <source>Shard %1: computes its stage together with %2.</source>
        <translation>分片 %1：与 %2 一起计算该阶段。</translation>
    </message>
    <message>
        <source>shard %1</source>
        <translation>分片 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>replica, shard</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>bscope::ui::RateSection</name>
    <message>
        <source>Iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>→ predicted %1</source>
        <translation>→ 预测 %1</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>Launch gaps: %1 of the operations&apos; time.</source>
        <translation>启动间隙：占操作时间的 %1。</translation>
    </message>
    <message>
        <source>Tracing costs %1, measured by leaving it off one iteration in %2.</source>
        <translation>跟踪开销 %1，每 %2 次迭代关掉跟踪一次测得。</translation>
    </message>
    <message>
        <source>Iteration time with tracing over iteration time without it, minus 1.</source>
        <translation>开跟踪的迭代时间除以不开的，再减 1。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::StreamRecorder</name>
    <message>
        <source>The recording could not be started: %1.</source>
        <translation>无法开始录制：%1。</translation>
    </message>
    <message>
        <source>Choose another file or folder.</source>
        <translation>请换个文件或文件夹。</translation>
    </message>
    <message>
        <source>Recording to %1 stopped: the file could not be written.</source>
        <translation>录制到 %1 已停止：文件无法写入。</translation>
    </message>
    <message>
        <source>Make room on the disk or choose another folder; the run goes on, and what was written can be opened.</source>
        <translation>请腾出磁盘空间或换个文件夹；运行仍在继续，已写入的部分可以打开。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Replayer</name>
    <message>
        <source>it holds no iteration</source>
        <translation>里面没有迭代</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2.</source>
        <translation>无法打开 %1：%2。</translation>
    </message>
    <message>
        <source>Choose a file that Bubblescope recorded.</source>
        <translation>请选择由 Bubblescope 录制的文件。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ScheduleController</name>
    <message>
        <source>Choose the flight recorder dumps of a program: a file for each rank, or their folder.</source>
        <translation>请选择一个程序的 flight recorder 转储：每个 Rank 一个文件，或它们所在的文件夹。</translation>
    </message>
    <message>
        <source>The dumps are of other ranks than the schedule shown, so there is no grid for them.</source>
        <translation>这些转储的 Rank 与所示的调度不同，因此没有它们的网格。</translation>
    </message>
    <message>
        <source>The system cannot create a thread for the search.</source>
        <translation>系统无法为搜索创建线程。</translation>
    </message>
    <message>
        <source>There is not enough memory for the search.</source>
        <translation>内存不足，无法完成搜索。</translation>
    </message>
    <message>
        <source>Close other programs, or search with fewer ranks or micro-batches.</source>
        <translation>请关闭其他程序，或减少 Rank 数或微批次数后再搜索。</translation>
    </message>
    <message>
        <source>Close other programs, then search again.</source>
        <translation>请关闭其他程序，然后重新搜索。</translation>
    </message>
    <message>
        <source>This schedule cannot be made here.</source>
        <translation>此处无法生成该调度。</translation>
    </message>
    <message>
        <source>from iteration %1</source>
        <translation>第 %1 次迭代生效</translation>
    </message>
    <message>
        <source>A recording cannot be changed.</source>
        <translation>录制文件不能改动。</translation>
    </message>
    <message>
        <source>Make room on the disk, or choose another folder.</source>
        <translation>请腾出磁盘空间，或换一个文件夹。</translation>
    </message>
    <message>
        <source>A recording is shown: leave it to run this.</source>
        <translation>正在回放录制文件：退出后才能运行。</translation>
    </message>
    <message>
        <source>The engine runs on another machine and cannot read this file.</source>
        <translation>引擎在另一台机器上，读不到这个文件。</translation>
    </message>
    <message>
        <source>A schedule is a CSV file with a row for each rank: 0F0,0F1,0B0,0B1.</source>
        <translation>调度是 CSV 文件，每个 Rank 一行：0F0,0F1,0B0,0B1。</translation>
    </message>
    <message>
        <source>The order could not be written to a file.</source>
        <translation>顺序无法写入文件。</translation>
    </message>
    <message>
        <source>the beginning of the stream</source>
        <translation>流的开头</translation>
    </message>
    <message>
        <source>Close the file to run what was there before.</source>
        <translation>关闭文件后即可运行原先的配置。</translation>
    </message>
    <message>
        <source>%1 cannot run as it is.</source>
        <translation>%1 目前不能运行。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ScheduleList</name>
    <message>
        <source>Type to find: zero bubble, Megatron, v=2</source>
        <translation>输入以查找：零气泡、Megatron、v=2</translation>
    </message>
    <message>
        <source>Find a schedule</source>
        <translation>查找调度</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>From a file</source>
        <translation>来自文件</translation>
    </message>
    <message>
        <source>Backward in one piece</source>
        <translation>反向不拆分</translation>
    </message>
    <message>
        <source>Backward split into I and W (zero bubble)</source>
        <translation>反向拆成 I 和 W（零气泡）</translation>
    </message>
    <message>
        <source>Two copies of the model</source>
        <translation>两份模型副本</translation>
    </message>
    <message>
        <source>Asynchronous, several weight versions</source>
        <translation>异步，多个权重版本</translation>
    </message>
    <message>
        <source>Inference</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>As frameworks call them</source>
        <translation>各框架的叫法</translation>
    </message>
    <message>
        <source>No schedule contains all of these words.</source>
        <translation>没有调度包含所有这些词。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::SchedulePanel</name>
    <message>
        <source>Its schedule</source>
        <translation>它的调度</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the whole explanation</source>
        <translation>复制全部说明</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>This schedule is neither in the catalog nor in a file on this machine. Its order came with the run: the grid shows it.</source>
        <translation>目录中没有这个调度，本机上也没有它的文件。它的顺序随运行一起传来：见网格。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::SearchBar</name>
    <message>
        <source>F12, B3 @2, 12, bubble&gt;5ms, bubble&gt;2F</source>
        <translation>F12、B3 @2、12、bubble&gt;5ms、bubble&gt;2F</translation>
    </message>
    <message>
        <source>Not understood. Try F12, B3 @2 (rank 2), 12, bubble&gt;5ms, bubble&gt;2F</source>
        <translation>看不懂。试试 F12、B3 @2（Rank 2）、12、bubble&gt;5ms、bubble&gt;2F</translation>
    </message>
    <message>
        <source>Nothing found in this iteration</source>
        <translation>本次迭代中没有找到</translation>
    </message>
    <message numerus="yes">
        <source>%n found, Enter goes through them</source>
        <translation>
            <numerusform>找到 %n 处，按 Enter 逐个查看</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Find in this iteration</source>
        <translation>在本次迭代中查找</translation>
    </message>
</context>
<context>
    <name>bscope::ui::SearchSection</name>
    <message>
        <source>Best for these costs</source>
        <translation>针对当前耗时的最优顺序</translation>
    </message>
    <message>
        <source>the durations of the last run</source>
        <translation>按最近一次运行的耗时</translation>
    </message>
    <message>
        <source>estimated costs (nothing ran yet)</source>
        <translation>按估计的耗时（尚未运行）</translation>
    </message>
    <message>
        <source>activations of at most %1 micro-batches on a rank</source>
        <translation>每个 Rank 至多 %1 个微批次的激活值</translation>
    </message>
    <message>
        <source>no memory cap</source>
        <translation>不限内存</translation>
    </message>
    <message>
        <source>The shortest order for p=%1 v=%2 m=%3, %4, %5.</source>
        <translation>p=%1 v=%2 m=%3 的最短顺序，%4，%5。</translation>
    </message>
    <message>
        <source>iteration, %1</source>
        <translation>迭代，%1</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>found</source>
        <translation>找到的</translation>
    </message>
    <message>
        <source>No order with these stages is shorter.</source>
        <translation>在这种阶段划分下没有更短的顺序。</translation>
    </message>
    <message>
        <source>At most %1 longer than the optimum.</source>
        <translation>至多比最优长 %1。</translation>
    </message>
    <message>
        <source>Made by list scheduling</source>
        <translation>由列表调度得到</translation>
    </message>
    <message>
        <source>Made from %1</source>
        <translation>由 %1 改进得到</translation>
    </message>
    <message>
        <source>Searching, %1 s</source>
        <translation>正在搜索，%1 s</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>重新搜索</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>已选用</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>It is not shorter than what runs now.</source>
        <translation>并不比当前运行的更短。</translation>
    </message>
    <message>
        <source>%1. Most chunks in flight on a rank: %2.</source>
        <translation>%1。单个 Rank 最多在途 %2 个模型块。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::EngineStream</name>
    <message>
        <source>The engine sends more messages than can be read: %1 further messages left out.</source>
        <translation>引擎发来的消息太多，来不及阅读：另有 %1 条未显示。</translation>
    </message>
    <message>
        <source>What came from the engine cannot be shown: %1.</source>
        <translation>无法显示引擎发来的内容：%1。</translation>
    </message>
    <message>
        <source>Use the Bubblescope of the same version on both machines.</source>
        <translation>请在两台机器上使用同一版本的 Bubblescope。</translation>
    </message>
    <message>
        <source>This window only watches: another one controls the engine.</source>
        <translation>本窗口只能观看：引擎正由另一个窗口控制。</translation>
    </message>
    <message>
        <source>Close the other window, then connect again.</source>
        <translation>请关闭另一个窗口，再重新连接。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Sweeps</name>
    <message>
        <source>The engine is not connected.</source>
        <translation>引擎未连接。</translation>
    </message>
    <message>
        <source>This window only watches: another one controls the engine.</source>
        <translation>本窗口只能观看：引擎正由另一个窗口控制。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Session</name>
    <message>
        <source>There is nothing to record: no engine is attached.</source>
        <translation>没有可录制的内容：还没有连接引擎。</translation>
    </message>
    <message>
        <source>Press Run first.</source>
        <translation>请先按“运行”。</translation>
    </message>
    <message>
        <source>The engine at %1 was restarted: this is another run.</source>
        <translation>%1 的引擎已重新启动，现在是另一次训练。</translation>
    </message>
    <message>
        <source>The note is not in the file: %1.</source>
        <translation>备注没有写入文件：%1。</translation>
    </message>
    <message>
        <source>File &gt; Save the recording as… writes what was read of it, with all notes.</source>
        <translation>“文件 &gt; 录制另存为…”会写出已读到的部分和所有备注。</translation>
    </message>
    <message>
        <source>File &gt; Save the recording as… writes it with all notes.</source>
        <translation>“文件 &gt; 录制另存为…”会连同所有备注一起写入。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::SetupPanel</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>several</source>
        <translation>多个</translation>
    </message>
    <message>
        <source>Text to train on</source>
        <translation>训练用的文本</translation>
    </message>
    <message>
        <source>Micro-batch, samples</source>
        <translation>微批次，样本数</translation>
    </message>
    <message>
        <source>Layers per stage</source>
        <translation>各阶段层数</translation>
    </message>
    <message>
        <source>Link: latency, speed</source>
        <translation>链路：延迟、速率</translation>
    </message>
    <message>
        <source>Slow rank</source>
        <translation>慢 Rank</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>重计算单位</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Full checkpointing: keep the input of every stage and compute the whole stage again in one go (R), or keep the input of every layer and compute each layer again inside B or I, so that all activations are kept for only one layer at a time</source>
        <translation>完全重计算：或者只保留每个阶段的输入，把整个阶段一次重算出来（R）；或者保留每一层的输入，在 B 或 I 里逐层重算，任何时候只有一层的全部激活值</translation>
    </message>
    <message>
        <source>Memory cap</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Durations</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Layers L, heads</source>
        <translation>层数 L、头数</translation>
    </message>
    <message>
        <source>Hidden C, tokens T</source>
        <translation>隐藏维 C、长度 T</translation>
    </message>
    <message>
        <source>Learning rate, seed</source>
        <translation>学习率、种子</translation>
    </message>
    <message>
        <source>Text file</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>The model&apos;s shape, seed and text: a change starts a new run.</source>
        <translation>模型形状、种子和文本：更改后重新开始训练。</translation>
    </message>
    <message>
        <source>even</source>
        <translation>均分</translation>
    </message>
    <message>
        <source>Browse</source>
        <translation>浏览</translation>
    </message>
    <message>
        <source>built-in text</source>
        <translation>内置文本</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>reconstructed</source>
        <translation>重建</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Time of one message of zero bytes, in microseconds regardless of the time unit</source>
        <translation>零字节消息的传输时间；不论时间单位，一律以微秒计</translation>
    </message>
    <message>
        <source>Speed of a link in 1e9 bits a second; 0 is infinitely fast</source>
        <translation>链路速率，单位 1e9 比特每秒；0 表示无限快</translation>
    </message>
    <message>
        <source>Activation bytes any rank may hold, 1 MB = 1e6 bytes; 0 is no cap</source>
        <translation>任一 Rank 允许占用的激活内存，1 MB = 1e6 字节；0 表示不设上限</translation>
    </message>
    <message>
        <source>calibrated: the median per stage and operation replaces every single duration</source>
        <translation>校准：用每个阶段、每种操作的中位数代替各次实际耗时</translation>
    </message>
    <message>
        <source>Data-parallel d, ZeRO</source>
        <translation>数据并行 d、ZeRO</translation>
    </message>
    <message>
        <source>Tensor t, sequence parallel</source>
        <translation>张量并行 t、序列并行</translation>
    </message>
    <message>
        <source>Segments q of a sequence</source>
        <translation>序列切分段数 q</translation>
    </message>
    <message>
        <source>q: pieces that Seq1F1B cuts every sequence into; each keeps its keys and values for those after it, and the pipe fills and drains in units that are q times shorter</source>
        <translation>q：Seq1F1B 把每条序列切成的段数；每段的键和值（KV）为后面各段保留，流水线填充和排空的单位缩短为 1/q</translation>
    </message>
    <message>
        <source>d: copies of the whole pipeline on p × d ranks, each with m micro-batches of its own; they add their gradients before the optimizer step</source>
        <translation>d：整条流水线的份数，共 p × d 个 Rank，每份各有 m 个微批次；优化器更新之前归约梯度</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Number type</source>
        <translation>数值类型</translation>
    </message>
    <message>
        <source>What computes: the cores of the engine&apos;s machine, its GPUs, or GPUs when there are any. The engine reports when there are none.</source>
        <translation>用什么计算：引擎所在机器的核、GPU，或有 GPU 时用 GPU。没有 GPU 时引擎会报告。</translation>
    </message>
    <message>
        <source>Number type of the operands of matrix products; bf16 on GPUs only. Sums and the trained weights stay fp32; with bf16 most activations take half the memory.</source>
        <translation>矩阵乘法操作数的数值类型；bf16 仅限 GPU。求和与被训练的权重保持 fp32；使用 bf16 时大部分激活内存减半。</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA Graph</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Matrix products</source>
        <translation>矩阵乘法</translation>
    </message>
    <message>
        <source>On CPUs: what multiplies matrices. The engine&apos;s own loops need AVX2; auto takes the one that is quicker on this kind of processor. The order of summation differs, so losses differ in their last digits.</source>
        <translation>在 CPU 上：用什么做矩阵乘法。引擎自带的循环需要 AVX2；自动则取在这类处理器上较快的一种。求和的次序不同，因此损失的末几位不同。</translation>
    </message>
    <message>
        <source>On GPUs: the kernels of an operation are launched in one call from the third iteration on. The numbers stay the same, the gaps between kernels shrink.</source>
        <translation>在 GPU 上：从第三次迭代起，一个操作的所有核函数由一次调用启动。数值不变，核函数之间的空隙变小。</translation>
    </message>
    <message>
        <source>t: ranks that compute every stage together, each with a part of its weights (tensor parallelism); they add up their results twice a layer in each direction</source>
        <translation>t：一起计算每个阶段的 Rank 数，每个持有一部分权重（张量并行）；每层在前向和反向中各把结果求和两次</translation>
    </message>
    <message>
        <source>With t above 1: LayerNorms and the residual stream on a t-th of the tokens of each shard, which keeps a t-th of their activations and sends a t-th of the bytes to the next stage</source>
        <translation>t 大于 1 时：每个分片只在 t 分之一的 token 上计算 LayerNorm 和残差流，这部分激活值只留 t 分之一，发给下一阶段的字节数也是 t 分之一</translation>
    </message>
    <message>
        <source>ZeRO stage, with d above 1. 1: each of the d copies of a stage adds up and steps a d-th of it, keeps the optimizer state of that alone, and gathers the other weights after the step</source>
        <translation>ZeRO 阶段，需要 d 大于 1。为 1 时：一个阶段的 d 份副本各归约、更新其中的 1/d，优化器状态也只存这一份，更新之后收齐其余权重</translation>
    </message>
</context>
<context>
    <name>bscope::ui::StatusLine</name>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Scale of the window</source>
        <translation>窗口缩放</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Running · iteration %1 is next</source>
        <translation>运行中 · 接下来是第 %1 次迭代</translation>
    </message>
    <message>
        <source>Running · iteration %1</source>
        <translation>运行中 · 第 %1 次迭代</translation>
    </message>
    <message>
        <source>Running · iteration %1, %2 %</source>
        <translation>运行中 · 第 %1 次迭代 %2 %</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Paused at %1</source>
        <translation>停在第 %1 次迭代</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Disconnected</source>
        <translation>连接断开</translation>
    </message>
    <message>
        <source>Disconnected, retry in %1 s</source>
        <translation>连接断开，%1 s 后重试</translation>
    </message>
    <message>
        <source>Replaying %1</source>
        <translation>回放 %1</translation>
    </message>
    <message>
        <source>%1, read up to iteration %2</source>
        <translation>%1，已读到第 %2 次迭代</translation>
    </message>
    <message>
        <source>Engine: %1</source>
        <translation>引擎：%1</translation>
    </message>
    <message>
        <source>Dropped events %1</source>
        <translation>丢弃事件 %1</translation>
    </message>
    <message>
        <source>Tracing cost %1</source>
        <translation>跟踪开销 %1</translation>
    </message>
    <message>
        <source>wall/CPU %1, undisturbed</source>
        <translation>墙钟/CPU %1，未受干扰</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>Pausing after %1</source>
        <translation>第 %1 次迭代结束后暂停</translation>
    </message>
    <message>
        <source>What does not fit here</source>
        <translation>放不下的内容</translation>
    </message>
    <message>
        <source>Import of %1</source>
        <translation>导入：%1</translation>
    </message>
    <message>
        <source>Recording %1</source>
        <translation>录制 %1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::StepGrid</name>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>micro-batch %1 of %2 (index %3 in files), stage %4</source>
        <translation>第 %1 个微批次，共 %2 个（文件中编号 %3），阶段 %4</translation>
    </message>
    <message>
        <source>segment %1 of %2</source>
        <translation>第 %1 段（共 %2 段）</translation>
    </message>
    <message>
        <source>%1, steps %2 to %3</source>
        <translation>%1，第 %2 到 %3 步</translation>
    </message>
    <message>
        <source>%1, time %2</source>
        <translation>%1，时刻 %2</translation>
    </message>
    <message>
        <source>%1, cell %2</source>
        <translation>%1，第 %2 格</translation>
    </message>
</context>
<context>
    <name>bscope::ui::SweepPanel</name>
    <message>
        <source>this run: median, bar = range</source>
        <translation>本次运行：中位数，竖线为范围</translation>
    </message>
    <message>
        <source>prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>running, not all iterations yet</source>
        <translation>运行中，迭代未跑完</translation>
    </message>
    <message>
        <source>timeline: the plan, as long as the run</source>
        <translation>时间线：计划，长度同实际运行</translation>
    </message>
    <message>
        <source>pale timeline: nothing ran</source>
        <translation>浅色时间线：没有运行</translation>
    </message>
    <message>
        <source>illegal</source>
        <translation>不合法</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Result so far</source>
        <translation>目前的结果</translation>
    </message>
    <message>
        <source>%1 of %2 values</source>
        <translation>%1 / %2 个取值</translation>
    </message>
    <message>
        <source>no value ran yet</source>
        <translation>各取值都还没有运行</translation>
    </message>
    <message>
        <source>median of %1</source>
        <translation>%1 次的中位数</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>采用 %1</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>各取值的结果</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>applies to the next sweep</source>
        <translation>下次扫描生效</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Keep results</source>
        <translation>保存结果</translation>
    </message>
    <message>
        <source>Write the table to a file</source>
        <translation>把表格写入文件</translation>
    </message>
    <message>
        <source>Values of m</source>
        <translation>m 的取值</translation>
    </message>
    <message>
        <source>Mini-batch</source>
        <translation>小批量</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Iterations each</source>
        <translation>各跑迭代数</translation>
    </message>
    <message>
        <source>Memory cap</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>grows with m</source>
        <translation>随 m 增大</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Δ pred.</source>
        <translation>较预测</translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Values of v</source>
        <translation>v 的取值</translation>
    </message>
    <message>
        <source>Values of p</source>
        <translation>p 的取值</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>m</source>
        <translation>m</translation>
    </message>
    <message>
        <source>v</source>
        <translation>v</translation>
    </message>
    <message>
        <source>p against d</source>
        <translation>p 与 d</translation>
    </message>
    <message>
        <source>checkpointing</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>%1 is open; values cannot be applied to a file</source>
        <translation>%1 已打开；取值不能用于文件</translation>
    </message>
    <message>
        <source>from a file, nothing runs</source>
        <translation>取自文件，不运行</translation>
    </message>
</context>
<context>
    <name>bscope::ui::TuneController</name>
    <message>
        <source>Keep the results</source>
        <translation>保存结果</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请换个文件夹。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::TunePlot</name>
    <message>
        <source>%1, micro-batch %2</source>
        <translation>%1，微批次大小 %2</translation>
    </message>
    <message>
        <source>predicted: %1 tokens/s, bubble %2, peak %3</source>
        <translation>预测：%1 tokens/s，气泡 %2，峰值 %3</translation>
    </message>
    <message>
        <source>over the cap, not run</source>
        <translation>超过上限，未运行</translation>
    </message>
    <message>
        <source>this run, median of %1: %2 tokens/s (%3 to %4), bubble %5, peak %6</source>
        <translation>本次运行，%1 次的中位数：%2 tokens/s（%3 到 %4），气泡 %5，峰值 %6</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>k tokens/s</source>
        <translation>k tokens/s</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>% of total</source>
        <translation>占总时间 %</translation>
    </message>
    <message>
        <source>Activation peak</source>
        <translation>激活内存峰值</translation>
    </message>
    <message>
        <source>MB, largest rank</source>
        <translation>MB，最大的 Rank</translation>
    </message>
    <message>
        <source>cap %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>sweet spot, %1</source>
        <translation>最佳 %1</translation>
    </message>
    <message>
        <source>predicted best, %1</source>
        <translation>预测最佳 %1</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>of %1 samples</source>
        <translation>共 %1 个样本</translation>
    </message>
    <message>
        <source>of equal size</source>
        <translation>大小相同</translation>
    </message>
    <message>
        <source>%1 each</source>
        <translation>每份 %1</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>不可行</translation>
    </message>
    <message>
        <source> · running</source>
        <translation> · 运行中</translation>
    </message>
    <message>
        <source>One iteration</source>
        <translation>一次迭代</translation>
    </message>
    <message>
        <source>same time scale</source>
        <translation>同一时间尺度</translation>
    </message>
    <message>
        <source>Chunks per rank</source>
        <translation>每个 Rank 的模型块数</translation>
    </message>
    <message>
        <source>Ranks and replicas</source>
        <translation>Rank 与副本</translation>
    </message>
    <message>
        <source>Checkpointing</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>same mini-batch</source>
        <translation>小批量相同</translation>
    </message>
    <message>
        <source>predicted: %1 micro-batches/s, bubble %2</source>
        <translation>预测：%1 微批次/s，气泡 %2</translation>
    </message>
    <message>
        <source>noise of the run&apos;s iterations: %1</source>
        <translation>这次运行各迭代的波动为 %1</translation>
    </message>
    <message>
        <source>ahead so far, %1</source>
        <translation>暂时领先，%1</translation>
    </message>
    <message>
        <source>no difference, %1</source>
        <translation>无差异，%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::TuneView</name>
    <message>
        <source>Sweep of m</source>
        <translation>扫描 m</translation>
    </message>
    <message>
        <source>mini-batch fixed at %1 samples</source>
        <translation>小批量固定为 %1 个样本</translation>
    </message>
    <message>
        <source>other values split the layers evenly</source>
        <translation>其他取值的各阶段层数均分</translation>
    </message>
    <message>
        <source>mini-batch grows with m</source>
        <translation>小批量随 m 增大</translation>
    </message>
    <message>
        <source>%1 iterations each</source>
        <translation>各跑 %1 次迭代</translation>
    </message>
    <message>
        <source>starts when this iteration ends</source>
        <translation>本次迭代结束后开始</translation>
    </message>
    <message>
        <source>cancelled, %1 of %2 iterations</source>
        <translation>已取消，%1 / %2 次迭代</translation>
    </message>
    <message>
        <source>%1 of %2 iterations</source>
        <translation>%1 / %2 次迭代</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run sweep</source>
        <translation>开始扫描</translation>
    </message>
    <message>
        <source>Sweep of v</source>
        <translation>扫描 v</translation>
    </message>
    <message>
        <source>Sweep of p against d</source>
        <translation>扫描 p 与 d</translation>
    </message>
    <message>
        <source>Sweep of checkpointing</source>
        <translation>扫描重计算</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 Rank</translation>
    </message>
    <message>
        <source>the same mini-batch</source>
        <translation>小批量不变</translation>
    </message>
    <message>
        <source>Leave the recording and run this sweep</source>
        <translation>离开录制，运行此扫描</translation>
    </message>
    <message>
        <source>Leave the file and sweep the built-in model</source>
        <translation>离开文件，扫描内置模型</translation>
    </message>
</context>
<context>
    <name>bscope::ui::WelcomeLine</name>
    <message>
        <source>This is the plan. Press Run to train it.</source>
        <translation>这是计划。按“运行”开始训练。</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>打开录制文件</translation>
    </message>
    <message>
        <source>Connect to an engine</source>
        <translation>连接引擎</translation>
    </message>
    <message>
        <source>Start with lesson 1</source>
        <translation>从第 1 课开始</translation>
    </message>
</context>
<context>
    <name>bscope::ui::WindowActions</name>
    <message>
        <source>&amp;First steps</source>
        <translation>入门提示(&amp;F)</translation>
    </message>
    <message>
        <source>Check the &amp;gradients…</source>
        <translation>校验梯度(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Export gaps and causes as CSV…</source>
        <translation>把空隙及原因导出为 CSV(&amp;E)…</translation>
    </message>
    <message>
        <source>no gaps with causes are listed</source>
        <translation>没有列出带原因的空隙</translation>
    </message>
    <message>
        <source>&amp;Forget progress</source>
        <translation>清除学习进度</translation>
    </message>
    <message>
        <source>&amp;Export picture</source>
        <translation>导出图片(&amp;E)</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Analyze</source>
        <translation>分析(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Connect to an engine…</source>
        <translation>连接引擎(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Leave the recording</source>
        <translation>退出回放(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Record to a file…</source>
        <translation>录制到文件(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Save weights and optimizer…</source>
        <translation>保存权重和优化器(&amp;S)…</translation>
    </message>
    <message>
        <source>Load &amp;weights and optimizer…</source>
        <translation>载入权重和优化器(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Run or pause</source>
        <translation>运行或暂停(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;One iteration</source>
        <translation>执行一次迭代(&amp;O)</translation>
    </message>
    <message>
        <source>One operation on (recording)</source>
        <translation>前进一个操作（回放）</translation>
    </message>
    <message>
        <source>&amp;Undo the pending change</source>
        <translation>撤销待生效的改动(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Default settings</source>
        <translation>默认设置(&amp;D)</translation>
    </message>
    <message>
        <source>Count micro-batches from 0</source>
        <translation>微批次从 0 计数</translation>
    </message>
    <message>
        <source>Calibrate durations on a busy machine</source>
        <translation>机器繁忙时自动校准耗时</translation>
    </message>
    <message>
        <source>&amp;Numbers</source>
        <translation>数值面板(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;About the schedule</source>
        <translation>关于此调度(&amp;A)</translation>
    </message>
    <message>
        <source>Step-by-rank &amp;grid</source>
        <translation>步骤网格(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Projector</source>
        <translation>投影模式(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Next &amp;colours</source>
        <translation>下一套配色(&amp;C)</translation>
    </message>
    <message>
        <source>Larger interface</source>
        <translation>放大界面</translation>
    </message>
    <message>
        <source>Smaller interface</source>
        <translation>缩小界面</translation>
    </message>
    <message>
        <source>Interface at 100 %</source>
        <translation>界面 100 %</translation>
    </message>
    <message>
        <source>Language (语言)</source>
        <translation>Language (语言)</translation>
    </message>
    <message>
        <source>Iteration &amp;before</source>
        <translation>上一次迭代(&amp;B)</translation>
    </message>
    <message>
        <source>Iteration &amp;after</source>
        <translation>下一次迭代(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Bubble relative to &amp;ideal</source>
        <translation>气泡相对理想时间(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Pin as baseline</source>
        <translation>定为基线(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Swap with the baseline</source>
        <translation>与基线互换(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Interview cards</source>
        <translation>面试卡片(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Build your own schedule</source>
        <translation>自己搭一个调度(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Quiz</source>
        <translation>测验(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Sweep</source>
        <translation>扫描(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Runs of other programs</source>
        <translation>其他程序的运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Keys and mouse</source>
        <translation>键盘和鼠标(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Terms under the pointer</source>
        <translation>指针处的术语(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>术语表(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;About Bubblescope</source>
        <translation>关于 Bubblescope(&amp;A)</translation>
    </message>
    <message>
        <source>De&amp;vice</source>
        <translation>设备(&amp;V)</translation>
    </message>
    <message>
        <source>Compute on the CPU</source>
        <translation>用 CPU 计算</translation>
    </message>
    <message>
        <source>Compute on GPUs (CUDA)</source>
        <translation>用 GPU 计算（CUDA）</translation>
    </message>
    <message>
        <source>Compute on GPUs when there are any (auto)</source>
        <translation>有 GPU 时用 GPU 计算（自动）</translation>
    </message>
    <message>
        <source>Number &amp;type</source>
        <translation>数值类型(&amp;T)</translation>
    </message>
    <message>
        <source>Compute in fp32</source>
        <translation>用 fp32 计算</translation>
    </message>
    <message>
        <source>Compute in bf16 (GPUs only)</source>
        <translation>用 bf16 计算（仅 GPU）</translation>
    </message>
    <message>
        <source>&amp;Copy what is selected</source>
        <translation>复制选中的内容(&amp;C)</translation>
    </message>
    <message>
        <source>Un&amp;pin the baseline</source>
        <translation>取消基线(&amp;P)</translation>
    </message>
    <message>
        <source>not possible now</source>
        <translation>现在不可用</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Import the run in a folder…</source>
        <translation>导入文件夹中的运行(&amp;I)…</translation>
    </message>
    <message>
        <source>Import the start-up iteration &amp;too</source>
        <translation>连同启动迭代一起导入(&amp;T)</translation>
    </message>
    <message>
        <source>no imported run is open of which an iteration is left out</source>
        <translation>没有打开略去了某次迭代的导入运行</translation>
    </message>
    <message>
        <source>&amp;Open recording, scenario, schedule or trace…</source>
        <translation>打开录制文件、场景、调度或跟踪文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Difference from the nearest schedule</source>
        <translation>与最接近调度的差异(&amp;D)</translation>
    </message>
    <message>
        <source>pause first: it runs</source>
        <translation>正在运行，请先暂停</translation>
    </message>
    <message>
        <source>no recording is open</source>
        <translation>没有打开录制文件</translation>
    </message>
    <message>
        <source>no change is pending</source>
        <translation>没有待生效的更改</translation>
    </message>
    <message>
        <source>a recording cannot be changed</source>
        <translation>录制文件不能更改</translation>
    </message>
    <message>
        <source>the replayed run is a recording already</source>
        <translation>正在回放的就是录制文件</translation>
    </message>
    <message>
        <source>the order is a schedule of the catalog, or nothing is imported</source>
        <translation>顺序就是目录中的某个调度，或没有导入运行</translation>
    </message>
    <message>
        <source>nothing is selected</source>
        <translation>没有选中任何内容</translation>
    </message>
    <message>
        <source>no iteration is complete yet</source>
        <translation>还没有完成的迭代</translation>
    </message>
    <message>
        <source>no baseline is pinned (N)</source>
        <translation>没有基线（按 N 设定）</translation>
    </message>
    <message>
        <source>&amp;Baseline below, on one time axis</source>
        <translation>在下方显示基线，共用时间轴(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Align with the baseline</source>
        <translation>与基线对齐(&amp;A)</translation>
    </message>
    <message>
        <source>Align with the baseline by &amp;time</source>
        <translation>与基线按时间对齐(&amp;T)</translation>
    </message>
    <message>
        <source>Align with the baseline by the selected &amp;micro-batch</source>
        <translation>与基线按选中的微批次对齐(&amp;M)</translation>
    </message>
    <message>
        <source>Align with the baseline by the end of the &amp;warm-up</source>
        <translation>与基线按预热结束对齐(&amp;W)</translation>
    </message>
    <message>
        <source>Align with the baseline by the beginning of the &amp;cool-down</source>
        <translation>与基线按冷却开始对齐(&amp;C)</translation>
    </message>
    <message>
        <source>Compare with another &amp;run…</source>
        <translation>与另一次运行比较(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Median iteration</source>
        <translation>中位迭代(&amp;M)</translation>
    </message>
    <message>
        <source>Write a &amp;note…</source>
        <translation>写备注(&amp;N)…</translation>
    </message>
    <message>
        <source>no iteration of a run is shown</source>
        <translation>没有显示运行过的迭代</translation>
    </message>
    <message>
        <source>there are no notes</source>
        <translation>没有备注</translation>
    </message>
    <message>
        <source>Ne&amp;xt note</source>
        <translation>下一条备注(&amp;X)</translation>
    </message>
    <message>
        <source>Pre&amp;vious note</source>
        <translation>上一条备注(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;List of notes…</source>
        <translation>备注列表(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Undo the change of a note</source>
        <translation>撤销备注的改动(&amp;U)</translation>
    </message>
    <message>
        <source>no note was changed</source>
        <translation>没有改过备注</translation>
    </message>
    <message>
        <source>Save the recordin&amp;g as…</source>
        <translation>录制另存为(&amp;G)…</translation>
    </message>
    <message>
        <source>Costs by &amp;hand…</source>
        <translation>手工给定耗时(&amp;H)…</translation>
    </message>
    <message>
        <source>Reduced &amp;motion: whole iterations</source>
        <translation>减少动态效果：只显示完整的迭代(&amp;M)</translation>
    </message>
    <message>
        <source>Baseline side by si&amp;de, on one time axis</source>
        <translation>基线并排显示，共用时间轴(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Words beside icons</source>
        <translation>图标旁的文字(&amp;W)</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终显示</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不显示</translation>
    </message>
    <message>
        <source>the iteration that is shown is not complete</source>
        <translation>显示的迭代尚未完成</translation>
    </message>
    <message>
        <source>P&amp;lay this iteration slowly, or pause it</source>
        <translation>慢速播放或暂停本次迭代(&amp;L)</translation>
    </message>
    <message>
        <source>One operation on in this iteration</source>
        <translation>本次迭代前进一个操作</translation>
    </message>
    <message>
        <source>One operation back in this iteration</source>
        <translation>本次迭代后退一个操作</translation>
    </message>
    <message>
        <source>Export a &amp;handout…</source>
        <translation>导出讲义(&amp;H)…</translation>
    </message>
    <message>
        <source>open a lesson first, and wait for its runs</source>
        <translation>先打开一课，等它的运行完成</translation>
    </message>
    <message>
        <source>With a &amp;preview…</source>
        <translation>带预览导出(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Select, measure, filter</source>
        <translation>选择、测量、筛选(&amp;S)</translation>
    </message>
    <message>
        <source>Si&amp;ze of the interface</source>
        <translation>界面大小(&amp;Z)</translation>
    </message>
    <message>
        <source>Ask &amp;before a run is discarded</source>
        <translation>丢弃运行前询问(&amp;B)</translation>
    </message>
    <message>
        <source>Interview &amp;hour</source>
        <translation>面试一小时(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Page for a browser…</source>
        <translation>浏览器网页(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Film…</source>
        <translation>影片(&amp;F)…</translation>
    </message>
    <message>
        <source>no complete iteration and no plan is shown</source>
        <translation>没有显示完整的迭代或计划</translation>
    </message>
    <message>
        <source>One micro-batch on in this iteration</source>
        <translation>本次迭代前进一个微批次</translation>
    </message>
    <message>
        <source>One micro-batch back in this iteration</source>
        <translation>本次迭代后退一个微批次</translation>
    </message>
    <message>
        <source>Spee&amp;d of slow play</source>
        <translation>慢放速度(&amp;D)</translation>
    </message>
    <message>
        <source>Whole iteration in 12 s</source>
        <translation>12 秒放完整个迭代</translation>
    </message>
    <message>
        <source>One micro-batch in 2 s</source>
        <translation>2 秒一个微批次</translation>
    </message>
    <message>
        <source>One micro-batch a second</source>
        <translation>每秒一个微批次</translation>
    </message>
    <message>
        <source>Two micro-batches a second</source>
        <translation>每秒两个微批次</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>a recording cannot be changed</source>
        <translation>录制文件不能更改</translation>
    </message>
    <message>
        <source>Schedule: %1</source>
        <translation>调度：%1</translation>
    </message>
    <message>
        <source>Option: %1</source>
        <translation>选项：%1</translation>
    </message>
    <message>
        <source>Checkpointing: %1</source>
        <translation>重计算：%1</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <translation>zh</translation>
    </message>
</context>
<context>
    <name>bscope::ui::CopyFlags</name>
    <message>
        <source>Copy for …</source>
        <translation>复制为…</translation>
    </message>
    <message>
        <source>What to type into a training framework for this line (C)</source>
        <translation>这一行在训练框架里怎么写（C）</translation>
    </message>
    <message>
        <source>%1, by %2</source>
        <translation>%1，由 %2 提供</translation>
    </message>
    <message>
        <source>Copies what to type there</source>
        <translation>复制在那里的写法</translation>
    </message>
    <message>
        <source>Copied for %1.</source>
        <translation>已复制 %1 的写法。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::AdviceController</name>
    <message>
        <source>the medians of all iterations of %1, %2</source>
        <translation> %1 各次迭代耗时的中位数，%2</translation>
    </message>
    <message>
        <source>the costs of this recording</source>
        <translation>这份录制的耗时</translation>
    </message>
    <message>
        <source>the costs of the last run</source>
        <translation>最近一次运行的耗时</translation>
    </message>
    <message>
        <source>estimated costs: nothing ran yet</source>
        <translation>估计的耗时（尚未运行）</translation>
    </message>
    <message>
        <source>The system cannot create a thread: %1.</source>
        <translation>系统无法创建线程：%1。</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>内存不足。</translation>
    </message>
    <message>
        <source>Three plans are stacked already; A on one of their lines removes it</source>
        <translation>已叠放三个计划；在其中一行按 A 可移除</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>正在启动……</translation>
    </message>
    <message>
        <source>Running: iteration %1 of %2</source>
        <translation>正在运行：第 %1 次迭代，共 %2 次</translation>
    </message>
    <message>
        <source>None of the stacked plans changes only the schedule: apply a line to run it</source>
        <translation>叠放的计划都不只是换调度：要运行请采用该行</translation>
    </message>
</context>
<context>
    <name>bscope::ui::DifferenceText</name>
    <message>
        <source>Not a schedule of the catalog. The nearest is %1; its order of rank %2 ends before operation %3 (counted from 0), where %4 ran.</source>
        <translation>不是目录中的调度。最接近的是 %1，它在 Rank %2 上的顺序在第 %3 个操作（从 0 数起）之前结束，而实际还运行了 %4。</translation>
    </message>
    <message>
        <source>Not a schedule of the catalog. The nearest is %1; it has %4 as operation %3 (counted from 0) of rank %2, where nothing more ran.</source>
        <translation>不是目录中的调度。最接近的是 %1，它在 Rank %2 上的第 %3 个操作（从 0 数起）是 %4，而实际已没有操作。</translation>
    </message>
    <message>
        <source>Not a schedule of the catalog. The nearest is %1, up to operation %3 (counted from 0) of rank %2: it has %4 there, and %5 ran.</source>
        <translation>不是目录中的调度。最接近的是 %1，直到 Rank %2 的第 %3 个操作（从 0 数起）：它在那里是 %4，实际运行的是 %5。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::CausesPart</name>
    <message>
        <source>; goes from gap to gap, the longest first.</source>
        <translation>; 键从最长的空隙开始逐段查看。</translation>
    </message>
    <message>
        <source>Longest gaps</source>
        <translation>最长的空隙</translation>
    </message>
    <message>
        <source>The causes are being computed.</source>
        <translation>正在分析原因。</translation>
    </message>
    <message>
        <source>Without an order there are no causes.</source>
        <translation>没有顺序，无法分析原因。</translation>
    </message>
    <message>
        <source>from</source>
        <translation>起</translation>
    </message>
    <message>
        <source>idle, %1</source>
        <translation>空闲（%1）</translation>
    </message>
</context>
<context>
    <name>bscope::ui::GapPart</name>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>环节</translation>
    </message>
    <message>
        <source>Why it waited, from its end backwards</source>
        <translation>等待的原因，自末端往回</translation>
    </message>
    <message>
        <source>[ and ] move along the chain, a click shows a link on the timeline.</source>
        <translation>[ 和 ] 沿原因链移动，单击在时间线上显示该环节。</translation>
    </message>
    <message>
        <source>from</source>
        <translation>起</translation>
    </message>
    <message>
        <source>idle, %1</source>
        <translation>空闲（%1）</translation>
    </message>
    <message>
        <source>lasts, %1</source>
        <translation>时长（%1）</translation>
    </message>
    <message>
        <source>of the gap</source>
        <translation>占比</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ComparisonSection</name>
    <message>
        <source>Beside the baseline</source>
        <translation>与基线对照</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>this</source>
        <translation>本次</translation>
    </message>
    <message>
        <source>This minus baseline, as in bscope compare.</source>
        <translation>本次减基线，与 bscope compare 相同。</translation>
    </message>
    <message>
        <source>Their times come from different sources (%1, %2) and are not the same quantity.</source>
        <translation>两者的时间来源不同（%1、%2），不是同一个量。</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>bubble, %</source>
        <translation>气泡，%</translation>
    </message>
    <message>
        <source>idle, all ranks</source>
        <translation>空闲，所有 Rank</translation>
    </message>
    <message>
        <source>%1 busy</source>
        <translation>%1 忙</translation>
    </message>
    <message>
        <source>%1 idle</source>
        <translation>%1 空闲</translation>
    </message>
    <message>
        <source>peak, MB</source>
        <translation>峰值，MB</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PathSection</name>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>%1 operations</source>
        <translation>%1 个操作</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>time, %1</source>
        <translation>时长（%1）</translation>
    </message>
    <message>
        <source>of the path</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>pauses before an operation</source>
        <translation>操作之前的停顿</translation>
    </message>
</context>
<context>
    <name>bscope::ui::WaterfallSection</name>
    <message>
        <source>%1: stage %2</source>
        <translation>%1：阶段 %2</translation>
    </message>
    <message>
        <source>%1: stage %2 or %3</source>
        <translation>%1：阶段 %2 或 %3</translation>
    </message>
    <message>
        <source>%1: %2 or its stage</source>
        <translation>%1：%2 或它的阶段</translation>
    </message>
    <message>
        <source>Each step replays the iteration with one more factor as it was in the run; the heaviest stage, the slow rank and the slowest link are named where they stand out. The first step is the theory for equal stages whose forward, input gradient and weight gradient take the same time, without recomputation; the Theory above uses this run&apos;s mean durations.</source>
        <translation>每一步在重放中多还原一个实际因素；有明显偏离时写出最重的阶段、慢 Rank 和最慢的链路。第一步是理论值：各阶段均匀，前向、输入梯度、权重梯度一样长，不含重计算；上方的“理论”则取本次运行的平均耗时。</translation>
    </message>
    <message>
        <source>This run minus theory</source>
        <translation>本次运行与理论之差</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>因素</translation>
    </message>
    <message>
        <source>theory, F = I = W</source>
        <translation>理论（F = I = W）</translation>
    </message>
    <message>
        <source>predicted, F = I = W</source>
        <translation>预测（F = I = W）</translation>
    </message>
    <message>
        <source>points</source>
        <translation>百分点</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>本次运行</translation>
    </message>
    <message>
        <source>1 iteration</source>
        <translation>1 次迭代</translation>
    </message>
    <message>
        <source>medians of %1</source>
        <translation>%1 次的中位数</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FilterWords</name>
    <message>
        <source>without %1</source>
        <translation>不含 %1</translation>
    </message>
    <message>
        <source>only stage %1</source>
        <translation>只看阶段 %1</translation>
    </message>
    <message>
        <source>only micro-batch %1</source>
        <translation>只看微批次 %1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::RangeSection</name>
    <message>
        <source>Bubble: idle ÷ (idle + busy) time of the range.</source>
        <translation>气泡 = 选区内空闲 ÷（空闲 + 忙碌）。</translation>
    </message>
    <message>
        <source>Bubble: idle ÷ busy time of the range.</source>
        <translation>气泡 = 选区内空闲 ÷ 忙碌。</translation>
    </message>
    <message>
        <source>On these ranks</source>
        <translation>在这些 Rank 上</translation>
    </message>
    <message>
        <source>On all ranks</source>
        <translation>在全部 Rank 上</translation>
    </message>
    <message>
        <source>Range of iteration %1</source>
        <translation>迭代 %1 的选区</translation>
    </message>
    <message>
        <source>Esc clears</source>
        <translation>Esc 清除</translation>
    </message>
    <message>
        <source>%1 to %2, %3.</source>
        <translation>%1 至 %2，共 %3。</translation>
    </message>
    <message>
        <source>All ranks.</source>
        <translation>全部 Rank。</translation>
    </message>
    <message>
        <source>%1 alone.</source>
        <translation>仅 %1。</translation>
    </message>
    <message>
        <source>%1 to %2.</source>
        <translation>%1 至 %2。</translation>
    </message>
    <message>
        <source>This is a plan; nothing ran.</source>
        <translation>这是计划，尚未运行。</translation>
    </message>
    <message>
        <source>Only what has run so far.</source>
        <translation>只含目前已运行的部分。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy these lines as text (Ctrl+C while nothing is selected)</source>
        <translation>把这几行复制为文本（没有选中任何方块或空隙时按 Ctrl+C）</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>busy, sum of ranks</source>
        <translation>忙碌，各 Rank 合计</translation>
    </message>
    <message>
        <source>idle, sum of ranks</source>
        <translation>空闲，各 Rank 合计</translation>
    </message>
    <message>
        <source>busy with what the filter shows</source>
        <translation>其中筛选出的操作忙碌</translation>
    </message>
    <message>
        <source>idle before what the filter shows</source>
        <translation>其中等待这些操作的空闲</translation>
    </message>
    <message>
        <source>%1, micro-batches/s</source>
        <translation>%1，微批次/s</translation>
    </message>
    <message>
        <source>%1, tokens/s</source>
        <translation>%1，tokens/s</translation>
    </message>
    <message>
        <source>Throughput: the iteration&apos;s tokens, times the share of these ranks&apos; passes that ran in the range, divided by its length. For the whole iteration it is the iteration&apos;s throughput.</source>
        <translation>吞吐量 = 迭代的 token 数 × 这些 Rank 的前向（反向）在选区内运行的比例 ÷ 选区长度。选区为整次迭代时，就是迭代的吞吐量。</translation>
    </message>
    <message>
        <source>The causes of the idle time are not known yet.</source>
        <translation>空闲的原因尚不清楚。</translation>
    </message>
    <message>
        <source>Idle time before what the filter shows, by cause</source>
        <translation>等待筛选出的操作的空闲，按原因</translation>
    </message>
    <message>
        <source>Idle time by cause</source>
        <translation>空闲时间，按原因</translation>
    </message>
    <message>
        <source>Of a gap that the range cuts, each cause counts by the share of the gap inside the range.</source>
        <translation>被选区切开的空闲，其各原因按落在选区内的比例计入。</translation>
    </message>
    <message>
        <source>Peak of activations: %1 on %2, %3 in flight.</source>
        <translation>激活内存峰值：%1（%2），在途 %3。</translation>
    </message>
    <message>
        <source>Filter: %1</source>
        <translation>筛选：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Minimap</name>
    <message>
        <source>The whole iteration</source>
        <translation>整次迭代</translation>
    </message>
    <message>
        <source>The whole iteration; the frame is what is seen. Drag it, or its edges; 0 shows all.</source>
        <translation>整次迭代；方框是当前可见的部分。可拖动方框或它的边；按 0 显示全部。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::BaselineController</name>
    <message>
        <source>Iteration %1 is no longer the baseline</source>
        <translation>第 %1 次迭代不再是基线</translation>
    </message>
    <message>
        <source>Iteration %1 is the baseline: N unpins it, X swaps, Shift+X shows it below, Ctrl+Shift+X side by side, Shift+T colours the differences</source>
        <translation>第 %1 次迭代已设为基线：N 取消，X 互换，Shift+X 在下方显示，Ctrl+Shift+X 并排显示，Shift+T 为差异着色</translation>
    </message>
    <message>
        <source>No iteration is complete yet: nothing to pin as baseline</source>
        <translation>还没有完成的迭代，无法设为基线</translation>
    </message>
    <message>
        <source>The events of this iteration are no longer kept</source>
        <translation>这次迭代的事件已不再保留</translation>
    </message>
    <message>
        <source>Iteration %1 is the baseline, below the one on the canvas</source>
        <translation>第 %1 次迭代已设为基线，显示在画布上那次迭代的下方</translation>
    </message>
    <message>
        <source>aligned %1</source>
        <translation>%1对齐</translation>
    </message>
    <message>
        <source>Click for the next alignment.</source>
        <translation>单击切换到下一种对齐方式。</translation>
    </message>
    <message>
        <source>baseline %1 ×</source>
        <translation>基线 %1 ×</translation>
    </message>
    <message>
        <source>Click to unpin (N)</source>
        <translation>单击取消基线 (N)</translation>
    </message>
    <message>
        <source>Iteration %1 is the baseline, and the one on the canvas: J and K show another one</source>
        <translation>第 %1 次迭代已设为基线，画布上也正是它：用 J、K 显示另一次</translation>
    </message>
    <message>
        <source>Iteration %1 is the baseline, beside the one on the canvas</source>
        <translation>第 %1 次迭代已设为基线，与画布上那次迭代并排显示</translation>
    </message>
</context>
<context>
    <name>bscope::ui::SeriesMarks</name>
    <message>
        <source>outlier: %1 from the median of %2 iterations, %3</source>
        <translation>异常：与 %2 次迭代的中位数 %3 相差 %1</translation>
    </message>
    <message>
        <source>cause: heat; the processor lowered its clock %1× during it (thermal)</source>
        <translation>原因：过热，期间处理器降频 %1 次（热限频）</translation>
    </message>
    <message>
        <source>cause: the stream waited until more iterations were requested (disturbed)</source>
        <translation>原因：异步流在等待请求更多迭代（受干扰）</translation>
    </message>
    <message>
        <source>cause: other programs took time during it (disturbed)</source>
        <translation>原因：期间有其他程序占用时间（受干扰）</translation>
    </message>
    <message>
        <source>it is the first one of its configuration</source>
        <translation>它是该配置下的第一次迭代</translation>
    </message>
    <message>
        <source>no cause is recorded</source>
        <translation>没有任何记录说明原因</translation>
    </message>
    <message>
        <source>no cause is recorded; whether heat lowered a clock is not recorded</source>
        <translation>没有任何记录说明原因；是否因过热降频不得而知</translation>
    </message>
    <message>
        <source>%1; in %2 of them heat lowered a clock (thermal)</source>
        <translation>%1；其中 %2 次因过热降频（热限频）</translation>
    </message>
    <message>
        <source>%1; no cause is recorded; whether heat lowered a clock is not recorded</source>
        <translation>%1；没有任何记录说明原因；是否因过热降频不得而知</translation>
    </message>
    <message>
        <source>%1; no cause is recorded</source>
        <translation>%1；没有任何记录说明原因</translation>
    </message>
    <message>
        <source>throttled: the processor lowered its clock because of heat, %1×</source>
        <translation>热限频：处理器因过热降频 %1 次</translation>
    </message>
    <message>
        <source>disturbed: the stream waited until more iterations were requested</source>
        <translation>受干扰：异步流在等待请求更多迭代</translation>
    </message>
    <message>
        <source>disturbed: something else ran on a core of this run</source>
        <translation>受干扰：本次运行的核上还有别的程序在跑</translation>
    </message>
</context>
<context>
    <name>bscope::ui::RecentIterations</name>
    <message>
        <source>%1, including %2 of launch gaps</source>
        <translation>%1，其中 %2 为启动间隙</translation>
    </message>
    <message>
        <source>rank %1 slow, ×%2 (%3 of %4 iterations)</source>
        <translation>Rank %1 偏慢，×%2（%3/%4 次迭代）</translation>
    </message>
    <message>
        <source>rank %1 or its stage %2 slow, ×%3 (%4 of %5 iterations)</source>
        <translation>Rank %1 或它的阶段 %2 偏慢，×%3（%4/%5 次迭代）</translation>
    </message>
    <message>
        <source>stage %1 or its rank %2 slow, ×%3 (%4 of %5 iterations)</source>
        <translation>阶段 %1 或它所在的 Rank %2 偏慢，×%3（%4/%5 次迭代）</translation>
    </message>
    <message>
        <source>stage %1 heavy, ×%2 (%3 of %4 iterations)</source>
        <translation>阶段 %1 偏重，×%2（%3/%4 次迭代）</translation>
    </message>
    <message>
        <source>micro-batch %1 long, ×%2 (%3 of %4 iterations)</source>
        <translation>微批次 %1 偏长，×%2（%3/%4 次迭代）</translation>
    </message>
    <message>
        <source>link %1 → %2 slow, ×%3 (%4 of %5 iterations)</source>
        <translation>链路 %1 → %2 偏慢，×%3（%4/%5 次迭代）</translation>
    </message>
</context>
<context>
    <name>bscope::ui::HandoutDialog</name>
    <message>
        <source>Export a handout</source>
        <translation>导出讲义</translation>
    </message>
    <message>
        <source>A PDF of this lesson for a class: story, open picture, question and an empty grid to draw in, then the answer with the numbers of the runs just made.</source>
        <translation>把这一课做成课堂用的 PDF：背景、未遮住的图、问题和一张空白网格，然后是答案，数字取自刚才的运行。</translation>
    </message>
    <message>
        <source>A4</source>
        <translation>A4</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>Letter</translation>
    </message>
    <message>
        <source>Slides, 16:9</source>
        <translation>幻灯片，16:9</translation>
    </message>
    <message>
        <source>at the end</source>
        <translation>放在最后</translation>
    </message>
    <message>
        <source>none</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>nothing else</source>
        <translation>只有答案</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>答案</translation>
    </message>
</context>
<context>
    <name>bscope::ui::HandoutExporter</name>
    <message>
        <source>A handout is of an open lesson, once its runs are made.</source>
        <translation>先打开一课，等它的运行完成，才能导出讲义。</translation>
    </message>
    <message>
        <source>Export a handout</source>
        <translation>导出讲义</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请换一个文件夹。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LessonJob</name>
    <message>
        <source>Running lesson %1 (%2 of %3).</source>
        <translation>正在运行课程 %1（第 %2 课，共 %3 课）。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ProgramOptions</name>
    <message>
        <source>No font of this machine has these letters; empty boxes would stand in their place. Install the packages fonts-inter and fonts-noto-cjk.</source>
        <translation>本机的字体中没有这些文字，图中会以空方框代替。请安装软件包 fonts-inter 和 fonts-noto-cjk。</translation>
    </message>
    <message>
        <source>There is no display. `bscope run` shows the same in a terminal; --export FILE makes a picture without a display.</source>
        <translation>没有显示器。`bscope run` 在终端里显示同样的内容；--export FILE 不用显示器就能生成图片。</translation>
    </message>
    <message>
        <source>Shows a real training pipeline at work, live.</source>
        <translation>实时显示真实运行的训练流水线。</translation>
    </message>
    <message>
        <source>Show this text.</source>
        <translation>显示本帮助。</translation>
    </message>
    <message>
        <source>Show the version.</source>
        <translation>显示版本。</translation>
    </message>
    <message>
        <source>Start with this scenario: a file or the name of one that came with the program.</source>
        <translation>从这个场景开始：文件，或随程序提供的场景名称。</translation>
    </message>
    <message>
        <source>Connect to an engine on another machine, started there with `bscope serve`.</source>
        <translation>连接到另一台机器上的引擎，它在那里由 `bscope serve` 启动。</translation>
    </message>
    <message>
        <source>File with the token the engine asks for.</source>
        <translation>存放引擎所要令牌的文件。</translation>
    </message>
    <message>
        <source>With --export: iterations to run before the picture is taken.</source>
        <translation>配合 --export：生成图片之前运行多少次迭代。</translation>
    </message>
    <message>
        <source>With --export of a recording or an import: this one&apos;s last iteration below, on one time axis.</source>
        <translation>配合录制或导入的 --export：把它的最后一次迭代画在下面，共用一条时间轴。</translation>
    </message>
    <message>
        <source>With --beside: the two side by side, each with the same time axis, instead of one below the other.</source>
        <translation>配合 --beside：两者左右并排，各有同样的时间轴，不上下排列。</translation>
    </message>
    <message>
        <source>How the two are aligned: start, micro-batch (the first), warm-up or cool-down (start).</source>
        <translation>两者如何对齐：start（开始）、micro-batch（第一个微批次）、warm-up（预热）或 cool-down（冷却）；默认 start。</translation>
    </message>
    <message>
        <source>Size of the picture in pixels, for example 1920x1080.</source>
        <translation>图片的像素尺寸，例如 1920x1080。</translation>
    </message>
    <message>
        <source>light or dark.</source>
        <translation>light（浅色）或 dark（深色）。</translation>
    </message>
    <message>
        <source>en or zh.</source>
        <translation>en（英文）或 zh（中文）。</translation>
    </message>
    <message>
        <source>Open this lesson; with --export a picture of its runs, stacked; with --handout several, or all.</source>
        <translation>打开这一课；配合 --export 把它的各次运行叠成一张图；配合 --handout 可以是多课，或 all。</translation>
    </message>
    <message>
        <source>Run the lessons without a window, write them as a PDF for a class and leave.</source>
        <translation>不开窗口运行这些课程，写成课堂用的 PDF，然后退出。</translation>
    </message>
    <message>
        <source>Answers of a handout: end, none or only (end).</source>
        <translation>讲义的答案：end（放在最后）、none（没有）或 only（只有答案）；默认 end。</translation>
    </message>
    <message>
        <source>Pages of a handout: a4 or letter (a4).</source>
        <translation>讲义的纸张：a4 或 letter；默认 a4。</translation>
    </message>
    <message>
        <source>pages, or slides: 16:9, a step of a lesson on each.</source>
        <translation>pages，或 slides：16:9，每页是课程的一步。</translation>
    </message>
    <message>
        <source>Leave the parameters below the picture out.</source>
        <translation>不写图片下方的参数。</translation>
    </message>
    <message>
        <source>A recording (.bscope) to replay, a scenario (.json), a schedule (.csv) to check, or the folder or files of another program&apos;s training to import.</source>
        <translation>要回放的录制（.bscope）、场景（.json）、要检查的调度（.csv），或要导入的其他程序的训练的文件夹或文件。</translation>
    </message>
    <message>
        <source>Examples:</source>
        <translation>示例：</translation>
    </message>
    <message>
        <source>--connect needs HOST:PORT, for example gpu-server:7070.</source>
        <translation>--connect 需要 HOST:PORT，例如 gpu-server:7070。</translation>
    </message>
    <message>
        <source>--connect takes no token, which other users of this machine could read in the list of processes: paste the URL into File &gt; Connect to an engine, or use --token-file.</source>
        <translation>--connect 不接受令牌，因为本机的其他用户能在进程列表中读到它：请把 URL 粘贴到“文件 &gt; 连接引擎”中，或使用 --token-file。</translation>
    </message>
    <message>
        <source>--token-file %1 cannot be read: %2.</source>
        <translation>无法读取 --token-file %1：%2。</translation>
    </message>
    <message>
        <source>--token-file is for --connect.</source>
        <translation>--token-file 用于 --connect。</translation>
    </message>
    <message>
        <source>--iterations needs a number from 1 on.</source>
        <translation>--iterations 需要不小于 1 的数。</translation>
    </message>
    <message>
        <source>--export of a page (.html) needs recordings or a training to import.</source>
        <translation>导出网页（.html）需要录制，或一个可导入的训练。</translation>
    </message>
    <message>
        <source>--%1 cannot be used for a page (.html).</source>
        <translation>--%1 不能用于网页（.html）。</translation>
    </message>
    <message>
        <source>--size needs WIDTHxHEIGHT in pixels, from 200x120 to 16384x16384.</source>
        <translation>--size 需要以像素为单位的 WIDTHxHEIGHT，从 200x120 到 16384x16384。</translation>
    </message>
    <message>
        <source>--theme is light or dark.</source>
        <translation>--theme 是 light 或 dark。</translation>
    </message>
    <message>
        <source>--lang is en or zh.</source>
        <translation>--lang 是 en 或 zh。</translation>
    </message>
    <message>
        <source>--%1 is %2.</source>
        <translation>--%1 是 %2。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>--lesson needs the id of a lesson.</source>
        <translation>--lesson 需要课程的编号。</translation>
    </message>
    <message>
        <source>--handout needs a file ending in .pdf.</source>
        <translation>--handout 需要以 .pdf 结尾的文件。</translation>
    </message>
    <message>
        <source>--handout needs --lesson ID[,ID...] or --lesson all.</source>
        <translation>--handout 需要 --lesson ID[,ID...] 或 --lesson all。</translation>
    </message>
    <message>
        <source>With --handout: the same runs in the other language, into this file.</source>
        <translation>与 --handout 一起：同样的运行，再用另一种语言写成这个文件。</translation>
    </message>
    <message>
        <source>--other-language needs a file ending in .pdf.</source>
        <translation>--other-language 需要以 .pdf 结尾的文件。</translation>
    </message>
    <message>
        <source>--other-language needs another file than --handout.</source>
        <translation>--other-language 不能与 --handout 是同一个文件。</translation>
    </message>
    <message>
        <source>--handout and --export exclude each other.</source>
        <translation>--handout 和 --export 不能同时使用。</translation>
    </message>
    <message>
        <source>--%1 is for --handout.</source>
        <translation>--%1 用于 --handout。</translation>
    </message>
    <message>
        <source>--lesson opens one lesson; several are for --handout.</source>
        <translation>--lesson 只打开一课；多课用于 --handout。</translation>
    </message>
    <message>
        <source>--lesson and --scenario exclude each other.</source>
        <translation>--lesson 和 --scenario 不能同时使用。</translation>
    </message>
    <message>
        <source>--%1 cannot be used for the picture of a lesson, which makes its own runs.</source>
        <translation>--%1 不能用于课程的图片：图片取自课程自己的运行。</translation>
    </message>
    <message>
        <source>--beside is for --export of a recording or an import.</source>
        <translation>--beside 用于录制或导入的 --export。</translation>
    </message>
    <message>
        <source>--%1 is for --beside.</source>
        <translation>--%1 用于 --beside。</translation>
    </message>
    <message>
        <source>Width of the picture on paper in mm, or slide (16:9).</source>
        <translation>图片在纸上的宽度（毫米），或 slide（16:9）。</translation>
    </message>
    <message>
        <source>Caption of the picture: long, short or none.</source>
        <translation>图片的说明文字：long、short 或 none。</translation>
    </message>
    <message>
        <source>Leave the legend of the picture out.</source>
        <translation>不画图例。</translation>
    </message>
    <message>
        <source>How a plan is drawn: dashed or solid; the badge says what it is.</source>
        <translation>计划的画法：dashed 或 solid；标记会说明它是什么。</translation>
    </message>
    <message>
        <source>Draw operations alone: no bubbles, messages, phases and memory.</source>
        <translation>只画操作方块：不画气泡、消息、阶段划分和内存。</translation>
    </message>
    <message>
        <source>Arrows of messages: none, all, or those of a micro-batch (from 1).</source>
        <translation>消息的箭头：none、all，或某个微批次的（从 1 数起）。</translation>
    </message>
    <message>
        <source>Text of an SVG: outlines, the same everywhere, or text that can be edited.</source>
        <translation>SVG 里的文字：outlines（处处一样），或 text（可以编辑）。</translation>
    </message>
    <message>
        <source>With --export: draw the plan of the scenario; nothing runs.</source>
        <translation>与 --export 一起：画出场景的计划，不实际运行。</translation>
    </message>
    <message>
        <source>With --predicted: costs of F, I and W of a stage in ms, by hand; below, the chunks of a rank share them.</source>
        <translation>与 --predicted 一起：手工给定一个阶段的 F、I、W 耗时（毫秒）；下方各图中由同一 Rank 的模型块分摊。</translation>
    </message>
    <message>
        <source>With --export: plans of these schedules below, with the same work of a rank.</source>
        <translation>与 --export 一起：下方再画这些调度的计划，每个 Rank 的计算量相同。</translation>
    </message>
    <message>
        <source>--%1 is for --export.</source>
        <translation>--%1 只用于 --export。</translation>
    </message>
    <message>
        <source>--arrows is none, all or a micro-batch from 1 on.</source>
        <translation>--arrows 是 none、all 或从 1 起的微批次编号。</translation>
    </message>
    <message>
        <source>--width needs mm from %1 to %2, or slide.</source>
        <translation>--width 需要 %1 到 %2 之间的毫米数，或 slide。</translation>
    </message>
    <message>
        <source>--predicted is for a scenario, not for a recording.</source>
        <translation>--predicted 针对场景，不能用于录制文件。</translation>
    </message>
    <message>
        <source>--costs needs three numbers of ms from 0.001 to 1000000, such as 1,1,1, and --predicted.</source>
        <translation>--costs 需要三个 0.001 到 1000000 之间的毫秒数，例如 1,1,1，并且要有 --predicted。</translation>
    </message>
    <message>
        <source>--below: there is no schedule %1; the nearest one is %2.</source>
        <translation>--below：没有名为 %1 的调度；最接近的是 %2。</translation>
    </message>
    <message>
        <source>--%1 cannot be used with --predicted, which runs nothing.</source>
        <translation>--%1 不能与 --predicted 同用，后者不实际运行。</translation>
    </message>
    <message>
        <source>--below cannot be used with --beside or --lesson.</source>
        <translation>--below 不能与 --beside、--lesson 同用。</translation>
    </message>
    <message>
        <source>--width and --size exclude each other.</source>
        <translation>--width 和 --size 不能同时用。</translation>
    </message>
    <message>
        <source>--%1 is for a film (.gif, .webp, .mp4).</source>
        <translation>--%1 只用于影片（.gif、.webp、.mp4）。</translation>
    </message>
    <message>
        <source>--%1 cannot be used for a film (.gif, .webp, .mp4).</source>
        <translation>--%1 不能用于影片（.gif、.webp、.mp4）。</translation>
    </message>
    <message>
        <source>--seconds needs a number from %1 to %2.</source>
        <translation>--seconds 需要 %1 到 %2 的数。</translation>
    </message>
    <message>
        <source>--fps needs a whole number from %1 to %2.</source>
        <translation>--fps 需要 %1 到 %2 的整数。</translation>
    </message>
    <message>
        <source>Run without a window, write a picture of the last iteration (.png, .svg, .pdf) or a film of how it grew (.gif; .mp4 and .webp by ffmpeg) and leave. Of recordings or an import also a page for a browser (.html).</source>
        <translation>不开窗口运行，把最后一次迭代画成图片（.png、.svg、.pdf）或逐渐铺开的影片（.gif；.mp4 和 .webp 由 ffmpeg 写出），然后退出。对录制或导入，也可以写成浏览器网页（.html）。</translation>
    </message>
    <message>
        <source>Length of a film, from 1 to 600 (12).</source>
        <translation>影片长度，1 到 600 秒（12）。</translation>
    </message>
    <message>
        <source>Frames per second of a film, from 1 to 60 (30).</source>
        <translation>影片的每秒帧数，1 到 60（30）。</translation>
    </message>
    <message>
        <source>--export needs a file ending in .png, .svg, .pdf, .html, .gif, .webp or .mp4.</source>
        <translation>--export 需要以 .png、.svg、.pdf、.html、.gif、.webp 或 .mp4 结尾的文件。</translation>
    </message>
    <message>
        <source>Resolution of a .png of --width mm, from 72 to 1200 dots per inch (300).</source>
        <translation>--width 以 mm 给出时 .png 的分辨率，每英寸 72 到 1200 点（300）。</translation>
    </message>
    <message>
        <source>Colours of operations: bubblescope, megatron, zero-bubble, pytorch, dualpipe or grey (for print); or of stages: stages.</source>
        <translation>操作的配色：bubblescope、megatron、zero-bubble、pytorch、dualpipe 或 grey（用于打印）；或按阶段配色：stages。</translation>
    </message>
    <message>
        <source>--dpi needs a whole number from %1 to %2.</source>
        <translation>--dpi 需要 %1 到 %2 的整数。</translation>
    </message>
    <message>
        <source>--dpi is for a .png with --width in mm.</source>
        <translation>--dpi 只用于以 mm 给出 --width 的 .png。</translation>
    </message>
    <message>
        <source>--change needs --beside, the run that it changes to.</source>
        <translation>--change 需要 --beside 给出变到的那次运行。</translation>
    </message>
    <message>
        <source>With --beside, for a film: the boxes move from where the first run has them to where the second one has them.</source>
        <translation>与 --beside 同用，用于影片：方块从第一次运行中的位置移动到第二次运行中的位置。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Closing</name>
    <message>
        <source>1 iteration</source>
        <translation>1 次迭代</translation>
    </message>
    <message>
        <source>%1 iterations</source>
        <translation>%1 次迭代</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 条备注</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 条备注</translation>
    </message>
    <message>
        <source>Keep the notes on this imported run?</source>
        <translation>要保存这次导入的运行上的备注吗？</translation>
    </message>
    <message>
        <source>Keep this run? (%1)</source>
        <translation>要保存这次运行吗？（%1）</translation>
    </message>
    <message>
        <source>Keep…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Keep this run</source>
        <translation>保存这次运行</translation>
    </message>
    <message>
        <source>Recordings (*.bscope)</source>
        <translation>录制文件 (*.bscope)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Bubblescope ended without closing; its run is kept up to %1.</source>
        <translation>上次 Bubblescope 没有正常关闭；那次运行保留到 %1 为止。</translation>
    </message>
    <message>
        <source>Of such runs the newest three are kept, until they are opened or discarded.</source>
        <translation>这样的运行保留最新的三次，直到被打开或丢弃。</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Do not ask again: discard runs without notes</source>
        <translation>不再询问：没有备注的运行直接丢弃</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ExportSheet</name>
    <message>
        <source>Export picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The picture as it will be written</source>
        <translation>图片写入文件后的样子</translation>
    </message>
    <message>
        <source>85 mm, one column</source>
        <translation>85 mm，单栏</translation>
    </message>
    <message>
        <source>170 mm, two columns</source>
        <translation>170 mm，双栏</translation>
    </message>
    <message>
        <source>Slide, 16:9</source>
        <translation>幻灯片，16:9</translation>
    </message>
    <message>
        <source>Other width</source>
        <translation>其他宽度</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>SVG, text as outlines</source>
        <translation>SVG，文字转为轮廓</translation>
    </message>
    <message>
        <source>SVG, text as text</source>
        <translation>SVG，文字保留为文本</translation>
    </message>
    <message>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Short: the numbers</source>
        <translation>短：只有数字</translation>
    </message>
    <message>
        <source>Long: what ran, and how</source>
        <translation>长：运行了什么、怎样运行</translation>
    </message>
    <message>
        <source>Dashed</source>
        <translation>虚线</translation>
    </message>
    <message>
        <source>Solid</source>
        <translation>实心</translation>
    </message>
    <message>
        <source>Everything shown</source>
        <translation>画面上的全部</translation>
    </message>
    <message>
        <source>Operations only</source>
        <translation>只有操作方块</translation>
    </message>
    <message>
        <source>Of one micro-batch</source>
        <translation>一个微批次的</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Transparent background</source>
        <translation>透明背景</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>mm</source>
        <translation>毫米</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>说明文字</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>箭头</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Below it</source>
        <translation>下方再画</translation>
    </message>
    <message>
        <source>No other schedule</source>
        <translation>没有其他调度</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>%1 × %2 mm: taller than an A4 page (%3 mm)</source>
        <translation>%1 × %2 毫米：高于一页 A4（%3 毫米）</translation>
    </message>
    <message>
        <source>%1 × %2 mm</source>
        <translation>%1 × %2 毫米</translation>
    </message>
    <message>
        <source>dpi</source>
        <translation>dpi</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
</context>
<context>
    <name>bscope::ui::RunKeeper</name>
    <message>
        <source>the file there cannot be replaced</source>
        <translation>那里的文件无法替换</translation>
    </message>
    <message>
        <source>its earlier part stays in %1</source>
        <translation>较早的部分仍在 %1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::Section</name>
    <message>
        <source>Fold: %1</source>
        <translation>折叠：%1</translation>
    </message>
    <message>
        <source>Open: %1</source>
        <translation>展开：%1</translation>
    </message>
</context>
<context>
    <name>bscope::ui::PartDialog</name>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>A part of a pipeline: %1</source>
        <translation>流水线的一部分：%1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Files of some ranks: %1.</source>
        <translation>只有部分 Rank 的文件：%1。</translation>
    </message>
    <message>
        <source>The order of these ranks matches no known schedule.</source>
        <translation>这些 Rank 的顺序与任何已知的调度都不符。</translation>
    </message>
    <message>
        <source>At these places, of p = %1 ranks, these orders are those of %2.</source>
        <translation>在 p = %1 个 Rank 的这些位置上，这些顺序属于 %2。</translation>
    </message>
    <message>
        <source>Iteration %1, each rank from its own first operation on:</source>
        <translation>迭代 %1，每个 Rank 从自己的第一个操作算起：</translation>
    </message>
    <message>
        <source>idle, median</source>
        <translation>空闲，中位数</translation>
    </message>
    <message>
        <source>Bubble, theory, prediction and advice need the files of all ranks and are left out.</source>
        <translation>气泡、理论值、预测和建议需要全部 Rank 的文件，这里略去。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::StragglerLine</name>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Selects its longest operation and zooms to it</source>
        <translation>选中其中最长的操作并放大</translation>
    </message>
    <message>
        <source>Back to the run</source>
        <translation>回到运行</translation>
    </message>
    <message>
        <source>Predict without it</source>
        <translation>预测没有它的情形</translation>
    </message>
    <message>
        <source>It cannot be predicted: the order of the run is unknown or cannot be played with its costs</source>
        <translation>无法预测：本次运行的顺序未知，或无法用它的耗时推演</translation>
    </message>
    <message>
        <source>Shows the run without it as a plan on the canvas</source>
        <translation>在画布上以计划显示没有它时的运行</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>bscope::ui::DecisionPanel</name>
    <message>
        <source>%1. True here: %2.</source>
        <translation>%1。在这里成立：%2。</translation>
    </message>
    <message>
        <source>%1. Not true here: %2.</source>
        <translation>%1。在这里不成立：%2。</translation>
    </message>
    <message>
        <source>Best schedule</source>
        <translation>最佳调度</translation>
    </message>
    <message>
        <source>What usually decides</source>
        <translation>通常由什么决定</translation>
    </message>
    <message>
        <source>What many texts say</source>
        <translation>许多文章的说法</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ImproveLines</name>
    <message>
        <source>No change is chosen.</source>
        <translation>未选中改动。</translation>
    </message>
    <message>
        <source>This line is not legal here.</source>
        <translation>这一行在这里不合法。</translation>
    </message>
    <message>
        <source>It changes the machine or the model, not the configuration: it can be shown, but not run.</source>
        <translation>它改变的是机器或模型，而不是配置：只能查看，不能运行。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>time per sample</source>
        <translation>每样本时间</translation>
    </message>
    <message>
        <source>time per micro-batch</source>
        <translation>每微批次时间</translation>
    </message>
    <message>
        <source>iteration, %1</source>
        <translation>迭代，%1</translation>
    </message>
    <message>
        <source>ran, %1</source>
        <translation>实际运行 %1</translation>
    </message>
    <message>
        <source>micro-batch, %1</source>
        <translation>每微批次，%1</translation>
    </message>
    <message>
        <source>of span</source>
        <translation>零气泡口径</translation>
    </message>
    <message>
        <source>peak, MB</source>
        <translation>峰值，MB</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>份数</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Share of the time per sample, relative to the run&apos;s own line.</source>
        <translation>每样本时间的变化，与本次运行自己的那一行相比。</translation>
    </message>
    <message>
        <source>Share of the time per micro-batch, relative to the run&apos;s own line.</source>
        <translation>每微批次时间的变化，与本次运行自己的那一行相比。</translation>
    </message>
    <message>
        <source>Predicted, including the run&apos;s own line.</source>
        <translation>都是预测值，本次运行自己的那一行也是。</translation>
    </message>
    <message>
        <source>The actual result. For the run&apos;s own line: the median of its iterations. For a line that was applied: the median of the iterations that ran under exactly this configuration, without the first after the change. Otherwise from a sweep, or from runs alternating with this run (R).</source>
        <translation>实际结果。对本次运行自己的那一行：其各次迭代的中位数。对已采用的行：恰好在此配置下运行的各次迭代的中位数，改动后的第一次不计。否则来自扫描，或来自与本次运行轮流进行的运行（R）。</translation>
    </message>
    <message>
        <source>Idle share within the longest rank&apos;s span, from its first start to its last end, on all ranks: the bubble of papers on zero bubble.</source>
        <translation>最长的 Rank 跨度（从第一个操作开始到最后一个结束）之内，所有 Rank 的空闲占比：零气泡论文里说的气泡。</translation>
    </message>
    <message>
        <source>Most activations that any rank holds at once.</source>
        <translation>任一 Rank 同时占用的激活内存的最大值。</translation>
    </message>
    <message>
        <source>Most micro-batches that any rank holds at once; 1 is what one micro-batch keeps on a rank of the run, that is v chunks.</source>
        <translation>任一 Rank 同时在途的最多微批次；1 指一个微批次在本次运行的一个 Rank 上留下的量，即 v 个模型块。</translation>
    </message>
    <message>
        <source>Most copies and versions of one stage&apos;s weights on a rank.</source>
        <translation>一个 Rank 上同一阶段权重的最多份数与版本数。</translation>
    </message>
    <message>
        <source>Messages between ranks in one iteration.</source>
        <translation>一次迭代中 Rank 之间的消息数。</translation>
    </message>
    <message>
        <source>applied: %1</source>
        <translation>已采用：%1</translation>
    </message>
    <message>
        <source>not legal</source>
        <translation>不合法</translation>
    </message>
    <message>
        <source>Applied; no iteration after the first has run under it yet.</source>
        <translation>已采用；除第一次迭代外，还没有迭代按此配置运行。</translation>
    </message>
    <message>
        <source>Predicted %1, actual %2 (%3; iterations that count: %4): the prediction is off by %5.</source>
        <translation>预测 %1，实际 %2（%3；计入的迭代：%4 次），预测偏差 %5。</translation>
    </message>
    <message>
        <source>The run took %1, the median of its iterations (%2).</source>
        <translation>本次运行用时 %1，即 %2 次迭代的中位数。</translation>
    </message>
    <message>
        <source>It ran beside the run: %1, the median of %2 iterations.</source>
        <translation>另行运行过：%1，%2 次迭代的中位数。</translation>
    </message>
    <message>
        <source>Excluded: %1.</source>
        <translation>已排除：%1。</translation>
    </message>
    <message>
        <source>Asynchronous: gradients are computed with older weights, so it trains differently from the run.</source>
        <translation>异步：梯度来自较旧的权重，因此训练过程与本次运行不同。</translation>
    </message>
    <message>
        <source>Cost: %1.</source>
        <translation>代价：%1。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ImprovePage</name>
    <message>
        <source>What would help</source>
        <translation>怎样更快</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
</context>
<context>
    <name>bscope::ui::ImproveTable</name>
    <message>
        <source>Predicting …</source>
        <translation>正在预测……</translation>
    </message>
    <message>
        <source>Enter or a double click</source>
        <translation>回车或双击</translation>
    </message>
    <message>
        <source>No line is chosen.</source>
        <translation>未选中任何行。</translation>
    </message>
    <message>
        <source>This line is not legal here.</source>
        <translation>这一行在这里不合法。</translation>
    </message>
    <message>
        <source>Searching an order for these costs …</source>
        <translation>正在为这些耗时搜索顺序……</translation>
    </message>
    <message>
        <source>Enter shows a line as a plan, A stacks its plan on the canvas, C copies its flags.</source>
        <translation>回车把一行显示为计划，A 把它的计划叠放到画布上，C 复制它的参数。</translation>
    </message>
    <message>
        <source>Enter applies a line, A stacks its plan on the canvas, C copies its flags.</source>
        <translation>回车采用一行，A 把它的计划叠放到画布上，C 复制它的参数。</translation>
    </message>
    <message>
        <source>Enter applies a line, A stacks its plan on the canvas, R runs the stacked plans, C copies its flags.</source>
        <translation>回车采用一行，A 把它的计划叠放到画布上，R 运行已叠放的，C 复制它的参数。</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>怎样更快</translation>
    </message>
    <message>
        <source>Activations of a rank at most, MB, 0 = no cap</source>
        <translation>每个 Rank 的激活内存上限，MB，0 = 不限</translation>
    </message>
    <message>
        <source>At most in flight on a rank, 0 = no cap</source>
        <translation>每个 Rank 最多在途，0 = 不限</translation>
    </message>
    <message>
        <source>In micro-batches: 1 is what one micro-batch keeps on a rank of the run, that is v chunks.</source>
        <translation>以微批次计：1 指一个微批次在本次运行的一个 Rank 上留下的量，即 v 个模型块。</translation>
    </message>
    <message>
        <source>same mini-batch</source>
        <translation>小批量不变</translation>
    </message>
    <message>
        <source>schedules only</source>
        <translation>仅调度</translation>
    </message>
    <message>
        <source>all changes</source>
        <translation>所有改动</translation>
    </message>
    <message>
        <source>Another m only with smaller or larger micro-batches: an iteration has as many samples as now</source>
        <translation>改 m 时微批次随之变大或变小：一次迭代的样本数与现在相同</translation>
    </message>
    <message>
        <source>Another schedule, or another v, and nothing else</source>
        <translation>只换调度或 v，其他都不变</translation>
    </message>
    <message>
        <source>Also another m with micro-batches as large as they are: the mini-batch grows or shrinks</source>
        <translation>也包括微批次大小不变、只改 m：小批量随之变大或变小</translation>
    </message>
    <message>
        <source>any number of copies</source>
        <translation>不限副本</translation>
    </message>
    <message>
        <source>one copy of the weights</source>
        <translation>仅一份权重</translation>
    </message>
    <message>
        <source>any updates</source>
        <translation>不限更新方式</translation>
    </message>
    <message>
        <source>synchronous</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>any framework</source>
        <translation>不限框架</translation>
    </message>
    <message>
        <source>What this framework supports</source>
        <translation>该框架支持的</translation>
    </message>
    <message>
        <source>Lines for which this framework has no option are excluded and shown pale</source>
        <translation>该框架没有对应选项的行会被排除，显示为浅色</translation>
    </message>
    <message>
        <source>Show as a plan</source>
        <translation>显示为计划</translation>
    </message>
    <message>
        <source>Use this</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Median absolute error of predictions that then ran on %1: %2 (predictions: %3).</source>
        <translation>在 %1 上预测后实际运行的改动，绝对误差的中位数：%2（共 %3 次预测）。</translation>
    </message>
    <message>
        <source>Predicted with %1; only the results under “ran” are from runs.</source>
        <translation>按%1预测；只有“实际运行”一列来自运行。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::HourBar</name>
    <message>
        <source>All done · lessons right: %1 of %2</source>
        <translation>全部完成 · 课程答对 %1/%2</translation>
    </message>
    <message>
        <source>Interview hour: step %1 of %2</source>
        <translation>面试一小时：第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Interview hour</source>
        <translation>面试一小时</translation>
    </message>
    <message>
        <source>the hour is over</source>
        <translation>一小时已满</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Begin: %1</source>
        <translation>开始：%1</translation>
    </message>
    <message>
        <source>Once more</source>
        <translation>再来一遍</translation>
    </message>
    <message>
        <source>Now: %1</source>
        <translation>现在：%1</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一步：%1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Leaves the hour and discards its progress</source>
        <translation>退出面试一小时，不保留进度</translation>
    </message>
</context>
<context>
    <name>bscope::ui::QuestionDialog</name>
    <message>
        <source>Back to the card  S</source>
        <translation>回到卡片  S</translation>
    </message>
</context>
<context>
    <name>bscope::ui::InterviewHour</name>
    <message>
        <source>lesson %1</source>
        <translation>第 %1 课</translation>
    </message>
    <message numerus="yes">
        <source>%n interview cards</source>
        <translation>
            <numerusform>%n 张面试卡片</numerusform>
        </translation>
    </message>
    <message>
        <source>a quiz</source>
        <translation>测验</translation>
    </message>
</context>
<context>
    <name>bscope::ui::LearningPlace</name>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>测验</translation>
    </message>
    <message>
        <source>Puzzle</source>
        <translation>拼图</translation>
    </message>
</context>
<context>
    <name>bscope::ui::StackPicture</name>
    <message>
        <source>of total: %1 = %2</source>
        <translation>占总时间：%1 = %2</translation>
    </message>
    <message>
        <source>Idle before, between and after its work: another mix on every rank, the same sum.</source>
        <translation>开始前、中间和结束后的空闲：各 Rank 的构成不同，总和相同。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FilmDialog</name>
    <message>
        <source>Export a film</source>
        <translation>导出影片</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>MP4 and WebP are written by the program ffmpeg, which is not installed.</source>
        <translation>MP4 和 WebP 由程序 ffmpeg 写出，它没有安装。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>每秒帧数</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>GIF (*.gif)</source>
        <translation>GIF (*.gif)</translation>
    </message>
    <message>
        <source>MP4 (*.mp4)</source>
        <translation>MP4 (*.mp4)</translation>
    </message>
    <message>
        <source>WebP (*.webp)</source>
        <translation>WebP (*.webp)</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>逐块铺开</translation>
    </message>
    <message>
        <source>Change from one to the other</source>
        <translation>从一个变为另一个</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>The iteration grows, box by box, over its plan, and then stands still for a moment.</source>
        <translation>迭代在其计划之上逐块铺开，最后静止片刻。</translation>
    </message>
</context>
<context>
    <name>bscope::ui::FilmWriter</name>
    <message>
        <source>Cannot write %1: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>ffmpeg wrote no film: %1. A .gif needs no ffmpeg.</source>
        <translation>ffmpeg 没有写出影片：%1。写 .gif 不需要 ffmpeg。</translation>
    </message>
    <message>
        <source>it ended unexpectedly</source>
        <translation>它意外结束了</translation>
    </message>
</context>
</TS>
