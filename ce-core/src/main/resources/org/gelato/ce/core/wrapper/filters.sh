
# --- Filters of the job's output --------------------------------------------------------------------------------------

# What the payload prints, from the beginning to its end.
__gelato_follow_stdout() {
    exec tail -n +1 -f -s 0.2 --pid="$__gelato_payload_pid" -- "./$__gelato_stdout" 2> /dev/null
}

# The job's own command, for a filter.
__gelato_send_message() {
    GELATO_JOURNAL=$__gelato_journal exec "$__gelato_scratch/bin/gelato-message" "$@"
}

# A filter that does not work is said once, and the job runs on.
__gelato_refuse_filter() {
    (__gelato_send_message --key gelato.filter --level ERROR -- "MonitorFilters: $1")
}

# Filter number $1: lines of stdout that match, or what a program of the job makes of them, become messages. A line without end must
# not cost the memory of the job.
__gelato_filter() {
    local regex=${__gelato_filter_regex[$1]} key=${__gelato_filter_key[$1]} error
    if [[ -n $regex ]]; then
        error=$(LC_ALL=C grep -E -e "$regex" 2>&1 < /dev/null)
        if [[ $? -gt 1 ]]; then
            __gelato_refuse_filter "/$regex/: ${error:-cannot be used}"
            return
        fi
        __gelato_follow_stdout \
            | (ulimit -S -v 262144; LC_ALL=C exec grep -a -E --line-buffered -e "$regex") \
            | __gelato_send_message --key "$key" -
        return
    fi
    __gelato_follow_stdout | __gelato_become "filter_$1" | __gelato_send_message -
    case ${PIPESTATUS[1]} in
        126 | 127) __gelato_refuse_filter "${__gelato_filter_program[$1]} cannot be run" ;;
    esac
}

__gelato_filter_all() {
    local i pids=()
    for i in "${!__gelato_filter_regex[@]}"; do
        __gelato_filter "$i" &
        pids+=($!)
    done
    wait "${pids[@]}"
}

__gelato_start_filters() {
    local program
    for program in "${__gelato_filter_program[@]}"; do
        [[ -z $program ]] || __gelato_make_executable "$program"
    done
    __gelato_start_beside __gelato_filter_all
    __gelato_filters="$__gelato_apart_pid $__gelato_apart_start"
}

# The filters may come to the end of what the payload printed: for ten seconds, or one when the batch system is about to end this job.
__gelato_await_filters() {
    local __gelato_started turns=100 pid=${__gelato_filters% *}
    [[ -z $__gelato_signal ]] || turns=10
    while __gelato_look "$pid"; [[ "$pid $__gelato_started" == "$__gelato_filters" && turns -gt 0 && -z $__gelato_late_signal ]]; do
        turns=$((turns - 1))
        IFS= read -r -t 0.1 -u 9 || [[ $? -gt 128 ]] || sleep 1
    done
    __gelato_signal_group KILL $__gelato_filters
} 9<> <(:)
