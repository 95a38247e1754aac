#!/usr/bin/env bash
# cli_test.sh QUANTC: commands, their answers and exit codes, on the shipped network and photos.
set -euo pipefail
quantc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect CODE TEXT COMMAND...: the command ends with CODE and prints TEXT.
expect() {
  local code=$1 text=$2 status=0
  shift 2
  "$@" >"$folder/answer" 2>&1 || status=$?
  if [[ $status -ne $code ]] || ! grep -qF -- "$text" "$folder/answer"; then
    echo "expected exit code $code and '$text', found $status from: $*"
    cat "$folder/answer"
    exit 1
  fi
}

for path in 0 1; do
  expect 0 "100.0 % of the MACs in int8" "$quantc" compile squeezenet1_1 --weights data/models \
    --calib data/photos --target "c_static -mcpu=c7x -mmalib=$path" -o "$folder/out$path"
  expect 0 "  258  " "$quantc" run "$folder/out$path" data/photos/dog.jpg
  expect 0 "  967  " "$quantc" run "$folder/out$path" data/photos/coffee.png
done
expect 0 "qc_mma_conv2d_i8" "$quantc" inspect "$folder/out1"
expect 0 "max_pool2d" "$quantc" inspect resnet18
expect 0 "mobilenet_v2" "$quantc" models
expect 0 '"parameters": 1235496' "$quantc" models --json
"$quantc" models --markdown | diff docs/models.md - || { echo "write docs/models.md anew"; exit 1; }
expect 0 "fits squeezenet1_1" "$quantc" check-weights squeezenet1_1 data/models/squeezenet1_1.safetensors
expect 1 '"fits": false' "$quantc" check-weights squeezenet1_0 data/models/squeezenet1_1.safetensors --json
expect 2 "README.md: expected" "$quantc" check-weights squeezenet1_0 README.md

# The artifact builds by hand, and refuses what is not its input.
make -s -C "$folder/out0" CFLAGS=-O1
expect 2 "expected 602112 bytes" "$folder/out0/model" --weights "$folder/out0/weights.bin" \
  --input README.md --output "$folder/y"
expect 2 "README.md: expected" "$folder/out0/model" --weights README.md \
  --input README.md --output "$folder/y"

expect 0 "2 passed, 0 failed, 0 errors" "$quantc" sweep squeezenet1_1 --weights data/models \
  --images data/photos/dog.jpg data/photos/coffee.png --mmalib --json "$folder/s.json" --junit "$folder/s.xml"
grep -q '"tool": "quantc"' "$folder/s.json"
grep -q '<testcase' "$folder/s.xml"

expect 0 "1 passed, 0 failed, 0 errors" "$quantc" sweep tests/data/pt2/toy_fp_torch2.14.pt2 \
  --images data/photos/dog.jpg
expect 0 "1 passed, 0 failed, 0 errors" "$quantc" sweep tests/data/pt2/toy_pt2e_c7x_torch2.14.pt2 \
  --images data/photos/dog.jpg --mmalib
for layout in 2.6 2.14; do
  expect 0 "1 passed, 0 failed, 0 errors" "$quantc" sweep "tests/data/pt2/toy_pt2e_xnnpack_torch$layout.pt2" \
    --images data/photos/dog.jpg
done
expect 0 "dead channels" "$quantc" synth squeezenet1_1 -o "$folder/synth.safetensors"
expect 0 "fits squeezenet1_1" "$quantc" check-weights squeezenet1_1 "$folder/synth.safetensors"

# Bad usage and bad input: exit code 2, a message that helps, nothing written.
expect 2 "closest: resnet" "$quantc" compile resnet51 -o "$folder/none"
expect 2 "expected c_static first" "$quantc" compile resnet18 --target llvm -o "$folder/none"
expect 2 "expected a picture or a folder" "$quantc" compile squeezenet1_1 --weights data/models --calib /dev/zero -o "$folder/none"
expect 2 "expected no --weights" "$quantc" compile tests/data/pt2/toy_fp_torch2.6.pt2 --weights data/models -o "$folder/none"
expect 2 "no weights of resnet18" "$quantc" compile resnet18 --weights data/models -o "$folder/none"
expect 2 "boards are not supported yet" "$quantc" sweep resnet18 --dsp-mode c7x_dload
expect 2 "nothing is selected" "$quantc" sweep
expect 2 "-k: expected a name, found the end" "$quantc" sweep -k "vgg and"
expect 0 "1 passed, 0 failed, 0 errors" "$quantc" sweep -k "squeezenet and not 1_0" --weights data/models \
  --images data/photos/dog.jpg --input-size 160
expect 2 "expected 32 to 8192, found 16" "$quantc" compile vgg11 --input-size 16 -o "$folder/none"
expect 2 "expected a picture or a folder" "$quantc" sweep squeezenet1_1 --images no-such-folder
expect 2 "manifest" "$quantc" run "$folder" data/photos/dog.jpg
expect 2 "expected random:N" "$quantc" compile squeezenet1_1 --weights data/models --calib random:0 -o "$folder/none"
[[ ! -e $folder/none ]]

# A case that cannot be judged is an error, and the sweep says so with exit code 1.
expect 1 "0 passed, 0 failed, 1 errors" "$quantc" sweep squeezenet1_1 --weights README.md --images data/photos/dog.jpg
