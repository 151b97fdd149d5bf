
# --- The sandbox, at the CE -------------------------------------------------------------------------------------------

# This node shares no files with the CE: all goes by HTTPS, with the job's secret. A CE that does not answer may be back
# soon: it is asked again, for __gelato_patience seconds at most.
printf -v __gelato_bearer 'header = "Authorization: Bearer %s"\n' "$__gelato_token"
__gelato_needed+=' sha256sum'
__gelato_most=100 # files that one curl transfers, at most
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

# Adds curl's options "$@" to __gelato_config, as lines of its configuration file: what begins with two dashes is an option, what
# follows one its value. Curl takes four escapes in quotes for what they stand for, and after another backslash the character alone.
__gelato_configure() {
    local LC_ALL=C one
    for one in "$@"; do
        if [[ $one == --* ]]; then
            __gelato_config+=$'\n'${one#--}
            continue
        fi
        one=${one//\\/\\\\}
        one=${one//\"/\\\"}
        one=${one//$'\n'/\\n}
        one=${one//$'\r'/\\r}
        __gelato_config+=" = \"$one\""
    done
    __gelato_config+=$'\n'
}

# Adds a request for a file by curl's options "$@" to those of __gelato_config.
__gelato_add_request() {
    local __gelato_options
    __gelato_trust
    [[ -z $__gelato_config ]] || __gelato_config+='next'
    __gelato_configure "${__gelato_options[@]:1}" --no-fail --globoff --connect-timeout 30 --speed-limit 1 --speed-time 120 \
        --header 'Want-Repr-Digest: sha-256=1' --dump-header - --write-out '\nHTTP %{http_code}\n' "$@"
    __gelato_config+=$__gelato_bearer
}

# Does the requests in __gelato_config by one curl, one after the other and by one connection where it lasts. The status of each answer
# into __gelato_answers, and its checksum into __gelato_sums. One that breaks off ends it: its status is 000, and later ones have none.
__gelato_ask_for_all() {
    local line sum=
    __gelato_answers=()
    __gelato_sums=()
    while IFS= read -r line; do
        line=${line%$'\r'}
        if [[ ${line,,} == repr-digest:* ]]; then
            sum=${line#*:}
            sum=${sum//[$' \t']/}
        elif [[ $line == 'HTTP '[0-9][0-9][0-9] ]]; then
            __gelato_answers+=("${line#* }")
            __gelato_sums+=("$sum")
            sum=
        elif [[ $line == 'curl '[1-9]* && ${#__gelato_answers[@]} -gt 0 ]]; then
            __gelato_answers[${#__gelato_answers[@]}-1]=000
        fi
    done < <(
        trap '' TERM HUP INT QUIT XCPU USR1 USR2
        printf '%s' "$__gelato_config" | curl --disable --fail-early --config - 2> /dev/null
        printf '\ncurl %s\n' "$?"
    )
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

# SHA-256 $1, of 64 hexadecimal digits, as the CE writes it into __gelato_sum.
__gelato_to_sum() {
    local all=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/ i bits
    # Bash would evaluate anything else.
    [[ $1 =~ ^[0-9a-f]{64}$ ]] || return
    __gelato_sum=sha-256=:
    for ((i = 0; i < 63; i += 3)); do
        bits=$((16#${1:i:3}))
        __gelato_sum+=${all:bits >> 6:1}${all:bits & 63:1}
    done
    bits=$((16#${1:63}))
    __gelato_sum+=${all:bits << 2:1}=:
}

# The checksum of the first $2 bytes of file $1, or of all of it, into __gelato_sum.
__gelato_digest() {
    local hex
    if [[ -n ${2-} ]]; then
        hex=$(set -o pipefail && head -c "$2" -- "$1" | sha256sum) || return
    else
        hex=$(sha256sum < "$1") || return
    fi
    __gelato_to_sum "${hex%% *}"
}

# The checksums of files "$@" into __gelato_file_sums, by one process. Before one of a name with a backslash or a line feed stands
# a backslash.
__gelato_digest_all() {
    local line lines __gelato_sum
    __gelato_file_sums=()
    mapfile -t lines < <(sha256sum -- "$@")
    [[ ${#lines[@]} -eq $# ]] || return
    for line in "${lines[@]}"; do
        line=${line#\\}
        __gelato_to_sum "${line%% *}" || return
        __gelato_file_sums+=("$__gelato_sum")
    done
}

__gelato_download_input() {
    local file=$__gelato_scratch/transfer __gelato_sum
    __gelato_encode "$1"
    while :; do
        __gelato_ask_file --output "$file" --url "$__gelato_input_at$__gelato_encoded"
        if [[ $__gelato_answer == 200 ]]; then
            __gelato_header Repr-Digest
            [[ -n $__gelato_value ]] || return 0
            ! __gelato_digest "$file" || [[ $__gelato_value != "$__gelato_sum" ]] || return 0
            printf 'the checksum is not the one the CE announced\n' >&2
        else
            __gelato_refusal "$file"
            __gelato_may_pass || return
        fi
        __gelato_await || return
    done
}

# Brings the files at places "$@" of the list of input to the scratch directory. The last line of errors has the status of the answer
# for each, and 000 where the checksum is another.
__gelato_download_all() {
    local i j=0 files=() of=() __gelato_config= __gelato_answers __gelato_sums __gelato_file_sums
    for i in "$@"; do
        __gelato_encode "${__gelato_input[i]}"
        __gelato_add_request --output "$__gelato_scratch/transfer.$i" --url "$__gelato_input_at$__gelato_encoded"
    done
    __gelato_ask_for_all
    for i in "$@"; do
        if [[ ${__gelato_answers[j]-} == 200 && -n ${__gelato_sums[j]} ]]; then
            files+=("$__gelato_scratch/transfer.$i")
            of+=("$j")
        fi
        ((++j))
    done
    [[ ${#files[@]} -eq 0 ]] || __gelato_digest_all "${files[@]}"
    for i in "${!of[@]}"; do
        j=${of[i]}
        [[ ${__gelato_file_sums[i]-} == "${__gelato_sums[j]}" ]] || __gelato_answers[j]=000
    done
    [[ ${#__gelato_answers[@]} -gt 0 ]] && printf '%s\n' "${__gelato_answers[*]}" >&2
}

__gelato_ahead=()      # place in the list of input -> status of the answer, for files that were asked for together with others
__gelato_ahead_end=0   # the first place that was not asked for yet

# Asks for the next files of the input sandbox together. What breaks off is tried alone, and what follows it together again, unless it
# was the first.
__gelato_take_ahead() {
    local i j places=() answers=()
    for i in "${!__gelato_input[@]}"; do
        [[ $i -ge $__gelato_i && -z ${__gelato_input_url[i]-} ]] || continue
        [[ ${#places[@]} -lt $__gelato_most ]] || break
        places+=("$i")
        __gelato_ahead_end=$((i + 1))
    done
    [[ ${#places[@]} -gt 1 ]] || return
    ! __gelato_attempt __gelato_download_all "${places[@]}" || answers=($__gelato_error)
    for j in "${!places[@]}"; do
        if [[ $j -ge ${#answers[@]} && $j -gt 1 ]]; then
            __gelato_ahead_end=${places[j]}
            return
        fi
        __gelato_ahead[places[j]]=${answers[j]-}
    done
}

# Brings file $1, at place __gelato_i of the list of input, here; why it failed into __gelato_error.
__gelato_take() {
    local file=$__gelato_scratch/transfer
    [[ $__gelato_i -lt $__gelato_ahead_end ]] || __gelato_take_ahead
    if [[ ${__gelato_ahead[__gelato_i]-} == 200 ]]; then
        file+=.$__gelato_i
    else
        [[ -z ${__gelato_ahead[__gelato_i]-} ]] || rm -f -- "$file.$__gelato_i"
        __gelato_attempt __gelato_download_input "$1" || return
    fi
    __gelato_error=$(mv -T -- "$file" "./$1" 2>&1)
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
    [[ $__gelato_value =~ ^[0-9]{1,18}$ && $__gelato_value -le $2 ]] || return
    __gelato_present=$__gelato_value
    __gelato_header Upload-Complete
    [[ $__gelato_value == '?0' || $__gelato_present == "$2" ]] || __gelato_present=0
}

# Curl's options that send what is missing of the first $2 bytes of file $1 into __gelato_from. Curl would send all of a file that
# has more by now, so that goes through a pipe, as with $3.
__gelato_choose_part() {
    local first=$__gelato_present
    __gelato_from=(--upload-file "$1")
    if [[ $first -gt 0 && $first -eq $2 ]]; then
        __gelato_from=(--upload-file /dev/null --header "Content-Range: bytes */$2")
    elif [[ -n $3 || $(stat -L -c %s -- "$1") -ne $2 ]]; then
        exec 7< <(tail -c "+$((first + 1))" -- "$1" | head -c "$(($2 - first))")
        __gelato_from=(--upload-file /dev/fd/7)
        [[ $first -eq 0 ]] || __gelato_from+=(--header "Content-Range: bytes $first-$(($2 - 1))/$2")
    elif [[ $first -gt 0 ]]; then
        __gelato_from+=(--continue-at "$first")
    fi
}

# Brings file $1 to the output sandbox as $2, as many bytes as it has now: what grows is sent as it was. What broke off goes on from where
# it was, and what the CE has all bytes of is not sent again: the CE compares their checksum, which may take it several requests. A file
# that changed meanwhile begins anew, but not for ever. $3 is the status of the answer to a try before this one.
__gelato_upload_output() {
    local file=$1 answer=$__gelato_scratch/answer url size now piped= tries=0 __gelato_sum __gelato_from __gelato_present=0
    __gelato_encode "$2"
    url=$__gelato_output_at$__gelato_encoded
    { : > "$answer"; } 2> /dev/null || answer=/dev/null
    size=$(stat -L -c %s -- "$file") && __gelato_digest "$file" "$size" || return
    [[ ${3-} != @(000|202|408|409|423|429|5??) ]] || __gelato_uploaded "$url" "$size"
    while :; do
        __gelato_choose_part "$file" "$size" "$piped"
        __gelato_ask_file "${__gelato_from[@]}" --header "Repr-Digest: $__gelato_sum" --output "$answer" --url "$url"
        exec 7<&-
        [[ $__gelato_answer != 201 ]] || return 0
        __gelato_refusal "$answer"
        case $__gelato_answer in
            202) ;;
            409) __gelato_header Upload-Offset && [[ -n $__gelato_value ]] ;;
            400)
                __gelato_present=0
                piped=yes
                now=$(stat -L -c %s -- "$file") && [[ $((++tries)) -lt 3 ]] || return
                [[ $now -ge $size ]] || size=$now
                __gelato_digest "$file" "$size"
                ;;
            *) __gelato_may_pass ;;
        esac || return
        [[ $__gelato_answer != 400 ]] || continue
        while __gelato_await || return; do
            __gelato_uploaded "$url" "$size"
            __gelato_may_pass || break
            __gelato_refusal ''
        done
    done
}

# Brings what is queued, "$@", to the output sandbox by one curl, but for large files: a signal breaks off all of it. The last line of
# errors has the status of the answer for each, as far as one came, and "alone" for a large one.
__gelato_upload_all() {
    local i j=0 files=() names=() sizes=() small=() answers=() __gelato_config= __gelato_answers __gelato_sums __gelato_file_sums
    while [[ $# -gt 0 ]]; do
        files+=("$2")
        names+=("$3")
        shift 3
    done
    mapfile -t sizes < <(stat -L -c %s -- "${files[@]}")
    [[ ${#sizes[@]} -eq ${#files[@]} ]] || return
    for i in "${!files[@]}"; do
        [[ ${sizes[i]} -gt 1048576 ]] || small+=("${files[i]}")
    done
    [[ ${#small[@]} -eq 0 ]] || __gelato_digest_all "${small[@]}" || return
    for i in "${!files[@]}"; do
        [[ ${sizes[i]} -le 1048576 ]] || continue
        __gelato_encode "${names[i]}"
        __gelato_add_request --upload-file "${files[i]}" --header "Repr-Digest: ${__gelato_file_sums[j++]}" \
            --output /dev/null --url "$__gelato_output_at$__gelato_encoded"
    done
    [[ -z $__gelato_config ]] || __gelato_ask_for_all
    j=0
    for i in "${!files[@]}"; do
        if [[ ${sizes[i]} -gt 1048576 ]]; then
            answers+=(alone)
        elif [[ $j -lt ${#__gelato_answers[@]} ]]; then
            answers+=("${__gelato_answers[j++]}")
        else
            break
        fi
    done
    [[ ${#answers[@]} -gt 0 ]] && printf '%s\n' "${answers[*]}" >&2
}

__gelato_queue=() # what is still to be put into the output sandbox: a file, the same with its path, its name there

# Puts file $1 into the output sandbox as $2, later and together with others.
__gelato_put() {
    local source=$1
    [[ $source == /* ]] || source=$PWD/${source#./}
    [[ ${#__gelato_queue[@]} -lt $((3 * __gelato_most)) ]] || __gelato_put_rest
    __gelato_queue+=("$1" "$source" "$2")
}

# Puts what is queued into the output sandbox. What was not taken is tried alone; what follows one that broke off goes together again, unless
# nothing came through. After a signal, which broke off all and left no answers, each is tried alone, and the CE asked first what it has.
__gelato_put_rest() {
    local answers answer signals together=yes unknown=
    while [[ ${#__gelato_queue[@]} -gt 0 ]]; do
        answers=()
        if [[ -n $together && -z $__gelato_is_impatient && ${#__gelato_queue[@]} -gt 3 ]]; then
            signals=$__gelato_signal$__gelato_late_signal
            ! __gelato_attempt __gelato_upload_all "${__gelato_queue[@]}" || answers=($__gelato_error)
            [[ $signals == "$__gelato_signal$__gelato_late_signal" ]] || unknown=000
            [[ " ${answers[*]} " == *' 201 '* && -z $unknown ]] || together=
        fi
        for answer in "${answers[@]:-$unknown}"; do
            if [[ $answer != 201 ]] \
                && ! __gelato_attempt __gelato_upload_output "${__gelato_queue[@]:1:2}" "$answer"; then
                __gelato_copied["${__gelato_queue[2]}"]=
                __gelato_give_up "${__gelato_queue[0]}" "${__gelato_queue[2]}"
            fi
            __gelato_queue=("${__gelato_queue[@]:3}")
        done
    done
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
