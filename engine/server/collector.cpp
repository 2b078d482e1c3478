#include "server/collector.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "schedule/schedule.h"
#include "server/listen.h"
#include "server/rare_log.h"
#include "server/token.h"

namespace bscope {
namespace {

using asio::ip::tcp;

constexpr std::chrono::seconds kHelloWithin{5}, kSlowAnswer{1};
constexpr std::size_t kMostStrangers = 32;  // connections that have not shown the token
constexpr std::size_t kMostHelloBytes = 4096, kMostLineBytes = 1u << 16;
constexpr std::chrono::milliseconds kTryAgain{200};

}  // namespace

struct Collector::Impl {
    class Probe;
    class RankFile;
    // Of the training that is here.
    struct Rank {
        std::string probe;         // ProbeHello::probe
        std::uintmax_t bytes = 0;  // in its file
        bool has_left = false;
    };

    explicit Impl(const CollectorOptions& its_options)
        : options(its_options),
          acceptor(listenOn(context, options.address, options.port)),
          signals(context, SIGINT, SIGTERM) {
        if (options.token.size() < kLeastTokenLetters)
            throw std::invalid_argument("the token of a collector is too short");
    }

    void acceptNext();
    std::string refusalOf(const ProbeHello& hello) const;  // "" = it is admitted
    bool goesOn(const ProbeHello& hello) const;            // with a file that it began
    bool isNextTraining(const ProbeHello& hello) const;
    std::string beginNext();  // "" = its folder is there
    void gone(const std::shared_ptr<Probe>& probe);
    bool everyRankHasLeft() const;
    void end();

    CollectorOptions options;
    asio::io_context context;
    tcp::acceptor acceptor;
    const std::string listening_on = textOf(acceptor.local_endpoint());
    asio::signal_set signals;
    asio::steady_timer accept_again{context};
    RareLog log{"bscope collect", Language::English};
    std::vector<std::shared_ptr<Probe>> probes;
    std::map<int, Rank> ranks;
    std::set<std::string> past_probes;  // of trainings that are over
    std::filesystem::path folder = options.folder;
    int world_size = 0, trainings = 1;
    bool ending = false, whole = true;
};

// A new file, never one that is there; or one that this collector has made, at its end.
class Collector::Impl::RankFile {
public:
    RankFile(const std::filesystem::path& path, bool goes_on)
        : descriptor_(open(path.c_str(),
                           O_WRONLY | O_NOFOLLOW | O_CLOEXEC | (goes_on ? O_APPEND : O_CREAT | O_EXCL),
                           0644)),
          error_(descriptor_ < 0 ? errno : 0) {}
    ~RankFile() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    RankFile(const RankFile&) = delete;
    RankFile& operator=(const RankFile&) = delete;

    bool write(const std::string& text) {
        for (std::size_t done = 0; done < text.size() && error_ == 0;) {
            const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
            if (count < 0 && errno != EINTR) error_ = errno;
            if (count > 0) done += static_cast<std::size_t>(count);
        }
        return error_ == 0;
    }
    int error() const { return error_; }

private:
    int descriptor_, error_;
};

// One connection. Closed by either side; what came whole until then is in the file.
class Collector::Impl::Probe : public std::enable_shared_from_this<Probe> {
public:
    Probe(tcp::socket socket, Impl& owner)
        : socket_(std::move(socket)), owner_(owner), timer_(socket_.get_executor()) {}

    void start() {
        timer_.expires_after(kHelloWithin);
        timer_.async_wait([self = shared_from_this()](const asio::error_code& error) {
            if (!error && !self->file_) self->leave();
        });
        read();
    }
    bool admitted() const { return file_ != nullptr; }
    int rank() const { return rank_; }

    void leave() {
        if (std::exchange(left_, true)) return;
        timer_.cancel();
        asio::error_code ignored;  // the other side may have closed already
        socket_.shutdown(tcp::socket::shutdown_both, ignored);
        socket_.close(ignored);
        asio::post(socket_.get_executor(), [self = shared_from_this()] { self->owner_.gone(self); });
    }

private:
    bool listens() const { return !left_ && !refused_ && !throttled_; }
    void read() {
        socket_.async_read_some(asio::buffer(chunk_),
                                [self = shared_from_this()](const asio::error_code& error, std::size_t size) {
                                    if (error) return self->leave();
                                    self->held_.append(self->chunk_.data(), size);
                                    self->take();
                                    if (self->listens()) self->read();
                                });
    }

    void take() {
        std::string whole_lines;
        std::size_t from = 0;
        for (std::size_t at = held_.find('\n'); at != std::string::npos && listens();
             at = held_.find('\n', from)) {
            const std::string line = held_.substr(from, at - from);
            from = at + 1;
            if (!file_) {
                hello(line);
            } else if (owner_.options.isLine(line)) {
                whole_lines += line + '\n';
            } else {
                refuse("a line is none of the probe");
            }
        }
        held_.erase(0, from);
        if (file_) keep(whole_lines);
        if (listens() && held_.size() > (file_ ? kMostLineBytes : kMostHelloBytes))
            refuse("a line is longer than any of the probe");
    }

    void keep(const std::string& lines) {
        std::uintmax_t& bytes = owner_.ranks[rank_].bytes;
        if (bytes + lines.size() > owner_.options.most_bytes_a_rank) {
            owner_.whole = false;
            return refuse("rank " + std::to_string(rank_) + " sent more than is kept of one rank");
        }
        if (file_->write(lines)) {
            bytes += lines.size();
            return;
        }
        owner_.whole = false;
        refuse(std::string("what rank ") + std::to_string(rank_) +
               " sends cannot be written: " + std::strerror(file_->error()));
    }

    void hello(const std::string& line) {
        const auto greeting = owner_.options.readHello(line);
        if (!greeting) return refuse("this is no probe of Bubblescope");
        if (!sameToken(greeting->token, owner_.options.token)) {
            owner_.log.say("token", sentence("refused a probe: its token is wrong"));
            return refuseLater("its token is wrong: give the file that bscope collect names");
        }
        if (owner_.isNextTraining(*greeting))
            if (const std::string why = owner_.beginNext(); !why.empty()) return refuse(why);
        if (const std::string refusal = owner_.refusalOf(*greeting); !refusal.empty()) return refuse(refusal);
        const bool goes_on = owner_.goesOn(*greeting);
        if (goes_on)
            for (const auto& each : std::vector(owner_.probes))
                if (each->admitted() && each->rank() == greeting->rank) each->leave();
        const auto path = owner_.folder / ("probe_rank_" + std::to_string(greeting->rank) + ".jsonl");
        auto file = std::make_unique<RankFile>(path, goes_on);
        if (file->error() != 0) {
            owner_.whole = false;
            return refuse(path.string() + " cannot be written: " + std::strerror(file->error()));
        }
        timer_.cancel();
        file_ = std::move(file);
        rank_ = greeting->rank;
        owner_.world_size = greeting->world_size;
        Rank& rank = owner_.ranks[rank_];
        rank.probe = greeting->probe;
        rank.has_left = false;
        owner_.options.say("rank " + std::to_string(rank_) + " of " + std::to_string(greeting->world_size) +
                           (goes_on ? " is here again" : " is here"));
        answer(goes_on ? R"({"ok":true,"have":)" + std::to_string(rank.bytes) + "}" : R"({"ok":true})",
               false);
    }

    void refuse(const std::string& why) {
        if (std::exchange(refused_, true)) return;
        if (file_) owner_.options.say(why);
        std::string quoted;
        for (const char letter : why)
            if (letter != '"' && letter != '\\' && static_cast<unsigned char>(letter) >= ' ')
                quoted += letter;
        answer(R"({"error":")" + quoted + R"("})", true);
    }
    void refuseLater(const std::string& why) {
        throttled_ = true;
        timer_.expires_after(kSlowAnswer);
        timer_.async_wait([self = shared_from_this(), why](const asio::error_code& error) {
            if (!error) self->refuse(why);
        });
    }
    void answer(const std::string& line, bool last) {
        auto text = std::make_shared<const std::string>(line + '\n');
        asio::async_write(
            socket_, asio::buffer(*text),
            [self = shared_from_this(), text, last](const asio::error_code& error, std::size_t) {
                if (error || last) self->leave();
            });
    }

    tcp::socket socket_;
    Impl& owner_;
    asio::steady_timer timer_;
    std::array<char, 1 << 16> chunk_{};
    std::string held_;
    std::unique_ptr<RankFile> file_;
    int rank_ = -1;
    bool left_ = false;
    bool refused_ = false;    // and informed of it
    bool throttled_ = false;  // is informed later
};

void Collector::Impl::acceptNext() {
    acceptor.async_accept([this](const asio::error_code& error, tcp::socket socket) {
        if (ending) return;
        const auto oldest =
            std::find_if(probes.begin(), probes.end(), [](const auto& each) { return !each->admitted(); });
        if (error) {  // no descriptor is left; who came waits in the system
            if (oldest != probes.end()) (*oldest)->leave();
            log.say("full", sentence("no more probes can connect: {0}", error.message()));
            accept_again.expires_after(kTryAgain);
            accept_again.async_wait([this](const asio::error_code& failure) {
                if (!failure && !ending) acceptNext();
            });
            return;
        }
        const auto unknown =
            std::count_if(probes.begin(), probes.end(), [](const auto& each) { return !each->admitted(); });
        if (static_cast<std::size_t>(unknown) >= kMostStrangers) (*oldest)->leave();
        probes.push_back(std::make_shared<Probe>(std::move(socket), *this));
        probes.back()->start();
        acceptNext();
    });
}

std::string Collector::Impl::refusalOf(const ProbeHello& hello) const {
    if (hello.world_size < 1 || hello.world_size > kMaxRanks)
        return "its world_size must be 1 to " + std::to_string(kMaxRanks);
    if (hello.rank < 0 || hello.rank >= hello.world_size) return "its rank must be 0 to world_size - 1";
    if (past_probes.contains(hello.probe)) return "its training is over, and another one is here";
    if (world_size != 0 && hello.world_size != world_size)
        return "it is of a run of " + std::to_string(hello.world_size) + " ranks, the others of one of " +
               std::to_string(world_size);
    if (ranks.contains(hello.rank) && !goesOn(hello))
        return "rank " + std::to_string(hello.rank) + " has come already";
    return {};
}

// The old connection may still look open: it is the new one that counts.
bool Collector::Impl::goesOn(const ProbeHello& hello) const {
    const auto known = ranks.find(hello.rank);
    return known != ranks.end() && !hello.probe.empty() && known->second.probe == hello.probe;
}

// Nothing of the one before is here any more, and this is none of its files.
bool Collector::Impl::isNextTraining(const ProbeHello& hello) const {
    if (options.once || ranks.empty() || goesOn(hello) || past_probes.contains(hello.probe)) return false;
    if (!std::ranges::all_of(ranks, [](const auto& each) { return each.second.has_left; })) return false;
    return everyRankHasLeft() || ranks.contains(hello.rank) || hello.world_size != world_size;
}

std::string Collector::Impl::beginNext() {
    // Without a slash at its end.
    const auto first = std::filesystem::absolute(options.folder / "").lexically_normal().parent_path();
    std::filesystem::path next;
    std::error_code error;
    do {
        next = first.string() + '-' + std::to_string(++trainings);
    } while (!std::filesystem::create_directory(next, error) && !error);
    if (error) return next.string() + " cannot be made: " + error.message();
    for (const auto& [rank, of] : ranks)
        if (!of.probe.empty()) past_probes.insert(of.probe);
    ranks.clear();
    world_size = 0;
    folder = next;
    options.say("another run begins in " + folder.string());
    return {};
}

bool Collector::Impl::everyRankHasLeft() const {
    return world_size > 0 && static_cast<int>(ranks.size()) == world_size &&
           std::ranges::all_of(ranks, [](const auto& each) { return each.second.has_left; });
}

void Collector::Impl::gone(const std::shared_ptr<Probe>& probe) {
    std::erase(probes, probe);
    const bool is_replaced = std::ranges::any_of(
        probes, [&](const auto& each) { return each->admitted() && each->rank() == probe->rank(); });
    if (probe->admitted() && !is_replaced) {
        ranks[probe->rank()].has_left = true;
        options.say("rank " + std::to_string(probe->rank()) + " has left");
        if (!ending && everyRankHasLeft() && !options.once)
            options.say("every rank has left: the next run goes into a folder of its own, Ctrl+C ends");
    }
    if (ending ? probes.empty() : options.once && everyRankHasLeft()) end();
}

void Collector::Impl::end() {
    if (ending) return context.stop();
    ending = true;
    asio::error_code ignored;
    acceptor.close(ignored);
    signals.cancel(ignored);
    accept_again.cancel();
    const auto leaving = probes;
    for (const auto& probe : leaving) probe->leave();
    if (probes.empty()) context.stop();
}

Collector::Collector(const CollectorOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Collector::~Collector() = default;

std::string Collector::listeningOn() const {
    return impl_->listening_on;
}

void Collector::run() {
    impl_->signals.async_wait([this](const asio::error_code& error, int) {
        if (!error) impl_->end();
    });
    impl_->acceptNext();
    impl_->context.run();
}

const std::filesystem::path& Collector::folder() const {
    return impl_->folder;
}

int Collector::ranksWritten() const {
    return static_cast<int>(
        std::ranges::count_if(impl_->ranks, [](const auto& each) { return each.second.has_left; }));
}

int Collector::ranksAnnounced() const {
    return impl_->world_size;
}

bool Collector::wroteEverything() const {
    return impl_->whole;
}

}  // namespace bscope
