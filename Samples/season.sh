#!/usr/bin/env bash
# Takes a season offline: finds a series on the server that is signed in to, and fetches its episodes until all that can be
# had are there.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: season.sh [-a LIST] [-s NUMBER] [-o DIR] [-n] WORDS... [-- OPTIONS...]

  -a LIST    audio languages in order of preference (tr,en)
  -s NUMBER  only this season; 0 are the specials
  -o DIR     where the folder of the series goes (.)
  -n         say what would be fetched, and stop
  OPTIONS    are handed to `silo-fetch season` as they are

WORDS find one series, or are its silo:ID. Sign in before: silo-fetch login URL. The exit status is silo-fetch's: 0 when
every episode is there, 1 when some failed; the same command again goes on. SILO_FETCH names the program to run.

  season.sh -s 2 -a tr,en -o ~/Series/ kırmızı oda
TEXT
}

audio=tr,en
output=./
options=()
while getopts ':a:s:o:nh-:' option; do
  case $option in
    a) audio=$OPTARG ;;
    s) options+=(--season "$OPTARG") ;;
    o) output=${OPTARG%/}/ ;;
    n) options+=(--dry-run) ;;
    h) usage; exit 0 ;;
    -) [[ $OPTARG == help ]] && { usage; exit 0; }; usage >&2; exit 2 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
words=()
while [[ $# -ge 1 && $1 != -- ]]; do
  words+=("$1")
  shift
done
[[ ${1:-} != -- ]] || shift
[[ ${#words[@]} -ge 1 ]] || { usage >&2; exit 2; }

program=${SILO_FETCH:-silo-fetch}

# series WORDS...: the silo: references of the series that match, one a line.
series() {
  "$program" search --json "$@" | sed -n '/"type":"series"/s/.*"source":"\(silo:[^"]*\)".*/\1/p'
}

reference=${words[0]}
if [[ $reference != silo:* ]]; then
  found=$(series "${words[@]}")
  case $(wc -w <<<"$found") in
    0) echo "season.sh: the server has no series for: ${words[*]}" >&2; exit 3 ;;
    1) reference=$found ;;
    *)
      echo "season.sh: several series match, name one of them:" >&2
      "$program" search "${words[@]}" >&2
      exit 2
      ;;
  esac
fi

status=0
"$program" season "$reference" --audio "$audio" -o "$output" "${options[@]}" "$@" || status=$?
if ((status == 1 || status == 5)); then
  # What failed for now only, once more: a server that restarts, a network that comes back.
  sleep 5
  status=0
  "$program" season "$reference" --audio "$audio" -o "$output" "${options[@]}" "$@" || status=$?
fi
if ((status != 0)); then
  echo "season.sh: silo-fetch ended with $status; run the same command again to continue" >&2
fi
exit "$status"
