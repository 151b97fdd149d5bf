
# --- The sandbox, at the CE -------------------------------------------------------------------------------------------

# This node shares no files with the CE: all goes by HTTPS, with the job's secret. A CE that does not answer may be back
# soon: it is asked again, for __gelato_patience seconds at most.
printf -v __gelato_bearer 'header = "Authorization: Bearer %s"\n' "$__gelato_token"
__gelato_needed+=' base64 sed sha256sum'
readonly __gelato_claim_url __gelato_input_at __gelato_output_at __gelato_bearer

# Asks the CE with curl's options "${@:2}" and text $1, which nobody else on the node can read, on its standard input.
# Status of the answer into __gelato_answer, 000 for none, half of one, or no more than leave to go on; its headers into
# __gelato_reply, the status of curl and its own words into __gelato_curl_status and __gelato_words.
__gelato_ask() {
    local __gelato_options
    __gelato_trust
    __gelato_reply=$(
        trap '' TERM HUP INT QUIT XCPU USR1 USR2
        exec 2>&1
        printf '%s' "$1" \
            | curl "${__gelato_options[@]}" --no-fail --connect-timeout 30 --dump-header - --write-out '\nHTTP %{http_code}\n' \
                "${@:2}"
    )
    __gelato_curl_status=$?
    __gelato_reply=$'\n'$__gelato_reply$'\n'
    __gelato_answer=${__gelato_reply##*$'\n'HTTP }
    __gelato_answer=${__gelato_answer:0:3}
    [[ $__gelato_answer == [2-5][0-9][0-9] && ($__gelato_curl_status -eq 0 || $__gelato_answer != 2??) ]] \
        || __gelato_answer=000
    __gelato_words="HTTP $__gelato_answer"
    [[ $__gelato_answer != 000 ]] || __gelato_words='no answer'
    [[ $__gelato_answer != 000 || ! $__gelato_reply =~ (curl: [^$'\r\n']*) ]] || __gelato_words=${BASH_REMATCH[1]}
}

# Whether the CE was not reached, and would not be at the next try: curl cannot be run, or do what it should, or does not
# believe the CE. One that was believed at the claim gets a new certificate just now: output and the end, which nobody else
# has, wait for that.
__gelato_is_out_of_reach() {
    [[ $__gelato_answer == 000 ]] || return 1
    case $__gelato_curl_status in
        1 | 2 | 3 | 4 | 23 | 26 | 43 | 48 | 126 | 127) ;;
        35)
            [[ $__gelato_phase != @(finishing|ended) && $__gelato_words != *'internal error'*
                && $__gelato_words == *@(alert|too small|too weak|wrong version|unsupported)* ]]
            ;;
        51 | 53 | 54 | 58 | 59 | 60 | 66 | 77 | 83 | 90 | 91) [[ $__gelato_phase != @(finishing|ended) ]] ;;
        *) false ;;
    esac
}

# Whether the same request may get another answer later.
__gelato_may_pass() {
    [[ $__gelato_answer == @(000|408|423|429|502|503|504|507) ]] && ! __gelato_is_out_of_reach
}

# Sends the composed event to URL $1 until there is an answer, or no hope for one. That of a server alone, while the CE in it
# is replaced, is none. Before a claim a signal ends it, too.
__gelato_send_event() {
    __gelato_be_patient "$__gelato_patience"
    while :; do
        __gelato_ask "$__gelato_event" --max-time 60 --output /dev/null --header 'Content-Type: text/plain' \
            --data-binary @- --url "$1"
        [[ $__gelato_answer != @(404|408|429|5??) ]] || __gelato_answer=000
        [[ $__gelato_answer == 000 && ($__gelato_phase != claiming || -z $__gelato_signal) ]] || return
        ! __gelato_is_out_of_reach && __gelato_await || return
    done
}

# The last fence against a job that was handed over twice: the CE gives it to one of two. Asking again changes nothing, for
# this wrapper calls itself what no other does. Without the job it may not speak for it: it ends without an event, and its
# status (WrapperStatus) and the last line of its errors are all it leaves.
__gelato_claim() {
    local unique= status=77
    read -r unique 2>/dev/null < /proc/sys/kernel/random/uuid
    __gelato_compose CLAIM '' ''
    __gelato_event+="claimant=$__gelato_node $$ $__gelato_start $__gelato_lrmsid $unique"$'\n'
    __gelato_send_event "$__gelato_claim_url"
    case $__gelato_answer in
        200)
            __gelato_claimed=yes
            return 0
            ;;
        409) printf 'Job %s has been claimed already, nothing to do\n' "$__gelato_job" ;;
        410) printf 'Job %s has ended or is being cancelled, nothing to do\n' "$__gelato_job" ;;
        *)
            if __gelato_is_out_of_reach; then
                status=78
            elif [[ -n $__gelato_signal ]]; then
                status=1
                __gelato_words+=", then SIG$__gelato_signal"
            elif [[ $__gelato_answer == 000 ]]; then
                status=69
            fi
            printf 'jw exit status = 1\n'
            printf 'Cannot claim the job at %s: %s\n' "$__gelato_claim_url" "$__gelato_words" >&2
            exit "$status"
            ;;
    esac
    exit 0
}

# Tells the composed end, however long the CE is away: nobody else knows it. Fails when it could not be told.
__gelato_tell_end() {
    __gelato_await_poster
    __gelato_send_event "$__gelato_events_url"
    [[ $__gelato_answer == 2?? ]] && return
    printf 'Cannot tell the end of the job to %s: %s\n' "$__gelato_events_url" "$__gelato_words" >&2
    return 1
}

# Asks for a file by curl's options "$@".
__gelato_ask_file() {
    __gelato_ask "$__gelato_bearer" --config - --globoff --speed-limit 1 --speed-time 120 \
        --header 'Want-Repr-Digest: sha-256=1' "$@"
}

# Why the CE was not reached, or did not do it, in its own words from file $1 where they are.
__gelato_refusal() {
    local words=
    [[ $__gelato_answer == 000 ]] || words=$(head -c 600 -- "$1" 2>/dev/null | tr -d '\0')
    words=${words#*'"error":"'}
    printf '%s\n' "$__gelato_words${words:+ ${words%%'"'*}}" >&2
}

# The last header $1 of the answer into __gelato_value.
__gelato_header() {
    local line rest=$__gelato_reply
    __gelato_value=
    while [[ -n $rest ]]; do
        line=${rest%%$'\n'*}
        rest=${rest#*$'\n'}
        [[ ${line,,} != "${1,,}":* ]] || __gelato_value=${line#*:}
    done
    __gelato_value=${__gelato_value//[$' \t\r']/}
}

# SHA-256 of file $1 as the CE writes it.
__gelato_digest() {
    local hex
    hex=$(sha256sum < "$1") || return
    printf "$(printf '%s' "${hex%% *}" | sed 's/../\\x&/g')" | base64 | sed 's/.*/sha-256=:&:/'
}

__gelato_download_input() {
    local file=$__gelato_scratch/transfer
    __gelato_encode "$1"
    while :; do
        __gelato_ask_file --output "$file" --url "$__gelato_input_at$__gelato_encoded"
        if [[ $__gelato_answer == 200 ]]; then
            __gelato_header Repr-Digest
            [[ -n $__gelato_value && $__gelato_value != "$(__gelato_digest "$file")" ]] || return 0
            printf 'the checksum is not the one the CE announced\n' >&2
        else
            __gelato_refusal "$file"
            __gelato_may_pass || return
        fi
        __gelato_await || return
    done
}

# Brings file $1 of the input sandbox here; why it failed into __gelato_error.
__gelato_take() {
    __gelato_attempt __gelato_download_input "$1" || return
    __gelato_error=$(mv -T -- "$__gelato_scratch/transfer" "./$1" 2>&1)
}

# The CE makes it with the first file.
__gelato_open_output() {
    :
}

# How many of the $2 bytes of an upload to URL $1 are there. Of a complete file of another size none are.
__gelato_uploaded() {
    __gelato_present=0
    __gelato_ask_file --head --output /dev/null --url "$1"
    [[ $__gelato_answer == 200 ]] || return
    __gelato_header Content-Length
    # Bash would evaluate anything else.
    [[ $__gelato_value =~ ^[0-9]{1,18}$ ]] || return
    __gelato_present=$__gelato_value
    __gelato_header Upload-Complete
    [[ $__gelato_value == '?0' || $__gelato_present == "$2" ]] || __gelato_present=0
}

# Brings file $1 to the output sandbox as $2. What broke off goes on from where it was, and what the CE has all bytes of is not sent
# again: the CE compares their checksum, which may take it several requests. A file that changed meanwhile begins anew, but not for ever.
__gelato_upload_output() {
    local file=$1 answer=$__gelato_scratch/answer digest url size tries=0 from=()
    __gelato_encode "$2"
    url=$__gelato_output_at$__gelato_encoded
    { : > "$answer"; } 2> /dev/null || answer=/dev/null
    digest=$(__gelato_digest "$file") || return
    from=(--upload-file "$file")
    while :; do
        __gelato_ask_file "${from[@]}" --header "Repr-Digest: $digest" --output "$answer" --url "$url"
        [[ $__gelato_answer != 201 ]] || return 0
        __gelato_refusal "$answer"
        case $__gelato_answer in
            202) ;;
            409) __gelato_header Upload-Offset && [[ -n $__gelato_value ]] ;;
            400) [[ $((++tries)) -lt 3 ]] && digest=$(__gelato_digest "$file") ;;
            *) __gelato_may_pass ;;
        esac || return
        from=(--upload-file "$file")
        [[ $__gelato_answer != 400 ]] || continue
        size=$(stat -L -c %s -- "$file")
        while __gelato_await || return; do
            __gelato_uploaded "$url" "$size"
            __gelato_may_pass || break
            __gelato_refusal ''
        done
        if [[ $__gelato_present -gt 0 && $__gelato_present == "$size" ]]; then
            from=(--upload-file /dev/null --header "Content-Range: bytes */$size")
        elif [[ $__gelato_present -gt 0 && $__gelato_present -lt $size ]]; then
            from+=(--continue-at "$__gelato_present")
        fi
    done
}

# Puts file $1 into the output sandbox as $2; why it failed into __gelato_error.
__gelato_put() {
    local source=$1
    [[ $source == /* ]] || source=$PWD/${source#./}
    __gelato_attempt __gelato_upload_output "$source" "$2"
}

# The delegation's present proxy or token as file $1. The guard, which has one already, asks once and comes back by itself.
__gelato_fetch_proxy() {
    [[ $1 != *.new ]] || __gelato_be_patient 0
    while :; do
        __gelato_ask "$__gelato_bearer" --config - --max-time 60 --output "$1" --url "$__gelato_proxy_url"
        [[ $__gelato_answer != 200 || ! -s $1 ]] || return 0
        __gelato_refusal "$1"
        rm -f -- "$1"
        __gelato_may_pass && __gelato_await || return 1
    done
}
