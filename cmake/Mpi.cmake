# Ranks as processes, engine/mpi: built when MPI is found (libopenmpi-dev); without it `bscope` says so under mpirun.
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  message(STATUS "MPI: ${MPI_CXX_VERSION} of the standard, ${MPIEXEC_EXECUTABLE}")
else()
  message(STATUS "MPI: skipped, missing libopenmpi-dev")
endif()
