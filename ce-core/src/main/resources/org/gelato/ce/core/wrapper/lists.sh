
# --- Output that the job lists --------------------------------------------------------------------------------------

# Says what is wrong with a list. A job that would have ended well fails for it, as output is lost; of another one the exit code says more.
__gelato_wrong_list() {
    __gelato_to_line "$1" 300
    printf '%s\n' "$__gelato_line"
    if [[ ${__gelato_exit:-1} -eq 0 ]]; then
        __gelato_fail_for "$__gelato_line"
    else
        __gelato_warn "$__gelato_line"
    fi
}

# URL $1 as this script sends to it, into __gelato_url: ARC's options behind the host and data behind the path are left out, a query stays.
__gelato_take_url() {
    local LC_ALL=C scheme=${1%%:*} program
    __gelato_url=${scheme,,}${1:${#scheme}}
    [[ $__gelato_url != davs://* ]] || __gelato_url=https${__gelato_url:4}
    if [[ $__gelato_url =~ ^([a-z]+://[^/?#\;]+)\;[^/?#:]*(:[0-9]+)?([/?#].*)?$ ]]; then
        __gelato_url=${BASH_REMATCH[1]}${BASH_REMATCH[2]}${BASH_REMATCH[3]}
    fi
    if [[ $__gelato_url =~ ^[a-z]+://[^/?#]+/[^?#]*$ ]]; then
        while [[ ${__gelato_url##*:} =~ ^[a-z]+=[^/]*$ ]]; do
            __gelato_url=${__gelato_url%:*}
        done
    fi
    [[ $__gelato_url =~ ^[a-z]+://[^/@]+(/|$) && ${#__gelato_url} -le 4096 && $__gelato_url != *[^!-~]* ]] || return
    [[ $__gelato_url == *://*/* ]] || __gelato_url+=/
    program=__gelato_transfer_${__gelato_url%%:*}
    [[ $__gelato_url == @(gsiftp|https)://* || -n ${!program-} ]]
}

# Whether $1 is a path below the job's directory that the CE takes.
__gelato_is_below() {
    local LC_ALL=C slashes=${1//[!\/]/}
    [[ -n $1 && ${#1} -le 1024 && $1 != *[\\[:cntrl:]]* && ${#slashes} -le 15 && /$1/ != *//* && /$1/ != */@(.|..|.gelato-tmp.*)/* ]]
}

# The files that list $1, item $2 of OutputSandbox, names: on each line one, and behind it the URL it goes to, or none when it is kept. As
# A-REX has it, a backslash hides a blank, and what follows the URL counts for nothing here.
__gelato_place_list() {
    local name url rest i names=() urls=()
    if [[ ! -f ./$1 || ! -r ./$1 ]]; then
        __gelato_wrong_list "Cannot read the list of output $1"
        return
    fi
    if [[ $(stat -L -c %s -- "./$1") -gt 8000000 ]]; then
        __gelato_wrong_list "The list of output $1 has more than 8 MB"
        return
    fi
    # shellcheck disable=SC2162
    while IFS=$' \t\r' read name url rest || [[ -n $name ]]; do
        [[ -n $name ]] || continue
        names+=("$name")
        urls+=("$url")
        [[ ${#names[@]} -le 1000 ]] || break
    done < "./$1"
    for i in "${!names[@]}"; do
        name=${names[i]#./}
        name=${name#/}
        url=${urls[i]}
        if [[ $i -eq 1000 ]]; then
            __gelato_wrong_list "The list of output $1 has more than 1000 files, the others are lost"
        elif [[ $((${#name} + ${#url})) -gt 4096 ]]; then
            __gelato_wrong_list "The list of output $1 has a line of more than 4096 characters"
        elif ! __gelato_is_below "$name"; then
            __gelato_wrong_list "The list of output $1 names no file of the job: $name"
        elif [[ -z $url ]]; then
            __gelato_keep_or_lose "./$name" "$name"
        elif __gelato_take_url "$url"; then
            __gelato_output_url[$2]=$__gelato_url
            __gelato_output_subject[$2]=
            __gelato_send "./$name" "$2"
        else
            # Passwords and signatures are nothing to be shown.
            url=${url%%[?#]*}
            [[ $url != *//*@* ]] || url=${url%%//*}//${url##*@}
            __gelato_wrong_list "The list of output $1 sends $name where this CE cannot: $url"
        fi
    done
}
