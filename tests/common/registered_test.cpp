#include "registered_test.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bscope::tests {

namespace {

std::map<std::string, RegisteredTest::Run>& registry() {
    static std::map<std::string, RegisteredTest::Run> tests;
    return tests;
}

}  // namespace

RegisteredTest::RegisteredTest(const char* file, Run run) {
    registry().emplace(std::filesystem::path(file).stem().string(), run);
}

}  // namespace bscope::tests

// The first argument names a test, the others are those of Qt Test.
int main(int argc, char** argv) {
    const auto& tests = bscope::tests::registry();
    const auto found = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (found == tests.end()) {
        std::fprintf(stderr, "usage: %s TEST [FUNCTION...] [OPTION...]\nTEST is one of:\n", argv[0]);
        for (const auto& [name, run] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    std::vector<char*> arguments{argv[0]};
    arguments.insert(arguments.end(), argv + 2, argv + argc + 1);  // argv[argc], a null pointer, included
    return found->second(argc - 1, arguments.data());
}
