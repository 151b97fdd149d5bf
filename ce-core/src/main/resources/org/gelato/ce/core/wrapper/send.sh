
# --- Output that goes elsewhere -------------------------------------------------------------------------------------

__gelato_failing=0 # a new time for what goes the other way
__gelato_room=$__gelato_room_limit # bytes that may still go to the host that limits them; nothing for no limit

# Cuts $1, $2 bytes long, down to its end that fits into the room left: file __gelato_scratch/tail.
__gelato_cut() {
    printf 'Output is limited, %s bytes of %s are sent\n' "$__gelato_room" "$1"
    tail -c "$__gelato_room" -- "$1" > "$__gelato_scratch/tail"
}

# Whether item $1 of OutputSandbox goes to its server after this end of the job: success, failure or cancellation. A signal is not known
# to be the owner's or the batch system's.
__gelato_goes() {
    local end=f
    [[ ${__gelato_exit:-1} -ne 0 || -n $__gelato_expired ]] || end=s
    [[ -z $__gelato_signal ]] || end=c
    [[ -z ${__gelato_output_ends+set} || ${__gelato_output_ends[$1]} == *$end* ]]
}

# Sends $1 to the destination of item $2 of OutputSandbox; one that ends with a slash is a directory.
__gelato_send() {
    local source=$1 url=${__gelato_output_url[$2]} size tries
    if [[ ! -f $source || ! -r $source ]]; then
        __gelato_miss "$source"
        return
    fi
    if [[ $url == */ ]]; then
        __gelato_encode "${source##*/}"
        url+=$__gelato_encoded
    fi
    if [[ -n $__gelato_room && -n ${__gelato_output_limited[$2]} ]]; then
        size=$(stat -L -c %s -- "$source")
        if [[ $size -gt $__gelato_room ]]; then
            __gelato_cut "$source" "$size"
            size=$__gelato_room
            source=$__gelato_scratch/tail
            url+=.tail
        fi
        __gelato_room=$((__gelato_room - size))
    fi
    [[ $source == /* ]] || source=$PWD/${source#./}
    # By a name of our own, for a URL cannot hold every name as it is.
    if ! __gelato_error=$(ln -s -f -T -- "$source" "$__gelato_scratch/transfer" 2>&1); then
        __gelato_lose "$1" "${1##*/}" "$url"
        return
    fi
    __gelato_site_number COUNT OSB 6
    tries=$((__gelato_number + 1))
    __gelato_site_number FIRST_WAIT OSB 300
    __gelato_upload "$url" "${__gelato_output_subject[$2]}" "$__gelato_scratch/transfer"
    __gelato_retry "$tries" "$__gelato_number" 2 || __gelato_lose "$1" "${1##*/}" "$url"
}
