#!/usr/bin/env bash
# Downloads a season in one batch: makes the list of addresses and gives it to silo-fetch.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: season.sh [-a LIST] [-o DIR] [-n] SERVER [TEXT] [-- OPTIONS...]
       season.sh [-a LIST] [-o DIR] [-n] URL_WITH_%02d FIRST-LAST [-- OPTIONS...]

  -a LIST   audio languages in order of preference (tr,en)
  -o DIR    where the files go (./downloads/)
  -n        print the list and stop
  OPTIONS   are handed to silo-fetch as they are

SERVER is the address of a `silo-fetch serve`; TEXT keeps the names that contain it ("Season 01"). Of the second form,
%02d stands for the numbers from FIRST to LAST. The exit status is silo-fetch's: 0 when every episode is there, 1 when
some failed. SILO_FETCH names the program to run.

  season.sh http://127.0.0.1:8080/ 'Season 01'
  season.sh 'http://127.0.0.1:8080/Series%20(2023)/Season%2001/Series%20S01E%02d.mkv' 1-3
TEXT
}

audio=tr,en
output=./downloads/
list_only=false
while getopts ':a:o:nh-:' option; do
  case $option in
    a) audio=$OPTARG ;;
    o) output=${OPTARG%/}/ ;;
    n) list_only=true ;;
    h) usage; exit 0 ;;
    -) [[ $OPTARG == help ]] && { usage; exit 0; }; usage >&2; exit 2 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[[ $# -ge 1 ]] || { usage >&2; exit 2; }

program=${SILO_FETCH:-silo-fetch}
source=$1
shift
list=$(mktemp)
trap 'rm -f "$list"' EXIT

if [[ $source == *%0[1-9]d* && ${1:-} == *-* && ${1:-} != -* ]]; then
  first=${1%%-*} last=${1##*-}
  [[ $first =~ ^[0-9]+$ && $last =~ ^[0-9]+$ ]] || { usage >&2; exit 2; }
  shift
  before=${source%%%0[1-9]d*} after=${source#"$before"}
  width=${after:2:1} after=${after:4}
  for ((number = 10#$first; number <= 10#$last; number++)); do
    printf '%s%0*d%s\n' "$before" "$width" "$number" "$after"
  done >"$list"
else
  text=
  if [[ $# -ge 1 && $1 != -- ]]; then
    text=$1
    shift
  fi
  root=${source%/}
  page=$(curl -fsS "$root/") || { echo "season.sh: $root/ cannot be listed" >&2; exit 5; }
  # One file a line: <li><a href="/PATH">NAME</a> …
  while IFS= read -r line; do
    [[ $line == '<li><a href="'* ]] || continue
    path=${line#*href=\"} name=${line#*\">}
    path=${path%%\"*} name=${name%%</a>*}
    [[ $name == *"$text"* ]] && printf '%s%s\n' "$root" "$path"
  done <<<"$page" >"$list" || true
fi
[[ ${1:-} == -- ]] && shift

count=$(wc -l <"$list")
if ((count == 0)); then
  echo "season.sh: nothing at $source matches" >&2
  exit 3
fi
if $list_only; then
  cat "$list"
  exit 0
fi

echo "season.sh: $count episodes into $output, audio $audio" >&2
status=0
"$program" get --audio "$audio" --from-file "$list" -o "$output" "$@" || status=$?
if ((status != 0)); then
  echo "season.sh: silo-fetch ended with $status; run the same command again to continue" >&2
fi
exit "$status"
