
# --- Proxy ----------------------------------------------------------------------------------------------------------

# Seconds since 1970 of a time as openssl writes it, "Nov  7 03:04:05 2026 GMT", into __gelato_seconds: a process less for
# each certificate of each job. Days are counted from 1 March of the year 0, for then leap days come last.
__gelato_parse_time() {
    local months=xxJanFebMarAprMayJunJulAugSepOctNovDec before month day year
    [[ $1 =~ ^([A-Z][a-z]{2})\ +([0-9]{1,2})\ ([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?\ ([0-9]{4})\ GMT$ ]] || return 1
    before=${months%%"${BASH_REMATCH[1]}"*}
    [[ $before != "$months" ]] || return 1
    month=$(((${#before} + 1) / 3))
    day=$((10#${BASH_REMATCH[2]}))
    year=$((10#${BASH_REMATCH[7]} - (month < 3)))
    day=$((365 * year + year / 4 - year / 100 + year / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719468))
    __gelato_seconds=$((((day * 24 + 10#${BASH_REMATCH[3]}) * 60 + 10#${BASH_REMATCH[4]}) * 60 + 10#${BASH_REMATCH[5]}))
}

# Seconds until the proxy in file $1 ends into __gelato_left; nothing when nobody on this node can tell. A proxy ends
# with the first certificate of its chain that does.
__gelato_time_left() {
    local line pem= end tool
    __gelato_left=
    if type -P openssl > /dev/null; then
        __gelato_now
        while IFS= read -r line || [[ -n $line ]]; do
            [[ $line != '-----BEGIN CERTIFICATE-----'* ]] || pem=
            pem+=$line$'\n'
            [[ $line == '-----END CERTIFICATE-----'* ]] || continue
            end=$(openssl x509 -noout -enddate <<< "$pem")
            [[ $end == notAfter=* ]] && __gelato_parse_time "${end#*=}" || continue
            end=$((__gelato_seconds - __gelato_time / 1000000))
            [[ -n $__gelato_left && $__gelato_left -le $end ]] || __gelato_left=$end
        done < "$1"
        return
    fi 2>/dev/null
    for tool in voms-proxy-info grid-proxy-info; do
        end=$("$tool" -file "$1" -timeleft 2>/dev/null)
        if [[ $end =~ ^-?[0-9]+$ ]]; then
            __gelato_left=$end
            return
        fi
    done
}

# Puts a renewed proxy into the place of the job's. One that does not last longer is none.
__gelato_renew_proxy() {
    local new=$__gelato_scratch/proxy.new before
    if __gelato_fetch_proxy "$new"; then
        __gelato_time_left "$__gelato_scratch/proxy"
        before=$__gelato_left
        __gelato_time_left "$new"
        if [[ -n $__gelato_left && ( -z $before || $__gelato_left -gt $before ) ]]; then
            mv -f -T -- "$new" "$__gelato_scratch/proxy"
            return
        fi
    fi
    rm -f -- "$new"
}

# Ends the payload, as far as it has begun: a wrapper that has not begun it yet finds the mark.
__gelato_proxy_ended() {
    local payload= start= signal
    : > "$__gelato_scratch/expired"
    read -r payload start 2>/dev/null < "$__gelato_scratch/payload" || return
    for signal in TERM KILL; do
        # The wrapper itself ends what the leader of the group leaves behind.
        __gelato_look "$payload"
        [[ -n $start && $__gelato_started == "$start" ]] || return
        kill -s "$signal" -- "-$payload" 2>/dev/null
        [[ $signal == KILL ]] || sleep "${GELATO_KILL_DELAY:-10}"
    done
}

# Looks after the proxy beside the job: fetches a renewed one near the end of the old, and ends the job where none came.
# The times are spread, for jobs of one delegation began together. Without a slot no renewal is to be expected, and the
# end alone is waited for. Begins with the time just looked up. A proxy that cannot be read for a moment, as the job itself is
# writing it, or as no process can be started, ends when it was known to end.
__gelato_guard() {
    local pause tries=0
    __gelato_now
    [[ -z $__gelato_left ]] || __gelato_known=$((__gelato_left + __gelato_time / 1000000))
    while :; do
        [[ -n $__gelato_left ]] || __gelato_time_left "$__gelato_scratch/proxy"
        if [[ -n $__gelato_proxy_slot && ( -z $__gelato_left || $__gelato_left -le $__gelato_proxy_slot ) ]]; then
            __gelato_renew_proxy
            __gelato_time_left "$__gelato_scratch/proxy"
        fi
        __gelato_now
        if [[ -n $__gelato_left ]]; then
            __gelato_known=$((__gelato_left + __gelato_time / 1000000))
            tries=0
        elif [[ $__gelato_known -gt $((__gelato_time / 1000000)) || $((++tries)) -gt 5 ]]; then
            __gelato_left=$((__gelato_known - __gelato_time / 1000000))
        else
            sleep 1
            continue
        fi
        [[ $__gelato_left -gt 0 ]] || break
        if [[ -z $__gelato_proxy_slot ]]; then
            pause=$__gelato_left
        elif [[ $__gelato_left -gt $__gelato_proxy_slot ]]; then
            pause=$((__gelato_left - __gelato_proxy_slot * (100 - RANDOM % 21) / 100))
        else
            pause=$((__gelato_left * (20 + RANDOM % 11) / 100))
            [[ $pause -ge $__gelato_proxy_pause ]] || pause=$__gelato_proxy_pause
        fi
        [[ $pause -lt $__gelato_left ]] || pause=$__gelato_left
        sleep "$pause"
        __gelato_left=
    done
    __gelato_proxy_ended
}

readonly __gelato_proxy_source __gelato_proxy_url __gelato_proxy_end __gelato_proxy_slot __gelato_proxy_pause
__gelato_attempt __gelato_fetch_proxy "$__gelato_scratch/proxy" || __gelato_fatal "Cannot get the proxy: $__gelato_error"
export X509_USER_PROXY=$__gelato_scratch/proxy
# No renewal ends earlier than the proxy the CE knew: until near that end nothing has to be read from certificates, which
# costs more than all else this wrapper does.
__gelato_left=
if [[ -n $__gelato_proxy_end ]]; then
    __gelato_now
    __gelato_left=$((__gelato_proxy_end - __gelato_time / 1000000))
fi
[[ -n $__gelato_left && $__gelato_left -gt ${__gelato_proxy_slot:-0} ]] || __gelato_time_left "$__gelato_scratch/proxy"
if [[ -z $__gelato_left ]]; then
    printf 'Nobody can tell when the proxy ends, it is not looked after\n' >&2
elif [[ $__gelato_left -le 0 ]]; then
    __gelato_fatal 'Proxy is expired'
else
    __gelato_start_guard __gelato_guard
fi
