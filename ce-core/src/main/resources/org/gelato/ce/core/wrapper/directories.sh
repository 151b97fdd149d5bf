
# --- Output in whole directories ------------------------------------------------------------------------------------

# Keeps all files below directory $1, each under its path. Links are left out: they may lead anywhere. Paths have 16 parts at most, as the CE
# has them.
__gelato_place_directory() {
    local file count=0 parts=${1#./} depth
    if [[ -L $1 || ! -d $1 || ! -r $1 ]]; then
        __gelato_miss "$1/"
        return
    fi
    parts=${parts//[!\/]/}
    depth=$((15 - ${#parts}))
    while IFS= read -r -d '' file; do
        if [[ $((++count)) -gt 10000 ]]; then
            __gelato_to_line "${1#./}" 150
            __gelato_warn "More than 10000 files in $__gelato_line/, the others are not kept"
            return
        fi
        __gelato_keep_or_lose "$file" "${file#./}"
    done < <(find "$1" -maxdepth "$depth" -type f -print0 2> /dev/null)
    # What is deeper, or below a directory that its owner may not read, is said once.
    if ! file=$(find "$1" -mindepth "$((depth + 1))" -type f -print -quit 2> /dev/null) || [[ -n $file ]]; then
        __gelato_to_line "${1#./}" 150
        __gelato_warn "Files in $__gelato_line/ that cannot be read or are too deep are not kept"
    fi
}
