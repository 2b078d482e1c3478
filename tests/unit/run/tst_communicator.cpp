// LocalCommunicator: delivery in every order, reduction, abort, and the watch over hangs.
#include <QTest>
#include <functional>
#include <thread>

#include "kernels/cpu/cpu_device.h"
#include "registered_test.h"
#include "workers/local_communicator.h"

namespace tst_communicator {

using namespace bscope;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kFloats = 64;

// A hub with two or more ranks that all take part.
struct Ranks {
    explicit Ranks(int count, std::chrono::milliseconds patience = 10s)
        : device(makeCpuDevice()), hub(*device, count, patience) {
        for (int rank = 0; rank < count; ++rank) {
            hub.enter(rank);
            ends.push_back(hub.communicator(rank));
        }
    }
    Communicator& operator[](std::size_t rank) { return *ends[rank]; }

    std::unique_ptr<Device> device;
    LocalHub hub;
    std::vector<std::unique_ptr<Communicator>> ends;
};

std::vector<float> numbers(float first) {
    std::vector<float> values(kFloats);
    for (std::size_t i = 0; i < kFloats; ++i) values[i] = first + static_cast<float>(i);
    return values;
}

void send(Communicator& from, int to, const MessageTag& tag, const std::vector<float>& values,
          std::int64_t sent_ns) {
    from.postSend(to, tag, values.data(), values.size() * sizeof(float), sent_ns);
}

void post(Communicator& at, int from, const MessageTag& tag, std::vector<float>& into) {
    at.postReceive(from, tag, into.data(), into.size() * sizeof(float));
}

}  // namespace

class TestCommunicator : public QObject {
    Q_OBJECT

private slots:
    void aSendBeforeItsReceiveIsBuffered() {
        Ranks ranks(2);
        const MessageTag tag = MessageTag::activation(1, 0);
        std::vector<float> sent = numbers(1), got(kFloats);
        send(ranks[0], 1, tag, sent, 42);
        sent.assign(kFloats, 0.0F);  // the sender may go on with its memory
        QVERIFY(ranks[1].arrived(tag));
        post(ranks[1], 0, tag, got);
        QCOMPARE(ranks[1].wait(tag), std::int64_t{42});
        QCOMPARE(got, numbers(1));
    }

    void aReceiveBeforeItsSendIsWaitedFor() {
        Ranks ranks(2);
        const MessageTag tag = MessageTag::gradient(0, 3);
        std::vector<float> got(kFloats);
        post(ranks[0], 1, tag, got);
        QVERIFY(!ranks[0].arrived(tag));
        std::thread sender([&] { send(ranks[1], 0, tag, numbers(5), 7); });
        QCOMPARE(ranks[0].wait(tag), std::int64_t{7});
        sender.join();
        QCOMPARE(got, numbers(5));
    }

    void manyMessagesFindTheirReceives() {
        Ranks ranks(2);
        constexpr int kMessages = 200;
        std::thread sender([&] {
            for (int mb = kMessages; mb-- > 0;)
                send(ranks[0], 1, MessageTag::activation(1, mb), numbers(static_cast<float>(mb)), mb);
        });
        for (int mb = 0; mb < kMessages; ++mb) {
            std::vector<float> got(kFloats);
            const MessageTag tag = MessageTag::activation(1, mb);
            post(ranks[1], 0, tag, got);
            QCOMPARE(ranks[1].wait(tag), std::int64_t{mb});
            QCOMPARE(got, numbers(static_cast<float>(mb)));
        }
        sender.join();
    }

    void mistakesAreNamed() {
        Ranks ranks(2);
        const MessageTag tag = MessageTag::activation(1, 2);
        std::vector<float> got(kFloats), small(1);
        QVERIFY_THROWS_EXCEPTION(std::logic_error, ranks[1].wait(tag));
        post(ranks[1], 0, tag, got);
        QVERIFY_THROWS_EXCEPTION(std::logic_error, post(ranks[1], 0, tag, got));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, send(ranks[0], 1, tag, small, 0));
        send(ranks[0], 1, tag, numbers(0), 0);
        QVERIFY_THROWS_EXCEPTION(std::logic_error, send(ranks[0], 1, tag, numbers(0), 0));
        const MessageTag other = MessageTag::activation(1, 3);
        send(ranks[0], 1, other, numbers(0), 0);
        QVERIFY_THROWS_EXCEPTION(std::logic_error, post(ranks[1], 0, other, small));
    }

    void everyRankGetsTheSum() {
        constexpr int kRanks = 5;
        Ranks ranks(kRanks);
        std::vector<std::vector<double>> results(kRanks);
        std::vector<std::thread> threads;
        for (int rank = 0; rank < kRanks; ++rank)
            threads.emplace_back([&, rank] {
                for (int round = 1; round <= 20; ++round) {
                    std::vector<double> mine(kRanks, 0.0);
                    mine[static_cast<std::size_t>(rank)] = rank + 0.1 * round;
                    ranks[static_cast<std::size_t>(rank)].allReduceSum(mine);
                    results[static_cast<std::size_t>(rank)] = mine;
                }
                ranks.hub.leave(rank);
            });
        for (std::thread& thread : threads) thread.join();
        for (const auto& result : results)
            for (int rank = 0; rank < kRanks; ++rank)
                QCOMPARE(result[static_cast<std::size_t>(rank)], rank + 0.1 * 20);
    }

    // What all have begun is completed: an abort does not end the wait for what is still to come.
    void whatAllHaveBegunIsCompleted() {
        Ranks ranks(2);
        const MessageTag tag = MessageTag::ofReduction(MessageKind::Weights, 1, 0);
        std::vector<float> got(kFloats);
        ranks[1].complete(true);
        post(ranks[1], 0, tag, got);
        std::jthread receiver([&] { QCOMPARE(ranks[1].wait(tag), std::int64_t{7}); });
        ranks[0].abort(sentence("enough"));
        send(ranks[0], 1, tag, numbers(3), 7);
        receiver.join();
        QCOMPARE(got, numbers(3));
        ranks[1].complete(false);
        QVERIFY_THROWS_EXCEPTION(CommunicationAborted, ranks[1].look());
    }

    // But when no rank can send any more it ends.
    void whatCanNoLongerComeIsNotWaitedFor() {
        Ranks ranks(2, 20ms);
        const MessageTag tag = MessageTag::ofReduction(MessageKind::Weights, 1, 0);
        std::vector<float> got(kFloats);
        ranks[1].complete(true);
        post(ranks[1], 0, tag, got);
        ranks[0].abort(sentence("enough"));
        ranks.hub.leave(0);
        QVERIFY_THROWS_EXCEPTION(CommunicationAborted, ranks[1].wait(tag));
    }

    void abortWakesEveryWaitingRank() {
        Ranks ranks(2);
        const MessageTag tag = MessageTag::gradient(0, 0);
        std::vector<float> got(kFloats);
        post(ranks[0], 1, tag, got);
        std::string heard;
        std::thread waiter([&] {
            try {
                ranks[0].wait(tag);
            } catch (const CommunicationAborted& error) {
                heard = error.what();
            }
        });
        ranks[1].abort(sentence("enough"));
        waiter.join();
        QCOMPARE(heard, std::string("enough"));
        std::vector<double> values(1);
        QVERIFY_THROWS_EXCEPTION(CommunicationAborted, ranks[1].allReduceSum(values));
    }

    void twoRanksThatWaitForEachOtherAreAHang() {
        Ranks ranks(2, 50ms);
        const MessageTag forward = MessageTag::activation(1, 4), backward = MessageTag::gradient(0, 2);
        std::vector<float> first(kFloats), second(kFloats);
        post(ranks[0], 1, backward, first);
        post(ranks[1], 0, forward, second);
        int hung_peer = -1, aborted = 0;
        double seconds = -1;
        std::string what;
        std::thread zero([&] {
            try {
                ranks[0].wait(backward);
            } catch (const CommunicationHang& error) {
                hung_peer = error.peer;
                seconds = error.seconds_waited;
                what = error.what();
            }
        });
        std::thread one([&] {
            try {
                ranks[1].wait(forward);
            } catch (const CommunicationAborted&) {
                ++aborted;
            }
        });
        zero.join();
        one.join();
        QCOMPARE(hung_peer, 1);
        QVERIFY(seconds >= 0);
        QCOMPARE(aborted, 1);
        QVERIFY2(what.find("rank 0 waits for rank 1 in 0RECV_B2") != std::string::npos, what.c_str());
    }

    void waitingForARankThatHasLeftIsAHang() {
        Ranks ranks(3, 50ms);
        const MessageTag tag = MessageTag::activation(2, 0);
        std::vector<float> got(kFloats);
        post(ranks[2], 1, tag, got);
        ranks.hub.leave(1);
        std::thread collector([&] {
            std::vector<double> values(1);
            QVERIFY_THROWS_EXCEPTION(CommunicationAborted, ranks[0].allReduceSum(values));
        });
        QVERIFY_THROWS_EXCEPTION(CommunicationHang, ranks[2].wait(tag));
        collector.join();
    }

    void aLongComputationIsNoHang() {
        Ranks ranks(2, 20ms);
        const MessageTag tag = MessageTag::activation(1, 0);
        std::vector<float> got(kFloats);
        post(ranks[1], 0, tag, got);
        std::thread busy([&] {
            std::this_thread::sleep_for(200ms);
            send(ranks[0], 1, tag, numbers(3), 9);
        });
        QCOMPARE(ranks[1].wait(tag), std::int64_t{9});
        busy.join();
    }
};

BUBBLESCOPE_TEST(TestCommunicator)

}  // namespace tst_communicator

#include "tst_communicator.moc"
