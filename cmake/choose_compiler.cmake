# Before project(): when nobody named a compiler (-DCMAKE_CXX_COMPILER, CXX) take one that knows
# C++20 well enough: GCC 12 or newer; with sanitizers Clang, which compiles them in half the time
# and has the libFuzzer that the fuzz targets need.
# Ubuntu 22.04's own g++ is 11, and its GCC 12 is called g++-12.
if(DEFINED CMAKE_CXX_COMPILER OR DEFINED ENV{CXX})
  return()
endif()

if(CARRONADE_FUZZ OR CARRONADE_SANITIZE)
  find_program(CARRONADE_CLANG NAMES clang++-14 clang++ REQUIRED)
  set(CMAKE_CXX_COMPILER ${CARRONADE_CLANG})
  return()
endif()

foreach(name g++ g++-14 g++-13 g++-12)
  find_program(compiler NAMES ${name} NO_CACHE)
  if(compiler)
    execute_process(COMMAND ${compiler} -dumpversion OUTPUT_VARIABLE version)
    if(version VERSION_GREATER_EQUAL 12)
      set(CMAKE_CXX_COMPILER ${compiler})
      return()
    endif()
  endif()
  unset(compiler)
endforeach()
