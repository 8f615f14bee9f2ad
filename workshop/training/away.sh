#!/usr/bin/env bash
# Teaches nets further on a machine with a GPU, many cores and no network, within a limit of time:
#     bash workshop/training/away.sh boards faces [corners ...]
# Needs training-data/fonts.txz (python -m workshop.training.gather training-data/fonts --teaching --pack), or unpacked.
# The nets that read boards (boards) are taught beside the others, with half of the cores. Of the others those named first
# are taught first, each for an equal share of the time. What was learnt before is taken from training-data/*.pt and
# training-data/boards/*.pt. Into the folder OUT go, from the first minute on, the states (*.pt) and the weights.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${OUT:-training-data/out} data=training-data
limit=${LIMIT:-520} device=${DEVICE:-cuda} cores=${CORES:-$(nproc)} seed=${SEED:-$(date +%s)}
mkdir -p "$out/weights" "$out/boards" "$data/boards"
[[ ! -d $data/fonts && -e $data/fonts.txz ]] && python3 -m tarfile -e "$data/fonts.txz" "$data"
[[ -d $data/fonts ]] && export ALEA_FONTS=$PWD/$data/fonts
export PYTHONPATH=$PWD PYTHONUNBUFFERED=1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

bring() {
  cp "$data"/*.pt "$out/" 2>/dev/null || true
  cp "$data"/boards/*.pt "$out/boards/" 2>/dev/null || true
  cp companion/vision/dice/weights/{locator,corners,faces}.onnx companion/vision/dice/weights/card.toml "$out/weights/"
}
train() { python3 -c 'from companion.cli import main; main()' train --data "$data" --seed "$((seed % 100000))" --cores "$cores" "$@"; }

while sleep 45; do bring; done >/dev/null 2>&1 &
bringing=$!
trap 'kill "$bringing"; bring' EXIT
boards='' names=()
for net in "$@"; do
  if [[ $net == boards ]]; then boards=yes; else names+=("$net"); fi
done
if [[ $boards ]]; then
  cores=$(((cores + 1) / 2))
  python3 -m workshop.training.boards.away "$data/boards" "$out/weights" \
    "$(python3 -c "print(($limit - 10) / 60)")" --drawers "$cores" --device "$device" --share "${SHARE:-1}" &
  boards=$!
fi
declare -A learns=([faces]='scenes singles' [corners]='scenes slanted' [locator]=scenes)
material=$(for net in ${names[@]+"${names[@]}"}; do tr ' ' '\n' <<<"${learns[$net]}"; done | sort -u)
# a machine that is still warm has its material from the call before
drawn=$data/drawn-$(tr -d '\n' <<<"$material")
[[ -z $material || -e $drawn ]] || {
  python3 -m workshop.training.material "$data" $material --scenes "${SCENES:-1600}" \
    --singles "${SINGLES:-64000}" --seed "$((seed % 10000))" --cores "$cores" && touch "$drawn"
}
left=${#names[@]}
for net in ${names[@]+"${names[@]}"}; do
  train --step "$net" --further --device "$device" --bfloat16 --batch "${BATCH:-384}" --rate "${RATE:-1.2e-3}" \
    --face-steps 1000000 --corner-steps 1000000 --locator-steps 1000000 \
    --minutes "$(python3 -c "print(max(0.05, (($limit - $SECONDS) / $left - 25) / 60))")"
  left=$((left - 1))
done
[[ -z $boards ]] || wait "$boards"
