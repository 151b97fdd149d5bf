
# --- One wrapper only -----------------------------------------------------------------------------------------------

# The last fence against a job that was handed over twice: one of two gets the directory, whatever the batch system did.
# A signal to all processes of the job must not make it unclear who got it.
if ! (trap '' TERM INT QUIT XCPU && exec mkdir -- "$__gelato_sandbox/claim") 2>/dev/null; then
    if [[ -d $__gelato_sandbox/claim ]]; then
        printf 'Job %s has been claimed already, nothing to do\n' "$__gelato_job"
        exit 0
    fi
    __gelato_fatal "Cannot claim the job: $__gelato_sandbox/claim"
fi
__gelato_phase=staging
[[ -z $__gelato_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_signal)"

printf -v __gelato_owner 'pid=%s\nstart=%s\nattempt=%s\nlrmsid=%s\nnode=%s\n' \
    "$$" "$__gelato_start" "$__gelato_attempt" "$__gelato_lrmsid" "$__gelato_node"
__gelato_write "$__gelato_sandbox/claim/.owner" "$__gelato_sandbox/claim/owner" "$__gelato_owner" \
    || __gelato_fatal "Cannot write $__gelato_sandbox/claim/owner"
readonly __gelato_job __gelato_attempt __gelato_sandbox __gelato_events __gelato_events_url __gelato_ca_directory \
    __gelato_token __gelato_node __gelato_lrmsid

__gelato_call "${GLITE_LOCAL_CUSTOMIZATION_DIR-}" cp_1.sh
__gelato_after_hook
__gelato_tell RUNNING
[[ -z $__gelato_vo_directory ]] || __gelato_call "${!__gelato_vo_directory-}" lcg-jobwrapper-hook.sh
__gelato_after_hook

# --- Working directory ----------------------------------------------------------------------------------------------

# The job works in a directory of its own: what the wrapper needs lies beside it, out of the way of the job's patterns.
__gelato_scratch=$(mktemp -d -- "${TMPDIR:-/tmp}/$__gelato_job.XXXXXXXXXX") \
    || __gelato_fatal "Cannot make a working directory in ${TMPDIR:-/tmp}"
mkdir -- "$__gelato_scratch/job" && cd -- "$__gelato_scratch/job" \
    || __gelato_fatal "Cannot enter the working directory $__gelato_scratch/job"
[[ -n ${HOME-} && -d $HOME ]] || export HOME=$__gelato_scratch/job
[[ -z ${GLITE_WMS_LOCATION-} ]] || export GLITE_WMS_LOCATION
[[ -z ${GLITE_WMS_LOG_DESTINATION-} ]] || export GLITE_WMS_LOG_DESTINATION
