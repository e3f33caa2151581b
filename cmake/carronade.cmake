# The three commands that the folders' CMakeLists use, so that each reads as a list of facts.

add_library(carronade_options INTERFACE)
target_include_directories(carronade_options INTERFACE
  ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/generated)
target_compile_options(carronade_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  $<$<BOOL:${CARRONADE_WERROR}>:-Werror>)
# GCC 12 sees overlapping copies in "text" + std::string when it optimises (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(carronade_options INTERFACE $<$<CONFIG:Release>:-Wno-restrict>)
endif()
if(CARRONADE_FUZZ)
  # What a fuzz target calls tells the fuzzer where it came along, or the fuzzer would be blind.
  target_compile_options(carronade_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(CARRONADE_SANITIZE)
  target_compile_options(carronade_options INTERFACE
    -fsanitize=${CARRONADE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(carronade_options INTERFACE -fsanitize=${CARRONADE_SANITIZE})
endif()
# Under sanitizers GCC cries wolf about values that std::optional guards (its manual says so).
if(CARRONADE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(carronade_options INTERFACE -Wno-maybe-uninitialized)
endif()
# The vptr check looks at memory through a pipe, and cries wolf in tests that use up descriptors.
if(CARRONADE_SANITIZE MATCHES undefined)
  target_compile_options(carronade_options INTERFACE -fno-sanitize=vptr)
endif()

# Clang spends most of its time on headers. The sanitized builds share those that are included most,
# as one file that carronade_base owns. The release does without: GCC gains nothing by it, and a
# build without it tells when a file forgets an include.
function(carronade_precompile target)
  if(NOT CARRONADE_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    return()
  endif()
  if(NOT target STREQUAL carronade_base)
    target_precompile_headers(${target} REUSE_FROM carronade_base)
    return()
  endif()
  target_precompile_headers(carronade_base PRIVATE
    <algorithm> <atomic> <charconv> <filesystem> <fmt/format.h> <fstream> <functional> <map>
    <memory> <mutex> <nlohmann/json.hpp> <optional> <random> <set> <span> <string> <string_view>
    <thread> <vector>
    $<$<BOOL:${CARRONADE_TESTS}>:<gtest/gtest.h$<ANGLE-R>>)
  # What GoogleTest's own package says to those who link it.
  target_compile_definitions(carronade_base PRIVATE GTEST_HAS_PTHREAD=1)
endfunction()

# carronade_library(NAME SOURCES a.cc … DEPS carronade_base fmt::fmt …): the library of one
# folder, `carronade_NAME`. DEPS repeats the layer table of docs/architecture.md.
function(carronade_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(carronade_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(carronade_${name} PUBLIC carronade_options ${ARG_DEPS})
  carronade_precompile(carronade_${name})
endfunction()

# carronade_test(NAME SOURCES a_test.cc … DEPS …): one GoogleTest binary for a folder's tests,
# registered with ctest under NAME.
function(carronade_test name)
  if(NOT CARRONADE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest_main Threads::Threads)
  carronade_precompile(${name})
  # What is tested keeps its -O2; the tests themselves compile a fifth faster so.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set(timeout 120)
  if(CARRONADE_SANITIZE)
    set(timeout 400)  # the binary is several times slower
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} LABELS unit)
endfunction()

# carronade_bench(NAME SOURCES a_bench.cc … DEPS …): a Google Benchmark binary.
function(carronade_bench name)
  if(NOT CARRONADE_BENCH)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} benchmark::benchmark_main)
  carronade_precompile(${name})
endfunction()
