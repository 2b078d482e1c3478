#include "terminal/own_engine.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <asio.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "words/sentence_error.h"

extern char** environ;

namespace bscope::terminal {
namespace {

constexpr std::size_t kKeptErrorBytes = 2000;
constexpr int kPatience = 60;  // looks at a process that was asked to end
constexpr std::chrono::milliseconds kBetweenLooks{25};
constexpr std::string_view kListening = "listening on ";

// 128 bits of the system's random numbers.
std::string newToken() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::system_error(errno, std::generic_category());
    std::string token;
    for (const unsigned char byte : bytes) {
        token += "0123456789abcdef"[byte >> 4u];
        token += "0123456789abcdef"[byte & 15u];
    }
    return token;
}

struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
    }
    ~Pipe() {
        for (const int end : ends)
            if (end >= 0) close(end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int release(std::size_t end) { return std::exchange(ends[end], -1); }
};

}  // namespace

struct OwnEngine::Impl : std::enable_shared_from_this<OwnEngine::Impl> {
    using Stream = asio::posix::stream_descriptor;

    Impl(asio::io_context& context, std::function<void(const EngineAddress&)> on_listening,
         std::function<void(const Sentence&, const std::string&)> on_ended)
        : listening(std::move(on_listening)),
          ended(std::move(on_ended)),
          input(context),
          output(context),
          errors(context) {}

    void start(const std::vector<std::string>& arguments) {
        stop();
        token = newToken();
        said.clear();
        line.clear();
        std::vector<std::string> words{
            "bscope", "serve", "--listen", "127.0.0.1:0", "--exit-when-alone", "--token-from-input"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        Pipe in, out, error;
        const std::string token_line = token + "\n";  // before it can be gone
        if (write(in.ends[1], token_line.data(), token_line.size()) !=
            static_cast<ssize_t>(token_line.size()))
            throw std::system_error(errno, std::generic_category());
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, error.ends[1], STDERR_FILENO);
        const int failed =
            posix_spawn(&process, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (failed != 0) {
            process = -1;
            throw SentenceError<>(sentence("the engine could not be started: {0}", std::strerror(failed)));
        }
        input = Stream(input.get_executor(), in.release(1));
        output = Stream(output.get_executor(), out.release(0));
        errors = Stream(errors.get_executor(), error.release(0));
        readOutput();
        readErrors();
    }

    void readOutput() {
        output.async_read_some(asio::buffer(out_bytes),
                               [self = shared_from_this()](const asio::error_code& error, std::size_t bytes) {
                                   if (error) return;
                                   self->line.append(self->out_bytes.data(), bytes);
                                   self->findAddress();
                                   self->readOutput();
                               });
    }

    void findAddress() {
        const std::size_t end = line.find('\n');
        if (end == std::string::npos || !line.starts_with(kListening)) return;
        auto address = parseEngineAddress(std::string_view(line).substr(0, end).substr(kListening.size()));
        if (!address) return;
        address->token = token;
        listening(*address);
        line.clear();
    }

    void readErrors() {
        errors.async_read_some(asio::buffer(error_bytes),
                               [self = shared_from_this()](const asio::error_code& error, std::size_t bytes) {
                                   if (error) return;
                                   self->said.append(self->error_bytes.data(), bytes);
                                   if (self->said.size() > kKeptErrorBytes)
                                       self->said.erase(0, self->said.size() - kKeptErrorBytes);
                                   self->readErrors();
                               });
    }

    void childEnded() {
        int status = 0;
        if (process < 0 || waitpid(process, &status, WNOHANG) != process) return;
        process = -1;
        drainErrors();
        closeStreams();
        ended(WIFSIGNALED(status)
                  ? sentence("The engine was ended by signal {0}.",
                             "SIG" + std::string(sigabbrev_np(WTERMSIG(status))))
                  : sentence("The engine ended by itself with exit code {0}.", WEXITSTATUS(status)),
              said);
    }

    // What it said last.
    void drainErrors() {
        asio::error_code error;
        errors.non_blocking(true, error);
        while (!error) {
            const std::size_t bytes = errors.read_some(asio::buffer(error_bytes), error);
            said.append(error_bytes.data(), bytes);
        }
    }

    void closeStreams() {
        asio::error_code ignored;
        for (Stream* stream : {&input, &output, &errors}) stream->close(ignored);
    }

    // It ends when its input is closed; else it is made to.
    void stop() {
        closeStreams();
        if (process < 0) return;
        const pid_t ending = std::exchange(process, -1);
        for (int look = 0; look < kPatience; ++look) {
            if (waitpid(ending, nullptr, WNOHANG) == ending) return;
            if (look == kPatience / 2) kill(ending, SIGTERM);
            std::this_thread::sleep_for(kBetweenLooks);
        }
        kill(ending, SIGKILL);
        waitpid(ending, nullptr, 0);
    }

    std::function<void(const EngineAddress&)> listening;
    std::function<void(const Sentence&, const std::string&)> ended;
    pid_t process = -1;
    Stream input, output, errors;
    std::string token, line, said;
    std::array<char, 4096> out_bytes{}, error_bytes{};
};

OwnEngine::OwnEngine(asio::io_context& context, std::function<void(const EngineAddress&)> listening,
                     std::function<void(const Sentence&, const std::string&)> ended)
    : impl_(std::make_shared<Impl>(context, std::move(listening), std::move(ended))) {}

OwnEngine::~OwnEngine() {
    impl_->stop();
}

void OwnEngine::start(const std::vector<std::string>& arguments) {
    impl_->start(arguments);
}

void OwnEngine::childEnded() {
    impl_->childEnded();
}

}  // namespace bscope::terminal
