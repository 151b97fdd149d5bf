
# --- Payload --------------------------------------------------------------------------------------------------------

__gelato_check_stdin() (
    __gelato_enter payload
    [[ -r $__gelato_stdin_path && ! -d $__gelato_stdin_path ]]
)

# Makes output file $1 of attribute $2 with the directories it lies in.
__gelato_make() {
    [[ -n $1 ]] || return 0
    local words
    [[ $1 != */* ]] || words=$(LC_ALL=C mkdir -p -- "./${1%/*}" 2>&1) \
        || __gelato_fatal "Cannot make the directory of $2: $1: ${words##*: }"
    if ! { : > "./$1"; } 2> /dev/null; then
        words=$({ : > "./$1"; } 2>&1)
        __gelato_fatal "Cannot write $2: $1: ${words##*: }"
    fi
}

# What is known when the payload was waited for.
__gelato_payload_ended() {
    __gelato_exit=$__gelato_status
    { : > "$__gelato_scratch/payload"; } 2> /dev/null
    [[ -z ${__gelato_peruser-} ]] || __gelato_signal_group KILL $__gelato_peruser
    [[ ! -e $__gelato_scratch/expired ]] || __gelato_expired=yes
    __gelato_phase=finishing
}

[[ -z $__gelato_stdin ]] || __gelato_check_stdin || __gelato_fatal "Cannot read StdInput: $__gelato_stdin"
__gelato_make "$__gelato_stdout" StdOutput
__gelato_make "$__gelato_stderr" StdError
__gelato_out=${__gelato_stdout:+./$__gelato_stdout}
__gelato_err=${__gelato_stderr:+./$__gelato_stderr}
[[ ! -e $__gelato_scratch/expired ]] || __gelato_fatal 'Proxy is expired'

__gelato_tell REALLY_RUNNING

# Job control puts the payload into a process group of its own, so that signals reach all of it and nothing else.
__gelato_phase=launching
set -m
if [[ -n $__gelato_stdout && $__gelato_stdout == "$__gelato_stderr" ]]; then
    __gelato_become payload < /dev/null > "$__gelato_out" 2>&1 &
else
    __gelato_become payload < /dev/null > "${__gelato_out:-/dev/null}" 2> "${__gelato_err:-/dev/null}" &
fi
__gelato_payload_pid=$!
set +m
__gelato_look "$__gelato_payload_pid"
__gelato_payload_start=$__gelato_started
printf '%s %s\n' "$__gelato_payload_pid" "$__gelato_payload_start" > "$__gelato_scratch/payload"
__gelato_phase=running
[[ -z $__gelato_signal ]] || __gelato_forward "$__gelato_signal" first
# The guard may have looked for the payload just before it was there.
[[ ! -e $__gelato_scratch/expired ]] || __gelato_forward TERM first
! declare -F __gelato_start_filters > /dev/null || __gelato_start_filters

__gelato_wait "$__gelato_payload_pid"
__gelato_payload_ended
! declare -F __gelato_await_filters > /dev/null || __gelato_await_filters
if [[ -n $__gelato_signal$__gelato_expired ]]; then
    __gelato_signal_group KILL "$__gelato_payload_pid" "$__gelato_payload_start"
    [[ -z ${__gelato_killer-} ]] || __gelato_signal_group KILL $__gelato_killer
else
    printf 'job exit status = %s\n' "$__gelato_exit"
    ! __gelato_has_hook "${GLITE_LOCAL_CUSTOMIZATION_DIR-}" cp_2.sh || source "$__gelato_hook" < /dev/null
fi
__gelato_after_hook
