#!/usr/bin/env bash
# Checks the deployment with Docker Compose from outside, as an owner uses it. Works in a copy of the checkout and in a compose project of
# its own, and removes both afterwards. It needs Docker with Compose, and the packages of the checkout (npm ci).
#   scripts/compose-check.sh [SCENE…]     files of scripts/compose-check/ without .sh. Default: all of them
set -Eeuo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)
scenes=("$@")
[ ${#scenes[@]} -gt 0 ] || mapfile -t scenes < <(cd "$checkout/scripts/compose-check" && ls -- *.sh | grep -v "^base" | sed "s/\.sh$//")

folder=$(mktemp -d)
export checkout COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-kikimimi-check} COMPOSE_ANSI=never COMPOSE_PROGRESS=quiet
clean_up() {
  cd "$folder"
  docker compose --profile '*' down --volumes --remove-orphans --rmi local --timeout 5 >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap clean_up EXIT
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tar -cf - -T -) | tar -xf - -C "$folder"
chmod 755 "$folder"
cd "$folder"
docker compose build

failed=()
for scene in "${scenes[@]}"; do
  printf '\n== %s\n' "$scene"
  from=$SECONDS
  if bash "$checkout/scripts/compose-check/base.sh" "$checkout/scripts/compose-check/$scene.sh"; then
    echo "== $scene: passed, $((SECONDS - from)) s"
  else
    echo "== $scene: FAILED, $((SECONDS - from)) s"
    failed+=("$scene")
  fi
done
[ ${#failed[@]} -eq 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
