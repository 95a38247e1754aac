#!/bin/sh
# usage: same_bytes.sh SOURCE_ROOT WORK_FOLDER
# Builds kernel_bytes.c and the runtime with several compilers and options: all print the same.
set -eu
root=$1
work=$2
runtime=$root/runtime
mkdir -p "$work"

build_and_run() { # build_and_run NAME COMPILER OPTION...
  name=$1
  shift
  "$@" -std=c11 -Wall -Wextra -Werror -pedantic -ffp-contract=off \
    -I"$runtime" -I"$runtime/kernels" -I"$runtime/mmalib" "$root/tests/runtime/kernel_bytes.c" \
    "$runtime"/*.c "$runtime"/kernels/*.c "$runtime"/mmalib/*.c -o "$work/$name"
  "$work/$name" > "$work/$name.txt"
}

compared=0
compare() { # compare NAME COMPILER OPTION...
  build_and_run "$@"
  diff "$work/gcc_O0.txt" "$work/$1.txt"
  compared=$((compared + 1))
  echo "same bytes: $*"
}

build_and_run gcc_O0 gcc -O0
test "$(wc -l < "$work/gcc_O0.txt")" -eq 17
if grep -v '^[a-z0-9_]* 0 ' "$work/gcc_O0.txt"; then
  echo "a kernel refused its parameters"
  exit 1
fi
compare gcc_O3 gcc -O3
compare gcc_native gcc -O3 -march=native
compare gcc_sanitized gcc -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
if command -v clang > /dev/null; then
  compare clang_O2 clang -O2
  compare clang_native clang -O3 -march=native
else
  echo "no clang: it was not compared"
fi
test "$compared" -ge 3
