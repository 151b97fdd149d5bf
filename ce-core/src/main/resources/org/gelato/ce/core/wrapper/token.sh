
# --- Token ----------------------------------------------------------------------------------------------------------

# Of the copies of a job that were sent to several CEs only the one that removes this file may run.
if type -P uberftp > /dev/null; then
    __gelato_command=(uberftp -rm "$__gelato_token_url")
else
    __gelato_command=(glite-gridftp-rm "$__gelato_token_url")
fi
__gelato_retry 3 60 1 || __gelato_fatal "Cannot take token: $__gelato_error"
