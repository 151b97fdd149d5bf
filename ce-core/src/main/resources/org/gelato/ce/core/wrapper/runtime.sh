
# --- Runtime environments -------------------------------------------------------------------------------------------

# Runs the site's text in file __gelato_scratch/runtime in this shell, with the options "$@", so that it can set variables for
# the job. How it ended into __gelato_status.
__gelato_set_up() {
    __gelato_enter_hook "Runtime environment ${__gelato_runtime[__gelato_i]}"
    source "$__gelato_scratch/runtime" "$@" < /dev/null
    __gelato_status=$?
}

readonly __gelato_runtime __gelato_runtime_text
for __gelato_i in "${!__gelato_runtime[@]}"; do
    printf '%s\n' "${__gelato_runtime_text[__gelato_i]}" > "$__gelato_scratch/runtime" \
        || __gelato_fatal "Cannot write runtime environment ${__gelato_runtime[__gelato_i]}"
    __gelato_status=1
    "__gelato_with_runtime_${__gelato_i}_options" __gelato_set_up
    __gelato_after_hook
    [[ $__gelato_status == 0 ]] || break
done
[[ $__gelato_status == 0 ]] \
    || __gelato_fatal "Runtime environment ${__gelato_runtime[__gelato_i]} failed with status $__gelato_status"
