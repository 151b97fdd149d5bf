
# --- Epilogue -------------------------------------------------------------------------------------------------------

# Output is kept whatever the epilogue made of it.
__gelato_run_epilogue() {
    [[ -n $__gelato_epilogue && -z $__gelato_signal$__gelato_expired ]] || return 0
    __gelato_make_executable "$__gelato_epilogue"
    __gelato_run __gelato_become epilogue || __gelato_lost="Epilogue failed with error $__gelato_status"
    __gelato_epilogue=
}
