
# --- The sandbox, in a file system this node shares with the CE -------------------------------------------------------

__gelato_output_at=$__gelato_sandbox/OSB/
readonly __gelato_sandbox __gelato_output_at

# The last fence against a job that was handed over twice: one of two gets the directory, whatever the batch system did.
# A signal to all processes of the job must not make it unclear who got it.
__gelato_claim() {
    local words owner
    __gelato_be_patient "$__gelato_patience"
    until words=$(trap '' TERM HUP INT QUIT XCPU USR1 USR2 && LC_ALL=C exec mkdir -- "$__gelato_sandbox/claim" 2>&1); do
        if [[ -d $__gelato_sandbox/claim ]]; then
            printf 'Job %s has been claimed already, nothing to do\n' "$__gelato_job"
            exit 0
        fi
        # Of a server of files that did not answer nobody knows whether it made the directory.
        [[ $words == *@(No space left|quota exceeded)* ]] && [[ -z $__gelato_signal ]] && __gelato_await \
            || __gelato_fatal "${__gelato_signal:+Job has been terminated (got SIG$__gelato_signal): }Cannot claim the job: $words"
    done
    printf -v owner 'pid=%s\nstart=%s\nattempt=%s\nlrmsid=%s\nnode=%s\n' \
        "$$" "$__gelato_start" "$__gelato_attempt" "$__gelato_lrmsid" "$__gelato_node"
    __gelato_write "$__gelato_sandbox/claim/.owner" "$__gelato_sandbox/claim/owner" "$owner" patiently \
        || __gelato_fatal "Cannot write $__gelato_sandbox/claim/owner"
}

# Tells the composed end. The record in the sandbox comes first: it is the last witness when the event does not arrive.
# Fails only when nobody could be told.
__gelato_tell_end() {
    local told=1
    __gelato_write "$__gelato_sandbox/.exit.$$" "$__gelato_sandbox/exit" "$__gelato_event" patiently && told=0
    __gelato_await_poster
    if [[ -n $__gelato_events_url ]]; then
        __gelato_post && told=0
    else
        __gelato_spool DONE patiently && told=0
    fi
    return "$told"
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
        __gelato_is_passing "$words" && __gelato_await || return 1
    done
}

# Puts file $1 into the output sandbox as $2; why it failed into __gelato_error. What fails at once is tried no more, and
# waits for room are broken off by a signal.
__gelato_put() {
    __gelato_error=$(__gelato_store "$1" "$2" 2>&1) && return
    __gelato_error=${__gelato_error##*$'\n'}
    __gelato_is_passing "$__gelato_error" && [[ -z $__gelato_signal$__gelato_late_signal ]] || return 1
    __gelato_attempt __gelato_store_patiently "$1" "$2"
}
