
# --- End ------------------------------------------------------------------------------------------------------------

__gelato_stop_beside
[[ -z $__gelato_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_signal)"
[[ -z $__gelato_expired ]] || __gelato_fatal 'Proxy is expired' 2
if [[ -n $__gelato_lost ]]; then
    # What was broken off by a signal failed because of it. Output that came through in spite of one is no failure here: the
    # signal is reported beside the exit code, and the CE asks the batch system what it meant.
    [[ -z $__gelato_late_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_late_signal)"
    __gelato_fatal "$__gelato_lost"
fi
__gelato_told=yes
__gelato_done "$__gelato_exit" '' || __gelato_told=
__gelato_clean
__gelato_scratch=
if [[ -z $__gelato_told ]]; then
    printf 'jw exit status = 1\n'
    exit 75
fi
printf 'jw exit status = 0\n'
# The job has ended well, whatever the site's last hook says.
! __gelato_has_hook "${GLITE_LOCAL_CUSTOMIZATION_DIR-}" cp_3.sh || source "$__gelato_hook" < /dev/null
trap - EXIT
exit 0
