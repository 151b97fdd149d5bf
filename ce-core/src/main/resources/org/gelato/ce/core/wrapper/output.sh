
# --- Output ---------------------------------------------------------------------------------------------------------

declare -A __gelato_copied=() # name in the output sandbox -> where it came from

# Copies $1 to name $2 of the output sandbox.
__gelato_keep() {
    local before=${__gelato_copied["$2"]-}
    __gelato_error=
    if [[ ! -f $1 || ! -r $1 ]]; then
        printf 'Cannot read or missing file %s\n' "$1"
    elif [[ -n $before ]]; then
        [[ $before -ef $1 ]] || return 1
    elif __gelato_put "$1" "$2"; then
        __gelato_copied["$2"]=$1
    else
        return 1
    fi
}

# Whether file $1 is in the output sandbox under any name.
__gelato_is_kept() {
    local source
    for source in "${__gelato_copied[@]}"; do
        [[ ! $source -ef $1 ]] || return 0
    done
    return 1
}

# The same; the job fails when it cannot be.
__gelato_keep_or_lose() {
    __gelato_keep "$1" "$2" \
        || __gelato_lost=${__gelato_lost:-Cannot upload ${1#./} into $__gelato_output_at$2${__gelato_error:+: $__gelato_error}}
}

# Puts $1, of item $2 of OutputSandbox, where it belongs. A file found by a pattern keeps its name.
__gelato_place() {
    if [[ -n ${__gelato_output_url[$2]-} ]]; then
        __gelato_send "$1" "$2"
        return
    fi
    local name=${1##*/}
    [[ ${__gelato_output[$2]} == *[*?[]* ]] || name=${__gelato_output_name[$2]-$name}
    __gelato_keep_or_lose "$1" "$name"
}

# Item $1 of OutputSandbox. A pattern is matched here.
__gelato_place_item() {
    local item=${__gelato_output[$1]} file
    local found=("$item")
    if [[ $item == *[*?[]* ]]; then
        # Without separators the pattern is expanded but never split.
        local IFS=
        shopt -s nullglob
        found=($item)
        shopt -u nullglob
        unset IFS
        [[ ${#found[@]} -gt 0 ]] || printf 'Cannot read or missing file %s\n' "$item"
    fi
    for file in "${found[@]}"; do
        [[ $file == /* ]] || file=./$file
        __gelato_place "$file" "$1"
    done
}

__gelato_open_output
for __gelato_i in "${!__gelato_output[@]}"; do
    __gelato_place_item "$__gelato_i"
done
# Kept although nobody asked for them: they are what a user looks at first. Never in the place of a file asked for, and not
# once more beside the name they were asked for under.
__gelato_i=0
for __gelato_name in "$__gelato_stdout" "$__gelato_stderr"; do
    __gelato_stream=${__gelato_stream_name[__gelato_i++]-$__gelato_name}
    [[ -n $__gelato_name && -z ${__gelato_copied["$__gelato_stream"]-} ]] || continue
    ! __gelato_is_kept "./$__gelato_name" || continue
    __gelato_keep_or_lose "./$__gelato_name" "$__gelato_stream"
done
