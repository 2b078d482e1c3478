#include "cli/input/output_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>

#include "files/user_file.h"
#include "files/whole_file.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandardOutput = "-";

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// Errors of the system count as "no"; access() then says what is wrong.
bool isFolder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

bool isSpecial(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error) && !fs::is_regular_file(path, error);
}

Sentence whyNoFolder(fs::path folder, bool is_made) {
    std::error_code error;
    while (is_made && !fs::exists(folder, error) && folder != folderOf(folder)) folder = folderOf(folder);
    if (!isFolder(folder))
        return sentence("there is no folder {0}; make it, or name another one", folder.string());
    if (access(folder.c_str(), W_OK | X_OK) == 0) return {};
    return sentence("nothing can be written in {0}: {1}; name another one", folder.string(),
                    std::strerror(errno));
}

// Empty when it can be written there.
Sentence whyNot(const fs::path& path, Writing writing) {
    if (path == kStandardOutput)
        return writing == Writing::BesideOrOutput
                   ? Sentence()
                   : sentence("it stands for standard output, where this cannot be written; name a file");
    if (writing == Writing::NewFolder) return whyNoFolder(path, true);
    if (isFolder(path)) return sentence("it is a folder; name a file in it");
    try {
        requireWritableWithoutWaiting(path);
    } catch (const FileError& error) {
        return sentence("{0}; name another file", sentenceOf(error));
    }
    std::error_code error;
    if (writing != Writing::BesideOrStream && writing != Writing::BesideOrOutput && isSpecial(path))
        return sentence("it is not a regular file; name another one");
    const bool is_replaced = writing != Writing::Over && !isSpecial(path);
    if (is_replaced || !fs::exists(path, error))
        return whyNoFolder(folderOf(path), writing == Writing::BesideInNewFolder);
    if (access(path.c_str(), W_OK) == 0) return {};
    return sentence("{0}; name another file", std::strerror(errno));
}

}  // namespace

void refuseUnwritable(CommandLine& line, const NamedFile& output, Writing writing) {
    if (output.file.empty()) return;
    if (const Sentence why = whyNot(output.file, writing); !why.empty())
        line.refuse(sentence("{0} {1} is not legal: {2}", output.option, output.file, why));
}

void refuseSameFile(CommandLine& line, const NamedFile& one, const NamedFile& other) {
    if (one.file.empty() || other.file.empty()) return;
    const auto placeOf = [](const std::string& file) {
        std::error_code error;
        return fs::weakly_canonical(fs::absolute(file, error), error);
    };
    if (placeOf(one.file) == placeOf(other.file))
        line.refuse(sentence("{0} and {1} both name {2}; give each a file of its own", one.option,
                             other.option, one.file));
}

void writeWhole(const std::string& file, const std::function<void(std::ostream&)>& write) {
    try {
        if (file == kStandardOutput) return write(std::cout);
        writeWholeFile(file, write);
    } catch (const std::runtime_error& error) {
        throw SentenceError<>(
            sentence("cannot write {0}: {1}; choose another place, or make room on the disk", file,
                     sentenceOf(error)));
    }
}

}  // namespace bscope::cli
