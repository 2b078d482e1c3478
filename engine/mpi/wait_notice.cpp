#include "mpi/wait_notice.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "clock/start_thread.h"
#include "words/catalog.h"

namespace bscope {

namespace {

constexpr auto kSlow = std::chrono::seconds(5);
constexpr auto kLater = std::chrono::seconds(5);  // that the others give up, so that one speaks for all

std::chrono::seconds patience() {
    const char* const given = std::getenv("BSCOPE_START_S");
    const std::string_view text = given == nullptr ? "" : given;
    int seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    const bool is_legal = error == std::errc() && end == text.data() + text.size() && seconds > 0;
    return is_legal ? std::chrono::seconds(seconds) : kStartPatience;
}

}  // namespace

WaitNotice::WaitNotice(Sentence done, Says says)
    : thread_(startThread(sentence("the start of MPI"), [this, done = std::move(done), says] {
          const auto begun = std::chrono::steady_clock::now();
          const auto limit = patience(), end = says == Says::All ? limit : limit + kLater;
          std::unique_lock lock(mutex_);
          for (auto next = std::min<std::chrono::seconds>(kSlow, end);; next = std::min(next + kSlow, end)) {
              if (ended_.wait_until(lock, begun + next, [this] { return is_over_; })) return;
              if (next == end) giveUp(done, limit);
              if (says == Says::All)
                  std::cerr
                      << "bscope: not all processes of mpirun have " + say(done, Language::English) +
                             " after " + std::to_string(next.count()) +
                             " s: one may be stopped, on an unreachable machine, or another program; the "
                             "wait ends after " +
                             std::to_string(limit.count()) + " s, or with Ctrl-C\n"
                      << std::flush;
          }
      })) {}

// MPI waits inside a call that nothing ends but the process itself; mpirun then ends the others.
void WaitNotice::giveUp(const Sentence& done, std::chrono::seconds limit) {
    const Sentence what = sentence(
        "not all processes of mpirun have {0} after {1} s, and the wait ends here. Look at what mpirun "
        "started: every rank must be this bscope with the same command and options (mpirun -n P bscope run "
        "...), since another program or another command never joins; a rank that ended early, for lack of "
        "memory or a library, has reported it above; a stopped one or an unreachable machine reports "
        "nothing. BSCOPE_START_S={2} waits longer",
        done, limit.count(), 5 * limit.count());
    std::cerr << "bscope: " + say(what, Language::English) + "\n" << std::flush;
    std::_Exit(1);
}

WaitNotice::~WaitNotice() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    ended_.notify_all();
    thread_.join();
}

}  // namespace bscope
