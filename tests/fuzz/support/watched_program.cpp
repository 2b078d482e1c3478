#include "support/watched_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

namespace bscope::fuzz {

namespace {

pid_t start(const std::vector<std::string>& words, const std::filesystem::path& folder) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const std::string out = (folder / "out").string(), errors = (folder / "err").string();
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    ::setenv("OMP_NUM_THREADS", "1", 1);
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    pid_t process = 0;
    const int error =
        ::posix_spawn(&process, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::system_error(error, std::generic_category(), words.front());
    return process;
}

}  // namespace

Ended runWatched(const std::vector<std::string>& words, const std::filesystem::path& folder, double limit_s) {
    using Clock = std::chrono::steady_clock;
    const pid_t process = start(words, folder);
    const auto last =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_s));
    Ended ended;
    int status = 0;
    struct rusage used {};
    while (::wait4(process, &status, WNOHANG, &used) == 0) {
        if (!ended.timed_out && Clock::now() > last) {
            ended.timed_out = true;
            ::kill(process, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.peak_mb = static_cast<double>(used.ru_maxrss) * 1024 / 1e6;
    return ended;
}

}  // namespace bscope::fuzz
