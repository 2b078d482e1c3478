# bubblescope_room(NAME [HEAVY] [FOLDERS folder...] [LINKS lib...]): the static library bs_NAME of every source in
# this folder and those below it that are named.
# Sources are found by pattern so that adding a schedule or an operation is adding a file.
add_library(bubblescope_flags INTERFACE)
target_compile_options(bubblescope_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
# clang says of each loop that it is told to vectorize that it did not where it does not optimise enough.
target_compile_options(bubblescope_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
target_include_directories(bubblescope_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/engine)
target_compile_definitions(bubblescope_flags INTERFACE BUBBLESCOPE_VERSION="${PROJECT_VERSION}")
if(BUBBLESCOPE_SANITIZE)
  string(REPLACE "," ";" sanitizers "${BUBBLESCOPE_SANITIZE}")
  foreach(sanitizer IN LISTS sanitizers)
    target_compile_options(bubblescope_flags INTERFACE -fsanitize=${sanitizer})
    target_link_options(bubblescope_flags INTERFACE -fsanitize=${sanitizer})
  endforeach()
  target_compile_options(bubblescope_flags INTERFACE -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if("undefined" IN_LIST sanitizers AND "address" IN_LIST sanitizers)
    # What goes through a null pointer ends there anyway; checking it before costs a quarter of the build.
    target_compile_options(bubblescope_flags INTERFACE -fno-sanitize=null)
  endif()
endif()

option(BUBBLESCOPE_JOIN_SOURCES "Compile each folder of the HEAVY rooms as one source" OFF)

# HEAVY: the headers cost more time than the code, so that a folder is compiled faster as one source; names of its
# unnamed namespaces must then differ. The `dev` build compiles every source alone.
function(bubblescope_room name)
  cmake_parse_arguments(ROOM "HEAVY" "" "FOLDERS;LINKS" ${ARGN})
  add_library(bs_${name} STATIC)
  foreach(folder IN LISTS ROOM_FOLDERS ITEMS ${name})
    set(pattern ${folder}/*)
    if(folder STREQUAL name)
      set(pattern *)
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${pattern}.cpp ${pattern}.h)
    target_sources(bs_${name} PRIVATE ${sources})
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
  target_link_libraries(bs_${name} PUBLIC bubblescope_flags ${ROOM_LINKS})
  if(ROOM_HEAVY AND BUBBLESCOPE_JOIN_SOURCES)
    set_target_properties(bs_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# bubblescope_embed(TARGET NAME FILE): the bytes of FILE in TARGET, as `std::string_view bscope::builtin::NAME`,
# which a source of the target declares extern.
function(bubblescope_embed target name file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  file(READ ${CMAKE_SOURCE_DIR}/${file} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  file(CONFIGURE OUTPUT builtin_${name}.cpp @ONLY CONTENT [[
#include <string_view>
namespace bscope::builtin {
extern const std::string_view @name@;
static const char bytes[] = {@bytes@};
const std::string_view @name@(bytes, sizeof(bytes));
}  // namespace bscope::builtin
]])
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/builtin_${name}.cpp)
endfunction()
