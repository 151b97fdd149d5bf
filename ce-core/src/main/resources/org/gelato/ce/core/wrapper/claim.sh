
# --- One wrapper only -----------------------------------------------------------------------------------------------

# What of the needed programs this node lacks into __gelato_missing. Those of busybox do not know the options used here: they are one
# file, as the programs of some coreutils are.
__gelato_look_for_programs() {
    local name
    __gelato_missing=
    for name in $__gelato_needed; do
        hash "$name" 2> /dev/null || __gelato_missing+="${__gelato_missing:+, }$name"
    done
    [[ -z $__gelato_missing && ${BASH_CMDS[mv]-} -ef ${BASH_CMDS[cat]-} ]] || return 0
    [[ $(mv --version 2>&1 < /dev/null) == *coreutils* ]] || __gelato_missing="GNU coreutils (${BASH_CMDS[mv]} is something else)"
}

__gelato_look_for_programs
__gelato_claim
__gelato_phase=staging
[[ -z $__gelato_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_signal)"
readonly __gelato_job __gelato_attempt __gelato_events __gelato_events_url __gelato_ca_directory \
    __gelato_token __gelato_node __gelato_lrmsid __gelato_hook_limit
[[ -z $__gelato_missing ]] || __gelato_fatal "This node lacks what job wrappers need: $__gelato_missing"

! __gelato_has_hook "${GLITE_LOCAL_CUSTOMIZATION_DIR-}" cp_1.sh || source "$__gelato_hook" < /dev/null
__gelato_after_hook
__gelato_tell RUNNING
! __gelato_has_hook "${__gelato_vo_directory:+${!__gelato_vo_directory-}}" lcg-jobwrapper-hook.sh || source "$__gelato_hook" < /dev/null
__gelato_after_hook

# --- Working directory ----------------------------------------------------------------------------------------------

# The job works in a directory of its own: what the wrapper needs lies beside it, out of the way of the job's patterns.
# A signal that comes before its name is known waits: it would be left behind.
[[ ${TMPDIR:-/} == /* ]] || TMPDIR=$PWD/$TMPDIR
__gelato_starting=yes
__gelato_error=$(trap '' TERM HUP INT QUIT XCPU USR1 USR2 && LC_ALL=C exec mktemp -d -- "${TMPDIR:-/tmp}/$__gelato_job.XXXXXXXXXX" 2>&1) \
    || __gelato_fatal "Cannot make a working directory in ${TMPDIR:-/tmp}: ${__gelato_error##*: }"
__gelato_scratch=$__gelato_error
__gelato_starting=
[[ -z $__gelato_broken ]] || __gelato_break
mkdir -- "$__gelato_scratch/job" "$__gelato_scratch/bin" && cd -P -- "$__gelato_scratch/job" \
    || __gelato_fatal "Cannot enter the working directory $__gelato_scratch/job"
# By its own name, without links: mounts below it are listed under that.
__gelato_scratch=${PWD%/job}
[[ -n ${HOME-} && -d $HOME ]] || export HOME=$__gelato_scratch/job
[[ -z ${GLITE_WMS_LOCATION-} ]] || export GLITE_WMS_LOCATION
[[ -z ${GLITE_WMS_LOG_DESTINATION-} ]] || export GLITE_WMS_LOG_DESTINATION
