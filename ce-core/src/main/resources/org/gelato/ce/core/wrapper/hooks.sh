
# --- Hooks of the site ----------------------------------------------------------------------------------------------

# Whether there is a file $2 in the site's directory $1, to be sourced at the top of the script: it sets variables for the job, and
# declare in a function makes local ones. A missing one is nothing, and so is one in a relative directory: sites without an
# area for software say "." for it, and what lies there is a job's. What it does to options, traps and directory is undone by
# __gelato_after_hook; what matters of the wrapper's own values is read-only.
__gelato_has_hook() {
    __gelato_hook=$1/$2
    [[ $1 == /* && -f $__gelato_hook && -r $__gelato_hook ]] || return 1
    __gelato_enter_hook "Hook $__gelato_hook"
}

# What follows is the site's text, called $1. A trap waits for the program that the text runs, and that may hang: so somebody watches,
# in this wrapper's process group, so that he gets what signals are sent to that, to the session or to the whole job.
__gelato_enter_hook() {
    local __gelato_started
    if [[ -n $__gelato_start ]]; then
        trap __gelato_hook_overdue 63
        __gelato_watcher=$({ __gelato_watch_hook < /dev/null > /dev/null 2>&1 & } && printf '%s' "$!")
        __gelato_look "$__gelato_watcher"
        __gelato_watcher+=" $__gelato_started"
    fi
    __gelato_hook_now=$1
}

__gelato_leave_hook() {
    local __gelato_started
    if [[ -n $__gelato_watcher ]]; then
        __gelato_look "${__gelato_watcher% *}"
        [[ $__gelato_started != "${__gelato_watcher#* }" ]] || kill -s KILL "${__gelato_watcher% *}" 2> /dev/null
    fi
    __gelato_watcher=
    __gelato_hook_now=
}

# When the text has its time, or three seconds after a signal: ends what it runs, and has this wrapper leave it.
__gelato_watch_hook() {
    local turn=0 limit=$((__gelato_hook_limit * 2)) began
    trap '' USR1 USR2 ALRM VTALRM PROF IO PWR STKFLT PIPE XFSZ {34..64}
    trap '[[ $((limit - turn)) -le 6 ]] || turn=$((limit - 6))' TERM HUP INT QUIT XCPU
    __gelato_look "$BASHPID"
    began=$__gelato_started
    while __gelato_look "$$" && [[ $__gelato_started == "$__gelato_start" ]]; do
        __gelato_rest 0.5
        [[ $((++turn)) -ge $limit ]] || continue
        kill -s 63 "$$"
        __gelato_end_children "$began"
    done
}

# Kills what this wrapper's shell has started since $1, and what that has.
__gelato_end_children() {
    local LC_ALL=C dir stat fields found=" $$ " more=yes
    while [[ -n $more ]]; do
        more=
        for dir in /proc/[0-9]*; do
            [[ -O $dir && $found != *" ${dir##*/} "* ]] || continue
            stat=
            IFS= read -r -d '' stat < "$dir/stat"
            fields=(${stat##*) })
            [[ ${fields[0]-} == [!ZX] && ${fields[19]-0} -ge $1 && $found == *" ${fields[1]} "* ]] || continue
            found+="${dir##*/} "
            more=yes
        done
    done
    for dir in ${found#" $$ "}; do
        kill -s KILL "$dir"
    done
}

__gelato_hook_overdue() {
    [[ -n $__gelato_hook_now ]] || return 0
    __gelato_hook_over="$__gelato_hook_now did not end within $__gelato_hook_limit s"
    trap "$__gelato_last_trap" EXIT
    exit 1
}

# A separate command at the top of the script: an error of the shell in a hook ends the command that sources it.
__gelato_after_hook() {
    trap - ERR DEBUG RETURN
    __gelato_settle
    __gelato_leave_hook
    __gelato_watch
    [[ -z $__gelato_scratch || ! -d $__gelato_scratch/job ]] || cd -- "$__gelato_scratch/job"
}
