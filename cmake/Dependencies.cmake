# What the project stands on. Required parts stop the configuration with the package to install;
# optional parts are detected and reported in one line each.
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
# libdnnl-dev; found by hand, since its CMake package demands OpenCL headers that no CPU code needs.
find_library(DNNL_LIBRARY dnnl REQUIRED)
find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.h REQUIRED)
add_library(dnnl_cpu INTERFACE)
target_link_libraries(dnnl_cpu INTERFACE ${DNNL_LIBRARY})
target_include_directories(dnnl_cpu SYSTEM INTERFACE ${DNNL_INCLUDE_DIR})
find_package(Protobuf REQUIRED)        # libprotobuf-dev protobuf-compiler
find_package(nlohmann_json REQUIRED)   # nlohmann-json3-dev
find_package(CLI11 REQUIRED)           # libcli11-dev
find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED) # libasio-dev
find_library(SIMDJSON_LIBRARY simdjson REQUIRED) # libsimdjson-dev
find_path(SIMDJSON_INCLUDE_DIR simdjson.h REQUIRED)
find_package(ZLIB REQUIRED) # zlib1g-dev
find_library(ISAL_LIBRARY isal REQUIRED) # libisal-dev
find_path(ISAL_INCLUDE_DIR isa-l/crc.h REQUIRED)
set(CURSES_NEED_WIDE TRUE)
find_package(Curses QUIET) # libncurses-dev
if(CURSES_FOUND)
  message(STATUS "view in the terminal: yes")
else()
  message(STATUS "view in the terminal: no, ncursesw is missing (Debian: libncurses-dev)")
endif()
find_package(SQLite3 QUIET) # libsqlite3-dev
if(SQLite3_FOUND)
  message(STATUS "import of nsys: yes")
else()
  message(STATUS "import of nsys: no, SQLite is missing (Debian: libsqlite3-dev)")
endif()


if(BUBBLESCOPE_GUI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core DBus Gui Widgets Network PrintSupport Svg LinguistTools)
  find_library(QCUSTOMPLOT_LIBRARY NAMES QCustomPlotQt6 REQUIRED) # libqcustomplot-dev
  find_path(QCUSTOMPLOT_INCLUDE_DIR qcustomplot.h REQUIRED)
  add_library(qcustomplot INTERFACE)
  target_link_libraries(qcustomplot INTERFACE ${QCUSTOMPLOT_LIBRARY})
  target_include_directories(qcustomplot SYSTEM INTERFACE ${QCUSTOMPLOT_INCLUDE_DIR})
  target_compile_definitions(qcustomplot INTERFACE QCUSTOMPLOT_USE_LIBRARY)
  find_library(CAIRO_LIBRARY cairo REQUIRED) # libcairo2-dev
  find_path(CAIRO_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo REQUIRED)
  find_package(Freetype REQUIRED) # libfreetype-dev
  add_library(cairo INTERFACE)
  target_link_libraries(cairo INTERFACE ${CAIRO_LIBRARY} Freetype::Freetype)
  target_include_directories(cairo SYSTEM INTERFACE ${CAIRO_INCLUDE_DIR})
  find_package(GIF 5.1 REQUIRED) # libgif-dev
endif()
if(BUBBLESCOPE_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Test)
endif()

message(STATUS "window (Qt ${Qt6_VERSION}): ${BUBBLESCOPE_GUI}")
