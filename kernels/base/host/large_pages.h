// Large pages: memory of many megabytes is first touched a page at a time, and that can cost more than what
// is done with it. Here the system is asked to back such memory with pages of 2 MB; where it has none the
// memory stays as it is. Any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace bscope {

// Of memory that was not touched yet. Nothing is done for less than some megabytes.
void preferLargePages(void* begin, std::size_t bytes);

// reserve(), for what may hold an entry for every operation of a schedule.
template <class T>
void reserveLarge(std::vector<T>& entries, std::size_t count) {
    entries.reserve(count);
    preferLargePages(entries.data() + entries.size(), (entries.capacity() - entries.size()) * sizeof(T));
}

}  // namespace bscope
