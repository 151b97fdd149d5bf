
# --- The sandbox, in a file system this node shares with the CE -------------------------------------------------------

__gelato_output_at=$__gelato_sandbox/OSB/
readonly __gelato_sandbox __gelato_output_at

# The last fence against a job that was handed over twice: one of two gets the directory, whatever the batch system did. A file in its place
# is the CE's, which has cancelled the job.
# A signal to all processes of the job must not make it unclear who got it.
__gelato_claim() {
    local words owner
    __gelato_be_patient "$__gelato_patience"
    until words=$(trap '' TERM HUP INT QUIT XCPU USR1 USR2 && LC_ALL=C exec mkdir -- "$__gelato_sandbox/claim" 2>&1); do
        if [[ -e $__gelato_sandbox/claim ]]; then
            printf 'Job %s has been claimed already, nothing to do\n' "$__gelato_job"
            exit 0
        fi
        # Of a server of files that did not answer nobody knows whether it made the directory.
        [[ $words == *@(No space left|quota exceeded)* ]] && [[ -z $__gelato_signal ]] && __gelato_await \
            || __gelato_fatal "${__gelato_signal:+Job has been terminated (got SIG$__gelato_signal): }Cannot claim the job: $words"
    done
    __gelato_claimed=yes
    # The job ends at once.
    [[ -z $__gelato_missing ]] || return 0
    printf -v owner 'pid=%s\nstart=%s\nattempt=%s\nlrmsid=%s\nnode=%s\n' \
        "$$" "$__gelato_start" "$__gelato_attempt" "$__gelato_lrmsid" "$__gelato_node"
    __gelato_write "$__gelato_sandbox/claim/.owner" "$__gelato_sandbox/claim/owner" "$owner" patiently \
        || __gelato_fatal "Cannot write $__gelato_sandbox/claim/owner"
}

# Tells the composed end. The record in the sandbox comes first: it is the last witness when the event does not arrive.
# Fails only when nobody could be told.
__gelato_tell_end() {
    local told=1
    __gelato_write "$__gelato_sandbox/.exit" "$__gelato_sandbox/exit" "$__gelato_event" patiently \
        || __gelato_holds "$__gelato_sandbox/.exit" "$__gelato_event" && told=0
    __gelato_await_poster
    if [[ -n $__gelato_events_url ]]; then
        __gelato_post && told=0
    else
        __gelato_spool DONE patiently && told=0
    fi
    return "$told"
}

# What is known of the end, with reason $1, without a process: a file beside the record's place that the CE reads where there is no
# record. It stays when this wrapper does not come to write one.
__gelato_foresee() {
    local code=$__gelato_end_exit words=${__gelato_end:-$1} file=$__gelato_sandbox/.exit.early event
    [[ -z $__gelato_told ]] || return
    if [[ $__gelato_phase != ended ]]; then
        if [[ $__gelato_phase == finishing && -z $__gelato_end ]]; then
            code=$__gelato_exit
            if [[ -n $__gelato_signal ]]; then
                words="Job has been terminated (got SIG$__gelato_signal)"
                code=
            elif [[ -n $__gelato_expired ]]; then
                words='Proxy is expired'
                code=2
            fi
        fi
        __gelato_compose DONE "$code" "$words"
        __gelato_measure
        event=${__gelato_signal:-$__gelato_late_signal}
        __gelato_event+=$__gelato_used${event:+signal=$event$'\n'}$'whole=yes\n'
    elif __gelato_holds "$__gelato_sandbox/exit" "$__gelato_event" \
        || __gelato_holds "$__gelato_sandbox/.exit" "$__gelato_event"; then
        __gelato_early=$file
        return
    fi
    { LC_ALL=C printf '%s' "$__gelato_event" > "$file"; } 2> /dev/null && __gelato_holds "$file" "$__gelato_event" \
        && __gelato_early=$file
}

# The delegation's present proxy or token as file $1: from the file system, else from the CE.
__gelato_fetch_proxy() {
    if [[ -r $__gelato_proxy_source ]]; then
        LC_ALL=C cp -- "$__gelato_proxy_source" "$1"
    else
        printf 'header = "Authorization: Bearer %s"\n' "$__gelato_token" \
            | __gelato_curl --config - --output "$1" --url "$__gelato_proxy_url"
    fi && [[ -s $1 ]]
}

# Brings file $1 of the input sandbox here; why it failed into __gelato_error.
__gelato_take() {
    __gelato_error='not in the input sandbox'
    [[ -f $__gelato_sandbox/ISB/$1 ]] || return 1
    __gelato_error=$(LC_ALL=C cp -- "$__gelato_sandbox/ISB/$1" "./$1" 2>&1)
}

__gelato_open_output() {
    mkdir -p -- "$__gelato_sandbox/OSB"
}

# Copies file $1 into the output sandbox as $2, with the folders it lies in: whole or not at all, for its owner may look there
# meanwhile.
__gelato_store() {
    local LC_ALL=C part=$__gelato_sandbox/.output.$$ folder=$__gelato_output_at
    export LC_ALL
    [[ $2 != */* ]] || folder+=${2%/*}
    { [[ -d $folder ]] || mkdir -p -- "$folder"; } && cp -- "$1" "$part" && mv -f -T -- "$part" "$__gelato_output_at$2" \
        && return
    rm -f -- "$part"
    return 1
}

__gelato_store_patiently() {
    local words
    until words=$(__gelato_store "$1" "$2" 2>&1); do
        printf '%s\n' "$words" >&2
        __gelato_is_passing "${words:0:2000}" && __gelato_await || return 1
    done
}

# Puts file $1 into the output sandbox as $2; why it failed into __gelato_error. What fails at once is tried no more, and
# waits for room are broken off by a signal.
__gelato_put() {
    __gelato_error=$(__gelato_store "$1" "$2" 2>&1) && return
    __gelato_to_last_line "$__gelato_error"
    __gelato_error=$__gelato_line
    __gelato_is_passing "$__gelato_error" && [[ -z $__gelato_signal$__gelato_late_signal ]] || return 1
    __gelato_attempt __gelato_store_patiently "$1" "$2"
}

# Nothing is left for later.
__gelato_put_rest() {
    :
}
