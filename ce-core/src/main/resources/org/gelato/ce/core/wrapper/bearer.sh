
# --- Bearer token ---------------------------------------------------------------------------------------------------

# Seconds until the token in file $1 ends, by its own words, into __gelato_left; nothing when it does not tell.
__gelato_token_left() {
    local token= claims
    __gelato_left=
    read -r token 2>/dev/null < "$1"
    [[ $token == *.*.* ]] || return 0
    claims=${token#*.}
    claims=${claims%%.*}
    claims=${claims//-/+}
    claims=${claims//_//}
    while ((${#claims} % 4)); do claims+==; done
    claims=$(base64 -d 2>/dev/null <<< "$claims" | tr -d '\0')
    [[ $claims =~ \"exp\"[[:space:]]*:[[:space:]]*([0-9]{1,11}) ]] || return 0
    __gelato_now
    __gelato_left=$((10#${BASH_REMATCH[1]} - __gelato_time / 1000000))
}

# Looks after the token beside the job: fetches the delegation's present one near the end of the old, and goes on after it,
# for a job may outlive its token. The times are spread, for jobs of one delegation began together.
__gelato_look_after_token() {
    local pause new=$__gelato_scratch/token.new
    while :; do
        if [[ -n $__gelato_left && $__gelato_left -gt $__gelato_proxy_slot ]]; then
            pause=$((__gelato_left - __gelato_proxy_slot * (100 - RANDOM % 21) / 100))
        else
            pause=$((${__gelato_left:-0} * (20 + RANDOM % 11) / 100))
            [[ $pause -ge $__gelato_proxy_pause ]] || pause=$__gelato_proxy_pause
            [[ ${__gelato_left:-0} -gt 0 ]] || pause=$((__gelato_proxy_pause * (8 + RANDOM % 5)))
        fi
        sleep "$pause"
        if __gelato_fetch_proxy "$new" 2> /dev/null; then
            mv -f -T -- "$new" "$__gelato_scratch/token"
        else
            rm -f -- "$new"
        fi
        __gelato_token_left "$__gelato_scratch/token"
    done
}

readonly __gelato_proxy_source __gelato_proxy_url __gelato_proxy_end __gelato_proxy_slot __gelato_proxy_pause
__gelato_attempt __gelato_fetch_proxy "$__gelato_scratch/token" || __gelato_fatal "Cannot get the token: $__gelato_error"
# What a program finds in the variable would count before the file.
unset BEARER_TOKEN
export BEARER_TOKEN_FILE=$__gelato_scratch/token
__gelato_left=
if [[ -n $__gelato_proxy_end ]]; then
    __gelato_now
    __gelato_left=$((__gelato_proxy_end - __gelato_time / 1000000))
fi
[[ -z $__gelato_proxy_slot ]] || __gelato_start_guard __gelato_look_after_token
