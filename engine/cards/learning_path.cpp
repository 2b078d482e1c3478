#include "cards/learning_path.h"

#include <algorithm>

#include "cards/json_fields.h"

namespace bscope {

namespace builtin {
extern const std::string_view path_texts;
}

namespace {

PathPart readPart(const nlohmann::json& json, const std::string& path) {
    JsonFields fields(json, path + ".parts");
    PathPart part;
    part.title = fields.both(fields.get("title"), "title");
    part.lessons = fields.texts("lessons");
    part.cards = fields.texts("cards");
    if (const nlohmann::json* quiz = fields.find("quiz")) {
        if (!quiz->is_boolean()) fields.fail("has a quiz that is neither true nor false");
        part.quiz = quiz->get<bool>();
    }
    part.levels = fields.texts("levels");
    part.sheets = fields.texts("sheets");
    if (const nlohmann::json* reading = fields.find("reading"))
        for (const nlohmann::json& each : *reading) part.reading.push_back(fields.both(each, "reading"));
    fields.done();
    if (part.lessons.empty()) fields.fail("has no lesson");
    return part;
}

LearningPath readPath(const nlohmann::json& json) {
    LearningPath path;
    JsonFields fields(json, "paths: a path");
    path.id = fields.text(fields.get("id"), "id");
    fields.rename("paths: " + path.id);
    path.title = fields.both(fields.get("title"), "title");
    path.about = fields.both(fields.get("about"), "about");
    const nlohmann::json& minutes = fields.get("minutes");
    if (!minutes.is_number_unsigned()) fields.fail("has minutes that are no number");
    path.minutes = minutes.get<int>();
    for (const nlohmann::json& part : fields.get("parts"))
        path.parts.push_back(readPart(part, "paths: " + path.id));
    fields.done();
    return path;
}

}  // namespace

std::vector<LearningPath> readPaths(std::string_view json) {
    const nlohmann::json all = nlohmann::json::parse(json, nullptr, false);
    if (!all.is_array()) throw std::invalid_argument("paths: no array of paths");
    std::vector<LearningPath> read;
    for (const nlohmann::json& each : all) read.push_back(readPath(each));
    return read;
}

std::span<const LearningPath> learningPaths() {
    static const std::vector<LearningPath> kPaths = readPaths(builtin::path_texts);
    return kPaths;
}

const LearningPath* findPath(std::string_view id) {
    const auto paths = learningPaths();
    const auto found = std::ranges::find(paths, id, &LearningPath::id);
    return found == paths.end() ? nullptr : &*found;
}

}  // namespace bscope
