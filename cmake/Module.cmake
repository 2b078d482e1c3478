# bubblescope_module(NAME [HEAVY] [COMPUTES] [QT] [FOLDERS folder...] [LINKS lib...]): the static
# library bs_NAME of every source in this folder, or in those below it that are named.
# Sources are found by pattern so that adding a schedule or an operation is adding a file.
add_library(bubblescope_flags INTERFACE)
target_compile_options(bubblescope_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
# In a Release build everything is optimised: with -O2, and what is marked COMPUTES with -O3. The preset `quick` compiles
# with -Og, in less time.
option(BUBBLESCOPE_QUICK_BUILD "Compile with -Og: no build to give away" OFF)
if(BUBBLESCOPE_QUICK_BUILD)
  set(bubblescope_optimised -Og)
  set(bubblescope_most_optimised -O2)
else()
  set(bubblescope_optimised -O2)
  set(bubblescope_most_optimised -O3)
endif()
add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${bubblescope_optimised}>) # a target may ask for other
# GCC collects garbage from 512 MB on instead of 128: a tenth of its time, for up to 300 MB more of a large source.
target_compile_options(bubblescope_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)
# clang warns of each loop marked for vectorization that it left as it is where it does not optimise enough.
target_compile_options(bubblescope_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
target_include_directories(bubblescope_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/engine ${CMAKE_SOURCE_DIR}/kernels/base)
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

option(BUBBLESCOPE_JOIN_SOURCES "Compile folders of the HEAVY modules as one source" OFF)
# `dev` reads every header where it is included.
option(BUBBLESCOPE_PRECOMPILE "Compile with precompiled headers" ${BUBBLESCOPE_JOIN_SOURCES})
if(BUBBLESCOPE_PRECOMPILE)
  file(CONFIGURE OUTPUT headers.cpp CONTENT "")
  add_library(bubblescope_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp)
  target_link_libraries(bubblescope_headers PRIVATE bubblescope_flags)
  target_precompile_headers(bubblescope_headers PRIVATE <algorithm> <array> <atomic> <chrono> <cmath> <cstdint>
    <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric> <optional> <span> <sstream> <string>
    <thread> <variant> <vector>)
endif()

# bubblescope_sources(TARGET IS_HEAVY IS_QT FOLDER...): those of the folders; where heavy, a+b is compiled as one source.
function(bubblescope_sources target is_heavy is_qt)
  set(is_joined NO)
  set(mocs "")
  if(is_heavy AND BUBBLESCOPE_JOIN_SOURCES)
    set(is_joined YES)
  endif()
  foreach(group IN LISTS ARGN)
    string(REPLACE "+" ";" folders ${group})
    string(REGEX REPLACE "[./]" "" unit ${group})
    string(REPLACE "+" "_" unit ${unit})
    set(moc_unit ${unit})
    if(NOT is_joined)
      set(moc_unit moc) # what moc made of all headers
    endif()
    foreach(folder IN LISTS folders)
      file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.h)
      target_sources(${target} PRIVATE ${sources})
      if(is_joined)
        set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${unit})
      endif()
      if(is_qt)
        list(FILTER sources INCLUDE REGEX "[.]h$")
        foreach(header IN LISTS sources)
          cmake_path(GET header STEM name)
          set(moc ${CMAKE_CURRENT_BINARY_DIR}/moc/${folder}/moc_${name}.cpp)
          bubblescope_moc(${target} ${header} ${moc})
          list(APPEND mocs ${moc})
          set_source_files_properties(${moc} PROPERTIES UNITY_GROUP ${moc_unit})
        endforeach()
      endif()
    endforeach()
  endforeach()
  if(is_qt)
    target_sources(${target} PRIVATE ${mocs})
    bubblescope_generated_early(${target} ${mocs})
  endif()
  if(is_joined OR is_qt)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# HEAVY: the headers cost more time than the code, so that folders are compiled faster as one source; names of their
# unnamed namespaces must then differ. The `dev` build compiles every source alone.
# QT: what moc makes of the headers belongs to it.
# COMPUTES: most of what runs and tests wait for; -O3 in Release, and -O1 where sanitizers look into everything and
# nothing else is optimised.
function(bubblescope_module name)
  cmake_parse_arguments(MODULE "HEAVY;COMPUTES;QT" "" "FOLDERS;LINKS" ${ARGN})
  if(NOT MODULE_FOLDERS)
    get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    set(MODULE_FOLDERS ../${folder})
  endif()
  add_library(bs_${name} STATIC)
  target_link_libraries(bs_${name} PUBLIC bubblescope_flags ${MODULE_LINKS})
  bubblescope_sources(bs_${name} ${MODULE_HEAVY} ${MODULE_QT} ${MODULE_FOLDERS})
  if(MODULE_COMPUTES AND BUBBLESCOPE_SANITIZE)
    target_compile_options(bs_${name} PRIVATE -O1)
  elseif(MODULE_COMPUTES AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(bs_${name} PRIVATE ${bubblescope_most_optimised})
  elseif(BUBBLESCOPE_PRECOMPILE AND NOT MODULE_QT) # headers are precompiled for one optimisation
    target_precompile_headers(bs_${name} REUSE_FROM bubblescope_headers)
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
