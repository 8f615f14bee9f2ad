#!/usr/bin/env bash
# Teaches nets further on a machine with a GPU, many cores and no network, within a limit of time:
#     bash calibration/workshop/training/away.sh faces [corners ...]
# Needs training-data/fonts.tgz (python -m calibration.workshop.training.gather training-data/fonts --teaching --pack), or unpacked.
# Nets named first are taught first, each for an equal share of the time. What was learnt before is taken from
# training-data/*.pt. Into the folder OUT go, from the first minute on, the states (*.pt) and the weights.
set -euo pipefail
cd "$(dirname "$0")/../../.."
out=${OUT:-training-data/out} data=training-data
limit=${LIMIT:-520} device=${DEVICE:-cuda} cores=${CORES:-$(nproc)} seed=${SEED:-$(date +%s)}
mkdir -p "$out/weights" "$data"
[[ ! -d $data/fonts && -e $data/fonts.tgz ]] && tar -C "$data" -xzf "$data/fonts.tgz"
[[ -d $data/fonts ]] && export ALEA_FONTS=$PWD/$data/fonts
export PYTHONPATH=$PWD PYTHONUNBUFFERED=1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

bring() {
  cp "$data"/*.pt "$out/" 2>/dev/null || true
  cp companion/vision/dice/weights/{locator,corners,faces}.onnx companion/vision/dice/weights/card.toml "$out/weights/"
}
train() { python3 -c 'from companion.cli import main; main()' train --data "$data" --seed "$((seed % 100000))" --cores "$cores" "$@"; }

while sleep 45; do bring; done >/dev/null 2>&1 &
bringing=$!
trap 'kill "$bringing"; bring' EXIT
# only the mark net learns from single faces; a machine that is still warm has its material from the call before
singles=0 drawn=$data/drawn
[[ " $* " == *" faces "* ]] && singles=${SINGLES:-80000} drawn=$data/drawn-singles
[[ -e $drawn ]] || { train --step draw --scenes "${SCENES:-4000}" --singles "$singles" && touch "$drawn" "$data/drawn"; }
for net in "$@"; do
  left=$((limit - SECONDS))
  train --step "$net" --further --device "$device" --bfloat16 --batch "${BATCH:-384}" --rate "${RATE:-1.2e-3}" \
    --face-steps 1000000 --corner-steps 1000000 --locator-steps 1000000 \
    --minutes "$(python3 -c "print(max(0.05, ($left / $# - 25) / 60))")"
  shift
done
