#include "run/config_file.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "files/whole_file.h"

namespace bscope {

void writeConfig(const std::filesystem::path& file, const RunConfig& config) {
    nlohmann::ordered_json json;
    json["schedule"] = config.schedule;
    json["p"] = config.params.p;
    json["v"] = config.params.v;
    json["m"] = config.params.m;
    json["d"] = config.params.d;
    json["group_size"] = config.params.group_size;
    json["vertical_sync"] = config.params.vertical_sync;
    json["micro_batch"] = config.micro_batch;
    json["model"] = {{"layers", config.model.layers},
                     {"hidden", config.model.hidden},
                     {"heads", config.model.heads},
                     {"sequence", config.model.sequence},
                     {"vocabulary", config.model.vocabulary}};
    json["recompute"] = toText(config.recompute);
    json["layers_per_stage"] = config.layers_per_stage;
    json["link"] = {{"latency_us", config.link.latency_us}, {"gbps", config.link.gbps}};
    json["slow_ranks"] = nlohmann::ordered_json::array();
    for (const auto& [rank, factor] : config.slow_ranks)
        json["slow_ranks"].push_back({{"rank", rank}, {"factor", factor}});
    json["clock"] = toText(config.clock);
    json["durations"] = toText(config.durations);
    json["training"] = {{"learning_rate", config.training.learning_rate},
                        {"weight_decay", config.training.weight_decay},
                        {"clip_norm", config.training.clip_norm}};
    json["seed"] = std::to_string(config.seed);  // 64-bit numbers are strings in proto JSON
    json["data_file"] = config.data_file;
    json["memory_cap_mb"] = config.memory_cap_mb;
    json["device"] = toText(config.device);
    json["dtype"] = toText(config.dtype);
    json["trace_cost"] = config.trace_cost;
    json["cuda_graphs"] = config.cuda_graphs;
    try {
        writeWholeFile(file, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(file.string() + " cannot be written: " + error.what());
    }
}

}  // namespace bscope
