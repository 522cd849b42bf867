/// The JSON of the contract as servers send it, with values of our own: every key that a server sends in that state,
/// and none that it leaves out.
enum ContractShapes {
  static let capability = """
    {"enabled":true,"download_allowed":true,"quality_presets":["original","5mbps","1mbps"],
     "transcode_enabled":true,"transcode_user_allowed":false,"season_download":true,
     "series_monitoring":true,"monitoring_modes":["all","future"]}
    """

  static let forbiddenCapability = """
    {"enabled":true,"download_allowed":false,"quality_presets":[],"transcode_enabled":false,
     "transcode_user_allowed":false,"season_download":false,"series_monitoring":false}
    """

  static let filmRow = """
    {"id":"7301","content_id":"film-9","media_file_id":41,"device_id":"dev-1","file_size":734003200,
     "bytes_sent":0,"kind":"queued","status":"completed","quality":"original",
     "effective_quality":"original","delivery_format":"original","target_bitrate_kbps":0,
     "revision":2,"created_at":"2026-03-04T05:06:07Z","completed_at":"2026-03-04T06:00:00Z"}
    """

  static let episodeRow = """
    {"id":"7302","content_id":"series-3","episode_id":"ep-31","batch_id":"88","media_file_id":42,
     "device_id":"dev-1","file_size":1000,"bytes_sent":0,"kind":"queued","status":"ready",
     "quality":"5mbps","effective_quality":"2mbps","delivery_format":"transcode",
     "target_bitrate_kbps":2000,"revision":1,"created_at":"2026-03-04T05:06:07Z"}
    """

  static let accountRow = """
    {"id":"7303","content_id":"film-9","media_file_id":41,"file_size":5,"bytes_sent":5,
     "kind":"queued","status":"cancelled","quality":"original","effective_quality":"original",
     "delivery_format":"original","target_bitrate_kbps":0,"revision":1,
     "created_at":"2026-03-04T05:06:07Z"}
    """

  static let request = """
    {"content_id":"series-3","file_id":42,"quality":"original","series":true,"season_number":0,
     "caps":{"codecs_video":["h264"],"codecs_audio":["aac"],"audio_passthrough_codecs":["ac3"],
       "containers":["mp4"],"max_resolution":"1080p","hdr":false}}
    """

  static let batch = """
    {"downloads":[\(episodeRow)],"skipped":[{"episode_id":"ep-32","reason":"no_file"}]}
    """

  static let filmManifest = """
    {"download_id":"7301","content_id":"film-9","type":"movie","revision":2,"quality":"original",
     "effective_quality":"original","delivery_format":"original","target_bitrate_kbps":0,
     "media_file_id":41,"file_size":734003200,"title":"Gölge","year":2019,"overview":"Long.",
     "runtime":94,"content_rating":"PG-13","genres":["Drama","Crime"],"poster_thumbhash":"aQ==",
     "backdrop_thumbhash":"bQ==","artwork_urls":{"poster":"/api/v1/downloads/7301/artwork/poster",
       "backdrop":"/api/v1/downloads/7301/artwork/backdrop"},
     "container":"mkv","codec_video":"hevc","codec_audio":"eac3","resolution":"2160p","hdr":true,
     "duration_seconds":5640.5,"selected_audio_track_index":1,"audio_tracks":[
       {"index":0,"title":"Surround","language":"en","codec":"eac3","layout":"5.1(side)",
        "channels":6,"bitrate":640,"sample_rate":48000,"default":true},
       {"index":1,"language":"tr","codec":"aac","channels":2,"default":false}],
     "chapters":[{"index":0,"title":"One","start_seconds":0,"end_seconds":142.5,
       "thumbnail_thumbhash":"cQ=="},{"index":1,"start_seconds":142.5,"end_seconds":5640.5}],
     "intro":{"start":60,"end":90.25},"credits":{"start":5500,"end":5640.5},
     "recap":{"start":0,"end":10},"preview":{"start":5600,"end":5640},
     "subtitles":[{"language":"tr","format":"srt","forced":false,"hearing_impaired":true,
       "external":true,"fetch_url":"/api/v1/downloads/7301/subtitles/external:0","file_size":412},
       {"language":"","format":"vtt","forced":false,"hearing_impaired":false,"external":false,
       "fetch_url":"/api/v1/downloads/7301/subtitles/downloaded:7"}],
     "stable_identity":{"stable_type":"movie","provider_ids":{"tmdb":"12","imdb":"tt34"}},
     "integrity":{"expected_bytes":734003200,"media_file_hash":"00000000000200ff",
       "metadata_etag":"9a"},
     "manifest_version":2,"generated_at":"2026-03-04T05:06:08Z"}
    """

  static let episodeManifest = """
    {"download_id":"7302","content_id":"series-3","episode_id":"ep-31","type":"episode",
     "revision":1,"quality":"original","effective_quality":"original","delivery_format":"original",
     "target_bitrate_kbps":0,"media_file_id":42,"file_size":1000,"title":"Pilot",
     "series_id":"series-3","series_title":"Deniz","season_number":0,"episode_number":1,
     "artwork_urls":{},"container":"","codec_video":"","codec_audio":"","resolution":"",
     "hdr":false,"duration_seconds":0,"subtitles":[],
     "stable_identity":{"stable_type":"episode","provider_ids":{"tvdb":"5"},
       "series_provider_ids":{"tvdb":"1"},"season":0,"episode":1},
     "integrity":{"expected_bytes":1000,"metadata_etag":"9b"},"manifest_version":2,
     "generated_at":"2026-03-04T05:06:08Z"}
    """

  static let manifests = """
    {"manifests":[\(episodeManifest)],"skipped":[{"download_id":"7309","reason":"not_found"}]}
    """

  static let refusal = """
    {"error":"download_inactive","message":"This download is no longer active"}
    """

  static let tokens = """
    {"access_token":"a1","refresh_token":"r1","expires_in":86400,"user":{"id":3,"username":"ayse",
     "email":"ayse@example.org","role":"admin","permissions":["x"],"download_allowed":true}}
    """

  static let deviceCode = """
    {"device_code":"d1","user_code":"ABCD-EFGH","match_code":"42",
     "verification_uri":"http://s/link","verification_uri_complete":"http://s/link?code=ABCD-EFGH",
     "expires_at":"2026-03-04T05:16:07Z","expires_in":600,"interval":5}
    """

  static let profiles = """
    {"profiles":[{"id":"0b0e","name":"Ayşe","has_pin":true,"is_child":false,"is_primary":true,
     "auto_skip_intro":false,"auto_skip_credits":true,"auto_skip_recap":false,
     "auto_play_next_preview":false,"show_forced_subtitles":true,
     "library_restrictions_enabled":false,"language":"tr","subtitle_language":"en","max_playback_quality":"","allowed_library_ids":[],
     "created_at":"2026-03-04T05:06:07Z","updated_at":"2026-03-04T05:06:07Z"}],
     "avatar_upload_enabled":false}
    """

  static let key = """
    {"id":12,"user_id":3,"label":"tv","key":"sa_1","rate_tier":"standard",
     "created_at":"2026-03-04T05:06:07Z"}
    """

  static let page = """
    {"total":1,"total_exact":true,"has_more":false,"items":[{"content_id":"ep-31","type":"episode",
     "title":"Pilot","series_id":"series-3","series_title":"Deniz","season_number":1,
     "episode_number":1,"year":2020,"runtime":45,"genres":[],"keywords":["sea"],"status":"",
     "overview":"Short.","poster_url":"/p"}]}
    """

  static let detail = """
    {"content_id":"film-9","type":"movie","title":"Gölge","year":2019,
     "genres":["Drama"],"cast":[{"name":"Ada"}],"crew":[],"studios":["S"],"networks":[],"imdb_id":"tt34",
     "tmdb_id":"12","tvdb_id":"5","versions":[{"file_id":41,"file_name":"golge.mkv",
     "resolution":"2160p","codec_video":"hevc","codec_audio":"eac3","hdr":true,"container":"mkv",
     "file_size":734003200,"duration":5641,"bitrate":1040,
     "added_at":"2026-03-04T05:06:07Z","effective_audio_track_index":0,
     "effective_audio_language":"en","audio_tracks":[{"title":"Surround","embedded_title":"S",
     "language":"en","codec":"dts","profile":"DTS-HD MA","layout":"5.1(side)","channels":6,
     "bitrate":640,"sample_rate":48000,"bit_depth":24,"default":true}],
     "subtitle_tracks":[{"language":"en","codec":"subrip","forced":true,"hearing_impaired":false,
     "external":false,"default":false},{"language":"tr","codec":"srt","forced":false,
     "hearing_impaired":true,"external":true,"default":false,"file_name":"golge.tr.srt"}],
     "chapters":[{"index":0,"title":"","start_seconds":0,"end_seconds":60.5,"source":"embedded"}],
     "intro":{"start":1,"end":2.5}}],
     "subtitles":[{"source":"embedded","language":"en","codec":"subrip","forced":true,
     "hearing_impaired":false},{"source":"external","language":"","forced":false,
     "hearing_impaired":true,"title":"SDH"}],"poster_url":"/p","backdrop_url":"/b","logo_url":"/l"}
    """

  static let seasons = """
    {"seasons":[{"content_id":"series-3-S00","season_number":0,"is_specials":true,
     "title":"Specials","episode_count":2},{"content_id":"series-3-S01","season_number":1,
     "title":"Season 1","overview":"…","air_date":"2020-01-02","episode_count":8,
     "poster_url":"/p"}]}
    """

  static let episodes = """
    {"episodes":[{"content_id":"ep-31","season_number":1,"episode_number":1,"title":"Pilot",
     "overview":"…","air_date":"2020-01-02","runtime":45,"tvdb_id":"5","files":[{"file_id":42,
     "resolution":"1080p","codec_video":"h264","hdr":false,"audio_channels":6,"container":"mkv",
     "file_size":1000}]},{"content_id":"ep-32","season_number":1,"episode_number":2,"title":"",
     "runtime":0}]}
    """
}
