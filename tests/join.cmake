# Writes OUTPUT, one source of the tests SOURCES: the headers of all; each test in a namespace of its own, where its
# #include lines have nothing left to read and its main() is a function as others are; and a main() that calls the one
# by whose name the program was started.
#   cmake -DOUTPUT=FILE "-DSOURCES=A.cpp;B.cpp" -P join.cmake
set(headers "")
set(tests "")
set(cases "")
foreach(source IN LISTS SOURCES)
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} lines REGEX "^#include .*[.>\"a-z]$")
  list(FILTER lines EXCLUDE REGEX "[.]moc")
  list(APPEND headers ${lines})
  string(APPEND tests "namespace ${name} {\n#include \"${source}\"\n}\n")
  string(APPEND cases "    if (name == \"${name}\") return ${name}::main(count, arguments);\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(WRITE ${OUTPUT} "#include <cstdio>
#include <string_view>
${headers}

namespace {
${tests}}  // namespace
int main(int count, char** arguments) {
    std::string_view name = arguments[0];
    name.remove_prefix(name.rfind('/') + 1);
${cases}    std::fprintf(stderr, \"%s is several tests: start one by its name\\n\", arguments[0]);
    return 2;
}
")
