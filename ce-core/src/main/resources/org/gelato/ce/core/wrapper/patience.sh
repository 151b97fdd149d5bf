
# --- What may pass --------------------------------------------------------------------------------------------------

readonly __gelato_patience __gelato_storage_patience __gelato_kept_at __gelato_kept_limit

# From now on something is waited for, $1 seconds at most.
__gelato_be_patient() {
    __gelato_tick
    __gelato_until=$((__gelato_ticks + $1 * 1000000))
    __gelato_pause=1
}

# Waits before another try; fails when the time is over. The waits differ, for many wrappers met the same trouble together.
__gelato_await() {
    local pause=$((__gelato_pause + RANDOM % (__gelato_pause + 1))) left
    __gelato_tick
    left=$(((__gelato_until - __gelato_ticks + 999999) / 1000000))
    [[ $left -gt 0 ]] || return 1
    sleep "$((pause < left ? pause : left))"
    __gelato_pause=$((__gelato_pause < 30 ? __gelato_pause * 2 : 30))
}

__gelato_is_impatient= # whether something was waited for to the end, and in vain

# The beginning of the last line of $1 into __gelato_line. Not by a pattern, which takes bash the square of a long line's length.
__gelato_to_last_line() {
    local line='' IFS=$'\n'
    set -f
    for line in $1; do :; done
    set +f
    __gelato_line=${line:0:900}
}

# Does "$@", and writes its last line of errors to the pipe 8: not more than a pipe holds, for it is read after the end.
__gelato_become_attempt() {
    local words status
    words=$("$@" 2>&1 > /dev/null)
    status=$?
    __gelato_to_last_line "$words"
    printf '%s\0' "$__gelato_line" >&8
    return "$status"
}

# Does "$@" where a signal can break it off; its last line of errors, why it failed, into __gelato_error. Nothing is written to the working directory,
# for the disk of this node may be full. What follows one that was waited for in vain is tried once.
__gelato_attempt() {
    local words='' status limit=$__gelato_patience
    # The batch system is about to end this job.
    [[ -z $__gelato_signal$__gelato_late_signal ]] || limit=20
    [[ -z $__gelato_is_impatient ]] || limit=0
    __gelato_be_patient "$limit"
    exec 8<> <(:)
    # A shell that could not start a process ends with 254, or by the TERM that it then sends to its own process group.
    while __gelato_run __gelato_become_attempt "$@"; status=$?; [[ $status == @(143|254) ]]; do
        __gelato_tick
        [[ $__gelato_ticks -lt $__gelato_until && -z $__gelato_signal$__gelato_late_signal ]] || break
        __gelato_rest 5
    done
    __gelato_tick
    [[ $status -eq 0 || $__gelato_ticks -lt $__gelato_until ]] || __gelato_is_impatient=yes
    IFS= read -r -d '' -t 0.5 -u 8 words
    exec 8>&-
    __gelato_to_line "$words" 900
    __gelato_error=${__gelato_line:-broken off}
    return "$status"
}

# Whether words $1 of a command are about a disk or a server of files that may have room, or answer, a little later, or about a process
# that could not be started.
__gelato_is_passing() {
    [[ $1 == *@(No space left|quota exceeded|Stale|timed out|Input/output error|fork: )* ]]
}
