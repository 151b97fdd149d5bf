
# --- Looking at files while the job runs ----------------------------------------------------------------------------

# One transfer by the command, in the process group of the perusal: the end of that is the end of this.
__gelato_peruse_transfer() {
    timeout --foreground --kill-after=10 3600 "${__gelato_command[@]}" < /dev/null > /dev/null 2>&1
}

# Sends what file $1 has got since it was sent last, as <name>-<UTC time>-<first byte>-<byte after the last>.
__gelato_peruse() {
    local from=${__gelato_perused["$1"]-0} to
    [[ -f $1 && -r $1 ]] && to=$(stat -L -c %s -- "$1") && [[ $to -gt $from ]] || return
    tail -c "+$((from + 1))" -- "$1" | head -c "$((to - from))" > "$__gelato_scratch/perusal"
    __gelato_encode "${1##*/}"
    __gelato_upload "$__gelato_perusal_url$__gelato_encoded-$(date -u +%Y%m%d%H%M%S)-$from-$to" \
        "$__gelato_perusal_subject" "$__gelato_scratch/perusal"
    ! __gelato_peruse_transfer || __gelato_perused["$1"]=$to
}

# The list names one file of the working directory per line. What fails is tried again at the next turn.
__gelato_perusal() {
    local name
    declare -A __gelato_perused=()
    while sleep "$__gelato_perusal_interval"; do
        __gelato_download "$__gelato_perusal_list" "$__gelato_perusal_list_subject" "$__gelato_scratch/perusal.list"
        __gelato_peruse_transfer || continue
        while IFS= read -r name || [[ -n $name ]]; do
            [[ -z $name ]] || __gelato_peruse "$name"
        done < "$__gelato_scratch/perusal.list"
    done
}

__gelato_start_beside __gelato_perusal
__gelato_peruser="$__gelato_apart_pid $__gelato_apart_start"
