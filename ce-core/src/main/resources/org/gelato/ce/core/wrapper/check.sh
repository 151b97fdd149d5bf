
# --- Executable -----------------------------------------------------------------------------------------------------

__gelato_check_executable() (
    __gelato_enter payload
    [[ -f $__gelato_path && -x $__gelato_path ]]
)

__gelato_make_executable "$__gelato_executable"
__gelato_check_executable || __gelato_fatal "$__gelato_executable not found or unreadable"
