#compdef silo-fetch
_silo_fetch() {
  local -a commands
  local command=get word
  commands=(
    'get:download a source with the chosen tracks (the default command)'
    'probe:show the tracks of a source, their bytes, and what would be chosen'
    'season:download every episode of a series of the server'
    'search:find items of the server that is signed in to'
    'login:sign in to a Silo server'
    'logout:end the sign-in, here and at the server'
    'status:say who is signed in, and where'
    'add:put sources into the queue; `queue run` downloads them'
    'queue:list the queue, run it, or change items in it'
    'library:list what is stored, show, verify, remove or export it'
    'storage:show the bytes that downloads take, and what is left over'
    'serve:serve a folder of media over HTTP, as files and as multi-audio HLS'
    'completion:print the completion script of a shell'
  )
  for word in "${(@)words[2,CURRENT-1]}"; do
    if (( ${commands[(I)$word:*]} )); then command=$word; break; fi
  done
  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe -t commands command commands
  fi
  case $command in
    get)
      _arguments -s -S \
        '(-a --audio)'{-a+,--audio=}'[languages in order of preference; the first found is the default]:LIST:(all original default)' \
        '(--audio-track)''--audio-track=''[exactly these audio tracks of the inventory (a0,a2)]:ID,...: ' \
        '(--require-audio)''--require-audio''[fail (exit 3) when a listed language is missing]' \
        '(--commentary)''--commentary''[also keep commentary of the wanted languages]' \
        '(--description)''--description''[also keep audio description of the wanted languages]' \
        '(--max-channels)''--max-channels=''[prefer tracks within N channels]:N: ' \
        '(-s --subs)'{-s+,--subs=}'[subtitle languages, all (default) or none]:LIST:(all none)' \
        '(--video)''--video=''[HLS variant\: best (default), worst, or the best not above HEIGHT]:WHICH:(best worst 2160 1080 720 480)' \
        '(--max-size)''--max-size=''[refuse (exit 9) a selection above it, naming what would fit]:SIZE: ' \
        '(--quality)''--quality=''[of a Silo server\: original (default), 20mbps, 10mbps, 5mbps, 2mbps or 1mbps]:PRESET:(original 20mbps 10mbps 5mbps 2mbps 1mbps)' \
        '(--keep-original-file)''--keep-original-file''[keep the file as downloaded beside the packaged one]' \
        '(-o --output)'{-o+,--output=}'[a file, or a folder (ends in / or exists)]:PATH:_files' \
        '(--container)''--container=''[auto (default\: mp4 when everything fits it, else mkv), mp4 or mkv]:FORM:(auto mp4 mkv)' \
        '(--overwrite)''--overwrite''[replace a finished file instead of skipping it]' \
        '(--checksum)''--checksum=''[digest that a plain file must have (sha-512, sha-256, sha-1, md5, oshash)]:ALGO=HEX:(sha-512= sha-256= sha-1= md5= oshash=)' \
        '(--allow-gaps)''--allow-gaps''[go on over EXT-X-GAP segments; chapters mark the holes (exit 8)]' \
        '(-j --jobs)'{-j+,--jobs=}'[items at once (2)]:N: ' \
        '(-c --connections)'{-c+,--connections=}'[connections for one item, while they help (16 segments of HLS; 8 for a file)]:N: ' \
        '(--limit-rate)''--limit-rate=''[bytes a second of all items together\: 500K, 2M]:RATE: ' \
        '(--wait-for-space)''--wait-for-space=''[how long an item waits on a full disk for space before it fails (30; 0\: not at all)]:SECONDS: ' \
        '(--poll)''--poll=''[how often a file that a Silo server still prepares is asked for (15)]:SECONDS: ' \
        '*''--header=''[sent to the source'\''s origin only; may be repeated]:'\''N\: V'\'': ' \
        '(--user-agent)''--user-agent=''[the User-Agent header]:TEXT: ' \
        '(--proxy)''--proxy=''[a proxy as curl writes it]:URL: ' \
        '(--cacert)''--cacert=''[certificate authorities to trust]:FILE:_files' \
        '(--insecure)''--insecure''[accept any certificate]' \
        '(--netrc)''--netrc''[look for credentials in ~/.netrc]' \
        '(--netrc-file)''--netrc-file=''[look for credentials in FILE]:FILE:_files' \
        '(--cookies)''--cookies=''[a Netscape cookie file, read only]:FILE:_files' \
        '(--retry)''--retry=''[attempts of a request without progress (10)]:N: ' \
        '(--timeout)''--timeout=''[seconds without a byte after which an attempt is given up (30)]:SECONDS: ' \
        '(--from-file)''--from-file=''[one source per line, # comments; - reads stdin]:FILE:_files' \
        '(--on-complete)''--on-complete=''[run sh -c CMD after each finished item, the result in SILO_PATH, SILO_ID and others]:CMD: ' \
        '(-n --dry-run)'{-n,--dry-run}'[everything up to the estimate]' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(--no-progress)''--no-progress''[no progress lines]' \
        '(- *)--help[print help]' \
        '*:SOURCE:_files'
      ;;
    probe)
      _arguments -s -S \
        '(-a --audio)'{-a+,--audio=}'[languages in order of preference; the first found is the default]:LIST:(all original default)' \
        '(--audio-track)''--audio-track=''[exactly these audio tracks of the inventory (a0,a2)]:ID,...: ' \
        '(--require-audio)''--require-audio''[fail (exit 3) when a listed language is missing]' \
        '(--commentary)''--commentary''[also keep commentary of the wanted languages]' \
        '(--description)''--description''[also keep audio description of the wanted languages]' \
        '(--max-channels)''--max-channels=''[prefer tracks within N channels]:N: ' \
        '(-s --subs)'{-s+,--subs=}'[subtitle languages, all (default) or none]:LIST:(all none)' \
        '(--video)''--video=''[HLS variant\: best (default), worst, or the best not above HEIGHT]:WHICH:(best worst 2160 1080 720 480)' \
        '(--max-size)''--max-size=''[refuse (exit 9) a selection above it, naming what would fit]:SIZE: ' \
        '*''--header=''[sent to the source'\''s origin only; may be repeated]:'\''N\: V'\'': ' \
        '(--user-agent)''--user-agent=''[the User-Agent header]:TEXT: ' \
        '(--proxy)''--proxy=''[a proxy as curl writes it]:URL: ' \
        '(--cacert)''--cacert=''[certificate authorities to trust]:FILE:_files' \
        '(--insecure)''--insecure''[accept any certificate]' \
        '(--netrc)''--netrc''[look for credentials in ~/.netrc]' \
        '(--netrc-file)''--netrc-file=''[look for credentials in FILE]:FILE:_files' \
        '(--cookies)''--cookies=''[a Netscape cookie file, read only]:FILE:_files' \
        '(--retry)''--retry=''[attempts of a request without progress (10)]:N: ' \
        '(--timeout)''--timeout=''[seconds without a byte after which an attempt is given up (30)]:SECONDS: ' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:SOURCE:_files'
      ;;
    season)
      _arguments -s -S \
        '(--season)''--season=''[only this season; 0 are the specials]:N: ' \
        '(-a --audio)'{-a+,--audio=}'[languages in order of preference; the first found is the default]:LIST:(all original default)' \
        '(--audio-track)''--audio-track=''[exactly these audio tracks of the inventory (a0,a2)]:ID,...: ' \
        '(--require-audio)''--require-audio''[fail (exit 3) when a listed language is missing]' \
        '(--commentary)''--commentary''[also keep commentary of the wanted languages]' \
        '(--description)''--description''[also keep audio description of the wanted languages]' \
        '(--max-channels)''--max-channels=''[prefer tracks within N channels]:N: ' \
        '(-s --subs)'{-s+,--subs=}'[subtitle languages, all (default) or none]:LIST:(all none)' \
        '(--video)''--video=''[HLS variant\: best (default), worst, or the best not above HEIGHT]:WHICH:(best worst 2160 1080 720 480)' \
        '(--max-size)''--max-size=''[refuse (exit 9) a selection above it, naming what would fit]:SIZE: ' \
        '(--quality)''--quality=''[of a Silo server\: original (default), 20mbps, 10mbps, 5mbps, 2mbps or 1mbps]:PRESET:(original 20mbps 10mbps 5mbps 2mbps 1mbps)' \
        '(--keep-original-file)''--keep-original-file''[keep the file as downloaded beside the packaged one]' \
        '(-o --output)'{-o+,--output=}'[a file, or a folder (ends in / or exists)]:PATH:_files' \
        '(--container)''--container=''[auto (default\: mp4 when everything fits it, else mkv), mp4 or mkv]:FORM:(auto mp4 mkv)' \
        '(--overwrite)''--overwrite''[replace a finished file instead of skipping it]' \
        '(--checksum)''--checksum=''[digest that a plain file must have (sha-512, sha-256, sha-1, md5, oshash)]:ALGO=HEX:(sha-512= sha-256= sha-1= md5= oshash=)' \
        '(--allow-gaps)''--allow-gaps''[go on over EXT-X-GAP segments; chapters mark the holes (exit 8)]' \
        '(-j --jobs)'{-j+,--jobs=}'[items at once (2)]:N: ' \
        '(-c --connections)'{-c+,--connections=}'[connections for one item, while they help (16 segments of HLS; 8 for a file)]:N: ' \
        '(--limit-rate)''--limit-rate=''[bytes a second of all items together\: 500K, 2M]:RATE: ' \
        '(--wait-for-space)''--wait-for-space=''[how long an item waits on a full disk for space before it fails (30; 0\: not at all)]:SECONDS: ' \
        '(--poll)''--poll=''[how often a file that a Silo server still prepares is asked for (15)]:SECONDS: ' \
        '(--user-agent)''--user-agent=''[the User-Agent header]:TEXT: ' \
        '(--proxy)''--proxy=''[a proxy as curl writes it]:URL: ' \
        '(--cacert)''--cacert=''[certificate authorities to trust]:FILE:_files' \
        '(--insecure)''--insecure''[accept any certificate]' \
        '(--retry)''--retry=''[attempts of a request without progress (10)]:N: ' \
        '(--timeout)''--timeout=''[seconds without a byte after which an attempt is given up (30)]:SECONDS: ' \
        '(--from-file)''--from-file=''[one source per line, # comments; - reads stdin]:FILE:_files' \
        '(--on-complete)''--on-complete=''[run sh -c CMD after each finished item, the result in SILO_PATH, SILO_ID and others]:CMD: ' \
        '(-n --dry-run)'{-n,--dry-run}'[everything up to the estimate]' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(--no-progress)''--no-progress''[no progress lines]' \
        '(- *)--help[print help]' \
        '*:SERIES:_files'
      ;;
    search)
      _arguments -s -S \
        '(--limit)''--limit=''[at most so many (20)]:N: ' \
        '(--user-agent)''--user-agent=''[the User-Agent header]:TEXT: ' \
        '(--proxy)''--proxy=''[a proxy as curl writes it]:URL: ' \
        '(--cacert)''--cacert=''[certificate authorities to trust]:FILE:_files' \
        '(--insecure)''--insecure''[accept any certificate]' \
        '(--retry)''--retry=''[attempts of a request without progress (10)]:N: ' \
        '(--timeout)''--timeout=''[seconds without a byte after which an attempt is given up (30)]:SECONDS: ' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:TEXT:_files'
      ;;
    login)
      _arguments -s -S \
        '(-u --username)'{-u+,--username=}'[the account; the password is asked for on the terminal]:NAME: ' \
        '(--password-stdin)''--password-stdin''[the password is the first line of stdin]' \
        '(--api-key-stdin)''--api-key-stdin''[a key (sa_...) is the first line of stdin]' \
        '(--device)''--device''[show a page and a code, to let this device in with a browser]' \
        '(--profile)''--profile=''[who of the household watches]:NAME: ' \
        '(--pin-stdin)''--pin-stdin''[the profile'\''s PIN is the next line of stdin]' \
        '(--user-agent)''--user-agent=''[the User-Agent header]:TEXT: ' \
        '(--proxy)''--proxy=''[a proxy as curl writes it]:URL: ' \
        '(--cacert)''--cacert=''[certificate authorities to trust]:FILE:_files' \
        '(--insecure)''--insecure''[accept any certificate]' \
        '(--retry)''--retry=''[attempts of a request without progress (10)]:N: ' \
        '(--timeout)''--timeout=''[seconds without a byte after which an attempt is given up (30)]:SECONDS: ' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:URL:_files'
      ;;
    logout)
      _arguments -s -S \
        '(--user-agent)''--user-agent=''[the User-Agent header]:TEXT: ' \
        '(--proxy)''--proxy=''[a proxy as curl writes it]:URL: ' \
        '(--cacert)''--cacert=''[certificate authorities to trust]:FILE:_files' \
        '(--insecure)''--insecure''[accept any certificate]' \
        '(--retry)''--retry=''[attempts of a request without progress (10)]:N: ' \
        '(--timeout)''--timeout=''[seconds without a byte after which an attempt is given up (30)]:SECONDS: ' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:argument: '
      ;;
    status)
      _arguments -s -S \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:argument: '
      ;;
    add)
      _arguments -s -S \
        '(-a --audio)'{-a+,--audio=}'[languages in order of preference; the first found is the default]:LIST:(all original default)' \
        '(--audio-track)''--audio-track=''[exactly these audio tracks of the inventory (a0,a2)]:ID,...: ' \
        '(--require-audio)''--require-audio''[fail (exit 3) when a listed language is missing]' \
        '(--commentary)''--commentary''[also keep commentary of the wanted languages]' \
        '(--description)''--description''[also keep audio description of the wanted languages]' \
        '(--max-channels)''--max-channels=''[prefer tracks within N channels]:N: ' \
        '(-s --subs)'{-s+,--subs=}'[subtitle languages, all (default) or none]:LIST:(all none)' \
        '(--video)''--video=''[HLS variant\: best (default), worst, or the best not above HEIGHT]:WHICH:(best worst 2160 1080 720 480)' \
        '(--max-size)''--max-size=''[refuse (exit 9) a selection above it, naming what would fit]:SIZE: ' \
        '(--quality)''--quality=''[of a Silo server\: original (default), 20mbps, 10mbps, 5mbps, 2mbps or 1mbps]:PRESET:(original 20mbps 10mbps 5mbps 2mbps 1mbps)' \
        '(--keep-original-file)''--keep-original-file''[keep the file as downloaded beside the packaged one]' \
        '(-o --output)'{-o+,--output=}'[a file, or a folder (ends in / or exists)]:PATH:_files' \
        '(--container)''--container=''[auto (default\: mp4 when everything fits it, else mkv), mp4 or mkv]:FORM:(auto mp4 mkv)' \
        '(--overwrite)''--overwrite''[replace a finished file instead of skipping it]' \
        '(--checksum)''--checksum=''[digest that a plain file must have (sha-512, sha-256, sha-1, md5, oshash)]:ALGO=HEX:(sha-512= sha-256= sha-1= md5= oshash=)' \
        '(--allow-gaps)''--allow-gaps''[go on over EXT-X-GAP segments; chapters mark the holes (exit 8)]' \
        '(--from-file)''--from-file=''[one source per line, # comments; - reads stdin]:FILE:_files' \
        '*''--header=''[sent to the source'\''s origin only; may be repeated]:'\''N\: V'\'': ' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:SOURCE:_files'
      ;;
    queue)
      _arguments -s -S \
        '(--failed)''--failed''[retry, or remove, every item that failed]' \
        '(--cancelled)''--cancelled''[remove every item that was given up]' \
        '(--finished)''--finished''[take every finished item off the list]' \
        '(-j --jobs)'{-j+,--jobs=}'[items at once (2)]:N: ' \
        '(-c --connections)'{-c+,--connections=}'[connections for one item, while they help (16 segments of HLS; 8 for a file)]:N: ' \
        '(--limit-rate)''--limit-rate=''[bytes a second of all items together\: 500K, 2M]:RATE: ' \
        '(--wait-for-space)''--wait-for-space=''[how long an item waits on a full disk for space before it fails (30; 0\: not at all)]:SECONDS: ' \
        '(--poll)''--poll=''[how often a file that a Silo server still prepares is asked for (15)]:SECONDS: ' \
        '*''--header=''[sent to the source'\''s origin only; may be repeated]:'\''N\: V'\'': ' \
        '(--user-agent)''--user-agent=''[the User-Agent header]:TEXT: ' \
        '(--proxy)''--proxy=''[a proxy as curl writes it]:URL: ' \
        '(--cacert)''--cacert=''[certificate authorities to trust]:FILE:_files' \
        '(--insecure)''--insecure''[accept any certificate]' \
        '(--netrc)''--netrc''[look for credentials in ~/.netrc]' \
        '(--netrc-file)''--netrc-file=''[look for credentials in FILE]:FILE:_files' \
        '(--cookies)''--cookies=''[a Netscape cookie file, read only]:FILE:_files' \
        '(--retry)''--retry=''[attempts of a request without progress (10)]:N: ' \
        '(--timeout)''--timeout=''[seconds without a byte after which an attempt is given up (30)]:SECONDS: ' \
        '(--on-complete)''--on-complete=''[run sh -c CMD after each finished item, the result in SILO_PATH, SILO_ID and others]:CMD: ' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(--no-progress)''--no-progress''[no progress lines]' \
        '(- *)--help[print help]' \
        '*:ACTION:(run pause resume cancel retry remove limit)'
      ;;
    library)
      _arguments -s -S \
        '(--force)''--force''[remove a file that was changed since, too]' \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:ACTION:(show verify remove export)'
      ;;
    storage)
      _arguments -s -S \
        '(--json)''--json''[JSON on stdout]' \
        '(-q --quiet)'{-q,--quiet}'[only errors on stderr]' \
        '(-v --verbose)'{-v,--verbose}'[say more, such as the reason for each track]' \
        '(--color)''--color=''[auto (default), always or never]:WHEN:(auto always never)' \
        '(- *)--help[print help]' \
        '*:argument: '
      ;;
    serve)
      _arguments -s -S \
        '(--listen)''--listen=''[where to listen (127.0.0.1\:8080; port 0 takes a free one)]:HOST\:PORT: ' \
        '(--data)''--data=''[accounts and registered downloads; one server at a time]:DIR:_files -/' \
        '(--tls-cert)''--tls-cert=''[speak TLS\: the certificate and those above it, PEM]:FILE:_files' \
        '(--tls-key)''--tls-key=''[its private key, PEM, without a password]:FILE:_files' \
        '(--add-user)''--add-user=''[make an account, or give it another password, then serve]:NAME: ' \
        '(--password-stdin)''--password-stdin''[its password is the first line of stdin]' \
        '(--add-profile)''--add-profile=''[make a profile of an account, or change it, then serve]:USER/NAME: ' \
        '(--pin-stdin)''--pin-stdin''[its PIN is the first line of stdin, or the one after the password]' \
        '(--disable-downloads)''--disable-downloads''[register and serve no downloads]' \
        '*''--deny-downloads=''[an account that may not download; may be repeated]:USER: ' \
        '(--no-transcode)''--no-transcode''[offer no quality below the source'\''s]' \
        '*''--deny-transcode=''[an account that may have no files made; may be repeated]:USER: ' \
        '(--max-concurrent)''--max-concurrent=''[downloads of an account under way at once (3; 0\: any number)]:N: ' \
        '(--quota)''--quota=''[downloads that an account may register in a period (any number)]:N: ' \
        '(--quota-period)''--quota-period=''[the period\: 90m, 24h (default), 7d]:DURATION: ' \
        '(--bandwidth)''--bandwidth=''[bytes a second to all clients together, such as 20M]:RATE: ' \
        '(--user-bandwidth)''--user-bandwidth=''[bytes a second to one account, over all its connections]:RATE: ' \
        '(--json)''--json''[JSON on stdout]' \
        '(-v --verbose)'{-v,--verbose}'[one line per request]' \
        '(- *)--help[print help]' \
        '*:FOLDER:_files -/'
      ;;
    completion)
      _arguments -s -S \
        '(- *)--help[print help]' \
        '*:SHELL:(bash zsh fish)'
      ;;
  esac
}
if [[ $funcstack[1] == _silo_fetch ]]; then _silo_fetch "$@"; else compdef _silo_fetch silo-fetch; fi
