// Names the kind of a file that no reader supports: pointers, archives, tables, databases of other programs.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "words/sentence.h"

namespace bscope {

// What it is and what to do with it, by the beginning of the (decompressed) file; nullopt: nothing known.
std::optional<Sentence> oddFile(std::string_view beginning);

// Why a database of SQLite is not one of nsys; nullopt: it may be one.
std::optional<Sentence> otherDatabase(const std::filesystem::path& file);

}  // namespace bscope
