
# --- Output in whole directories ------------------------------------------------------------------------------------

# Keeps all files below directory $1, each under its path. Links are left out: they may lead anywhere.
__gelato_place_directory() {
    local file count=0
    if [[ ! -d $1 || ! -r $1 ]]; then
        __gelato_miss "$1/"
        return
    fi
    while IFS= read -r -d '' file; do
        if [[ $((++count)) -gt 10000 ]]; then
            __gelato_to_line "${1#./}" 150
            __gelato_warn "More than 10000 files in $__gelato_line/, the others are not kept"
            return
        fi
        __gelato_keep_or_lose "$file" "${file#./}"
    done < <(find "$1" -maxdepth 15 -type f -print0)
}
