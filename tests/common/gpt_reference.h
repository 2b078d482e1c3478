// The network once more, in double precision and as naive as possible: what the tests measure the engine
// against. Gradients come from central differences of these functions.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace reference {

using Values = std::vector<double>;

inline Values toDouble(const std::vector<float>& x) {
    return {x.begin(), x.end()};
}

// Numbers in [-1, 1) from a counter.
inline std::vector<float> noise(std::size_t count, std::uint64_t seed) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t z = (seed * 1000003 + i + 1) * 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 31)) * 0xBF58476D1CE4E5B9ULL;
        values[i] = static_cast<float>(static_cast<double>(z >> 40) / 8388608.0 - 1.0);
    }
    return values;
}

inline double dot(const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// d f / d x by central differences.
inline Values gradient(const std::function<double(const Values&)>& f, Values x, double h = 1e-5) {
    Values result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double middle = x[i];
        x[i] = middle + h;
        const double up = f(x);
        x[i] = middle - h;
        result[i] = (up - f(x)) / (2 * h);
        x[i] = middle;
    }
    return result;
}

// y (rows, out) = x (rows, in) weight^T (+ bias)
inline Values linear(const Values& x, const Values& weight, const Values& bias, std::size_t in,
                     std::size_t out) {
    Values y(x.size() / in * out);
    for (std::size_t row = 0; row < x.size() / in; ++row)
        for (std::size_t o = 0; o < out; ++o) {
            double sum = bias.empty() ? 0.0 : bias[o];
            for (std::size_t i = 0; i < in; ++i) sum += x[row * in + i] * weight[o * in + i];
            y[row * out + o] = sum;
        }
    return y;
}

inline Values layernorm(const Values& x, const Values& weight, const Values& bias) {
    const std::size_t C = weight.size();
    Values y(x.size());
    for (std::size_t row = 0; row < x.size() / C; ++row) {
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C; ++c) mean += x[row * C + c] / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            const double off = x[row * C + c] - mean;
            variance += off * off / static_cast<double>(C);
        }
        for (std::size_t c = 0; c < C; ++c)
            y[row * C + c] = (x[row * C + c] - mean) / std::sqrt(variance + 1e-5) * weight[c] + bias[c];
    }
    return y;
}

inline double gelu(double x) {
    return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

inline Values attention(const Values& qkv, std::size_t B, std::size_t T, std::size_t C, std::size_t heads) {
    const std::size_t d = C / heads;
    Values y(B * T * C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t head = 0; head < heads; ++head)
            for (std::size_t t = 0; t < T; ++t) {
                const auto at = [&](std::size_t row, std::size_t part, std::size_t i) {
                    return qkv[(b * T + row) * 3 * C + part * C + head * d + i];
                };
                Values p(t + 1);
                double top = -1e300, sum = 0;
                for (std::size_t s = 0; s <= t; ++s) {
                    for (std::size_t i = 0; i < d; ++i) p[s] += at(t, 0, i) * at(s, 1, i);
                    p[s] /= std::sqrt(static_cast<double>(d));
                    top = std::max(top, p[s]);
                }
                for (double& value : p) sum += value = std::exp(value - top);
                for (std::size_t s = 0; s <= t; ++s)
                    for (std::size_t i = 0; i < d; ++i)
                        y[(b * T + t) * C + head * d + i] += p[s] / sum * at(s, 2, i);
            }
    return y;
}

inline double crossEntropy(const Values& logits, const std::vector<std::int32_t>& targets) {
    const std::size_t V = logits.size() / targets.size();
    double loss = 0;
    for (std::size_t row = 0; row < targets.size(); ++row) {
        double top = -1e300, sum = 0;
        for (std::size_t j = 0; j < V; ++j) top = std::max(top, logits[row * V + j]);
        for (std::size_t j = 0; j < V; ++j) sum += std::exp(logits[row * V + j] - top);
        loss += std::log(sum) + top - logits[row * V + static_cast<std::size_t>(targets[row])];
    }
    return loss / static_cast<double>(targets.size());
}

using Weights = std::map<std::string, Values>;

inline Values block(const Weights& w, const std::string& name, const Values& x, std::size_t B, std::size_t T,
                    std::size_t C, std::size_t heads) {
    const auto of = [&](const char* tensor) -> const Values& { return w.at(name + tensor); };
    Values h = layernorm(x, of("ln1.weight"), of("ln1.bias"));
    h = attention(linear(h, of("attn.qkv.weight"), of("attn.qkv.bias"), C, 3 * C), B, T, C, heads);
    Values r = linear(h, of("attn.proj.weight"), of("attn.proj.bias"), C, C);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] += x[i];
    h = linear(layernorm(r, of("ln2.weight"), of("ln2.bias")), of("mlp.fc.weight"), of("mlp.fc.bias"), C,
               4 * C);
    for (double& value : h) value = gelu(value);
    h = linear(h, of("mlp.proj.weight"), of("mlp.proj.bias"), 4 * C, C);
    for (std::size_t i = 0; i < h.size(); ++i) h[i] += r[i];
    return h;
}

// (B T, V) of the whole network on B sequences.
inline Values gptLogits(const Weights& w, std::size_t L, std::size_t heads, std::size_t B, std::size_t T,
                        const std::vector<std::int32_t>& tokens) {
    const std::size_t C = w.at("ln_f.weight").size();
    Values x(B * T * C);
    for (std::size_t row = 0; row < B * T; ++row)
        for (std::size_t c = 0; c < C; ++c)
            x[row * C + c] = w.at("tok_embedding.weight")[static_cast<std::size_t>(tokens[row]) * C + c] +
                             w.at("pos_embedding.weight")[row % T * C + c];
    for (std::size_t i = 0; i < L; ++i) x = block(w, "blocks." + std::to_string(i) + ".", x, B, T, C, heads);
    x = layernorm(x, w.at("ln_f.weight"), w.at("ln_f.bias"));
    const Values& head = w.at("head.weight");
    return linear(x, head, {}, C, head.size() / C);
}

// Mean cross-entropy of that.
inline double gptLoss(const Weights& w, std::size_t L, std::size_t heads, std::size_t B, std::size_t T,
                      const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& targets) {
    return crossEntropy(gptLogits(w, L, heads, B, T, tokens), targets);
}

// Largest |a - b| / max(1, |b|).
template <typename A>
double difference(const std::vector<A>& a, const Values& b) {
    if (a.size() != b.size()) return INFINITY;
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double off = std::abs(static_cast<double>(a[i]) - b[i]) / std::max(1.0, std::abs(b[i]));
        worst = std::isnan(off) ? INFINITY : std::max(worst, off);
    }
    return worst;
}

}  // namespace reference
