// AllowedFiles: which files of this machine a viewer may name: those below folders that the engine's owner
// allowed, and single files that the owner named. What is looked at is what is used: a file is opened first,
// its real place is read from the open descriptor, and it is read and written through that descriptor.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "schedule/problem.h"

namespace bscope {

// A sentence for the viewer, which reveals nothing about a file that it may not name.
struct NotAllowed : std::runtime_error {
    NotAllowed(const std::string& file, const std::string& folders);
    explicit NotAllowed(const Problem& its_problem)
        : std::runtime_error(its_problem.text()), problem(its_problem) {}
    Problem problem;  // of no field
};

// A file that may be used. path leads to it whatever becomes of its name; name is what people call it.
struct OpenFileHandle {
    OpenFileHandle() = default;
    // A path of the owner's, which needs no permission.
    OpenFileHandle(const std::string& plain) : path(plain), name(plain) {}  // NOLINT: a path is such a file

    // The sentence with the file's name in the place of its path.
    Sentence named(Sentence sentence) const;

    std::string path, name;
    std::shared_ptr<const int> descriptor;  // closed with the last copy
};

class AllowedFiles {
public:
    AllowedFiles() = default;  // none
    // Folders may be read and written, files read. Symbolic links in them are followed now; what does not
    // exist allows nothing.
    explicit AllowedFiles(const std::vector<std::filesystem::path>& folders,
                          const std::vector<std::filesystem::path>& files = {});

    // The owner named the file in just these words.
    bool isOwners(const std::string& file) const;
    // Whether a file that really lies there may be read.
    bool mayRead(const std::filesystem::path& real) const;
    // All throw NotAllowed. The real path of a file to read, without symbolic links.
    std::string resolved(const std::string& file) const;
    OpenFileHandle toRead(const std::string& file) const;
    // In a folder that exists; a symbolic link of that name is no way out, it is replaced.
    OpenFileHandle toWrite(const std::string& file) const;

private:
    bool isBelowAFolder(const std::filesystem::path& real) const;
    [[noreturn]] void refuse(const std::string& file) const;

    std::vector<std::filesystem::path> folders_, files_;  // real paths
    std::vector<std::string> owners_;                     // files_ as they were named
};

}  // namespace bscope
