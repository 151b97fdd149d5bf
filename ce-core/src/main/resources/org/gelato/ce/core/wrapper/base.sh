# ---------------------------------------------------------------------------------------------------------------------
# What follows is the same for every job that needs it; the assignments above are this job's. Needs bash 4.2 and GNU
# coreutils, and curl where the CE or a file is reached by HTTPS. No value is ever evaluated as shell text. Errors are
# checked where they happen (set +e). All names begin with __gelato_ so that a job's own variables and arguments meet
# none of them; none is exported.

# An older bash does not understand what follows. It says so by the job's end where it can, else by its status (WrapperStatus).
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 402)); then
    __gelato_got="This node lacks what job wrappers need: bash 4.2 or newer (it has $BASH_VERSION)"
    ! type __gelato_n > /dev/null 2>&1 || __gelato_n
    printf '%s\n' "$__gelato_got" >&2
    exit 72
fi

# The environment, or a hook of the site, may have brought shell options along. Among them is the one that exports every
# variable, this wrapper's secrets too.
__gelato_settle() {
    set +aeuxvfkCmbET
    set +o posix
    shopt -u nullglob failglob dotglob nocaseglob nocasematch extglob
    unset IFS GLOBIGNORE
    umask 077
}

__gelato_job_umask=$(umask)
__gelato_settle
__gelato_phase=claiming # claiming, staging, launching, running, finishing, ended
__gelato_signal=        # the first one caught before the payload's end
__gelato_late_signal=   # one that broke into what is done after it
__gelato_warning=       # what is reported with an end though the job did not fail for it
__gelato_payload_pid=
__gelato_payload_start=
__gelato_poster_pid=
__gelato_scratch=
__gelato_child=         # what __gelato_run waits for
__gelato_starting=      # whether that is being started
__gelato_broken=        # whether a signal came then
__gelato_beside=()      # process groups that run beside the payload, with the times their leaders began
__gelato_claimed=       # whether the job is this wrapper's
__gelato_told=          # whether the end could be told, yes or no
__gelato_end=           # the reason of an end that is under way
__gelato_end_exit=      # its exit code
__gelato_lost=          # why the job failed although its payload ended
__gelato_expired=       # whether its proxy ended before it did
__gelato_hook_now=      # what the site's text that runs just now is called
__gelato_hook_over=     # that it took too long
__gelato_watcher=       # the process that watches over it, with the time it began
__gelato_until_given_up= # how long a process is tried to be started, by __gelato_tick
__gelato_ticks=0
__gelato_resumed=()     # files of shells that went on
__gelato_forkless=      # whether this shell may start no process any more
__gelato_early=         # whether there is a record of an early end

# Programs that every job needs; parts of the wrapper add theirs.
__gelato_needed='cat chmod cp du find head ln mkdir mktemp mv rm sleep stat tail timeout tr'
[[ ${BASH_VERSINFO[0]} -ge 5 ]] || __gelato_needed+=' date'

# Nobody writes to it: to read from it with a limit waits without a process.
exec {__gelato_silence}<> <(:)

export GLITE_WMS_JOBID=$GRID_JOBID
[[ -z ${1-} ]] || export GLITE_WMS_SEQUENCE_CODE=$1

# --- What the job is called here ------------------------------------------------------------------------------------

# One line of at most $2 bytes of $1 into __gelato_line.
__gelato_to_line() {
    local LC_ALL=C
    __gelato_line=${1//[[:cntrl:]]/ }
    __gelato_line=${__gelato_line:0:$2}
}

# The variable HOSTNAME is no witness: batch systems hand it over from the host of submission.
__gelato_node=
read -r __gelato_node 2>/dev/null < /proc/sys/kernel/hostname
__gelato_to_line "${__gelato_node:-$(hostname 2>/dev/null)}" 255
__gelato_node=$__gelato_line
__gelato_to_line "${SLURM_JOB_ID:-${PBS_JOBID:-${LSB_JOBID:-${JOB_ID:-${GELATO_LRMS_ID-}}}}}" 64
__gelato_lrmsid=$__gelato_line

# Field 22 of stat of process $1 into __gelato_started: with the pid it names the process for good. Nothing when it has
# ended, reaped or not. Its parent, field 4, into __gelato_parent. The name in field 2 may hold blanks and brackets.
__gelato_look() {
    local stat= fields
    IFS= read -r -d '' stat 2>/dev/null < "/proc/$1/stat"
    fields=(${stat##*) })
    __gelato_started=
    __gelato_parent=${fields[1]-}
    [[ ${fields[0]-} == [ZX] ]] || __gelato_started=${fields[19]-}
}
__gelato_look "$$"
__gelato_start=$__gelato_started

# --- Files and events -----------------------------------------------------------------------------------------------

# Microseconds since 1970 into __gelato_time. A locale may write the fraction with a comma.
__gelato_now() {
    if [[ ${BASH_VERSINFO[0]} -ge 5 ]]; then
        __gelato_time=${EPOCHREALTIME//[!0-9]/}
        return
    fi
    # Once no process could be started, none is needed for this either.
    [[ -n $__gelato_until_given_up ]] || __gelato_time=$(date +%s%6N 2>/dev/null)
    [[ -z $__gelato_until_given_up && $__gelato_time =~ ^[0-9]{16}$ ]] || printf -v __gelato_time '%(%s)T000000' -1
}

# Microseconds of a clock that nobody sets into __gelato_ticks: waits are measured by it. Where the system does not show it, each
# reading counts as a second, so that a wait ends.
__gelato_tick() {
    local up=
    { IFS=' ' read -r up _ < /proc/uptime; } 2>/dev/null
    [[ $up =~ ^([0-9]{1,12})\.([0-9]{2})$ ]] \
        && __gelato_ticks=$((10#${BASH_REMATCH[1]}${BASH_REMATCH[2]} * 10000)) || __gelato_ticks=$((__gelato_ticks + 1000000))
}

# Waits $1 seconds without a process.
__gelato_rest() {
    IFS= read -r -t "$1" -u "$__gelato_silence"
}

# Whether file $1 holds text $2 and nothing else. A file system over the network may take all that is written, and lose it when
# the file is closed, which is when it finds no room.
__gelato_holds() {
    local found=
    IFS= read -r -d '' found 2>/dev/null < "$1" || [[ -n $found ]] || return 1
    [[ $found == "$2" ]]
}

# Writes $3 to $2 by way of $1: whole or not at all. A full disk may be full for a moment only; with $4, what must not be
# lost, it is waited for seven minutes, unless the batch system is about to end this job.
__gelato_write() {
    local wait error='' waits=(0 1 2 3)
    [[ -z ${4-} ]] || waits+=(5 10 20 30 60 60 60 60 60 60 60)
    for wait in "${waits[@]}"; do
        if [[ $wait -gt 3 ]]; then
            [[ -z $__gelato_signal$__gelato_late_signal && $error == *@(No space left|quota exceeded)* ]] || break
        fi
        [[ $wait -eq 0 ]] || sleep "$wait"
        # A second try tells why the first, which costs no process, failed.
        if { LC_ALL=C printf '%s' "$3" > "$1"; } 2>/dev/null || error=$({ LC_ALL=C printf '%s' "$3" > "$1"; } 2>&1); then
            error=
            if ! __gelato_holds "$1" "$3"; then
                error='No space left: what was written was lost when the file was closed'
            else
                mv -f -T -- "$1" "$2" && return 0
                [[ $? -ne 127 ]] || break
            fi
        fi
    done
    # The CE takes the end by this name, too.
    [[ $1 == */.exit ]] && __gelato_holds "$1" "$3" || rm -f -- "$1"
    printf 'Cannot write %s: %s\n' "$2" "$error" >&2
    return 1
}

# Event $1 with exit code $2 and reason $3 into __gelato_event.
__gelato_compose() {
    __gelato_now
    __gelato_to_line "$3" 1500
    printf -v __gelato_event 'job=%s\nattempt=%s\nevent=%s\ntime=%s\nnode=%s\nexit=%s\nreason=%s\nlrmsid=%s\ntoken=%s\n' \
        "$__gelato_job" "$__gelato_attempt" "$1" "$__gelato_time" "$__gelato_node" "$2" "$__gelato_line" \
        "$__gelato_lrmsid" "$__gelato_token"
    [[ $1 != DONE || -z $__gelato_warning ]] || __gelato_event+=warning=$__gelato_warning$'\n'
}

# Event $1, composed before, as a file that appears at once with its whole content; $2 as $4 of __gelato_write.
__gelato_spool() {
    local name="$__gelato_time.$$.$__gelato_job.$__gelato_attempt.$1"
    [[ -d $__gelato_events/tmp ]] || mkdir -p -- "$__gelato_events/tmp"
    __gelato_write "$__gelato_events/tmp/$name" "$__gelato_events/$name" "$__gelato_event" "${2-}"
}

# Options of curl into __gelato_options: whom to believe. The authorities are those this node's environment names, else
# those the CE names, else the system's.
__gelato_trust() {
    local authorities=$__gelato_ca_directory
    [[ ! -e ${X509_CERT_DIR-} ]] || authorities=$X509_CERT_DIR
    __gelato_options=(--disable --silent --show-error --fail)
    if [[ -d $authorities ]]; then
        __gelato_options+=(--capath "$authorities")
    elif [[ -f $authorities ]]; then
        __gelato_options+=(--cacert "$authorities")
    fi
}

# Talks to the CE. Secrets go by standard input: everybody on the node can read command lines. A CE that is started again
# refuses connections: curl waits 1, 2, 4, ... seconds, four minutes in all, or not as long when the batch system is about
# to end this job. A curl before 7.52 does not know how to take a refusal for something that passes.
__gelato_curl() {
    local __gelato_options retries=8
    [[ -z $__gelato_signal$__gelato_late_signal ]] || retries=3
    __gelato_trust
    __gelato_options+=(--max-time 60 --retry "$retries")
    ! curl --disable --retry-connrefused --version < /dev/null > /dev/null 2>&1 \
        || __gelato_options+=(--retry-connrefused)
    curl "${__gelato_options[@]}" "$@"
}

# The composed event to the CE.
__gelato_post() {
    printf '%s' "$__gelato_event" \
        | __gelato_curl --output /dev/null --header 'Content-Type: text/plain' --data-binary @- --url "$__gelato_events_url"
}

# Tells that the wrapper (RUNNING) or the payload (REALLY_RUNNING) runs. Failing to tell is no reason not to run. A post
# goes beside, for a CE that does not answer must not keep the payload waiting.
__gelato_tell() {
    if [[ -z $__gelato_events_url ]]; then
        __gelato_compose "$1" '' ''
        __gelato_spool "$1"
    elif [[ $1 == REALLY_RUNNING ]]; then
        __gelato_compose "$1" '' ''
        __gelato_post < /dev/null &
        __gelato_poster_pid=$!
    fi
}

# A post that still goes on may finish, but not when the batch system is about to kill this wrapper.
__gelato_await_poster() {
    [[ -z $__gelato_poster_pid || -n $__gelato_signal ]] || wait "$__gelato_poster_pid"
}

# The end, with exit code $1 or reason $2. Fails only when nobody could be told. A batch system that ends a job signals each
# of its processes, and the payload may have ended by it before this wrapper's own signal came: until the event is whole
# every signal is reported.
__gelato_done() {
    [[ $__gelato_phase == ended ]] || __gelato_compose_end "$1" "$2"
    if [[ -z $__gelato_told ]]; then
        if __gelato_tell_end; then
            __gelato_told=yes
        else
            __gelato_told=no
        fi
    fi
    [[ $__gelato_told == yes ]]
}

__gelato_compose_end() {
    local signal
    ! declare -F __gelato_send_last > /dev/null || __gelato_send_last
    __gelato_compose DONE "$1" "$2"
    __gelato_measure
    __gelato_event+=$__gelato_used${__gelato_messages-}
    __gelato_phase=ended
    signal=${__gelato_signal:-$__gelato_late_signal}
    [[ -z $signal ]] || __gelato_event+=signal=$signal$'\n'
    __gelato_event+=$'whole=yes\n'
}

# Ends what runs beside the payload. Nobody waits for it, so that bash has nothing to say about its end.
__gelato_stop_beside() {
    local group
    for group in "${__gelato_beside[@]}"; do
        __gelato_signal_group KILL $group
    done
    __gelato_beside=()
}

# Ends what the job has mounted in its scratch directory; the first of what stays, as root or another tool mounted it, into
# __gelato_mounted. rm would empty what is mounted, which is not the job's to lose.
__gelato_unmount() {
    local point points=()
    __gelato_mounted=
    while read -r _ _ _ _ point _; do
        [[ $point == *"/$__gelato_job."* ]] || continue
        printf -v point %b "${point//\\/\\0}"
        [[ $point != "$__gelato_scratch"/* ]] || points=("$point" "${points[@]}")
    done 2>/dev/null < /proc/self/mountinfo
    for point in "${points[@]}"; do
        fusermount3 -u -- "$point" || fusermount -u -- "$point" || umount -- "$point" || __gelato_mounted=$point
    done 2>/dev/null
}

# Scratch space is the site's: nothing of the job stays there, not even what the job made unwritable.
__gelato_clean() {
    [[ ${#__gelato_resumed[@]} -eq 0 ]] || rm -f -- "${__gelato_resumed[@]}"
    [[ -z $__gelato_early ]] || rm -f -- "$__gelato_early"
    [[ -n $__gelato_scratch ]] || return 0
    cd /
    __gelato_unmount
    if [[ -n $__gelato_mounted ]]; then
        rm -f -- "$__gelato_scratch"/proxy*
        printf 'The working directory %s is left, as something is mounted there: %s\n' "$__gelato_scratch" "$__gelato_mounted" >&2
        return 0
    fi
    rm -rf --one-file-system -- "$__gelato_scratch" 2>/dev/null && return 0
    chmod -R u+rwX -- "$__gelato_scratch"
    rm -rf --one-file-system -- "$__gelato_scratch"
}

# Ends the job for reason $1 with exit code $2; without one the payload did not run, or what it did cannot be had.
__gelato_fatal() {
    __gelato_settle
    __gelato_leave_hook
    trap "$__gelato_last_trap" EXIT
    __gelato_end=$1
    __gelato_end_exit=${2-}
    [[ -z $__gelato_child ]] || kill -s KILL -- "-$__gelato_child" 2>/dev/null
    __gelato_stop_beside
    printf '%s\n' "$1" >&2
    local status=75
    ! __gelato_done "${2-}" "$1" || status=1
    __gelato_clean
    trap - EXIT
    printf 'jw exit status = 1\n'
    exit "$status"
}

# --- An end of this shell before its time -------------------------------------------------------------------------------

# Bash ends a shell that cannot start a process with status 254, after 15 seconds of tries of its own; a hook may end it, too.
# All that is left to it is this trap, and in that what needs no process: another one that cannot be started would be the end. So it
# leaves what is known of the job's end, and becomes a new shell, for which none is needed. That does what was still to be done.
#
# Having failed so, bash waits for the child it started last at the end of its next simple command, so a payload that was signalled
# is killed by that: 15 seconds have passed.
__gelato_last_trap='((__gelato_status = $?, 1)); [[ $__gelato_phase != running || -z $__gelato_signal ]]'
__gelato_last_trap+=' || kill -s KILL -- "-$__gelato_payload_pid" 2> /dev/null; __gelato_ended_early'

__gelato_ended_early() {
    __gelato_settle
    local words='No process can be started on this node: a limit on processes is reached'
    [[ $__gelato_status -eq 254 ]] || words="The job wrapper ended before its time (status $__gelato_status)"
    [[ -z $__gelato_hook_now ]] || words="$__gelato_hook_now ended the job (exit $__gelato_status)"
    [[ -z $__gelato_hook_over ]] || words=$__gelato_hook_over
    if [[ $__gelato_phase == ended && -n $__gelato_hook_now ]]; then
        __gelato_leave_hook
        exit 0
    fi
    __gelato_child=
    __gelato_poster_pid=
    __gelato_starting=
    __gelato_broken=
    case $__gelato_phase in
        claiming)
            if [[ -z $__gelato_claimed ]]; then
                [[ $__gelato_status -ne 254 ]] || printf '%s\n' "$words" >&2
                exit "$__gelato_status"
            fi
            __gelato_end=${__gelato_end:-$words}
            ;;
        staging | launching)
            [[ -z $__gelato_signal ]] || words="Job has been terminated (got SIG$__gelato_signal)"
            __gelato_end=${__gelato_end:-$words}
            ;;
        running) __gelato_sit_out ;;
        finishing)
            [[ -z $__gelato_hook_now || -n $__gelato_late_signal ]] || __gelato_lost=${__gelato_lost:-$words}
            ;;
        *) ;; # ended: what is composed is told again
    esac
    __gelato_leave_hook
    ! declare -F __gelato_foresee > /dev/null || __gelato_foresee "$words"
    __gelato_resume "$words"
}

# Waits for the payload, and ends it after a signal.
__gelato_sit_out() {
    local __gelato_started turns=0 delay=${GELATO_KILL_DELAY:-10}
    [[ ${delay%.*} =~ ^[0-9]{1,6}$ ]] && delay=$((10#${delay%.*})) || delay=10
    __gelato_forkless=yes
    while __gelato_look "$__gelato_payload_pid"; [[ -n $__gelato_started && $__gelato_started == "$__gelato_payload_start" ]]; do
        if [[ -n $__gelato_signal && $((turns++)) -ge $delay ]]; then
            kill -s KILL -- "-$__gelato_payload_pid" 2>/dev/null
        fi
        __gelato_rest 1
    done
    __gelato_wait "$__gelato_payload_pid"
    __gelato_payload_ended
}

# Becomes a new shell of the same number, with the functions and variables of this one, or ends for $1 when the time is over.
__gelato_resume() {
    local file=${__gelato_scratch:-${__gelato_sandbox:-${TMPDIR:-/tmp}}}/.resume.$$.$RANDOM$RANDOM pause=0
    __gelato_tick
    [[ -z $__gelato_until_given_up ]] || pause=5
    [[ -n $__gelato_until_given_up ]] || __gelato_until_given_up=$((__gelato_ticks + __gelato_patience * 1000000))
    if [[ $__gelato_ticks -lt $__gelato_until_given_up ]]; then
        __gelato_resumed+=("$file")
        set -C
        if { declare -f && declare -p "${!__gelato_@}" && printf '%s\n' __gelato_settle __gelato_watch __gelato_go_on \
            '! __gelato_has_hook "${GLITE_LOCAL_CUSTOMIZATION_DIR-}" cp_3.sh || source "$__gelato_hook" < /dev/null' \
            __gelato_leave_hook 'trap - EXIT' 'exit 0'; } 2>/dev/null > "$file"; then
            [[ $pause -eq 0 ]] || __gelato_rest "$pause"
            shopt -s execfail
            exec "${BASH:-/bin/bash}" -p "$file"
        fi
    fi
    printf '%s\n' "$1" >&2
    [[ $__gelato_told == yes || -n $__gelato_early ]] || exit 75
    exit 1
}

# What a new shell does.
__gelato_go_on() {
    [[ -z $__gelato_scratch || ! -d $__gelato_scratch/job ]] || cd -- "$__gelato_scratch/job"
    if [[ -n $__gelato_end ]]; then
        __gelato_fatal "$__gelato_end" "$__gelato_end_exit"
    else
        __gelato_finish
    fi
}

# --- Signals --------------------------------------------------------------------------------------------------------

# Signal $1 from the batch system or an operator. The payload may tidy up, but not for ever: the batch system will kill
# this wrapper too, and somebody must be left to tell.
__gelato_caught() {
    __gelato_interrupted=yes
    local first=
    [[ -z $__gelato_watcher ]] || kill -s TERM "${__gelato_watcher% *}" 2> /dev/null
    case $__gelato_phase in
        ended) return 0 ;;
        finishing) __gelato_late_signal=${__gelato_late_signal:-$1} ;;
        *)
            [[ -n $__gelato_signal ]] || first=yes
            __gelato_signal=${__gelato_signal:-$1}
            ;;
    esac
    if [[ -n $__gelato_starting ]]; then
        __gelato_broken=yes
        return 0
    fi
    case $__gelato_phase in
        running) __gelato_forward "$1" "$first" ;;
        staging | finishing) __gelato_break ;;
        *) ;; # claiming: it may not be this wrapper's job; launching: there is nobody to forward it to yet
    esac
}

# Breaks off what is under way: before the payload the job, after it one step, for output that is there should be kept.
__gelato_break() {
    if [[ $__gelato_phase == staging ]]; then
        __gelato_fatal "Job has been terminated (got SIG$__gelato_signal)"
    elif [[ -n $__gelato_child ]]; then
        kill -s KILL -- "-$__gelato_child" 2>/dev/null
    fi
}

# Sends signal $1 to the payload and its children. With $2, starts the clock: a site may set GELATO_KILL_DELAY (seconds)
# in the environment of its jobs, below what its batch system waits between its own signals.
__gelato_forward() {
    __gelato_signal_group "$1" "$__gelato_payload_pid" "$__gelato_payload_start"
    __gelato_signal_group CONT "$__gelato_payload_pid" "$__gelato_payload_start"
    [[ -n $2 && -z $__gelato_forkless ]] || return 0
    __gelato_apart __gelato_kill_late 2> /dev/null
    __gelato_killer="$__gelato_apart_pid $__gelato_apart_start"
}

__gelato_kill_late() {
    sleep "${GELATO_KILL_DELAY:-10}"
    __gelato_signal_group KILL "$__gelato_payload_pid" "$__gelato_payload_start"
}

# Sends signal $1 to process group $2, whose leader began at $3, unless that number is somebody else's by now. A group whose
# leader has ended keeps its number as long as one of it lives. The time is local here, for a trap may come between.
__gelato_signal_group() {
    local __gelato_started
    __gelato_look "$2"
    [[ -n $__gelato_started && $__gelato_started != "${3-}" ]] || kill -s "$1" -- "-$2" 2>/dev/null
}

# Signal $1 that does not mean the end, as USR1: sites send it to the job, so it is the payload's.
__gelato_passed() {
    __gelato_interrupted=yes
    [[ $__gelato_phase != running ]] || __gelato_signal_group "$1" "$__gelato_payload_pid" "$__gelato_payload_start"
}

# Whatever would end this shell by default, but for signals of its own faults. Children have all of it as before.
__gelato_watch() {
    local signal
    for signal in TERM HUP INT QUIT XCPU; do
        trap "__gelato_caught $signal" "$signal"
    done
    for signal in USR1 USR2 ALRM VTALRM PROF IO PWR STKFLT {34..64}; do
        trap "__gelato_passed $signal" "$signal"
    done
    trap __gelato_interrupted=yes PIPE XFSZ
    trap "$__gelato_last_trap" EXIT
}
__gelato_watch

# --- Processes ------------------------------------------------------------------------------------------------------

# Waits for process $1, through signals: a trap ends the wait, not the process. Its status into __gelato_status.
# Of two signals in quick succession bash may run the trap of one alone, and yet end two waits.
# Those of failed writes are ignored meanwhile, by this shell alone, as its children began before: bash loses the status of a process for
# ever when a trap ends the wait just as it reaps it.
__gelato_wait() {
    trap '' PIPE XFSZ
    __gelato_interrupted=yes
    while [[ -n $__gelato_interrupted ]] || kill -s 0 "$1" 2>/dev/null; do
        __gelato_interrupted=
        wait "$1"
        __gelato_status=$?
    done
    trap __gelato_interrupted=yes PIPE XFSZ
}

# Runs "$@" as a process group of its own, so that a signal can break it off at once and whole. Answers its status.
__gelato_run() {
    __gelato_starting=yes
    set -m
    "$@" < /dev/null &
    __gelato_child=$!
    set +m
    __gelato_starting=
    [[ -z $__gelato_broken ]] || __gelato_break
    __gelato_broken=
    __gelato_wait "$__gelato_child"
    __gelato_child=
    return "$__gelato_status"
}

# Starts "$@" as a process group of its own that is no child of this shell; its leader into __gelato_apart_pid, and when
# that began into __gelato_apart_start. When a
# child ends just as bash begins to wait for it, bash misses that and sleeps until another of its children ends: until the
# end of the proxy, were the guard one.
__gelato_apart() {
    local __gelato_started
    __gelato_apart_pid=$(set -m && { "$@" < /dev/null > /dev/null & } && printf '%s' "$!")
    __gelato_look "$__gelato_apart_pid"
    __gelato_apart_start=$__gelato_started
}

# Starts "$@" beside the payload, until __gelato_stop_beside or the end of this wrapper, however it comes.
__gelato_start_beside() {
    __gelato_start_beside_alone __gelato_with_wrapper "$@"
}

# The same of what sees by itself that this wrapper has ended.
__gelato_start_beside_alone() {
    __gelato_apart "$@"
    __gelato_beside+=("$__gelato_apart_pid $__gelato_apart_start")
}

# Runs "$@" as the leader of a process group that ends with it, and at the latest with this wrapper.
__gelato_with_wrapper() {
    local group=$BASHPID
    __gelato_end_with_wrapper "$group" &
    "$@"
    kill -s KILL -- "-$group"
}

# The same of function $1, which the job cannot do without: where no process can be started it begins anew.
__gelato_start_guard() {
    __gelato_start_beside_alone __gelato_stay_with_wrapper "$1"
}

__gelato_revival='((__gelato_status = $?, 1)); [[ $__gelato_status -ne 254 ]] || __gelato_revive'

# Bash sends TERM to the process group of a shell that cannot start a process, before it ends that.
__gelato_stay_with_wrapper() {
    local group=$BASHPID
    __gelato_task=$1
    { trap '' TERM; __gelato_end_with_wrapper "$group"; } &
    trap : TERM
    trap "$__gelato_revival" EXIT
    "$__gelato_task"
    kill -s KILL -- "-$group"
}

# Becomes a new shell that begins with the task anew, as __gelato_resume does for the wrapper.
__gelato_revive() {
    local file=$__gelato_scratch/.guard.$BASHPID
    { declare -f && declare -p "${!__gelato_@}" && printf '%s\n' __gelato_settle 'trap : TERM' \
        'trap "$__gelato_revival" EXIT' '__gelato_left=' '__gelato_rest 5' '"$__gelato_task"' 'kill -s KILL -- "-$$"'; } 2> /dev/null > "$file" \
        && exec "${BASH:-/bin/bash}" -p "$file"
}

# Looks every few seconds whether this wrapper is there still, and kills $1, the process group it is in, when not. Reads
# from a pipe nobody writes to, for that waits without a process.
__gelato_end_with_wrapper() {
    [[ -n $__gelato_start ]] || return
    exec 9<> <(:)
    while __gelato_look "$$" && [[ $__gelato_started == "$__gelato_start" ]]; do
        read -r -t 5 -u 9 || [[ $? -gt 128 ]] || sleep 60
    done
    kill -s KILL -- "-$1"
} 2> /dev/null
