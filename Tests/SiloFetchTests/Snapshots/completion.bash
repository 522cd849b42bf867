# bash completion of silo-fetch
_silo_fetch() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
  local command=get index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "${COMP_WORDS[index]}" in
      get|probe|season|search|login|logout|status|add|queue|library|storage|serve|completion) command="${COMP_WORDS[index]}"; break ;;
    esac
  done
  COMPREPLY=()
  case "$previous" in
    -a|--audio) COMPREPLY=($(compgen -W 'all original default' -- "$current")); return ;;
    --audio-track) :; return ;;
    --max-channels) :; return ;;
    -s|--subs) COMPREPLY=($(compgen -W 'all none' -- "$current")); return ;;
    --video) COMPREPLY=($(compgen -W 'best worst 2160 1080 720 480' -- "$current")); return ;;
    --max-size) :; return ;;
    --quality) COMPREPLY=($(compgen -W 'original 20mbps 10mbps 5mbps 2mbps 1mbps' -- "$current")); return ;;
    -o|--output) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --container) COMPREPLY=($(compgen -W 'auto mp4 mkv' -- "$current")); return ;;
    --checksum) COMPREPLY=($(compgen -W 'sha-512= sha-256= sha-1= md5= oshash=' -- "$current")); return ;;
    -j|--jobs) :; return ;;
    -c|--connections) :; return ;;
    --limit-rate) :; return ;;
    --wait-for-space) :; return ;;
    --poll) :; return ;;
    --header) :; return ;;
    --user-agent) :; return ;;
    --proxy) :; return ;;
    --cacert) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --netrc-file) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --cookies) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --retry) :; return ;;
    --timeout) :; return ;;
    --from-file) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --on-complete) :; return ;;
    --color) COMPREPLY=($(compgen -W 'auto always never' -- "$current")); return ;;
    --season) :; return ;;
    --limit) :; return ;;
    -u|--username) :; return ;;
    --profile) :; return ;;
    --listen) :; return ;;
    --data) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --tls-cert) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --tls-key) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --add-user) :; return ;;
    --add-profile) :; return ;;
    --deny-downloads) :; return ;;
    --deny-transcode) :; return ;;
    --max-concurrent) :; return ;;
    --quota) :; return ;;
    --quota-period) :; return ;;
    --bandwidth) :; return ;;
    --user-bandwidth) :; return ;;
  esac
  if [[ "$current" == -* ]]; then
    case "$command" in
      get) COMPREPLY=($(compgen -W '-a --audio --audio-track --require-audio --commentary --description --max-channels -s --subs --video --max-size --quality --keep-original-file -o --output --container --overwrite --checksum --allow-gaps -j --jobs -c --connections --limit-rate --wait-for-space --poll --header --user-agent --proxy --cacert --insecure --netrc --netrc-file --cookies --retry --timeout --from-file --on-complete -n --dry-run --json -q --quiet -v --verbose --color --no-progress --help' -- "$current")) ;;
      probe) COMPREPLY=($(compgen -W '-a --audio --audio-track --require-audio --commentary --description --max-channels -s --subs --video --max-size --header --user-agent --proxy --cacert --insecure --netrc --netrc-file --cookies --retry --timeout --json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      season) COMPREPLY=($(compgen -W '--season -a --audio --audio-track --require-audio --commentary --description --max-channels -s --subs --video --max-size --quality --keep-original-file -o --output --container --overwrite --checksum --allow-gaps -j --jobs -c --connections --limit-rate --wait-for-space --poll --user-agent --proxy --cacert --insecure --retry --timeout --from-file --on-complete -n --dry-run --json -q --quiet -v --verbose --color --no-progress --help' -- "$current")) ;;
      search) COMPREPLY=($(compgen -W '--limit --user-agent --proxy --cacert --insecure --retry --timeout --json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      login) COMPREPLY=($(compgen -W '-u --username --password-stdin --api-key-stdin --device --profile --pin-stdin --user-agent --proxy --cacert --insecure --retry --timeout --json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      logout) COMPREPLY=($(compgen -W '--user-agent --proxy --cacert --insecure --retry --timeout --json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      status) COMPREPLY=($(compgen -W '--json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      add) COMPREPLY=($(compgen -W '-a --audio --audio-track --require-audio --commentary --description --max-channels -s --subs --video --max-size --quality --keep-original-file -o --output --container --overwrite --checksum --allow-gaps --from-file --header --json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      queue) COMPREPLY=($(compgen -W '--failed --cancelled --finished -j --jobs -c --connections --limit-rate --wait-for-space --poll --header --user-agent --proxy --cacert --insecure --netrc --netrc-file --cookies --retry --timeout --on-complete --json -q --quiet -v --verbose --color --no-progress --help' -- "$current")) ;;
      library) COMPREPLY=($(compgen -W '--force --json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      storage) COMPREPLY=($(compgen -W '--json -q --quiet -v --verbose --color --help' -- "$current")) ;;
      serve) COMPREPLY=($(compgen -W '--listen --data --tls-cert --tls-key --add-user --password-stdin --add-profile --pin-stdin --disable-downloads --deny-downloads --no-transcode --deny-transcode --max-concurrent --quota --quota-period --bandwidth --user-bandwidth --json -v --verbose --help' -- "$current")) ;;
      completion) COMPREPLY=($(compgen -W '--help' -- "$current")) ;;
    esac
    return
  fi
  case "$command" in
    get) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    probe) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    season) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    search) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    login) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    logout) : ;;
    status) : ;;
    add) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    queue) COMPREPLY=($(compgen -W 'run pause resume cancel retry remove limit' -- "$current")) ;;
    library) COMPREPLY=($(compgen -W 'show verify remove export' -- "$current")) ;;
    storage) : ;;
    serve) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$current")) ;;
  esac
  if ((COMP_CWORD == 1)); then
    COMPREPLY+=($(compgen -W 'get probe season search login logout status add queue library storage serve completion' -- "$current"))
  fi
}
complete -o filenames -F _silo_fetch silo-fetch
