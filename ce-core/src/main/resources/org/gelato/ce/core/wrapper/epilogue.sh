
# --- Epilogue -------------------------------------------------------------------------------------------------------

# Output is kept whatever the epilogue made of it.
if [[ -z $__gelato_signal$__gelato_expired ]]; then
    __gelato_make_executable "$__gelato_epilogue"
    __gelato_run __gelato_become epilogue || __gelato_lost="Epilogue failed with error $__gelato_status"
fi
