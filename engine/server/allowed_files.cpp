#include "server/allowed_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace bscope {
namespace {

namespace fs = std::filesystem;

// Where a descriptor can be opened anew: the same file, wherever its name leads by now.
fs::path placeOf(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

// Null when there is no such file or the way to it is barred.
std::shared_ptr<const int> held(const fs::path& file, int flags) {
    const int descriptor = open(file.c_str(), O_PATH | O_CLOEXEC | flags);
    if (descriptor < 0) return nullptr;
    return {new int(descriptor), [](const int* opened) {
                close(*opened);
                delete opened;
            }};
}

fs::path realPath(int descriptor) {
    std::error_code error;
    return fs::read_symlink(placeOf(descriptor), error);
}

bool isBelow(const fs::path& real, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
}

}  // namespace

NotAllowed::NotAllowed(const std::string& file, const std::string& folders)
    : NotAllowed(Problem{"",
                         "{0} is not a file that viewers of this engine may name; they may name files in {1} "
                         "(--allow FOLDER of bscope serve adds one)",
                         {file, folders},
                         {}}) {}

Sentence OpenFileHandle::named(Sentence sentence) const {
    if (path.empty() || path == name) return sentence;
    for (Argument& argument : sentence.arguments) {
        for (Sentence& inner : argument.words) inner = named(std::move(inner));
        std::string& text = argument.text;
        for (std::size_t at = text.find(path); at != std::string::npos;
             at = text.find(path, at + name.size()))
            text.replace(at, path.size(), name);
    }
    return sentence;
}

AllowedFiles::AllowedFiles(const std::vector<fs::path>& folders, const std::vector<fs::path>& files) {
    const auto add = [](const std::vector<fs::path>& from, std::vector<fs::path>& to) {
        for (const fs::path& each : from) {
            std::error_code error;
            const fs::path real = fs::canonical(each, error);
            if (!error && std::find(to.begin(), to.end(), real) == to.end()) to.push_back(real);
        }
    };
    add(folders, folders_);
    add(files, files_);
    for (const fs::path& each : files) owners_.push_back(each.string());
}

bool AllowedFiles::isOwners(const std::string& file) const {
    return std::ranges::find(owners_, file) != owners_.end();
}

bool AllowedFiles::mayRead(const fs::path& real) const {
    return isBelowAFolder(real) || std::ranges::find(files_, real) != files_.end();
}

bool AllowedFiles::isBelowAFolder(const fs::path& real) const {
    return std::any_of(folders_.begin(), folders_.end(),
                       [&](const fs::path& folder) { return isBelow(real, folder); });
}

void AllowedFiles::refuse(const std::string& file) const {
    std::string listed;
    for (const fs::path& folder : folders_) listed += (listed.empty() ? "" : ", ") + folder.string();
    throw NotAllowed(file, listed.empty() ? "no folder" : listed);
}

OpenFileHandle AllowedFiles::toRead(const std::string& file) const {
    OpenFileHandle found;
    found.name = file;
    found.descriptor = held(file, 0);
    if (!found.descriptor) {
        // Where the file would be: it is not revealed what exists elsewhere.
        std::error_code error;
        const fs::path would_be = fs::weakly_canonical(fs::absolute(file, error), error);
        if (error || !isBelowAFolder(would_be)) refuse(file);
        found.path = placeOf(-1).string();  // leads nowhere, also when the file appears meanwhile
        return found;
    }
    if (!mayRead(realPath(*found.descriptor))) refuse(file);
    found.path = placeOf(*found.descriptor).string();
    return found;
}

std::string AllowedFiles::resolved(const std::string& file) const {
    const OpenFileHandle found = toRead(file);
    return found.descriptor ? realPath(*found.descriptor).string() : file;
}

OpenFileHandle AllowedFiles::toWrite(const std::string& file) const {
    OpenFileHandle found;
    found.name = file;
    const fs::path request(file), folder = request.has_parent_path() ? request.parent_path() : fs::path(".");
    const std::string name = request.filename().string();
    found.descriptor = held(folder, O_DIRECTORY);
    const bool is_name = !name.empty() && name != "." && name != "..";
    if (!is_name || !found.descriptor || !isBelowAFolder(realPath(*found.descriptor))) refuse(file);
    found.path = (placeOf(*found.descriptor) / name).string();
    return found;
}

}  // namespace bscope
