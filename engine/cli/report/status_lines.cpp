#include "cli/report/status_lines.h"

#include <iostream>

#include "cli/print/json_text.h"
#include "cli/report/import_json.h"

namespace bscope::cli {

void reportStatus(const char* key, const nlohmann::ordered_json& value) {
    std::cerr << jsonText({{key, value}}) << std::endl;
}

void reportProgress(int done, int of) {
    reportStatus("progress", {{"done", done}, {"of", of}});
}

void reportRefusal(const Sentence& why) {
    reportStatus("refused", sentenceJson(why));
}

}  // namespace bscope::cli
