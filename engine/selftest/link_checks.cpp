#include "selftest/link_checks.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>

#include "kernels/plugin/gpu_event.h"
#include "kernels/plugin/gpu_world.h"
#include "selftest/op_run.h"

namespace bscope {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kSentFloats = std::size_t{1} << 18;
constexpr auto kPatience = std::chrono::seconds(60);  // NCCL finds its paths when it starts
constexpr auto kPollEvery = std::chrono::microseconds(200);

void await(const std::string& what, const std::function<bool()>& isDone) {
    const auto begin = SteadyClock::now();
    while (!isDone()) {
        if (SteadyClock::now() - begin > kPatience)
            throw std::runtime_error(what + " takes longer than " + std::to_string(kPatience.count()) + " s");
        std::this_thread::sleep_for(kPollEvery);
    }
}

// One GPU's half of a pair. What came is compared bit by bit.
class Half {
public:
    Half(const BscopePlugin& api, Device& device, std::uint64_t seed)
        : api_(api),
          device_(device),
          stream_(makeMessageStream(device)),
          numbers_(noise(kSentFloats, seed)),
          out_(device, kSentFloats * sizeof(float)),
          in_(device, kSentFloats * sizeof(float)),
          arrived_(api, cudaDeviceOf(device)) {
        device.copy(out_.as<void>(), numbers_.data(), out_.bytes());
        device.fillZero(in_.as<void>(), in_.bytes());
    }
    BscopeLink* link() const { return link_.get(); }
    BscopeStream* stream() const { return cudaStreamOf(*stream_); }
    void join(GpuLink link) { link_ = std::move(link); }
    bool isReady() const { return link_.isReady(); }
    void exchange(int peer) const {
        const BscopeTransfer both[] = {{peer, 0, out_.as<void>(), out_.bytes()},
                                       {peer, 1, in_.as<void>(), in_.bytes()}};
        check(api_.link_exchange(link_.get(), both, 2));
    }
    void expect() { arrived_.record(stream()); }
    // Throws what went wrong meanwhile.
    bool hasArrived() const { return link_.isReady() && arrived_.done(); }
    double errorAgainst(const Half& sender) const {
        Floats came(kSentFloats);
        device_.copy(came.data(), in_.as<void>(), in_.bytes());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < kSentFloats; ++i)
            wrong += std::memcmp(&came[i], &sender.numbers_[i], sizeof(float)) != 0 ? 1 : 0;
        return static_cast<double>(wrong) / kSentFloats;
    }

private:
    const BscopePlugin& api_;
    Device& device_;
    std::unique_ptr<Stream> stream_;
    Floats numbers_;
    Buffer out_, in_;
    GpuEvent arrived_;
    GpuLink link_;
};

// Ends what spins in either before any frees its memory, which would wait for it.
class AbortAtEnd {
public:
    AbortAtEnd(const BscopePlugin& api, const std::vector<std::unique_ptr<Half>>& halves)
        : api_(api), halves_(halves) {}
    AbortAtEnd(const AbortAtEnd&) = delete;
    AbortAtEnd& operator=(const AbortAtEnd&) = delete;
    ~AbortAtEnd() {
        std::vector<BscopeLink*> links;
        for (const auto& half : halves_)
            if (half->link() != nullptr) links.push_back(half->link());
        api_.link_abort(links.data(), links.size());
    }

private:
    const BscopePlugin& api_;
    const std::vector<std::unique_ptr<Half>>& halves_;
};

class LinkCheck {
public:
    explicit LinkCheck(const std::shared_ptr<const CudaPlugin>& plugin) : api_(plugin->api()) {
        const int count = static_cast<int>(plugin->gpus().size());
        for (int gpu = 0; gpu < count; ++gpu)
            devices_.push_back(makeCudaDevice(plugin, gpu, Precision::Fp32));
    }
    int gpus() const { return static_cast<int>(devices_.size()); }

    void open() {
        BscopeUniqueId id;
        check(api_.link_unique_id(&id));
        std::vector<GpuWorld::Seat> seats;
        for (int gpu = 0; gpu < gpus(); ++gpu)
            seats.push_back({gpu, devices_[static_cast<std::size_t>(gpu)].get()});
        world_.emplace(api_, seats, gpus(), id);
        awaitWorld("the start of the communicator");
    }

    // The greater error of the two directions.
    double exchange(int first, int second) {
        std::vector<std::unique_ptr<Half>> halves;
        const AbortAtEnd end(api_, halves);
        for (const int gpu : {first, second})
            if (halves.empty() || gpu != first)
                halves.push_back(std::make_unique<Half>(api_, *devices_[static_cast<std::size_t>(gpu)],
                                                        static_cast<std::uint64_t>(gpu) + 1));
        for (int gpu = 0; gpu < gpus(); ++gpu) {
            const bool is_first = gpu == first;
            if (!is_first && gpu != second) {
                world_->sitOut(gpu);
                continue;
            }
            Half& half = is_first ? *halves.front() : *halves.back();
            half.join(world_->split(gpu, 0, is_first ? 0 : 1, half.stream()));
        }
        // Each is polled whatever the others return: polling is what makes a link progress.
        const auto allAre = [&](bool (Half::*state)() const) {
            return std::ranges::count_if(halves, [&](const auto& half) { return (half.get()->*state)(); }) ==
                   std::ssize(halves);
        };
        awaitWorld("a split");
        await("the start of a pair", [&] { return allAre(&Half::isReady); });
        for (std::size_t i = 0; i < halves.size(); ++i)
            halves[i]->exchange(static_cast<int>(halves.size() - 1 - i));
        await("the handing over of a message", [&] { return allAre(&Half::isReady); });
        for (const auto& half : halves) half->expect();
        await("a message", [&] { return allAre(&Half::hasArrived); });
        return std::max(halves.front()->errorAgainst(*halves.back()),
                        halves.back()->errorAgainst(*halves.front()));
    }

private:
    void awaitWorld(const std::string& what) {
        await(what, [&] {
            return std::ranges::count_if(world_->ranks(), [&](int rank) { return world_->isReady(rank); }) ==
                   gpus();
        });
    }

    const BscopePlugin& api_;
    std::vector<std::unique_ptr<Device>> devices_;
    std::optional<GpuWorld> world_;
};

// What it throws is part of the check; true when it passed.
template <class Work>
bool record(std::vector<Check>& checks, const std::string& name, Work work) {
    Check check{.name = name, .failure = {}};
    try {
        check.error = work();
    } catch (const std::exception& error) {
        check.failure = error.what();
    }
    checks.push_back(check);
    return check.passed();
}

}  // namespace

std::optional<std::string> whyNoLinks(const CudaPlugin& plugin) {
    BscopeUniqueId id{};
    if (plugin.count() > 1) return std::nullopt;
    const BscopeError error = plugin.api().link_unique_id(&id);
    return error ? std::optional(say(sentenceOf(error), Language::English)) : std::nullopt;
}

std::vector<Check> checkLinks(const std::shared_ptr<const CudaPlugin>& plugin) {
    std::vector<Check> checks;
    LinkCheck links(plugin);
    const int gpus = links.gpus();
    const bool is_open = record(checks, "communicator, GPUs in it: " + std::to_string(gpus), [&] {
        links.open();
        return 0.0;
    });
    for (int gpu = 0; gpu < std::max(1, gpus - 1); ++gpu) {
        const int peer = std::min(gpu + 1, gpus - 1);
        const std::string name = "split, messages " + std::to_string(gpu) + " <-> " + std::to_string(peer);
        if (!is_open || !record(checks, name, [&] { return links.exchange(gpu, peer); })) break;
    }
    return checks;
}

}  // namespace bscope
