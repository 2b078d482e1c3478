// What the processes of one NCCL world tell each other: a file without a name, to which each of them appends
// and which all of them read. It is gone with the last process that has it open, however that one ends.
// Under the lock of the World.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fake {

struct Entry {
    enum class Kind : std::int32_t { Came, Sat, Handed, Begun, Left };
    Kind kind;
    std::int32_t process = 0;  // which wrote it; filled in by the journal
    std::uint64_t group = 0;
    std::int32_t rank = 0;            // whom it is about
    std::int32_t peer = 0;            // Handed, Begun: the other end
    std::int32_t receives = 0;        // Handed, Begun: which end of the message the rank is
    std::int32_t device = 0;          // Came
    std::int32_t color = 0, key = 0;  // Sat
    std::uint64_t number = 0;         // Sat: which split; Handed, Begun: which message of this way
    std::uint64_t bytes = 0;          // Handed: of the message; Came: ranks of the world
    std::uint64_t content = 0;        // bytes that follow
};

class Journal {
public:
    // Makes one, of which this process keeps the file open; the name is for all others.
    static std::string make();

    // Throws when who made it is gone.
    explicit Journal(const std::string& name);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal();

    void tell(Entry entry, const void* content = nullptr);
    // What other processes have written since the last time, in that order.
    void read(const std::function<void(const Entry&, const std::vector<char>& content)>& take);

private:
    bool isThere(std::uint64_t from, void* to, std::size_t bytes) const;

    int file_;
    std::uint64_t read_ = 0;  // bytes
};

}  // namespace fake
