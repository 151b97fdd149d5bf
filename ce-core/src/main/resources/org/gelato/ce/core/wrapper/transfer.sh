
# --- Files elsewhere ------------------------------------------------------------------------------------------------

# Options for the server of URL $1 into __gelato_command. Storage may send us on to another of its servers, but from
# https to nothing less, and not round and round. A server that neither gives nor takes a byte for ten minutes is given up. A colon in the name of a credential would begin its password.
__gelato_http() {
    local __gelato_options credential=${X509_USER_PROXY-} allowed==https
    [[ $1 == https://* ]] || allowed==http,https
    __gelato_trust
    __gelato_command=(curl "${__gelato_options[@]}" --globoff --location --proto "$allowed" --proto-redir "$allowed"
        --max-redirs 10 --connect-timeout 60 --speed-limit 1 --speed-time 600)
    if [[ -n $credential ]]; then
        credential=${credential//\\/\\\\}
        credential=${credential//:/\\:}
        __gelato_command+=(--cert "$credential" --key "$X509_USER_PROXY")
    fi
    [[ ! -f $__gelato_scratch/token || $1 != https://* ]] || __gelato_show_token
}

# Adds the job's token to the command, by a file: everybody on the node can read command lines. Curl gives it to no other
# host that it is sent on to, but a curl before 7.58 would: that one is not sent on.
__gelato_show_token() {
    local version
    version=$(curl --disable --version < /dev/null 2>/dev/null)
    if [[ ! $version =~ ^curl\ ([0-9]{1,4})\.([0-9]{1,4}) ]] \
        || ((10#${BASH_REMATCH[1]} * 10000 + 10#${BASH_REMATCH[2]} < 70058)); then
        __gelato_command+=(--max-redirs 0)
    fi
    __gelato_command+=(--config "$__gelato_scratch/bearer")
    __gelato_write_bearer
}

# The token may be a renewed one by the next try.
__gelato_write_bearer() {
    local token=
    read -r token 2>/dev/null < "$__gelato_scratch/token"
    [[ $token =~ ^[A-Za-z0-9._~+/=-]+$ ]] || token=
    printf 'header = "Authorization: Bearer %s"\n' "$token" > "$__gelato_scratch/bearer"
}

# The site's program for URL $1, which this script does not transfer itself, into __gelato_command.
__gelato_site_program() {
    local name=__gelato_transfer_${1%%:*}
    # Words without quotes and wildcards, and no here-string: on a full disk that leaves the last transfer's command.
    # shellcheck disable=SC2206
    __gelato_command=(${!name-no-program-for-${1%%:*}})
}

# The command that copies URL $1, of a server with subject $2, to file $3.
__gelato_download() {
    if [[ $1 == gsiftp://* ]]; then
        __gelato_command=(globus-url-copy ${2:+-ss "$2"} "$1" "file://$3")
    elif [[ $1 != http?(s)://* ]]; then
        __gelato_site_program "$1"
        __gelato_command+=("$1" "$3")
    else
        __gelato_http "$1"
        __gelato_command+=(--output "$3" --url "$1")
    fi
}

# The command that copies file $3 to URL $1, of a server with subject $2.
__gelato_upload() {
    [[ ! $1 =~ ^[^/]*//[^/]+ ]] || __gelato_server=${BASH_REMATCH[0]}
    if [[ $1 == gsiftp://* ]]; then
        __gelato_command=(globus-url-copy ${2:+-ds "$2"} "file://$3" "$1")
    elif [[ $1 != http?(s)://* ]]; then
        __gelato_site_program "$1"
        __gelato_command+=("$3" "$1")
    else
        __gelato_http "$1"
        __gelato_command+=(--upload-file "$3" --url "$1")
    fi
}

# The site's number GLITE_LOCAL_COPY_RETRY_$1 for $2 (ISB or OSB), or else $3, into __gelato_number.
__gelato_site_number() {
    local both=GLITE_LOCAL_COPY_RETRY_$1 one=GLITE_LOCAL_COPY_RETRY_$1_$2
    local given=${!one:-${!both-}}
    __gelato_number=$3
    [[ ! $given =~ ^[0-9]{1,6}$ ]] || __gelato_number=$((10#$given))
}

__gelato_failing=0 # how long transfers of this kind have failed and been waited for, microseconds
__gelato_server=none # scheme, host and port of what output is sent to
declare -A __gelato_last_minute=() # servers that failed when the time was over, or all but over

# Becomes the command, for $1 seconds at most and all its processes with it. Where this node has no space for its words, it goes
# without them.
__gelato_become_command() {
    local words=$__gelato_scratch/error
    { : > "$words"; } 2> /dev/null || words=/dev/null
    exec timeout --kill-after=10 "$1" "${__gelato_command[@]}" > /dev/null 2> "$words"
}

# Seconds that transfers may fail for yet into __gelato_failing_left.
__gelato_count_failing() {
    __gelato_failing_left=$((__gelato_storage_patience - __gelato_failing / 1000000))
}

# One try at the command; what went wrong into __gelato_error. When the batch system is about to end this job there is
# no time for more than a try. Once something has failed, a try has what is left of the time, and a minute in any case: a file may
# go to another server. __gelato_retry gives that minute to a server once.
__gelato_try() {
    local limit=3600
    __gelato_count_failing
    if [[ $__gelato_failing -gt 0 && $__gelato_failing_left -lt $limit ]]; then
        limit=$((__gelato_failing_left > 60 ? __gelato_failing_left : 60))
    fi
    [[ -z $__gelato_signal$__gelato_late_signal ]] || limit=20
    [[ ! -f $__gelato_scratch/token ]] || __gelato_write_bearer
    __gelato_run __gelato_become_command "$limit"
    local status=$?
    [[ $status -ne 0 ]] || return 0
    __gelato_to_line "$(tail -c 900 -- "$__gelato_scratch/error" 2>/dev/null | tr -d '\0')" 900
    __gelato_error=$__gelato_line
    [[ $status -ne 124 ]] || __gelato_error="no end after $limit s${__gelato_error:+, $__gelato_error}"
    __gelato_error=${__gelato_error:-${__gelato_command[0]} failed with status $status}
    return "$status"
}

# Whether another try at the command would fail as this one, with status $1 and __gelato_error: it is not installed, cannot do
# what it should, does not believe the server, or was refused. A token may be a renewed one by the next try.
__gelato_is_refused() {
    [[ $1 -ne 127 ]] || return 0
    [[ ${__gelato_command[0]} == curl ]] || return 1
    case $1 in
        1 | 2 | 3 | 4 | 26 | 43 | 47 | 48 | 51 | 53 | 54 | 58 | 59 | 60 | 66 | 77 | 83 | 90 | 91) ;;
        22) [[ $__gelato_error =~ error:\ (4[0-9][0-9]) && ${BASH_REMATCH[1]} != @(401|408|423|425|429) ]] ;;
        *) false ;;
    esac
}

# Up to $1 tries at the command, with a wait of $2 seconds before the second and each later one $3 times as long. All that fail
# together have __gelato_storage_patience seconds.
__gelato_retry() {
    local tries=$1 pause=$2 try began status
    __gelato_error='Proxy is expired'
    [[ ! -e $__gelato_scratch/expired ]] || return 1
    __gelato_error="not tried, for its server failed when $__gelato_storage_patience s of failures were over"
    [[ -z ${__gelato_last_minute["$__gelato_server"]-} ]] || return 1
    for ((try = 1; ; try++)); do
        __gelato_tick
        began=$__gelato_ticks
        __gelato_try
        status=$?
        if [[ $status -eq 0 ]]; then
            __gelato_last_minute["$__gelato_server"]=
            return 0
        fi
        __gelato_tick
        __gelato_failing=$((__gelato_failing + __gelato_ticks - began + 1))
        __gelato_is_refused "$status" || [[ $__gelato_failing_left -ge 60 ]] \
            || __gelato_last_minute["$__gelato_server"]=yes
        ! __gelato_is_refused "$status" && [[ $try -lt $tries && -z $__gelato_signal$__gelato_late_signal ]] || return 1
        __gelato_count_failing
        if [[ $pause -ge $__gelato_failing_left ]]; then
            __gelato_error+=", and no other try before $__gelato_storage_patience s of failures"
            return 1
        fi
        if [[ -f $__gelato_scratch/proxy ]]; then
            __gelato_time_left "$__gelato_scratch/proxy"
            if [[ -n $__gelato_left && $__gelato_left -le $pause ]]; then
                __gelato_error="the proxy ends before the next try, $__gelato_error"
                return 1
            fi
        fi
        __gelato_run sleep "$pause"
        [[ -z $__gelato_signal$__gelato_late_signal ]] || return 1
        __gelato_failing=$((__gelato_failing + pause * 1000000))
        pause=$((pause * $3 < 86400 ? pause * $3 : 86400))
    done
}
