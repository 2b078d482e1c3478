// Who gets into an engine, and to which files: the token, connections that never show one, and files that a
// viewer names.
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include "registered_test.h"
#include "served.h"
#include "server/allowed_files.h"
#include "server/token.h"
#include "wire/convert.h"

namespace tst_access {

using namespace bscope;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

constexpr const char* kSecret = "a line that must not be seen";

}  // namespace

class TestAccess : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path inside_, outside_;

    static ServerOptions confinedTo(const fs::path& folder) {
        ServerOptions options = Served::paused();
        options.allowed = AllowedFiles({folder});
        return options;
    }

private slots:
    void init() {
        const fs::path base = fs::canonical(folder_.path().toStdString());
        inside_ = base / "inside";
        outside_ = base / "outside";
        fs::remove_all(inside_);
        fs::remove_all(outside_);
        fs::create_directories(inside_ / "deep");
        fs::create_directories(outside_);
        std::ofstream(outside_ / "secret") << kSecret << ",0F0\n";
        std::ofstream(inside_ / "mine") << "mine";
        fs::create_symlink(outside_ / "secret", inside_ / "link");
        fs::create_directory_symlink(outside_, inside_ / "away");
        fs::create_directories(base / "inside and more");
        std::ofstream(base / "inside and more" / "file") << kSecret;
    }

    void tokensAreLongAndDiffer() {
        std::set<std::string> seen;
        for (int i = 0; i < 50; ++i) {
            const std::string token = newToken();
            QCOMPARE(token.size(), std::size_t{32});
            QVERIFY(token.find_first_not_of("0123456789abcdef") == std::string::npos);
            seen.insert(token);
        }
        QCOMPARE(seen.size(), std::size_t{50});
    }

    void onlyTheSameTokenIsTheSame() {
        QVERIFY(sameToken("0123456789abcdef", "0123456789abcdef"));
        for (const char* wrong : {"", "0", "0123456789abcde", "0123456789abcdeg", "0123456789abcdef0",
                                  "0123456789abcdef0123456789abcdef"})
            QVERIFY2(!sameToken(wrong, "0123456789abcdef"), wrong);
        QVERIFY(!sameToken("", ""));
    }

    void aServerWithoutATokenDoesNotStart() {
        for (const char* token : {"", "fifteen letters"}) {
            ServerOptions options = Served::paused();
            options.token = token;
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Server(options, Served::small()));
        }
    }

    void theOwnerGetsInPastIdleAndGuessingConnections() {
        Served served;
        std::vector<std::unique_ptr<RawViewer>> others;
        for (int i = 0; i < 100; ++i) {
            others.push_back(std::make_unique<RawViewer>(served.port()));
            if (i % 2 == 0) others.back()->attach("guess number " + std::to_string(1000 + i));
        }
        RawViewer owner(served.port());
        owner.attach();
        const auto hello = owner.next();
        QVERIFY(hello && hello->has_hello());
        QVERIFY(hello->hello().controller());
        for (const auto& other : others) {
            const auto answer = other->next(std::chrono::seconds(10));
            QVERIFY(!answer || answer->has_failure());  // closed, or refused
        }
    }

    void aWrongTokenIsReportedAndNothingElse() {
        Served served;
        RawViewer guess(served.port());
        guess.attach("0123456789abcdef");
        guess.attach();  // one try a connection
        const auto refusal = guess.next();
        QVERIFY(refusal && refusal->failure().sentence().find("token") != std::string::npos);
        QVERIFY(!guess.next().has_value());
    }

    void foldersAreWhatTheyReallyAre() {
        const AllowedFiles allowed({inside_});
        QCOMPARE(contentOf(allowed.toRead(inside_ / "mine").path), std::string("mine"));
        QCOMPARE(allowed.resolved(inside_ / "deep" / ".." / "mine"), (inside_ / "mine").string());
        for (const fs::path& file :
             {inside_ / "link", inside_ / "away" / "secret", inside_ / ".." / "outside" / "secret",
              outside_ / "secret", outside_ / "no such file",
              inside_.parent_path() / "inside and more" / "file", fs::path("/proc/self/environ"),
              fs::path("/"), inside_ / "away" / "none"}) {
            QVERIFY_THROWS_EXCEPTION(NotAllowed, allowed.toRead(file));
            QVERIFY_THROWS_EXCEPTION(NotAllowed, allowed.resolved(file));
        }
        for (const fs::path& file : {inside_ / "away" / "new", outside_ / "new", inside_ / "..",
                                     inside_ / ".", inside_ / "none" / "new", fs::path("")})
            QVERIFY_THROWS_EXCEPTION(NotAllowed, allowed.toWrite(file));
        QVERIFY_THROWS_EXCEPTION(NotAllowed, AllowedFiles().toRead(inside_ / "mine"));
        const AllowedFiles one({}, {inside_ / "mine"});
        QCOMPARE(contentOf(one.toRead(inside_ / "mine").path), std::string("mine"));
        QVERIFY_THROWS_EXCEPTION(NotAllowed, one.toWrite(inside_ / "mine"));
        QVERIFY(!AllowedFiles({"/"}).toRead(inside_ / "link").path.empty());
    }

    // The file that was checked is the one that is used, even when names are exchanged meanwhile.
    void exchangedNamesLeadNowhereElse() {
        const AllowedFiles allowed({inside_});
        const OpenFileHandle file = allowed.toRead(inside_ / "mine");
        const OpenFileHandle place = allowed.toWrite(inside_ / "deep" / "state");
        fs::remove(inside_ / "mine");
        fs::create_symlink(outside_ / "secret", inside_ / "mine");
        fs::rename(inside_ / "deep", inside_ / "moved");
        fs::create_directory_symlink(outside_, inside_ / "deep");
        QCOMPARE(contentOf(file.path), std::string("mine"));
        std::ofstream(place.path) << "state";
        QVERIFY(!fs::exists(outside_ / "state"));
        QCOMPARE(contentOf(inside_ / "moved" / "state"), std::string("state"));
        QVERIFY(place.named(sentence("{0}", sentence("in {0}", place.path + ", really"))) ==
                sentence("{0}", sentence("in {0}", place.name + ", really")));
    }

    void contentsOfOtherFilesAreNotRevealed() {
        Served served(confinedTo(inside_));
        RawViewer viewer(served.port());
        viewer.attach();
        const auto problemsOf = [&](const RunConfig& config) {
            wire::Message message;
            message.mutable_configure()->set_request(1);
            *message.mutable_configure()->mutable_config() = toWire(config);
            viewer.send(message);
            return viewer.expect(wire::Message::kConfigureReply).configure_reply();
        };
        for (const fs::path& file : {outside_ / "secret", inside_ / "link", outside_ / "none"}) {
            RunConfig config = Served::small();
            config.schedule = "file:" + file.string();
            config.data_file = file.string();
            const auto reply = problemsOf(config);
            QCOMPARE(reply.problems_size(), 2);
            QVERIFY(reply.ShortDebugString().find(kSecret) == std::string::npos);
            for (const auto& problem : reply.problems())
                QVERIFY(fromWire(problem).text().find("may name") != std::string::npos);
        }
        // A file there may be looked into.
        std::ofstream(inside_ / "wrong.csv") << "0F0,what\n";
        RunConfig config = Served::small();
        config.schedule = "file:" + (inside_ / "wrong.csv").string();
        QVERIFY(problemsOf(config).ShortDebugString().find("what") != std::string::npos);
        std::ofstream(inside_ / "text.txt") << std::string(4000, 'a');
        config = Served::small();
        config.data_file = (inside_ / "text.txt").string();
        QCOMPARE(problemsOf(config).problems_size(), 0);
    }

    // A file that was accepted is judged again whenever it is opened: names that were legal lead elsewhere
    // now.
    void anAcceptedFileIsJudgedAgain() {
        const fs::path order = inside_ / "q.csv", owners = inside_ / "owners.csv",
                       text = inside_ / "text.txt";
        const auto good = [](const fs::path& file) {
            fs::remove(file);
            std::ofstream(file) << "0F0,0F1,0F2,0F3,0B0,0B1,0B2,0B3\n1F0,1F1,1F2,1F3,1B0,1B1,1B2,1B3\n";
        };
        const auto leadOut = [&](const fs::path& file) {
            fs::remove(file);
            fs::create_symlink(outside_ / "secret", file);
        };
        good(owners);
        std::ofstream(text) << std::string(4000, 'a');
        ServerOptions options = Served::paused();
        options.allowed = AllowedFiles({inside_}, {owners});
        RunConfig config = Served::small();
        config.schedule = "file:" + owners.string();
        Served served(options, config);
        RawViewer viewer(served.port());
        viewer.attach();
        const auto problemsOf = [&](const RunConfig& request) {
            wire::Message message;
            message.mutable_configure()->set_request(1);
            *message.mutable_configure()->mutable_config() = toWire(request);
            viewer.send(message);
            const auto reply = viewer.expect(wire::Message::kConfigureReply).configure_reply();
            std::string all;
            for (const auto& problem : reply.problems()) all += fromWire(problem).text() + '\n';
            return all;
        };
        for (const fs::path& file : {owners, order}) {
            good(file);
            config.schedule = "file:" + file.string();
            QCOMPARE(problemsOf(config), std::string());
            leadOut(file);
            for (int again = 0; again < 3; ++again) {
                const std::string said = problemsOf(config);
                QVERIFY2(said.find("may name") != std::string::npos, said.c_str());
                QVERIFY2(said.find(kSecret) == std::string::npos, said.c_str());
            }
            good(file);
        }
        config.data_file = text.string();
        QCOMPARE(problemsOf(config), std::string());
        leadOut(text);
        QVERIFY(problemsOf(config).find("may name") != std::string::npos);
        viewer.control(wire::Control::STEP);  // opens the text anew
        const std::string failure = viewer.expect(wire::Message::kFailure).failure().sentence();
        QVERIFY2(failure.find("may name") != std::string::npos, failure.c_str());
    }

    // Even when names are exchanged meanwhile, at whatever moment.
    void aRaceForNamesLeadsNowhereElse() {
        const fs::path order = inside_ / "q.csv", good = inside_ / "good.csv", aside = inside_ / "aside";
        std::ofstream(good) << "0F0,0B0\n";
        Served served(confinedTo(inside_));
        RawViewer viewer(served.port());
        viewer.attach();
        std::atomic<bool> ended = false;
        std::thread exchange([&] {
            while (!ended) {
                fs::remove(aside);
                fs::create_symlink(outside_ / "secret", aside);
                fs::rename(aside, order);
                fs::copy_file(good, aside, fs::copy_options::overwrite_existing);
                fs::rename(aside, order);
            }
        });
        RunConfig config = Served::small();
        config.schedule = "file:" + order.string();
        std::string said;
        for (int i = 0; i < 500; ++i) {
            wire::Message message;
            message.mutable_configure()->set_request(1);
            *message.mutable_configure()->mutable_config() = toWire(config);
            viewer.send(message);
            said += viewer.expect(wire::Message::kConfigureReply).ShortDebugString();
        }
        ended = true;
        exchange.join();
        QVERIFY(said.find(kSecret) == std::string::npos);
    }

    void statesStayInTheirFolders() {
        Served served(confinedTo(inside_));
        RawViewer viewer(served.port());
        viewer.attach();
        const auto answer = [&](bool save, const fs::path& file) {
            wire::Message message;
            if (save)
                message.mutable_save_state()->set_path(file.string());
            else
                message.mutable_load_state()->set_path(file.string());
            viewer.send(message);
            return viewer.expect(wire::Message::kLog).log().text();
        };
        for (const bool save : {true, false})
            for (const fs::path& file : {outside_ / "secret", inside_ / "away" / "secret"})
                QVERIFY(answer(save, file).find("may name") != std::string::npos);
        QVERIFY(answer(false, inside_ / "link").find("may name") != std::string::npos);
        QCOMPARE(contentOf(outside_ / "secret"), std::string(kSecret) + ",0F0\n");
        // A link of that name is replaced, not followed; so is one where the state is written first.
        fs::create_symlink(outside_ / "secret", inside_ / "link.part");
        QCOMPARE(answer(true, inside_ / "link"),
                 "The state was saved to " + (inside_ / "link").string() + ".");
        QCOMPARE(contentOf(outside_ / "secret"), std::string(kSecret) + ",0F0\n");
        QVERIFY(!fs::is_symlink(inside_ / "link"));
        QCOMPARE(answer(false, inside_ / "link"),
                 "The state of " + (inside_ / "link").string() + " was loaded.");
        const std::string broken = answer(false, inside_ / "mine");
        QVERIFY2(broken.find((inside_ / "mine").string() + ": truncated") != std::string::npos,
                 broken.c_str());
        QVERIFY(answer(false, inside_ / "none").find((inside_ / "none").string()) != std::string::npos);
    }

    void aMadeTokenIsForItsOwnerAlone() {
        const fs::path runtime = outside_ / "runtime";
        fs::create_directories(runtime);
        setenv("XDG_RUNTIME_DIR", runtime.c_str(), 1);
        fs::path file;
        {
            const TokenFile made("0123456789abcdef", 7070);
            file = made.path();
            QCOMPARE(contentOf(file), std::string("0123456789abcdef\n"));
            QCOMPARE(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
            QCOMPARE(fs::status(file.parent_path()).permissions(), fs::perms::owner_all);
        }
        QVERIFY(!fs::exists(file));
        fs::permissions(file.parent_path(), fs::perms::all);
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, TokenFile("0123456789abcdef", 7070));
        unsetenv("XDG_RUNTIME_DIR");
    }
};

BUBBLESCOPE_TEST(TestAccess)

}  // namespace tst_access

#include "tst_access.moc"
