
# --- Prologue -------------------------------------------------------------------------------------------------------

# What it prints goes where the wrapper's own output goes.
__gelato_make_executable "$__gelato_prologue"
__gelato_run __gelato_become prologue || __gelato_fatal "Prologue failed with error $__gelato_status"
