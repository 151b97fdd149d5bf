# --- The common part ------------------------------------------------------------------------------------------------

# What is the same for every job is a file beside the sandboxes that has its SHA-256 for a name. What was read is what is
# verified and run: nobody can change it between. A file system of a network may show a new file late, so a missing one is
# waited for, 63 seconds in all; another content stays another. Every job carries these lines, so names are short.

# Ends the job for reason __gelato_got. Who cannot claim the job may not tell its end.
__gelato_n() {
    printf '%s\n' "$__gelato_got" >&2
    cd "$__gelato_sandbox" && mkdir claim && printf '%s\n' job=$__gelato_job attempt=$__gelato_attempt \
        event=DONE time=$(date +%s000000) node=$(uname -n) "reason=$__gelato_got" token=$__gelato_token \
        whole=yes > .exit && mv .exit exit
    exit 1
}
__gelato_s=1
while :; do
    if __gelato_got=$(cat "$__gelato_file" 2>&1); then
        [[ $(printf '%s\n' "$__gelato_got" | sha256sum) != "${__gelato_file##*/} "* ]] || break
        __gelato_got="$__gelato_file: its SHA-256 is not its name"
        hash sha256sum || __gelato_got='no sha256sum here'
        __gelato_s=64
    fi
    if ((__gelato_s>32)); then
        # After half a file its error is the last line.
        __gelato_got="Cannot load the job wrapper: ${__gelato_got##*$'\n'}"
        __gelato_n
    fi
    sleep $__gelato_s
    ((__gelato_s*=2))
done
eval "$__gelato_got"
