#include "catalog/explanation.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "catalog/bubble_formula.h"
#include "catalog/catalog.h"
#include "catalog/closed_forms.h"
#include "schedule/activation_ledger.h"
#include "schedule/playback.h"
#include "words/number_text.h"

namespace bscope {

namespace {

// Bubbles when every F, I and W takes one unit and messages none.
struct Played {
    double of_total = 0, of_ideal = 0;
    double of_span = 0;  // greatest of a rank's own, from its first start to its last end
};

Played play(const Schedule& schedule) {
    Playback playback(schedule);
    std::vector<std::int64_t> first(schedule.orders.size(), -1), free(schedule.orders.size(), 0),
        work(schedule.orders.size(), 0);
    playAll(
        schedule.orders, playback,
        [&](std::size_t rank, std::size_t i) { return playback.isReady(schedule.orders[rank][i]); },
        [&](std::size_t rank, std::size_t i) {
            const Action& action = schedule.orders[rank][i];
            const int units = action.op == Op::Backward ? 2 : 1;
            const std::int64_t start = std::max(free[rank], playback.inputEnd(action));
            if (first[rank] < 0) first[rank] = start;
            free[rank] = start + units;
            work[rank] += units;
            playback.finish(action, free[rank]);
        });
    const auto makespan = static_cast<double>(*std::max_element(free.begin(), free.end()));
    const auto all = static_cast<double>(std::accumulate(work.begin(), work.end(), std::int64_t{0}));
    const double idle = makespan * static_cast<double>(free.size()) - all;
    Played played{idle / (idle + all), idle / all, 0};
    for (std::size_t rank = 0; rank < free.size(); ++rank)
        if (const std::int64_t span = free[rank] - first[rank]; span > 0)
            played.of_span =
                std::max(played.of_span, 1 - static_cast<double>(work[rank]) / static_cast<double>(span));
    return played;
}

std::string join(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

class Explainer {
public:
    Explainer(std::string_view name, const ScheduleParams& params, Language language)
        : english_(language == Language::English),
          d_(params.d),
          t_(params.t),
          zero_(params.zero),
          params_(params.ofOnePipeline()),
          schedule_(makeSchedule(name, params_)),
          entry_(findSchedule(name)),
          words_(findWords(schedule_.name)) {}

    Explanation run() const {
        Explanation result;
        const Language language = english_ ? Language::English : Language::Chinese;
        result.title = entry_ != nullptr ? titleOf(*entry_, language) : schedule_.name;
        result.source = entry_ != nullptr ? sourceOf(*entry_, language) : schedule_.name;
        if (words_ != nullptr) {
            result.summary = say(words_->summary_en, words_->summary_zh);
            result.rule = say(words_->rule_en, words_->rule_zh);
        } else {
            result.summary = say("A schedule read from a file.", "从文件读入的调度。");
            result.rule = say("As written in the file.", "按文件所写的顺序。");
        }
        result.placement = placement();
        result.bubble = bubble();
        result.memory = memory();
        result.communication = communication();
        result.weights = weights() + dataParallelReplicas() + shards();
        return result;
    }

private:
    std::string say(const char* english, const char* chinese) const { return english_ ? english : chinese; }

    std::string placement() const {
        std::string text;
        for (int rank = 0; rank < static_cast<int>(schedule_.orders.size()); ++rank) {
            std::string stages;
            int count = 0;
            for (int stage = 0; stage < schedule_.stageCount(); ++stage)
                if (schedule_.placement[static_cast<std::size_t>(stage)] == rank && ++count > 0)
                    stages += join({" ", std::to_string(stage)});
            text += join({rank > 0 ? "\n" : "", say("rank ", "Rank "), std::to_string(rank),
                          count == 1 ? say(": stage", "：阶段") : say(": stages", "：阶段"), stages});
        }
        if (schedule_.replicas() == 2) {
            const std::string p = std::to_string(params_.p), last = std::to_string(2 * params_.p - 1);
            text +=
                english_
                    ? join({"\nstages ", p, "..", last, " are the second replica, in the other direction"})
                    : join({"\n阶段 ", p, "..", last, " 是第二份副本，方向相反"});
        }
        return text;
    }

    std::string bubble() const {
        const Played played = play(schedule_);
        std::string text;
        if (schedule_.step_every > 0)
            text = say(
                "the stream that runs is never drained, and a full stream of equal stages has no bubble; "
                "what "
                "follows is of what is drawn, filled and drained once\n",
                "实际运行的数据流从不排空，阶段均匀时稳态没有气泡；以下是所画部分的数值，填充、排空各一次\n");
        text += say("for F = I = W, B = I + W and a free link:", "设 F = I = W、B = I + W、通信不计时：");
        text += say("\nof total = idle / (p * makespan): ", "\n占总时间的比例 = 空闲 / (p * 迭代时间)：") +
                shareText(BubbleShare::OfTotal, played.of_total);
        text += say("\nof ideal = idle / busy: ", "\n相对理想时间 = 空闲 / 计算：") +
                shareText(BubbleShare::OfIdeal, played.of_ideal);
        if (schedule_.hasSplitBackward())
            text += say("\nwithin a rank's own span, from its first start to its last end: ",
                        "\n一个 Rank 自己的跨度（从第一个操作开始到最后一个操作结束）之内：") +
                    percentText(played.of_span);
        if (const std::string any = entry_ != nullptr ? formulaForAnyDurations(*entry_) : ""; !any.empty())
            text += join({say("\nwith other durations the formula differs: of total = ",
                              "\n各操作耗时不相等时公式不同：占总时间的比例 = "),
                          any, *entry_->formula_holds == '\0' ? "" : say(", for ", "，条件："), condition()});
        if (schedule_.name == "dualpipe") text += fusedPairs();
        return text;
    }

    // The formula with its numbers and the result, or what was played.
    std::string shareText(BubbleShare share, double played) const {
        const auto formula = entry_ != nullptr ? bubbleFormula(*entry_, params_, {}, share) : std::nullopt;
        if (formula)
            return join({formula->letters, " = ", formula->numbers, " = ", percentText(formula->value)});
        const bool known = entry_ != nullptr && *entry_->bubble_formula != '\0';
        if (!known)
            return join({percentText(played), say(" (played; ", "（逐步推演所得；"), paperFormula(share),
                         say(")", "）")});
        return join({percentText(played), say(" (played; the formula ", "（逐步推演所得；公式 "),
                     bubbleFormulaLetters(*entry_, share), say(" holds for ", " 成立的条件："), condition(),
                     say(" only)", "）")});
    }

    std::string condition() const {
        if (entry_ == nullptr || *entry_->formula_holds == '\0') return "";
        return bscope::say(sentence(entry_->formula_holds), english_ ? Language::English : Language::Chinese);
    }

    // What the papers give where no exact form of what is played is known.
    std::string paperFormula(BubbleShare share) const {
        const bool of_total = share == BubbleShare::OfTotal;
        if (schedule_.name == "v-half")
            return join({say("the paper gives about half of 1F1B's, ", "论文给出约为 1F1B 的一半，即 "),
                         of_total ? "(p-1)/(2*(m+p-1))" : "(p-1)/(2*m)"});
        if (schedule_.name == "v-min")
            return join({say("the paper gives about two thirds of 1F1B's, and more for small m, ",
                             "论文给出约为 1F1B 的三分之二，m 小时更多，即 "),
                         of_total ? "2*(p-1)/(3*(m+p-1))" : "2*(p-1)/(3*m)"});
        if (schedule_.name == "dualpipe") return say("the paper's formula stands below", "论文的公式见下文");
        return say("no formula is known", "没有已知公式");
    }

    // What the paper gives holds when the two halves of a pair run as one, which the engine does not do.
    std::string fusedPairs() const {
        const auto of_total = closed_forms::dualPipeFused(params_, 1, 1, 1);
        const std::string letters = "(p-2)/(3*m+p-2)";
        return join(
            {say("\nthe paper's, (PP/2-1)*(F&B+B-3*W) with F&B = F+B: a pair is one operation, whose "
                 "results leave when all of it is done (here the two halves follow each other, and each "
                 "hands on its own at once): ",
                 "\n论文的公式 (PP/2-1)*(F&B+B-3*W)，取 F&B = F+B：一对前向和反向算一个操作，"
                 "全部做完才交出结果（这里两半先后执行，各自做完就交出）："),
             letters, " = ", withNumbers(letters, {params_, 0, 0, {}}), " = ", percentText(*of_total),
             say("; for W <= I = F: x/(m*(F+B)+x), x = (p/2-1)*(F+2*B-3*W)",
                 "；W <= I = F 时为 x/(m*(F+B)+x)，x = (p/2-1)*(F+2*B-3*W)")});
    }

    std::string memory() const {
        std::string text =
            schedule_.isForwardOnly()
                ? say("most chunks (stage, micro-batch) in flight by rank, freed when the result is sent:",
                      "各 Rank 在途的模型块数峰值（块 = 一个阶段 × 一个微批次），结果发出时释放：")
            : params_.segments > 1
                ? say("most chunks (stage, segment) in flight by rank, freed when B ends:",
                      "各 Rank 在途的块数峰值（块 = 一个阶段 × 一段），B 结束时释放：")
                : say("most chunks (stage, micro-batch) in flight by rank, freed when B or W ends:",
                      "各 Rank 在途的模型块数峰值（块 = 一个阶段 × 一个微批次），B 或 W 结束时释放：");
        const char* between = english_ ? " " : "";  // the colon has its own space in Chinese
        for (const std::vector<Action>& order : schedule_.orders)
            text += join({std::exchange(between, " "),
                          std::to_string(peakInFlight(order, schedule_.isForwardOnly()))});
        if (words_ != nullptr && words_->peak[0] != '\0') text += peakFormula();
        const std::string v = std::to_string(params_.v);
        if (params_.v > 1 && schedule_.replicas() == 1)
            text += english_ ? join({"; divide by v = ", v, " for units of a whole rank"})
                             : join({"；除以 v = ", v, " 得到以整个 Rank 为单位的数量"});
        return text;
    }

    // "; formula for rank r: min(m,p-r), for r = 0: min(8,4-0) = 4"; of one with a condition only where it
    // holds.
    std::string peakFormula() const {
        constexpr std::string_view kCondition = " for m >= ";
        const std::string_view peak = words_->peak;
        const std::string formula(peak.substr(0, peak.find(kCondition)));
        std::string text = say("; formula for rank r: ", "；Rank r 的公式：");
        if (formula.size() < peak.size()) {
            const std::string least(peak.substr(formula.size() + kCondition.size()));
            text += english_ ? std::string(peak) : join({"m >= ", least, " 时为 ", formula});
        } else {
            text += formula;
        }
        const int most = peakInFlight(schedule_.orders.front(), schedule_.isForwardOnly());
        const int group_size = words_->group_size != nullptr ? words_->group_size(params_) : 0;
        const std::string numbers = withNumbers(formula, {params_, 0, group_size, {}});
        if (formula.size() < peak.size() && params_.m < 2 * params_.p - 1) return text;
        text += join({say(", for r = 0: ", "，r = 0 时："), numbers});
        return numbers == std::to_string(most) ? text : join({text, " = ", std::to_string(most)});
    }

    std::string communication() const {
        int hops = 0;
        const std::vector<int>& chain = schedule_.chains.front();
        for (std::size_t i = 1; i < chain.size(); ++i)
            hops += schedule_.placement[static_cast<std::size_t>(chain[i])] !=
                    schedule_.placement[static_cast<std::size_t>(chain[i - 1])];
        const std::string one_way = std::to_string(hops), both_ways = std::to_string(2 * hops);
        std::string text;
        if (schedule_.isForwardOnly())
            text =
                english_
                    ? join({one_way, hops == 1 ? " message" : " messages", " per micro-batch, all forward"})
                    : join({"每个微批次 ", one_way, " 条消息，都是前向的"});
        else
            text = english_ ? join({both_ways, " messages per micro-batch: ", one_way,
                                    " activations forward, ", one_way, " gradients back, all the same size"})
                            : join({"每个微批次 ", both_ways, " 条消息：前向传 ", one_way,
                                    " 条激活值，反向传 ", one_way, " 条梯度，大小相同"});
        if (params_.segments > 1)
            text += english_ ? join({"; so many of each of the q = ", std::to_string(params_.segments),
                                     " segments, which are a q-th of that size"})
                             : join({"；q = ", std::to_string(params_.segments),
                                     " 段中的每一段各有这么多条，大小为其 1/q"});
        if (schedule_.replicas() == 2)
            text += say("; once an iteration the two replicas add their weight gradients",
                        "；每次迭代两份副本还要归约权重梯度");
        return text;
    }

    std::string weights() const {
        const std::string p = std::to_string(params_.p);
        if (schedule_.weights == WeightRule::Stashed && params_.vertical_sync)
            return english_
                       ? join({"p = ", p,
                               " versions on every rank (vertical sync): a micro-batch meets on "
                               "every stage the version that rank 0 had for it; a step after every backward"})
                       : join({"每个 Rank 上保留 p = ", p,
                               " 个版本（垂直同步）：一个微批次在每个阶段都使用它进入 "
                               "Rank 0 时的版本；每次反向之后更新一次"});
        if (schedule_.weights == WeightRule::Stashed)
            return english_ ? join({"p - r versions on rank r (", p,
                                    " on rank 0); a backward uses the version "
                                    "of its forward; a step after every backward"})
                            : join({"Rank r 上保留 p - r 个版本（Rank 0 上 ", p,
                                    " 个）；反向使用其前向的版本；每次反向之后更新一次"});
        if (schedule_.weights == WeightRule::DoubleBuffer)
            return say(
                "2 versions on every rank; a step after every m backwards, with a delay of exactly one",
                "每个 Rank 2 个版本；每 m 次反向更新一次，恰好延迟一步");
        if (schedule_.isForwardOnly()) return say("1 version, never changed", "1 个版本，不更新");
        if (schedule_.replicas() == 2)
            return say("1 version in 2 copies: every stage lives on two ranks; one step at the end (flush)",
                       "1 个版本、2 份副本：每个阶段位于两个 Rank；结束时更新一次（flush）");
        const std::string flush = say("1 version; one step at the end of the iteration (flush)",
                                      "1 个版本；迭代结束时更新一次（flush）");
        if (!schedule_.hasSplitBackward()) return flush;
        return flush + say("; the step has to wait for the global gradient norm, so all ranks start the next "
                           "iteration together; the parallelogram of the papers is lost",
                           "；更新之前要等全局梯度范数，各 Rank "
                           "同时开始下一次迭代；零气泡论文中的平行四边形因此不成立");
    }

    std::string dataParallelReplicas() const {
        if (d_ == 1) return {};
        const std::string d = std::to_string(d_), world = std::to_string(params_.p * d_);
        return english_ ? join({"; d = ", d, " data-parallel replicas of all this on ", world,
                                " ranks, each with m micro-batches of its own: they add their gradients "
                                "(REDUCE_GRAD) before the step; rank r of replica k is rank r * ",
                                d, " + k", zero()})
                        : join({"；d = ", d, " 份数据并行副本，共 ", world,
                                " 个 Rank，每份各有 m 个微批次：更新之前归约梯度（REDUCE_GRAD）；副本 k "
                                "的 Rank r 是 Rank r * ",
                                d, " + k", zero()});
    }

    // arXiv:1910.02054, stage 1.
    std::string zero() const {
        if (zero_ == 0) return {};
        const std::string d = std::to_string(d_);
        return english_ ? join({"; ZeRO-1: each of the ", d, " copies of a stage adds up and steps a ", d,
                                "th of it, of which alone it has the optimizer state, and gathers the other "
                                "weights after the step (GATHER_WEIGHTS): as many bytes as without it"})
                        : join({"；ZeRO-1：一个阶段的 ", d, " 份副本各归约、更新其中的 1/", d,
                                "，优化器状态也只存这一份，更新之后收齐其余权重（GATHER_WEIGHTS）："
                                "总字节数与不用 ZeRO 时相同"});
    }

    std::string shards() const {
        if (t_ == 1) return {};
        const std::string t = std::to_string(t_), last = std::to_string(t_ - 1),
                          world = std::to_string(params_.p * d_ * t_);
        return english_
                   ? join(
                         {"; t = ", t, " tensor-parallel shards of every stage on ", world,
                          " ranks: ranks r * ", t, " .. r * ", t, " + ", last,
                          " compute together what rank r computes with t = 1, and add up their parts twice a "
                          "layer in F",
                          schedule_.isForwardOnly() ? "" : " and twice in B or I"})
                   : join({"；每个阶段 t = ", t, " 份张量并行分片，共 ", world, " 个 Rank：Rank r * ", t,
                           " .. r * ", t, " + ", last,
                           " 一起计算 t = 1 时 Rank r 的内容，每层在 F 中 all-reduce 两次",
                           schedule_.isForwardOnly() ? "" : "，在 B 或 I 中也是两次"});
    }

    bool english_;
    int d_, t_, zero_;
    ScheduleParams params_;  // of one shard of one data-parallel replica
    Schedule schedule_;
    const CatalogEntry* entry_;
    const ExplanationWords* words_;
};

}  // namespace

Explanation explain(std::string_view name, const ScheduleParams& params, Language language) {
    return Explainer(name, params, language).run();
}

std::string toText(const Explanation& explanation, Language language) {
    const bool english = language == Language::English;
    const auto part = [](const std::string& heading, const std::string& body) {
        return "\n" + heading + "\n" + body + "\n";
    };
    return explanation.title + "\n\n" + explanation.summary + "\n" +
           part(english ? "Order" : "顺序", explanation.rule) +
           part(english ? "Placement" : "阶段放置", explanation.placement) +
           part(english ? "Bubble" : "气泡", explanation.bubble) +
           part(english ? "Memory" : "激活内存", explanation.memory) +
           part(english ? "Communication" : "通信", explanation.communication) +
           part(english ? "Weight versions" : "权重版本", explanation.weights) +
           part(english ? "Source" : "来源", explanation.source);
}

}  // namespace bscope
