# ---------------------------------------------------------------------------------------------------------------------
# What follows is the same for every job; the assignments above are this job's. Needs bash 4 and coreutils, and curl
# where events go by HTTPS. No value is ever evaluated as shell text. Errors are checked where they happen (set +e).
# All names begin with __gelato_ so that a job's own variables and arguments meet none of them; none is exported.

# The environment may have brought shell options along.
set +euxvfC
set +o posix
shopt -u nullglob failglob dotglob nocaseglob extglob

__gelato_job_umask=$(umask)
umask 077
__gelato_phase=claiming # claiming, staging, launching, running, ended
__gelato_signal=        # the first one caught
__gelato_payload_pid=
__gelato_poster_pid=
__gelato_scratch=

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
__gelato_to_line "${SLURM_JOB_ID:-${PBS_JOBID:-${GELATO_LRMS_ID-}}}" 64
__gelato_lrmsid=$__gelato_line

# Field 22 of stat: with the pid it names this process for good. The name in field 2 may hold blanks and brackets.
__gelato_stat=
IFS= read -r -d '' __gelato_stat 2>/dev/null < "/proc/$$/stat"
__gelato_fields=(${__gelato_stat##*) })
__gelato_start=${__gelato_fields[19]-}

# --- Files and events -----------------------------------------------------------------------------------------------

# Microseconds since 1970 into __gelato_time. A locale may write the fraction with a comma.
__gelato_now() {
    if [[ ${BASH_VERSINFO[0]} -ge 5 ]]; then
        __gelato_time=${EPOCHREALTIME//[!0-9]/}
    else
        __gelato_time=$(date +%s%6N)
    fi
}

# Writes $3 to $2 by way of $1: whole or not at all. A full disk may be full for a moment only.
__gelato_write() {
    local try
    for try in 0 1 2 3; do
        [[ $try -eq 0 ]] || sleep "$try"
        { printf '%s' "$3" > "$1"; } && mv -f -T -- "$1" "$2" && return 0
    done
    rm -f -- "$1"
    printf 'Cannot write %s\n' "$2" >&2
    return 1
}

# Event $1 with exit code $2 and reason $3 into __gelato_event.
__gelato_compose() {
    __gelato_now
    __gelato_to_line "$3" 1500
    printf -v __gelato_event 'job=%s\nattempt=%s\nevent=%s\ntime=%s\nnode=%s\nexit=%s\nreason=%s\nlrmsid=%s\ntoken=%s\n' \
        "$__gelato_job" "$__gelato_attempt" "$1" "$__gelato_time" "$__gelato_node" "$2" "$__gelato_line" \
        "$__gelato_lrmsid" "$__gelato_token"
}

# Event $1, composed before, as a file that appears at once with its whole content.
__gelato_spool() {
    local name="$__gelato_time.$$.$__gelato_job.$__gelato_attempt.$1"
    [[ -d $__gelato_events/tmp ]] || mkdir -p -- "$__gelato_events/tmp"
    __gelato_write "$__gelato_events/tmp/$name" "$__gelato_events/$name" "$__gelato_event"
}

# The composed event to the CE. It goes by standard input: everybody on the node can read command lines. The authorities
# are those this node's environment names, else those the CE names, else the system's.
__gelato_post() {
    local options=(--disable --silent --show-error --fail --max-time 60 --retry 5 --output /dev/null)
    local authorities=$__gelato_ca_directory
    [[ ! -e ${X509_CERT_DIR-} ]] || authorities=$X509_CERT_DIR
    if [[ -d $authorities ]]; then
        options+=(--capath "$authorities")
    elif [[ -f $authorities ]]; then
        options+=(--cacert "$authorities")
    fi
    printf '%s' "$__gelato_event" \
        | curl "${options[@]}" --header 'Content-Type: text/plain' --data-binary @- --url "$__gelato_events_url"
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

# The end, with exit code $1 or reason $2. The record in the sandbox comes first: it is the last witness when the event
# does not arrive. A post that still goes on may finish, but not when the batch system is about to kill this wrapper.
# Fails only when nobody could be told.
__gelato_done() {
    local told=1
    __gelato_phase=ended
    __gelato_compose DONE "$1" "$2"
    __gelato_write "$__gelato_sandbox/.exit.$$" "$__gelato_sandbox/exit" "$__gelato_event" && told=0
    [[ -z $__gelato_poster_pid || -n $__gelato_signal ]] || wait "$__gelato_poster_pid"
    if [[ -n $__gelato_events_url ]]; then
        __gelato_post && told=0
    else
        __gelato_spool DONE && told=0
    fi
    return "$told"
}

# Scratch space is the site's: nothing of the job stays there, not even what the job made unwritable.
__gelato_clean() {
    [[ -n $__gelato_scratch ]] || return 0
    cd /
    rm -rf -- "$__gelato_scratch" 2>/dev/null && return 0
    chmod -R u+rwX -- "$__gelato_scratch"
    rm -rf -- "$__gelato_scratch"
}

# Ends the job for reason $1, without an exit code: the payload did not run, or what it did cannot be had.
__gelato_fatal() {
    printf '%s\n' "$1" >&2
    __gelato_done '' "$1"
    __gelato_clean
    printf 'jw exit status = 1\n'
    exit 1
}

# --- Signals --------------------------------------------------------------------------------------------------------

# Signal $1 from the batch system or an operator. The payload may tidy up, but not for ever: the batch system will kill
# this wrapper too, and somebody must be left to tell.
__gelato_caught() {
    [[ $__gelato_phase != ended ]] || return 0
    local first=
    [[ -n $__gelato_signal ]] || first=yes
    __gelato_signal=${__gelato_signal:-$1}
    __gelato_interrupted=yes
    case $__gelato_phase in
        staging) __gelato_fatal "Job has been terminated (got SIG$1)" ;;
        running) __gelato_forward "$1" "$first" ;;
        *) ;; # claiming: it may not be this wrapper's job; launching: there is nobody to forward it to yet
    esac
}

# Sends signal $1 to the payload and its children. With $2, starts the clock: a site may set GELATO_KILL_DELAY (seconds)
# in the environment of its jobs, below what its batch system waits between its own signals.
__gelato_forward() {
    kill -s "$1" -- "-$__gelato_payload_pid" 2>/dev/null
    kill -s CONT -- "-$__gelato_payload_pid" 2>/dev/null
    [[ -n $2 ]] || return 0
    set -m
    { sleep "${GELATO_KILL_DELAY:-10}"; kill -s KILL -- "-$__gelato_payload_pid"; } < /dev/null > /dev/null 2>&1 &
    __gelato_killer_pid=$!
    set +m
    disown "$__gelato_killer_pid"
}

trap '__gelato_caught TERM' TERM
trap '__gelato_caught INT' INT
trap '__gelato_caught QUIT' QUIT
trap '__gelato_caught XCPU' XCPU

# --- One wrapper only -----------------------------------------------------------------------------------------------

# The last fence against a job that was handed over twice: one of two gets the directory, whatever the batch system did.
# A signal to all processes of the job must not make it unclear who got it.
if ! (trap '' TERM INT QUIT XCPU && exec mkdir -- "$__gelato_sandbox/claim") 2>/dev/null; then
    if [[ -d $__gelato_sandbox/claim ]]; then
        printf 'Job %s has been claimed already, nothing to do\n' "$__gelato_job"
        exit 0
    fi
    __gelato_fatal "Cannot claim the job: $__gelato_sandbox/claim"
fi
__gelato_phase=staging
[[ -z $__gelato_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_signal)"

printf -v __gelato_owner 'pid=%s\nstart=%s\nattempt=%s\nlrmsid=%s\nnode=%s\n' \
    "$$" "$__gelato_start" "$__gelato_attempt" "$__gelato_lrmsid" "$__gelato_node"
__gelato_write "$__gelato_sandbox/claim/.owner" "$__gelato_sandbox/claim/owner" "$__gelato_owner" \
    || __gelato_fatal "Cannot write $__gelato_sandbox/claim/owner"
__gelato_tell RUNNING

# --- Working directory and input ------------------------------------------------------------------------------------

__gelato_scratch=$(mktemp -d -- "${TMPDIR:-/tmp}/$__gelato_job.XXXXXXXXXX") \
    || __gelato_fatal "Cannot make a working directory in ${TMPDIR:-/tmp}"
cd -- "$__gelato_scratch" || __gelato_fatal "Cannot enter the working directory $__gelato_scratch"
[[ -n ${HOME-} && -d $HOME ]] || export HOME=$__gelato_scratch
[[ -z ${GLITE_WMS_LOCATION-} ]] || export GLITE_WMS_LOCATION
[[ -z ${GLITE_WMS_LOG_DESTINATION-} ]] || export GLITE_WMS_LOG_DESTINATION

for __gelato_name in "${__gelato_input[@]}"; do
    [[ -f $__gelato_sandbox/ISB/$__gelato_name ]] \
        || __gelato_fatal "Cannot move ISB (not in the input sandbox): $__gelato_name"
    cp -- "$__gelato_sandbox/ISB/$__gelato_name" "./$__gelato_name" \
        || __gelato_fatal "Cannot move ISB (copy failed): $__gelato_name"
done

# --- Payload --------------------------------------------------------------------------------------------------------

# The job's own environment is set in subshells only: whatever it holds, it cannot touch what this wrapper does. Bash
# warns of locales it does not know; that is not the job's output.
__gelato_enter() {
    __gelato_environment 2>/dev/null
    __gelato_locate
    # A name alone would be looked for in PATH.
    [[ $__gelato_executable_path == */* ]] || __gelato_executable_path=./$__gelato_executable_path
}

# 0, or what is missing: 11 the executable, 12 standard input.
__gelato_check() (
    __gelato_enter
    [[ -f $__gelato_executable_path && -x $__gelato_executable_path ]] || exit 11
    [[ -z $__gelato_stdin || ( -r $__gelato_stdin_path && ! -d $__gelato_stdin_path ) ]] || exit 12
)

# Makes output file $1 of attribute $2 with the directories it lies in.
__gelato_make() {
    [[ -n $1 ]] || return 0
    [[ $1 != */* ]] || mkdir -p -- "./${1%/*}" || __gelato_fatal "Cannot make the directory of $2: $1"
    { : > "./$1"; } || __gelato_fatal "Cannot write $2: $1"
}

# Becomes the payload; runs in a subshell of its own. What bash will not set env does; nice, which changes nothing here,
# keeps it from taking a path with = for one more variable.
__gelato_become_payload() {
    umask "$__gelato_job_umask"
    local own=()
    if [[ ${#__gelato_shells_own[@]} -gt 0 ]]; then
        own=("$(type -P env)" -- "${__gelato_shells_own[@]}" "$(type -P nice)" -n 0 --)
    fi
    __gelato_enter
    if [[ ${#own[@]} -eq 0 ]]; then
        __gelato_with_arguments exec -- "$__gelato_executable_path"
    else
        __gelato_with_arguments exec -- "${own[@]}" "$__gelato_executable_path"
    fi < "$__gelato_stdin_path"
}

[[ $__gelato_executable == [/$]* ]] || chmod u+x -- "./$__gelato_executable" 2>/dev/null
__gelato_check
case $? in
    0) ;;
    12) __gelato_fatal "Cannot read StdInput: $__gelato_stdin" ;;
    *) __gelato_fatal "$__gelato_executable not found or unreadable" ;;
esac
__gelato_make "$__gelato_stdout" StdOutput
__gelato_make "$__gelato_stderr" StdError
__gelato_out=${__gelato_stdout:+./$__gelato_stdout}
__gelato_err=${__gelato_stderr:+./$__gelato_stderr}

__gelato_tell REALLY_RUNNING

# Job control puts the payload into a process group of its own, so that signals reach all of it and nothing else.
__gelato_phase=launching
set -m
if [[ -n $__gelato_stdout && $__gelato_stdout == "$__gelato_stderr" ]]; then
    __gelato_become_payload < /dev/null > "$__gelato_out" 2>&1 &
else
    __gelato_become_payload < /dev/null > "${__gelato_out:-/dev/null}" 2> "${__gelato_err:-/dev/null}" &
fi
__gelato_payload_pid=$!
set +m
__gelato_phase=running
[[ -z $__gelato_signal ]] || __gelato_forward "$__gelato_signal" first

# A trap ends the wait, not the payload.
__gelato_interrupted=yes
while [[ -n $__gelato_interrupted ]]; do
    __gelato_interrupted=
    wait "$__gelato_payload_pid"
    __gelato_exit=$?
done
__gelato_phase=ended
if [[ -n $__gelato_signal ]]; then
    kill -s KILL -- "-$__gelato_payload_pid" 2>/dev/null
    [[ -z ${__gelato_killer_pid-} ]] || kill -s KILL -- "-$__gelato_killer_pid" 2>/dev/null
else
    printf 'job exit status = %s\n' "$__gelato_exit"
fi

# --- Output ---------------------------------------------------------------------------------------------------------

declare -A __gelato_copied=() # name in the output sandbox -> where it came from
__gelato_lost=                # why output could not be kept

# Copies $1 to name $2 of the output sandbox.
__gelato_keep() {
    local to="$__gelato_sandbox/OSB/$2" before=${__gelato_copied["$2"]-}
    if [[ ! -f $1 || ! -r $1 ]]; then
        printf 'Cannot read or missing file %s\n' "$1"
    elif [[ -n $before ]]; then
        [[ $before -ef $1 ]] || return 1
    elif cp -- "$1" "$to"; then
        __gelato_copied["$2"]=$1
    else
        rm -f -- "$to"
        return 1
    fi
}

# Item $1 of OutputSandbox, which goes to name $2. A pattern is matched here; its files keep their names.
__gelato_keep_item() {
    local file found=("$1") name=$2
    if [[ $1 == *[*?[]* ]]; then
        # Without separators the pattern is expanded but never split.
        local IFS=
        shopt -s nullglob
        found=($1)
        shopt -u nullglob
        name=
        [[ ${#found[@]} -gt 0 ]] || printf 'Cannot read or missing file %s\n' "$1"
    fi
    for file in "${found[@]}"; do
        [[ $file == /* ]] || file=./$file
        __gelato_keep "$file" "${name:-${file##*/}}" && continue
        __gelato_lost=${__gelato_lost:-Cannot upload ${file#./} into $__gelato_sandbox/OSB/${name:-${file##*/}}}
    done
}

mkdir -p -- "$__gelato_sandbox/OSB"
for __gelato_i in "${!__gelato_output[@]}"; do
    __gelato_keep_item "${__gelato_output[__gelato_i]}" "${__gelato_output_name[__gelato_i]}"
done
# Kept although nobody asked for them: they are what a user looks at first. Never in the place of a file asked for.
for __gelato_name in "$__gelato_stdout" "$__gelato_stderr"; do
    [[ -n $__gelato_name && -z ${__gelato_copied["${__gelato_name##*/}"]-} ]] || continue
    __gelato_keep "./$__gelato_name" "${__gelato_name##*/}" \
        || __gelato_lost=${__gelato_lost:-Cannot upload $__gelato_name into $__gelato_sandbox/OSB/${__gelato_name##*/}}
done

# --- End ------------------------------------------------------------------------------------------------------------

[[ -z $__gelato_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_signal)"
[[ -z $__gelato_lost ]] || __gelato_fatal "$__gelato_lost"
if ! __gelato_done "$__gelato_exit" ''; then
    __gelato_clean
    printf 'jw exit status = 1\n'
    exit 1
fi
__gelato_clean
printf 'jw exit status = 0\n'
exit 0
