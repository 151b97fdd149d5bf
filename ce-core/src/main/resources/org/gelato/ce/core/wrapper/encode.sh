
# Path $1 as part of a URL into __gelato_encoded; the slashes in it stay.
__gelato_encode() {
    local LC_ALL=C i c
    __gelato_encoded=
    for ((i = 0; i < ${#1}; i++)); do
        c=${1:i:1}
        if [[ $c != [A-Za-z0-9._~/-] ]]; then
            printf -v c %d "'$c"
            printf -v c '%%%02X' "$((c & 255))"
        fi
        __gelato_encoded+=$c
    done
}
