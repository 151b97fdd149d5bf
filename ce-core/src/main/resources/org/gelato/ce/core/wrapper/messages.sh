
# --- Messages and live output ---------------------------------------------------------------------------------------

# The job's command gelato-message (docs/user/live.md) is the first three functions here, as bash prints them: a program that stands by itself,
# in the C locale, with the journal open as descriptor 3. It ends with status $1 for reason $2.
__gelato_message_end() {
    printf 'gelato-message: %s\n' "$2" >&2
    exit "$1"
}

# Appends text $3 with level $1 and key $2 to the journal: one line of less than 4096 bytes by one write, for many processes append
# at once. A line that begins with half a character or ends in half an escape would be shown broken.
__gelato_message_append() {
    local text=${3:0:4000} newline=$'\n' tab=$'\t' rest code i time
    text=${text//\\/\\\\}
    text=${text//"$newline"/\\n}
    if [[ $text == *[[:cntrl:]]* ]]; then
        rest=$text$tab
        text=
        while [[ -n $rest ]]; do
            i=${rest%%"$tab"*}
            rest=${rest#*"$tab"}
            text+=${i//[[:cntrl:]]/ }$tab
        done
        text=${text%"$tab"}
    fi
    if [[ ${#3} -gt 4000 || ${#text} -gt 4000 ]]; then
        text=${text:0:4000}
        rest=${text##*[!\\]}
        [[ $((${#rest} % 2)) -eq 0 ]] || text=${text%?}
        for ((i = 1; i <= 4; i++)); do
            printf -v code %d "'${text:${#text}-i:1}"
            ((code &= 255, code >= 128)) || break
            ((code >= 192)) || continue
            ((i >= (code >= 240 ? 4 : code >= 224 ? 3 : 2))) || text=${text:0:${#text}-i}
            break
        done
    fi
    if [[ ${BASH_VERSINFO[0]} -ge 5 ]]; then
        time=${EPOCHREALTIME//[!0-9]/}
    else
        time=$(date +%s%6N)
    fi
    printf '%s %s %s %s\n' "$time" "$1" "$2" "$text" 2> /dev/null >&3 \
        || __gelato_message_end 1 "cannot write to $GELATO_JOURNAL: it has 64 MiB, or its disk is full; the message is lost"
}

__gelato_message() {
    local key=- level=I name
    while [[ ${1-} == -?* ]]; do
        case $1 in
            --)
                shift
                break
                ;;
            --key=* | --level=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
            --key)
                [[ ${2-} =~ ^[A-Za-z0-9._-]{1,64}$ ]] \
                    || __gelato_message_end 2 '--key takes 1 to 64 letters, digits, dots, dashes and underscores'
                key=$2
                shift 2
                ;;
            --level)
                name=${2-}
                case ${name^^} in
                    D | DEBUG | I | INFO | W | WARNING | E | ERROR) level=${name:0:1} ;;
                    *) __gelato_message_end 2 '--level takes DEBUG, INFO, WARNING or ERROR' ;;
                esac
                level=${level^^}
                shift 2
                ;;
            --help)
                printf '%s\n' 'Usage: gelato-message [--key NAME] [--level DEBUG|INFO|WARNING|ERROR] TEXT...' \
                    'Sends a message of this job. With - for TEXT, each line of standard input is one.'
                exit 0
                ;;
            *) __gelato_message_end 2 "unknown option $1; write -- before a text that begins with a dash" ;;
        esac
    done
    [[ $# -gt 0 ]] || __gelato_message_end 2 'no text; see gelato-message --help'
    [[ -n ${GELATO_JOURNAL-} ]] || __gelato_message_end 1 'GELATO_JOURNAL is not set: this is no job, or its environment was cleared'
    { exec 3>> "$GELATO_JOURNAL"; } 2> /dev/null || __gelato_message_end 1 "cannot open $GELATO_JOURNAL"
    # A write beyond the limit fails.
    trap '' XFSZ
    ulimit -S -f 65536 2> /dev/null
    if [[ $# -gt 1 || $1 != - ]]; then
        local IFS=' '
        __gelato_message_append "$level" "$key" "$*"
        return
    fi
    # A line may have no end; what is too long for a message is read on without keeping it.
    while IFS= read -r -n 4001 name || [[ -n $name ]]; do
        __gelato_message_append "$level" "$key" "$name"
        while [[ ${#name} -eq 4001 ]] && IFS= read -r -n 4001 name; do :; done
        name=
    done
}

__gelato_journal=${__gelato_sandbox:-$__gelato_scratch}/messages
readonly __gelato_journal __gelato_message_limit __gelato_message_bytes __gelato_output_limit __gelato_messages_url
{
    printf '%s\n' '#!/bin/bash -p' 'set +o posix' 'umask 077' 'LC_ALL=C'
    declare -f __gelato_message_end __gelato_message_append __gelato_message
    printf '%s\n' '__gelato_message "$@"'
} > "$__gelato_scratch/bin/gelato-message" && chmod 700 -- "$__gelato_scratch/bin/gelato-message" \
    || printf 'Cannot make the command gelato-message, the job runs without it\n' >&2

# What the messenger below has sent and has yet to send. It may be killed at any time: what counts for the last sending is in file
# __gelato_scratch/sent, and what the CE gets twice it takes once.
__gelato_next=1          # number of the line of the journal that is read next, from 1
__gelato_entry=          # that line
__gelato_has_entry=      # whether it was read already
__gelato_part=           # the beginning of a line that has no end yet
__gelato_weight=0        # bytes of the lines read
__gelato_opened=         # whether the journal is open, as descriptor 7
__gelato_ready=          # whether a batch waits to be sent by way of the spool
__gelato_offset=(0 0)    # bytes of stdout and stderr that were sent or skipped
__gelato_size=(0 0)      # what they had when that was seen last
__gelato_output_sent=0   # bytes of both that were sent
__gelato_outstanding=()  # files in the spool that the CE has not removed: messages, stdout, stderr
__gelato_no_messages=    # whether the CE takes no more
__gelato_no_output=
__gelato_pause=0         # turns without an attempt
__gelato_failures=0
__gelato_streams=("${__gelato_stdout-}" "${__gelato_stderr-}")
[[ ${__gelato_streams[0]} != "${__gelato_streams[1]}" ]] || __gelato_streams[1]=

# The head of a batch of kind $1, with lines "${@:2}", into __gelato_head.
__gelato_compose_head() {
    local line
    __gelato_head=job=$__gelato_job$'\n'event=$1$'\n'
    for line in "${@:2}"; do
        __gelato_head+=$line$'\n'
    done
    __gelato_head+=token=$__gelato_token$'\n\n'
}

__gelato_open_journal() {
    [[ -z $__gelato_opened ]] || return 0
    [[ -f $__gelato_journal ]] && { exec 7< "$__gelato_journal"; } && __gelato_opened=yes
}

# The next whole line of the journal into __gelato_entry; fails while there is none. At the end of the file read fails, and reads what was
# appended later. A job may write into its journal what it likes: of a line that is none the beginning counts.
__gelato_read_entry() {
    local piece
    while IFS= read -r -n 4096 -u 7 piece; do
        __gelato_part+=$piece
        __gelato_part=${__gelato_part:0:4095}
        if [[ ${#piece} -lt 4096 ]]; then
            __gelato_entry=$__gelato_part
            __gelato_part=
            __gelato_has_entry=yes
            __gelato_weight=$((__gelato_weight + ${#__gelato_entry} - 21))
            return 0
        fi
    done
    __gelato_part+=$piece
    __gelato_part=${__gelato_part:0:4095}
    return 1
}

# Continues with line $1 of the journal.
__gelato_seek() {
    __gelato_next=1
    __gelato_has_entry=
    __gelato_part=
    __gelato_weight=0
    __gelato_opened=
    while [[ $__gelato_next -lt $1 ]]; do
        __gelato_open_journal && __gelato_read_entry || return
        __gelato_has_entry=
        __gelato_next=$((__gelato_next + 1))
    done
}

# The next lines as a batch into __gelato_batch, and how many into __gelato_count; fails when there are none. What is over the job's
# quota is not sent, but for a line by which the CE notices. Escapes make a text twice as long at most.
__gelato_collect() {
    __gelato_count=0
    [[ -z $__gelato_no_messages ]] && __gelato_open_journal || return 1
    __gelato_compose_head MESSAGES "first=$__gelato_next"
    __gelato_batch=$__gelato_head
    while [[ $((__gelato_next + __gelato_count - 1)) -le $__gelato_message_limit
        && $__gelato_weight -le $((2 * __gelato_message_bytes)) ]]; do
        [[ -n $__gelato_has_entry ]] || __gelato_read_entry || break
        [[ $((${#__gelato_batch} + ${#__gelato_entry})) -lt 8192 ]] || break
        __gelato_batch+=$__gelato_entry$'\n'
        __gelato_has_entry=
        __gelato_count=$((__gelato_count + 1))
    done
    [[ $__gelato_count -gt 0 ]]
}

# Whether stream $1 (0 stdout, 1 stderr) has bytes to send. No process is started for a file that has not changed. One that is far ahead is
# caught up with by leaving bytes out.
__gelato_is_longer() {
    local file=$__gelato_scratch/job/${__gelato_streams[$1]} mark=$__gelato_scratch/live.$1 size
    [[ -n ${__gelato_streams[$1]} && -z $__gelato_no_output && $__gelato_output_sent -le $__gelato_output_limit ]] || return 1
    [[ -f $file ]] && [[ ${__gelato_offset[$1]} -lt ${__gelato_size[$1]} || ! $mark -nt $file ]] || return 1
    printf '\n' > "$mark"
    size=$(stat -L -c %s -- "$file")
    [[ $size =~ ^[0-9]{1,18}$ ]] || return 1
    __gelato_size[$1]=$size
    [[ $((size - __gelato_offset[$1])) -le 65536 ]] || __gelato_offset[$1]=$((size - 32768))
    [[ ${__gelato_offset[$1]} -lt $size ]]
}

# The next piece of stream $1, as the batch that __gelato_print_piece prints; fails when there is none.
__gelato_take_piece() {
    local names=(stdout stderr) from=${__gelato_offset[$1]}
    [[ $from -lt ${__gelato_size[$1]} && $__gelato_output_sent -le $__gelato_output_limit ]] || return 1
    __gelato_now
    __gelato_compose_head OUTPUT "stream=${names[$1]}" "first=$from" "time=$__gelato_time"
    __gelato_piece_file=$__gelato_scratch/job/${__gelato_streams[$1]}
    __gelato_piece_from=$from
    __gelato_piece_length=$((8192 - ${#__gelato_head}))
    [[ $((from + __gelato_piece_length)) -le ${__gelato_size[$1]} ]] \
        || __gelato_piece_length=$((__gelato_size[$1] - from))
}

__gelato_print_batch() {
    printf '%s' "$__gelato_batch"
}

__gelato_print_piece() {
    printf '%s' "$__gelato_head" && dd if="$__gelato_piece_file" iflag=skip_bytes,count_bytes,fullblock bs=8192 \
        skip="$__gelato_piece_from" count="$__gelato_piece_length" status=none
}

__gelato_save_sent() {
    printf '%s ' "$__gelato_next" "${__gelato_offset[@]}" "$__gelato_output_sent" "${__gelato_live:-0}" \
        "${__gelato_no_messages:-0}" "${__gelato_no_output:-0}" > "$__gelato_scratch/sent"
}

# What "${@:3}" prints as a file of kind $2 in the spool, whole or not at all; its name is remembered as outstanding number $1.
__gelato_spool_batch() {
    __gelato_now
    local name=$__gelato_time.$$.$__gelato_job.$2
    [[ -d $__gelato_events/tmp ]] || mkdir -p -- "$__gelato_events/tmp"
    if "${@:3}" > "$__gelato_events/tmp/$name" && mv -f -T -- "$__gelato_events/tmp/$name" "$__gelato_events/$name"; then
        __gelato_outstanding[$1]=$__gelato_events/$name
        return 0
    fi
    rm -f -- "$__gelato_events/tmp/$name"
    __gelato_pause=10
    return 1
}

# Whether the CE has taken file number $1 from the spool, so that the next may be written.
__gelato_is_taken() {
    [[ -z ${__gelato_outstanding[$1]-} || ! -e ${__gelato_outstanding[$1]} ]]
}

# The next piece of stream $1 into the spool.
__gelato_spool_piece() {
    __gelato_take_piece "$1" && __gelato_spool_batch $(($1 + 1)) OUTPUT __gelato_print_piece || return
    __gelato_offset[$1]=$((__gelato_piece_from + __gelato_piece_length))
    __gelato_output_sent=$((__gelato_output_sent + __gelato_piece_length))
    __gelato_save_sent
}

# One turn by way of the spool; with $1, of output too. One file of each kind waits at a time, so that the spool is bounded, the order is
# kept, and batches grow while the CE is busy.
__gelato_spool_turn() {
    local stream
    if __gelato_is_taken 0; then
        [[ -n $__gelato_ready ]] || ! __gelato_collect || __gelato_ready=yes
        if [[ -n $__gelato_ready ]] && __gelato_spool_batch 0 MESSAGES __gelato_print_batch; then
            __gelato_ready=
            __gelato_next=$((__gelato_next + __gelato_count))
            __gelato_save_sent
        fi
    fi
    [[ -n $1 ]] || return 0
    for stream in 0 1; do
        ! __gelato_is_taken $((stream + 1)) || ! __gelato_is_longer "$stream" || __gelato_spool_piece "$stream"
    done
}

# Adds what "${@:2}" prints to the burst, as $1: what it is of (messages, or a stream's number), the first number or offset in it, and
# the one after it.
__gelato_add_batch() {
    "${@:2}" > "$__gelato_scratch/batch.${#__gelato_burst[@]}" && __gelato_burst+=("$1")
}

# What there is to send as a burst of batches, of output at most $1 pieces of each stream; fails when it cannot be written.
__gelato_fill_burst() {
    local stream piece end
    __gelato_burst=()
    while [[ ${#__gelato_burst[@]} -lt 8 ]] && __gelato_collect; do
        end=$((__gelato_next + __gelato_count))
        __gelato_add_batch "messages $__gelato_next $end" __gelato_print_batch || return
        __gelato_next=$end
    done
    for stream in 0 1; do
        [[ $1 -gt 0 ]] && __gelato_is_longer "$stream" || continue
        for ((piece = 0; piece < $1; piece++)); do
            __gelato_take_piece "$stream" || break
            end=$((__gelato_piece_from + __gelato_piece_length))
            __gelato_add_batch "$stream $__gelato_piece_from $end" __gelato_print_piece || return
            __gelato_offset[stream]=$end
            __gelato_output_sent=$((__gelato_output_sent + __gelato_piece_length))
        done
    done
}

# Sends the burst over one connection, within $1 seconds for each batch, by way of "${@:2}".
__gelato_post_burst() {
    local __gelato_options arguments=() i
    __gelato_trust
    for i in "${!__gelato_burst[@]}"; do
        : > "$__gelato_scratch/answer.$i"
        [[ $i -eq 0 ]] || arguments+=(--next)
        arguments+=("${__gelato_options[@]}" --no-fail --connect-timeout 20 --max-time "$1" --output /dev/null
            --dump-header "$__gelato_scratch/answer.$i" --header 'Content-Type: application/octet-stream' --header 'Expect:'
            --data-binary "@$__gelato_scratch/batch.$i" --url "$__gelato_messages_url")
    done
    "${@:2}" curl --disable --fail-early "${arguments[@]}"
}

# Status of answer number $1 into __gelato_answer, 000 for none, and what the CE wants next into __gelato_wanted.
__gelato_read_answer() {
    local line
    __gelato_answer=000
    __gelato_wanted=
    while IFS= read -r -n 1000 line; do
        line=${line%$'\r'}
        if [[ $line =~ ^HTTP/[0-9.]+\ ([0-9]{3}) ]]; then
            __gelato_answer=${BASH_REMATCH[1]}
            __gelato_wanted=
        elif [[ ${line,,} =~ ^gelato-next:\ *([0-9]{1,15})$ ]]; then
            __gelato_wanted=$((10#${BASH_REMATCH[1]}))
        elif [[ ${line,,} =~ ^gelato-live:\ *1$ ]]; then
            __gelato_live=1
        fi
    done < "$__gelato_scratch/answer.$1"
}

# One turn over HTTPS: at most $1 pieces of output of each stream, $2 seconds for each batch, by way of "${@:3}". What became of it into
# __gelato_turned: nothing, sent or failed.
__gelato_post_turn() {
    local i of from end acked=$__gelato_next missing= back=()
    __gelato_turned=nothing
    if ! __gelato_fill_burst "$1"; then
        missing=yes
        __gelato_turned=failed
    fi
    if [[ ${#__gelato_burst[@]} -gt 0 ]]; then
        [[ -n $missing ]] || __gelato_turned=sent
        __gelato_post_burst "${@:2}"
    fi
    for i in "${!__gelato_burst[@]}"; do
        read -r of from end <<< "${__gelato_burst[i]}"
        __gelato_read_answer "$i"
        case $of/$__gelato_answer in
            messages/2??) [[ $acked -ne $from ]] || acked=$end ;;
            [01]/2?? | [01]/409) ;;
            messages/413) __gelato_no_messages=1 ;;
            [01]/413) __gelato_no_output=1 ;;
            */40[03])
                __gelato_no_messages=1
                __gelato_no_output=1
                ;;
            [01]/*)
                __gelato_turned=failed
                [[ -z ${back[of]-} ]] || continue
                back[of]=yes
                __gelato_output_sent=$((__gelato_output_sent - __gelato_offset[of] + from))
                __gelato_offset[of]=$from
                ;;
            *)
                __gelato_turned=failed
                # A gap: what is missing is sent again. The answers to what followed say the same.
                [[ $acked -ne $from || $__gelato_answer != 409 || -z $__gelato_wanted ]] || acked=$__gelato_wanted
                ;;
        esac
    done
    [[ -n $__gelato_no_messages || ($acked -eq $__gelato_next && -z $missing) ]] || __gelato_seek "$acked"
    [[ $__gelato_turned == nothing ]] || __gelato_save_sent
}

# Whether somebody wants the output while the job runs: the job's description, or the CE says so.
__gelato_is_live() {
    [[ -n ${__gelato_live-} || -z ${__gelato_sandbox-} || ! -e $__gelato_sandbox/live ]] || __gelato_live=1
    [[ -n ${__gelato_live-} ]]
}

# Looks every second for what is to be sent. That starts no process while there is nothing, and reads from a pipe nobody writes to, for
# that waits without one. A CE that fails is left alone for longer and longer; the times are spread, for many jobs saw it fail together.
__gelato_messenger() {
    local LC_ALL=C turn=1 output
    [[ -n $__gelato_start ]] || return
    exec 9<> <(:)
    while __gelato_look "$$" && [[ $__gelato_started == "$__gelato_start" ]]; do
        IFS= read -r -t 1 -u 9 || [[ $? -gt 128 ]] || sleep 1
        [[ -z $__gelato_no_messages || -z $__gelato_no_output ]] || return
        if [[ $__gelato_pause -gt 0 ]]; then
            __gelato_pause=$((__gelato_pause - 1))
            continue
        fi
        output=
        ! __gelato_is_live || [[ $((turn++ % 2)) -eq 0 ]] || output=4
        if [[ -z $__gelato_events_url ]]; then
            __gelato_spool_turn "$output"
            continue
        fi
        __gelato_post_turn "${output:-0}" 60
        case $__gelato_turned in
            sent) __gelato_failures=0 ;;
            failed)
                [[ $__gelato_failures -ge 6 ]] || __gelato_failures=$((__gelato_failures + 1))
                __gelato_pause=$((1 << __gelato_failures))
                __gelato_pause=$((__gelato_pause / 2 + RANDOM % __gelato_pause))
                ;;
        esac
    done
} 2> /dev/null

# Continues where the messenger was ended.
__gelato_resume_sending() {
    local sent=
    IFS= read -r sent 2> /dev/null < "$__gelato_scratch/sent"
    # Whatever the messenger saw of the files, they are looked at once more.
    __gelato_size=(999999999999999999 999999999999999999)
    [[ $sent =~ ^([0-9]{1,15})\ ([0-9]{1,18})\ ([0-9]{1,18})\ ([0-9]{1,18})\ ([01])\ ([01])\ ([01])\ $ ]] || return 0
    __gelato_offset=("${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}")
    __gelato_output_sent=${BASH_REMATCH[4]}
    [[ ${BASH_REMATCH[5]} == 0 ]] || __gelato_live=1
    [[ ${BASH_REMATCH[6]} == 0 ]] || __gelato_no_messages=1
    [[ ${BASH_REMATCH[7]} == 0 ]] || __gelato_no_output=1
    [[ -z $__gelato_events_url ]] || __gelato_seek "${BASH_REMATCH[1]}"
}

# Sends what is left after the payload: from the spool the CE reads on in the journal, and gets the end of the output; over HTTPS all is
# sent, for a minute at most where the CE does not see the journal, and not as long when the batch system is about to end this job. The
# number of messages is for the event of the end.
__gelato_send_last() {
    local LC_ALL=C stream piece until pause=1 limit=60 lines=
    __gelato_messages=
    [[ $__gelato_phase == finishing ]] || return 0
    [[ -n ${__gelato_live-} || -s $__gelato_journal || -e $__gelato_scratch/sent ]] || __gelato_is_live || return 0
    __gelato_resume_sending
    if [[ -z $__gelato_events_url ]]; then
        for stream in 0 1; do
            __gelato_is_live && __gelato_is_longer "$stream" || continue
            for ((piece = 0; piece < 8; piece++)); do
                __gelato_spool_piece "$stream" || break
            done
        done
    else
        [[ -z ${__gelato_sandbox-} ]] || limit=10
        [[ -z $__gelato_signal$__gelato_late_signal ]] || limit=5
        __gelato_tick
        until=$((__gelato_ticks + limit * 1000000))
        while :; do
            piece=0
            ! __gelato_is_live || piece=8
            __gelato_post_turn "$piece" "$limit" __gelato_run
            __gelato_tick
            [[ $__gelato_turned != nothing && $__gelato_ticks -lt $until && -z $__gelato_late_signal ]] || break
            [[ $__gelato_turned == failed ]] || continue
            __gelato_run sleep "$pause"
            pause=$((pause < 8 ? pause * 2 : 8))
        done
    fi
    [[ ! -f $__gelato_journal || ! -s $__gelato_journal ]] || lines=$(wc -l < "$__gelato_journal")
    [[ ! $lines =~ ^[1-9][0-9]{0,8}$ ]] || __gelato_messages=messages=$lines$'\n'
} 2> /dev/null

__gelato_start_beside_alone __gelato_messenger
