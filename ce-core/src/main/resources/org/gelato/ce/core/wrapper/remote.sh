
# --- The sandbox, at the CE -------------------------------------------------------------------------------------------

# This node shares no files with the CE: all goes by HTTPS, with the job's secret. A CE that does not answer may be back
# soon: it is asked again, for __gelato_patience seconds at most.
printf -v __gelato_bearer 'header = "Authorization: Bearer %s"\n' "$__gelato_token"
readonly __gelato_claim_url __gelato_input_at __gelato_output_at __gelato_patience __gelato_bearer

# From now on the CE is waited for, $1 seconds at most.
__gelato_be_patient() {
    __gelato_now
    __gelato_until=$((__gelato_time + $1 * 1000000))
    __gelato_pause=1
}

# Waits before another try; fails when the time is over. The waits differ, for many wrappers found the CE silent together.
__gelato_await_ce() {
    __gelato_now
    [[ $__gelato_time -lt $__gelato_until ]] || return 1
    sleep "$((__gelato_pause + RANDOM % (__gelato_pause + 1)))"
    __gelato_pause=$((__gelato_pause < 30 ? __gelato_pause * 2 : 30))
}

# Asks the CE with curl's options "${@:2}" and text $1, which nobody else on the node can read, on its standard input.
# Status of the answer into __gelato_answer, 000 for none, half of one, or no more than leave to go on.
__gelato_ask() {
    local __gelato_options status
    __gelato_trust
    __gelato_answer=$(
        trap '' TERM INT QUIT XCPU
        printf '%s' "$1" \
            | curl "${__gelato_options[@]}" --no-fail --connect-timeout 30 --write-out '%{http_code}' "${@:2}"
    )
    status=$?
    [[ $__gelato_answer == [2-5][0-9][0-9] && ($status -eq 0 || $__gelato_answer != 2??) ]] || __gelato_answer=000
}

# Sends the composed event to URL $1. An answer of a server alone, while the CE in it is replaced, is none.
__gelato_send_event() {
    __gelato_ask "$__gelato_event" --max-time 60 --output /dev/null --header 'Content-Type: text/plain' --data-binary @- \
        --url "$1"
    [[ $__gelato_answer != @(404|408|429|5??) ]] || __gelato_answer=000
}

# The last fence against a job that was handed over twice: the CE gives it to one of two. Asking again changes nothing, for
# this wrapper calls itself what no other does. Without the job it may not speak for it: it ends without an event.
__gelato_claim() {
    local unique=
    read -r unique 2>/dev/null < /proc/sys/kernel/random/uuid
    __gelato_compose CLAIM '' ''
    __gelato_event+="claimant=$__gelato_node $$ $__gelato_start $__gelato_lrmsid $unique"$'\n'
    __gelato_be_patient "$__gelato_patience"
    while __gelato_send_event "$__gelato_claim_url"; [[ $__gelato_answer == 000 && -z $__gelato_signal ]]; do
        __gelato_await_ce || break
    done
    case $__gelato_answer in
        200) return 0 ;;
        409) printf 'Job %s has been claimed already, nothing to do\n' "$__gelato_job" ;;
        410) printf 'Job %s has ended or is being cancelled, nothing to do\n' "$__gelato_job" ;;
        *)
            printf 'Cannot claim the job at %s: HTTP %s\n' "$__gelato_claim_url" "$__gelato_answer" >&2
            printf 'jw exit status = 1\n'
            exit 1
            ;;
    esac
    exit 0
}

# Tells the composed end, however long the CE is away: nobody else knows it. Fails when it could not be told.
__gelato_tell_end() {
    __gelato_await_poster
    __gelato_be_patient "$__gelato_patience"
    while __gelato_send_event "$__gelato_events_url"; [[ $__gelato_answer == 000 ]]; do
        __gelato_await_ce || break
    done
    [[ $__gelato_answer == 2?? ]] && return
    printf 'Cannot tell the end of the job to %s: HTTP %s\n' "$__gelato_events_url" "$__gelato_answer" >&2
    return 1
}

# Asks for a file by curl's options "$@"; the answer's headers go to file __gelato_scratch/headers.
__gelato_ask_file() {
    __gelato_ask "$__gelato_bearer" --config - --globoff --speed-limit 1 --speed-time 120 \
        --dump-header "$__gelato_scratch/headers" --header 'Want-Repr-Digest: sha-256=1' "$@"
}

# Whether the answer says no more than that the CE has no time now.
__gelato_is_busy() {
    [[ $__gelato_answer == @(000|408|423|429|502|503|504) ]]
}

# The CE's own words, from file $1, for what it refused.
__gelato_refusal() {
    local words
    words=$(head -c 600 -- "$1" 2>/dev/null | tr -d '\0')
    words=${words#*'"error":"'}
    printf 'HTTP %s %s\n' "$__gelato_answer" "${words%%'"'*}" >&2
}

# The last header $1 of the answer.
__gelato_header() {
    tr -d '\r\0' < "$__gelato_scratch/headers" | sed -n "s/^$1: *//Ip" | tail -n 1
}

# SHA-256 of file $1 as the CE writes it.
__gelato_digest() {
    local hex
    hex=$(sha256sum < "$1") || return
    printf "$(sed 's/../\\x&/g' <<< "${hex%% *}")" | base64 | sed 's/.*/sha-256=:&:/'
}

# Does "$@", with its words kept: where a signal can break it off.
__gelato_become_transfer() {
    local limit=$__gelato_patience
    # The batch system is about to end this job.
    [[ -z $__gelato_signal$__gelato_late_signal ]] || limit=20
    __gelato_be_patient "$limit"
    "$@" > /dev/null 2> "$__gelato_scratch/error"
}

# The same; why it failed into __gelato_error.
__gelato_transfer() {
    __gelato_run __gelato_become_transfer "$@" && return
    __gelato_to_line "$(tail -n 1 -- "$__gelato_scratch/error" 2>/dev/null | tr -d '\0')" 900
    __gelato_error=${__gelato_line:-no answer from the CE}
    return 1
}

__gelato_download_input() {
    local announced
    __gelato_encode "$1"
    while :; do
        __gelato_ask_file --output "$__gelato_scratch/transfer" --url "$__gelato_input_at$__gelato_encoded"
        if [[ $__gelato_answer == 200 ]]; then
            announced=$(__gelato_header Repr-Digest)
            [[ -n $announced && $announced != "$(__gelato_digest "$__gelato_scratch/transfer")" ]] || return 0
            printf 'the checksum is not the one the CE announced\n' >&2
        elif ! __gelato_is_busy; then
            __gelato_refusal "$__gelato_scratch/transfer"
            return 1
        fi
        __gelato_await_ce || return 1
    done
}

# Brings file $1 of the input sandbox here; why it failed into __gelato_error.
__gelato_take() {
    __gelato_transfer __gelato_download_input "$1" && mv -T -- "$__gelato_scratch/transfer" "./$1"
}

# The CE makes it with the first file.
__gelato_open_output() {
    :
}

# How many bytes of an upload to URL $1 are there: a number, or "all" when the CE has the whole file with digest $2.
__gelato_uploaded() {
    local announced
    __gelato_present=0
    __gelato_ask_file --head --output /dev/null --url "$1"
    [[ $__gelato_answer == 200 ]] || return
    announced=$(__gelato_header Repr-Digest)
    if [[ $(__gelato_header Upload-Complete) == '?0' ]]; then
        __gelato_present=$(__gelato_header Content-Length)
        # Bash would evaluate anything else.
        [[ $__gelato_present =~ ^[0-9]{1,18}$ ]] || __gelato_present=0
    elif [[ $announced == "$2" ]]; then
        __gelato_present=all
    fi
}

# Brings file __gelato_scratch/transfer to the output sandbox as $1. What broke off goes on from where it was; a file that
# changed meanwhile begins anew, but not for ever.
__gelato_upload_output() {
    local file=$__gelato_scratch/transfer answer=$__gelato_scratch/answer digest url tries=0 from=()
    __gelato_encode "$1"
    url=$__gelato_output_at$__gelato_encoded
    digest=$(__gelato_digest "$file") || return
    while :; do
        __gelato_ask_file "${from[@]}" --header "Repr-Digest: $digest" --upload-file "$file" --output "$answer" --url "$url"
        case $__gelato_answer in
            201) return 0 ;;
            202 | 409) [[ $__gelato_answer == 202 || -n $(__gelato_header Upload-Offset) ]] ;;
            400) [[ $((++tries)) -lt 3 ]] && digest=$(__gelato_digest "$file") ;;
            *) __gelato_is_busy ;;
        esac || { __gelato_refusal "$answer"; return 1; }
        from=()
        while __gelato_await_ce || return 1; do
            __gelato_uploaded "$url" "$digest"
            __gelato_is_busy || break
        done
        [[ $__gelato_present != all ]] || return 0
        [[ $__gelato_present -gt 0 && $__gelato_present -lt $(stat -L -c %s -- "$file") ]] || continue
        from=(--continue-at "$__gelato_present")
    done
}

# Puts file $1 into the output sandbox as $2; why it failed into __gelato_error.
__gelato_put() {
    local source=$1
    [[ $source == /* ]] || source=$PWD/${source#./}
    # By a name of our own, for curl reads more than a name into some names.
    ln -s -f -T -- "$source" "$__gelato_scratch/transfer"
    __gelato_transfer __gelato_upload_output "$2"
}

# The delegation's present proxy or token as file $1. The guard, which has one already, asks once and comes back by itself.
__gelato_fetch_proxy() {
    local limit=0
    [[ $1 == *.new ]] || limit=$__gelato_patience
    __gelato_be_patient "$limit"
    while :; do
        __gelato_ask "$__gelato_bearer" --config - --max-time 60 --output "$1" --url "$__gelato_proxy_url"
        [[ $__gelato_answer != 200 || ! -s $1 ]] || return 0
        rm -f -- "$1"
        __gelato_is_busy && __gelato_await_ce || return 1
    done
}
