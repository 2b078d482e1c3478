// Slice: a part of a row whose values are packed. Reads like a span, but makes each value when it is asked
// for: an iterator gives values, never references. A row has value_type, operator[] and prefetch(); slices
// and their iterators refer to it, stay valid when it grows at its end, and must not outlive it.
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <ranges>

namespace bscope {

template <class Row>
class Slice {
public:
    using value_type = typename Row::value_type;

    // Of one element of a row, or of none: false.
    class iterator {
    public:
        using value_type = typename Row::value_type;
        using difference_type = std::ptrdiff_t;
        using reference = value_type;
        using iterator_concept = std::random_access_iterator_tag;
        using iterator_category = std::random_access_iterator_tag;  // so that searches jump
        struct pointer {
            value_type value;
            const value_type* operator->() const { return &value; }
        };

        iterator() = default;
        iterator(const Row* row, difference_type index) : row_(row), index_(index) {}
        explicit operator bool() const { return row_ != nullptr; }

        [[gnu::always_inline]] value_type operator*() const {
            return (*row_)[static_cast<std::size_t>(index_)];
        }
        pointer operator->() const { return {**this}; }
        value_type operator[](difference_type by) const { return *(*this + by); }
        iterator& operator+=(difference_type by) {
            index_ += by;
            return *this;
        }
        iterator& operator-=(difference_type by) { return *this += -by; }
        iterator& operator++() { return *this += 1; }
        iterator& operator--() { return *this += -1; }
        iterator operator++(int) { return {row_, index_++}; }
        iterator operator--(int) { return {row_, index_--}; }
        friend iterator operator+(iterator at, difference_type by) { return at += by; }
        friend iterator operator+(difference_type by, iterator at) { return at += by; }
        friend iterator operator-(iterator at, difference_type by) { return at -= by; }
        friend difference_type operator-(const iterator& a, const iterator& b) { return a.index_ - b.index_; }
        bool operator==(const iterator& other) const = default;
        auto operator<=>(const iterator& other) const { return index_ <=> other.index_; }

    private:
        const Row* row_ = nullptr;
        difference_type index_ = 0;
    };
    using const_iterator = iterator;

    Slice() = default;
    Slice(const Row& row, std::size_t offset, std::size_t size) : row_(&row), offset_(offset), size_(size) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t offset() const { return offset_; }  // in its row
    [[gnu::always_inline]] value_type operator[](std::size_t index) const { return (*row_)[offset_ + index]; }
    value_type front() const { return (*this)[0]; }
    value_type back() const { return (*this)[size_ - 1]; }
    iterator begin() const { return {row_, static_cast<std::ptrdiff_t>(offset_)}; }
    iterator end() const { return {row_, static_cast<std::ptrdiff_t>(offset_ + size_)}; }
    Slice first(std::size_t count) const { return subspan(0, count); }
    Slice subspan(std::size_t from) const { return subspan(from, size_ - from); }
    Slice subspan(std::size_t from, std::size_t count) const {
        Slice part = *this;
        part.offset_ += from;
        part.size_ = count;
        return part;
    }
    // It will be asked for soon.
    void prefetch(std::size_t index) const {
        if (index < size_) row_->prefetch(offset_ + index);
    }

private:
    const Row* row_ = nullptr;
    std::size_t offset_ = 0, size_ = 0;
};

}  // namespace bscope

// Its iterators refer to the row, not to the slice.
template <class Row>
inline constexpr bool std::ranges::enable_borrowed_range<bscope::Slice<Row>> = true;
