// The puzzle: its verdict is the validator's on random grids, whether a grid is opened or built operation by
// operation; what a refusal names is what is missing; numbers are those of playback; pars are what the search
// gives and can be reached; starting points and files; progress.
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "catalog/catalog.h"
#include "puzzle/exhaustive_search.h"
#include "puzzle/par.h"
#include "puzzle/puzzle_progress.h"
#include "puzzle/puzzle_status.h"
#include "puzzle/starting_point.h"
#include "registered_test.h"
#include "schedule/activation_ledger.h"
#include "schedule/formats/csv.h"
#include "schedule/grid.h"
#include "schedule/index.h"
#include "schedule/playback.h"
#include "schedule/validate.h"
#include "words/sentence_error.h"

namespace tst_puzzle {

using namespace bscope;

namespace {

using Orders = PuzzleGrid::Orders;

// std::mt19937 gives the same numbers everywhere; distributions do not.
class Draw {
public:
    explicit Draw(std::uint32_t seed) : source_(seed) {}
    int below(int n) { return static_cast<int>(source_() % static_cast<std::uint32_t>(n)); }
    template <class T>
    void shuffle(std::vector<T>& all) {
        for (std::size_t i = all.size(); i > 1; --i)
            std::swap(all[i - 1], all[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    }

private:
    std::mt19937 source_;
};

// Every operation of the level, on its rank, in no order.
Orders allOperations(const PuzzleLevel& level, Draw& draw) {
    const Schedule empty = level.empty();
    Orders orders = empty.orders;
    for (int stage = 0; stage < empty.stageCount(); ++stage)
        for (int i = 0; i < level.m; ++i) {
            std::vector<Action>& order = orders[at(empty.placement[at(stage)])];
            order.push_back({stage, Op::Forward, i});
            if (level.split && draw.below(2) == 0) {
                order.push_back({stage, Op::BackwardInput, i});
                order.push_back({stage, Op::BackwardWeight, i});
            } else {
                order.push_back({stage, Op::Backward, i});
            }
        }
    return orders;
}

// The same operations, always one that is ready.
Orders played(const PuzzleLevel& level, Orders waiting, Draw& draw) {
    Schedule schedule = level.empty();
    Playback playback(schedule);
    Orders orders(waiting.size());
    for (bool progress = true; progress;) {
        progress = false;
        for (std::size_t rank = 0; rank < waiting.size(); ++rank) {
            draw.shuffle(waiting[rank]);
            const auto ready = std::ranges::find_if(
                waiting[rank], [&](const Action& action) { return playback.isReady(action); });
            if (ready == waiting[rank].end()) continue;
            playback.finish(*ready);
            orders[rank].push_back(*ready);
            waiting[rank].erase(ready);
            progress = true;
        }
    }
    return orders;
}

Orders randomGrid(const PuzzleLevel& level, Draw& draw) {
    Orders orders = allOperations(level, draw);
    const int kind = draw.below(4);
    if (kind == 0) {
        for (std::vector<Action>& order : orders) draw.shuffle(order);
        return orders;
    }
    orders = played(level, orders, draw);
    if (kind == 1) return orders;
    for (int change = 1 + draw.below(2); change > 0; --change) {
        std::vector<Action>& order = orders[at(draw.below(level.p))];
        if (order.size() < 2) continue;
        const int from = draw.below(static_cast<int>(order.size()) - 1);
        switch (kind == 2 ? 0 : draw.below(5)) {
            case 0:
                std::swap(order[at(from)], order[at(from) + 1]);
                break;
            case 1:
                order.erase(order.begin() + from);
                break;
            case 2:
                order.push_back(order[at(from)]);
                break;
            case 3:
                order[at(from)].microbatch = draw.below(level.m + 1);
                break;
            default:
                order[at(from)].op = level.split ? Op::BackwardInput : Op::Forward;
        }
    }
    return orders;
}

Schedule scheduleOf(const PuzzleLevel& level, const Orders& orders) {
    Schedule schedule = level.empty();
    schedule.orders = orders;
    return schedule;
}

// Rank after rank what comes next, as long as something is taken.
bool builtOneByOne(PuzzleGrid& grid, const Orders& orders) {
    std::vector<std::size_t> next(orders.size(), 0);
    for (bool progress = true; progress;) {
        progress = false;
        for (std::size_t rank = 0; rank < orders.size(); ++rank)
            while (next[rank] < orders[rank].size() &&
                   !grid.place(orders[rank][next[rank]], static_cast<int>(next[rank]))) {
                ++next[rank];
                progress = true;
            }
    }
    for (std::size_t rank = 0; rank < orders.size(); ++rank)
        if (next[rank] < orders[rank].size()) return false;
    return grid.isComplete();
}

const PuzzleLevel& level(const char* id) {
    return *findPuzzleLevel(id);
}

QString english(const Sentence& sentence) {
    return QString::fromStdString(say(sentence, Language::English));
}

}  // namespace

class TestPuzzle : public QObject {
    Q_OBJECT

private slots:
    void theVerdictIsTheValidators() {
        const std::vector<const char*> ids{"one-way",    "two-ranks", "less-memory",
                                           "two-halves", "chunks",    "four-ranks"};
        Draw draw(19);
        int legal = 0;
        for (int trial = 0; trial < 10'000; ++trial) {
            const PuzzleLevel& chosen = level(ids[at(draw.below(static_cast<int>(ids.size())))]);
            const Orders orders = randomGrid(chosen, draw);
            const bool valid = locateErrors(scheduleOf(chosen, orders)).empty();
            legal += valid ? 1 : 0;
            PuzzleGrid opened(chosen);
            const bool taken = !opened.open(orders) && opened.isComplete();
            QVERIFY2(taken == valid, qPrintable(QString("%1, trial %2").arg(chosen.id).arg(trial)));
            if (trial % 5 != 0) continue;
            PuzzleGrid built(chosen);
            QVERIFY2(builtOneByOne(built, orders) == valid,
                     qPrintable(QString("%1, trial %2, one by one").arg(chosen.id).arg(trial)));
            if (valid) QCOMPARE(built.schedule().orders, orders);
        }
        QVERIFY(legal > 2500 && legal < 7500);
    }

    // Placing what a refusal says is missing, and what that says in turn, makes the move possible.
    void aRefusalNamesWhatIsMissing() {
        Draw draw(7);
        int refused_count = 0;
        for (const PuzzleLevel& each : puzzleLevels())
            for (int trial = 0; trial < 20; ++trial) {
                PuzzleGrid grid(each);
                const Orders left = grid.left();
                const std::vector<Action>& mine = left[at(draw.below(each.p))];
                std::vector<Action> wanted(1, mine[at(draw.below(static_cast<int>(mine.size())))]);
                for (int round = 0; round < 1000 && !wanted.empty(); ++round) {
                    const auto refusal = grid.place(wanted.back(), 1000);
                    if (!refusal) {
                        wanted.pop_back();
                        continue;
                    }
                    ++refused_count;
                    QVERIFY(refusal->missing && refusal->blocked);
                    QCOMPARE(*refusal->blocked, wanted.back());
                    QVERIFY(!placeOf(grid.schedule(), *refusal->missing));
                    QVERIFY(
                        english(refusal->why).contains(QString::fromStdString(toText(*refusal->missing))));
                    wanted.push_back(*refusal->missing);
                }
                QVERIFY(wanted.empty());
            }
        QVERIFY(refused_count > 100);
    }

    void refusalsSayWhy() {
        PuzzleGrid grid(level("two-ranks"));
        QCOMPARE(english(grid.place({1, Op::Forward, 0}, 0)->why),
                 "1F0 on rank 1 needs 0F0 of rank 0, which is not placed");
        QVERIFY(!grid.place({0, Op::Forward, 0}, 0));
        QVERIFY(!grid.place({1, Op::Forward, 0}, 0));
        QCOMPARE(english(grid.place({0, Op::Backward, 0}, 9)->why),
                 "0B0 on rank 0 needs 1B0 of rank 1, which is not placed");
        QCOMPARE(english(grid.place({1, Op::Backward, 0}, 0)->why),
                 "1B0 on rank 1 needs 1F0, which comes later on this rank");
        QCOMPARE(english(grid.place({0, Op::BackwardInput, 0}, 0)->why),
                 "0I0: this level has whole backwards only");
        QCOMPARE(english(grid.place({0, Op::Forward, 0}, 0)->why),
                 "rank 0, stage 0, micro-batch 0: 2 forwards instead of one");
        QCOMPARE(english(grid.place({0, Op::Forward, 2}, 0)->why),
                 "rank 0: 0F2 names a stage or micro-batch that does not exist");
        QCOMPARE(english(grid.remove(0, 0)->why), "0F0 cannot be removed: 1F0 needs it. Remove that first");
        QVERIFY(!grid.place({1, Op::Backward, 0}, 1));
        QVERIFY(!grid.place({0, Op::Backward, 0}, 1));
        QVERIFY(!grid.place({0, Op::Forward, 1}, 1));
        // Its backward would wait for rank 1, which waits for the forward behind it.
        QVERIFY(!grid.place({1, Op::Forward, 1}, 1));
        const auto circle = grid.move(0, 2, 1);
        QVERIFY(circle);
        QCOMPARE(english(circle->why),
                 "0B0 on rank 0 needs 1B0 of rank 1, which can never run in this order");

        PuzzleGrid split(level("two-halves"));
        for (const Action& action : {Action{0, Op::Forward, 0}, Action{1, Op::Forward, 0}})
            QVERIFY(!split.place(action, 9));
        QCOMPARE(english(split.place({0, Op::BackwardInput, 0}, 9)->why),
                 "0I0 on rank 0 needs the gradient of rank 1: 1B0 or 1I0, and neither is placed");
        QVERIFY(!split.place({1, Op::BackwardInput, 0}, 9));
        QVERIFY(split.place({1, Op::Backward, 0}, 9));
    }

    void undoAndRedo() {
        PuzzleGrid grid(level("two-ranks"));
        QVERIFY(!grid.canUndo() && !grid.canRedo());
        QVERIFY(!grid.place({0, Op::Forward, 0}, 0));
        QVERIFY(!grid.place({0, Op::Forward, 1}, 1));
        const Orders two = grid.schedule().orders;
        QVERIFY(!grid.move(0, 1, 0));
        QVERIFY(grid.place({1, Op::Backward, 0}, 0));  // refused: nothing to undo
        grid.undo();
        QCOMPARE(grid.schedule().orders, two);
        grid.undo();
        grid.undo();
        QVERIFY(!grid.canUndo());
        QCOMPARE(grid.schedule().orders, level("two-ranks").empty().orders);
        grid.redo();
        grid.redo();
        QCOMPARE(grid.schedule().orders, two);
        QVERIFY(!grid.remove(0, 1));
        QVERIFY(!grid.canRedo());
        QVERIFY(!grid.place({0, Op::Forward, 1}, 0));
    }

    // Steps, idle time and the path are those of the picture; of whole and of partial grids.
    void theNumbersAreThoseOfTheGrid() {
        Draw draw(3);
        for (const PuzzleLevel& each : puzzleLevels()) {
            Orders orders = played(each, allOperations(each, draw), draw);
            for (bool whole : {true, false}) {
                const Schedule schedule = scheduleOf(each, orders);
                const PuzzleStatus standing = standingOf(each, schedule);
                int steps = 0, busy = 0;
                for (const auto& row : gridRows(schedule))
                    for (const GridBox& box : row) {
                        steps = std::max(steps, box.step + box.length);
                        busy += box.length;
                    }
                QCOMPARE(standing.steps, steps);
                QCOMPARE(standing.idle, each.p * steps - busy);
                QCOMPARE(standing.isComplete(), whole);
                for (int rank = 0; rank < each.p; ++rank)
                    QCOMPARE(standing.in_flight[at(rank)], peakInFlight(orders[at(rank)]));
                int on_path = 0;  // messages and pauses take nothing
                for (const Action& action : standing.critical) on_path += action.op == Op::Backward ? 2 : 1;
                QCOMPARE(on_path, steps);
                PuzzleGrid grid(each);  // without the last operation of rank 0, which no other needs
                QVERIFY(!grid.open(orders));
                if (!whole) break;
                QVERIFY(!grid.remove(0, static_cast<int>(orders[0].size()) - 1));
                orders = grid.schedule().orders;
            }
            QCOMPARE(standingOf(each, each.empty()).steps, 0);
        }
    }

    // The next of the hints, again and again, completes every level within its cap.
    void hintsLeadToTheEnd() {
        for (const PuzzleLevel& each : puzzleLevels()) {
            PuzzleGrid grid(each);
            for (std::vector<Action> next; !(next = possibleNext(grid)).empty();)
                QVERIFY(!grid.place(next.front(), 1'000'000));
            const PuzzleStatus standing = standingOf(grid);
            QVERIFY2(standing.isComplete() && standing.over_cap < 0, each.id);
            QVERIFY(standing.stars >= 1);
        }
    }

    // What the file says is what the search finds, and the order that it finds gets three stars.
    void theParsAreWhatTheSearchFinds() {
        QStringList other;  // what the file would have to say
        for (const PuzzleLevel& each : puzzleLevels()) {
            const FoundPar found = searchPar(each);
            const PuzzlePar& par = found.par;
            if (par != parOf(each))
                other
                    << QString(
                           R"("%1": {"steps": %2, "peak": %3, "steps_proved": %4, "peak_proved": %5, "found_by": "%6"})")
                           .arg(each.id)
                           .arg(par.steps)
                           .arg(par.peak)
                           .arg(par.steps_proved ? "true" : "false", par.peak_proved ? "true" : "false",
                                QString::fromStdString(par.found_by));
            QVERIFY(boundOf(each).ns <= par.steps * 1'000'000'000LL);
            PuzzleGrid grid(each);
            QVERIFY2(!grid.open(found.schedule.orders), each.id);
            const PuzzleStatus standing = standingOf(grid);
            QVERIFY(standing.isComplete());
            QCOMPARE(standing.steps, par.steps);
            QCOMPARE(standing.peak(), par.peak);
            QCOMPARE(standing.over_cap, -1);
        }
        for (const QString& line : other) qWarning("%s", qPrintable(line));
        QVERIFY(other.isEmpty());
    }

    // Every par is proved, and no order was overlooked: what the search finds is found to be possible, of
    // other tasks too.
    void everyOrderIsTried() {
        for (const PuzzleLevel& each : puzzleLevels()) {
            const PuzzlePar& par = parOf(each);
            QVERIFY2(par.steps_proved && par.peak_proved, each.id);
            QVERIFY2(someOrderTakes(each, par.steps, par.peak).value_or(false), each.id);
            QVERIFY(english(parSentence(each)).contains("no order does better"));
        }
        for (const bool split : {false, true})
            for (const int v : {1, 2})
                for (int p = v == 2 ? 2 : 1; p * v <= 4 && p <= 3; ++p)
                    for (int m = 1; m <= 4; ++m) {
                        const PuzzleLevel task{"task", "", "", p, v, m, v == 2, split, v * m, ""};
                        const FoundPar found = searchPar(task);
                        QVERIFY(someOrderTakes(task, found.par.steps, found.par.peak).value_or(false));
                        const int bound = static_cast<int>(boundOf(task).ns / 1'000'000'000);
                        QVERIFY(!someOrderTakes(task, bound - 1, v * m).value_or(true));
                    }
        // The sizes of a state, and a limit that is reached.
        const PuzzleLevel large{"large", "", "", 5, 1, 2, false, false, 0, ""};
        QVERIFY(!someOrderTakes(large, 30, 2).has_value());
        QVERIFY(!someOrderTakes(level("tight"), 26, 2, 3).has_value());
        QCOMPARE(someOrderTakes(level("tight"), 26, 2), std::optional(false));
    }

    // The sum that the sentence names is the bound.
    void theBoundIsExplained() {
        for (const PuzzleLevel& each : puzzleLevels()) {
            const LowerBound bound = boundOf(each);
            if (const PuzzlePar& par = parOf(each); bound.ns / 1'000'000'000 < par.steps) {
                QCOMPARE(english(boundSentence(each)),
                         QString("No order takes fewer than %1 steps: every order was tried, step by step")
                             .arg(par.steps));
                continue;
            }
            QCOMPARE(bound.start_ns + bound.work_ns + bound.after_ns, bound.ns);
            const QString text = english(boundSentence(each));
            QVERIFY2(text.contains(QString("%1 steps").arg(bound.ns / 1'000'000'000)), qPrintable(text));
        }
        QCOMPARE(english(boundSentence(level("two-ranks"))),
                 "No order takes fewer than 9 steps: rank 1 begins at step 1 at the earliest, its forwards "
                 "and gradients take 6, and 2 more pass after the last of them");
    }

    void starsAreGivenForStepsThenMemory() {
        const PuzzleLevel& four = level("less-memory");
        PuzzleGrid grid(four);
        QVERIFY(openCatalog(grid, "gpipe").empty());
        QCOMPARE(standingOf(grid).stars, 2);
        QVERIFY(openCatalog(grid, "1f1b").empty());
        QCOMPARE(standingOf(grid).stars, 3);
        QVERIFY(openCatalog(grid, "naive").empty());
        QCOMPARE(standingOf(grid).stars, 1);
        PuzzleGrid tight(level("tight"));
        QVERIFY(openCatalog(tight, "gpipe").empty());
        QCOMPARE(standingOf(tight).over_cap, 0);
        QCOMPARE(standingOf(tight).stars, 0);
    }

    // Every schedule of the catalog opens in a level that fits, or says why it does not.
    void startingPointsOrWhyNot() {
        int opened = 0;
        for (const CatalogEntry& entry : catalog())
            for (const PuzzleLevel& each : puzzleLevels()) {
                PuzzleGrid grid(each);
                const Sentence why = openCatalog(grid, entry.name);
                opened += why.empty() ? 1 : 0;
                if (why.empty())
                    QVERIFY(grid.isComplete());
                else
                    QCOMPARE(grid.schedule().orders, each.empty().orders);
            }
        QVERIFY(opened > 30);
        const auto why = [](const char* id, const char* name) {
            return english(whyNotInLevel(level(id), name));
        };
        QCOMPARE(why("two-ranks", "forward-only"),
                 "Forward only only runs forward; a level needs backwards too");
        QVERIFY(why("four-ranks", "pipedream").endsWith("is endless: it has no flush, and a grid ends"));
        QVERIFY(why("on-a-v", "chimera").endsWith("keeps two copies of the weights; a level has one"));
        QVERIFY(why("four-ranks", "zb-h1").endsWith("splits the backward; this level has whole ones only"));
        QVERIFY(!why("four-ranks", "1f1bb").isEmpty());
        for (const PuzzleLevel& each : puzzleLevels())
            QCOMPARE(english(whyNotInLevel(each, each.textbook)), QString());
    }

    void aGridIsAFileAndBack() {
        Draw draw(11);
        for (const PuzzleLevel& each : puzzleLevels()) {
            const Orders orders = played(each, allOperations(each, draw), draw);
            const std::string csv = toComputeCsv(scheduleOf(each, orders));
            PuzzleGrid grid(each);
            QVERIFY(openFile(grid, readScheduleFile(csv, "mine")).empty());
            QCOMPARE(grid.schedule().orders, orders);
            QVERIFY(!grid.remove(0, static_cast<int>(orders[0].size()) - 1));
            const Orders part = grid.schedule().orders;
            PuzzleGrid again(each);
            QCOMPARE(english(openFile(again, readScheduleFile(toComputeCsv(grid.schedule()), "part"))),
                     QString());
            QCOMPARE(again.schedule().orders, part);
        }
        PuzzleGrid two(level("two-ranks"));
        QVERIFY(!openFile(two, readScheduleFile("0F0,0B0\n1F0,1X0\n", "bad")).empty());
        QCOMPARE(english(openFile(two, readScheduleFile("0F0,0B0\n1F0,1B0\n2F0,2B0\n", "other"))),
                 "there are 3 ranks, and this level has 2");
        QCOMPARE(two.schedule().orders, level("two-ranks").empty().orders);
    }

    void whatWasReachedIsKept() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("new/puzzle.json").toStdString();
        QCOMPARE(readPuzzleProgress(file), PuzzleProgress());
        const PuzzleLevel& four = level("less-memory");
        PuzzleProgress progress;
        PuzzleGrid grid(four);
        QVERIFY(!progress.add(four, standingOf(grid)));
        QVERIFY(openCatalog(grid, "gpipe").empty());
        QVERIFY(progress.add(four, standingOf(grid)));
        QVERIFY(!progress.add(four, standingOf(grid)));
        QVERIFY(openCatalog(grid, "1f1b").empty());
        QVERIFY(progress.add(four, standingOf(grid)));
        QVERIFY(openCatalog(grid, "naive").empty());
        QVERIFY(!progress.add(four, standingOf(grid)));
        QCOMPARE(progress.starsOf(four.id), 3);
        writePuzzleProgress(file, progress);
        QCOMPARE(readPuzzleProgress(file), progress);
        QFile broken(QString::fromStdString(file.string()));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write(R"({"levels": {"two-ranks": {"stars": 7, "steps": 1, "peak": 1}}})");
        broken.close();
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, readPuzzleProgress(file));
    }

    void wordsAreInBothLanguages() {
        for (const PuzzleLevel& each : puzzleLevels()) {
            QVERIFY2(chineseWords().contains(each.title), each.title);
            QVERIFY2(chineseWords().contains(each.goal), each.goal);
        }
    }
};

BUBBLESCOPE_TEST(TestPuzzle)

}  // namespace tst_puzzle

#include "tst_puzzle.moc"
