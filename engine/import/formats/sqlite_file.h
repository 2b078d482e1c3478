// A database that a profiler wrote, read row by row; built when SQLite is available. One thread.
#pragma once

#ifdef BUBBLESCOPE_SQLITE

#include <sqlite3.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace bscope {

class SqliteFile {
public:
    // go_on is called now and then; false cancels. Throws ImportError: the file cannot be opened.
    SqliteFile(const std::filesystem::path& file, std::function<bool()> go_on);
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;

    bool has(const std::string& table);
    bool hasColumn(const std::string& table, const std::string& column);
    // Throws ImportError, ImportCancelled.
    void each(const std::string& query, const std::function<void(sqlite3_stmt*)>& row);

    static std::string_view textAt(sqlite3_stmt* row, int column);

private:
    void check(int code) const;
    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close(database); }
    };

    std::string file_;
    std::function<bool()> go_on_;
    std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace bscope

#endif
