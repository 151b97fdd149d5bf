
# --- Programs of the job --------------------------------------------------------------------------------------------

# The job's own environment is set in subshells only: whatever it holds, it cannot touch what this wrapper does. Bash
# warns of locales it does not know; that is not the job's output. Program $1: payload, prologue, epilogue or filter_ and its number.
__gelato_enter() {
    ! declare -F __gelato_environment > /dev/null || __gelato_environment 2>/dev/null
    if [[ -n ${__gelato_journal-} && $1 == @(payload|filter_*) ]]; then
        export PATH=$__gelato_scratch/bin${PATH:+:$PATH} GELATO_JOURNAL=$__gelato_journal
    fi
    # By which __gelato_find_left knows what the job leaves running.
    [[ $1 == filter_* ]] || export GELATO_PAYLOAD=$$.$__gelato_start.
    "__gelato_locate_$1"
    # A name alone would be looked for in PATH.
    [[ $__gelato_path == */* ]] || __gelato_path=./$__gelato_path
    __gelato_stdin_path=/dev/null
    [[ $1 != payload || -z $__gelato_stdin ]] || __gelato_locate_stdin
    [[ $1 != filter_* ]] || __gelato_stdin_path=/dev/stdin
}

# Becomes program $1; runs in a subshell of its own. What bash will not set env does; nice, which changes nothing here,
# keeps it from taking a path with = for one more variable.
__gelato_become() {
    [[ $1 != payload || -z ${__gelato_notice-} ]] || printf '%s\n' "$__gelato_notice" >&2
    umask "$__gelato_job_umask"
    exec {__gelato_silence}>&-
    local own=()
    if [[ ${#__gelato_shells_own[@]} -gt 0 ]]; then
        own=("$(type -P env)" -- "${__gelato_shells_own[@]}" "$(type -P nice)" -n 0 --)
    fi
    __gelato_enter "$1"
    if [[ ${#own[@]} -eq 0 ]]; then
        "__gelato_with_$1_arguments" exec -- "$__gelato_path"
    else
        "__gelato_with_$1_arguments" exec -- "${own[@]}" "$__gelato_path"
    fi < "$__gelato_stdin_path"
}

# Makes file $1 of the sandbox a program.
__gelato_make_executable() {
    [[ $1 == [/$]* ]] || chmod u+x -- "./$1" 2>/dev/null
}
