
# --- Input ----------------------------------------------------------------------------------------------------------

# Brings the file of URL $1, of a server with subject $2, here as $3.
__gelato_bring() {
    local tries
    __gelato_site_number COUNT ISB 2
    tries=$((__gelato_number + 1))
    __gelato_site_number FIRST_WAIT ISB 60
    __gelato_download "$1" "$2" "$__gelato_scratch/transfer"
    __gelato_retry "$tries" "$__gelato_number" 2 || __gelato_fatal "Cannot move ISB (retry_copy $1): $__gelato_error"
    mv -T -- "$__gelato_scratch/transfer" "./$3" || __gelato_fatal "Cannot move ISB (retry_copy $1): $3"
}

for __gelato_i in "${!__gelato_input[@]}"; do
    __gelato_name=${__gelato_input[__gelato_i]}
    [[ $__gelato_name != */* ]] || mkdir -p -- "./${__gelato_name%/*}" \
        || __gelato_fatal "Cannot move ISB (its folder cannot be made): $__gelato_name"
    if [[ -n ${__gelato_input_url[__gelato_i]-} ]]; then
        __gelato_bring "${__gelato_input_url[__gelato_i]}" "${__gelato_input_subject[__gelato_i]}" "$__gelato_name"
        continue
    fi
    __gelato_take "$__gelato_name" || __gelato_fatal "Cannot move ISB ($__gelato_error): $__gelato_name"
done

for __gelato_name in "${__gelato_input_programs[@]}"; do
    chmod u+x -- "./$__gelato_name" || __gelato_fatal "Cannot make executable: $__gelato_name"
done
