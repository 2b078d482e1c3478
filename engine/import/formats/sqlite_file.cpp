#include "import/formats/sqlite_file.h"

#include "import/readers.h"

namespace bscope {

bool readsDatabases() {
#ifdef BUBBLESCOPE_SQLITE
    return true;
#else
    return false;
#endif
}

}  // namespace bscope

#ifdef BUBBLESCOPE_SQLITE

#include "import/trace/import_error.h"

namespace bscope {

SqliteFile::SqliteFile(const std::filesystem::path& file, std::function<bool()> go_on)
    : file_(file.string()), go_on_(std::move(go_on)) {
    constexpr int kSteps = 100'000;  // between two questions
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK)
        throw ImportError(sentence("{0} cannot be opened: {1}", file_, Sentence{sqlite3_errstr(code), {}}));
    sqlite3_progress_handler(
        opened, kSteps, [](void* self) { return static_cast<SqliteFile*>(self)->go_on_() ? 0 : 1; }, this);
}

bool SqliteFile::has(const std::string& table) {
    bool found = false;
    each("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = '" + table + "'",
         [&](sqlite3_stmt*) { found = true; });
    return found;
}

bool SqliteFile::hasColumn(const std::string& table, const std::string& column) {
    bool found = false;
    each("SELECT 1 FROM pragma_table_info('" + table + "') WHERE name = '" + column + "'",
         [&](sqlite3_stmt*) { found = true; });
    return found;
}

void SqliteFile::each(const std::string& query, const std::function<void(sqlite3_stmt*)>& row) {
    sqlite3_stmt* made = nullptr;
    check(sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &made, nullptr));
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(made, sqlite3_finalize);
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(made)) == SQLITE_ROW) row(made);
    if (code == SQLITE_INTERRUPT) throw ImportCancelled();
    if (code != SQLITE_DONE) check(code);
}

std::string_view SqliteFile::textAt(sqlite3_stmt* row, int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
    return text == nullptr
               ? std::string_view()
               : std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

void SqliteFile::check(int code) const {
    if (code != SQLITE_OK) throw ImportError(ofFile(file_, {sqlite3_errmsg(database_.get()), {}}));
}

}  // namespace bscope

#endif
