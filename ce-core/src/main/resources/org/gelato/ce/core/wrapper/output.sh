
# --- Output ---------------------------------------------------------------------------------------------------------

declare -A __gelato_copied=() # name in the output sandbox -> where it came from
declare -A __gelato_given_up=() # the same of what could not be brought there
__gelato_unnamed=0            # missing files beyond those that the warning names
__gelato_kept=                # directory on this node for what could not be brought
__gelato_kept_used=           # bytes this account keeps on this node, once they were counted
__gelato_kept_again=1         # the last number behind a name that was taken there
__gelato_output_open=         # whether the output sandbox is there

# What the user should know of a job that has ended well nevertheless. The CE keeps 500 characters, and takes no event that is too long.
__gelato_warn() {
    [[ ${#__gelato_warning} -lt 1000 ]] || return 0
    __gelato_to_line "$1" 500
    __gelato_warning=${__gelato_warning:+$__gelato_warning; }$__gelato_line
}

# File $1, or any for pattern $1, is not there.
__gelato_miss() {
    printf 'Cannot read or missing file %s\n' "$1"
    __gelato_to_line "${1#./}" 150
    if [[ -z $__gelato_warning ]]; then
        __gelato_warn "Cannot read or missing file $__gelato_line"
    elif [[ ${#__gelato_warning} -lt 250 ]]; then
        __gelato_warning+=", $__gelato_line"
    else
        __gelato_unnamed=$((__gelato_unnamed + 1))
    fi
}

# The directories of this account's jobs where the site keeps what could not be brought; find does the rest of "$@" with them.
# Jobs may work in the same directory: theirs have other names.
__gelato_find_kept() {
    find "$__gelato_kept_at" -mindepth 1 -maxdepth 1 -type d -user "$EUID" -name 'CREAM[0-9]*.kept.??????????' "$@"
}

# Removes what is a week old; the bytes of the rest into __gelato_kept_used.
__gelato_count_kept() {
    local size rest
    __gelato_find_kept -mtime +6 -exec rm -rf --one-file-system -- {} +
    __gelato_kept_used=0
    while read -r size rest; do
        [[ $size =~ ^[0-9]{1,15}$ ]] || continue
        __gelato_kept_used=$((__gelato_kept_used + 10#$size * 1024))
    done < <(__gelato_find_kept -exec du -sk -- {} +)
}

# Keeps file $1 as $2, which is not there: by another name for the same file, or by a copy, which is $3 until it is whole.
__gelato_keep_whole() {
    local size limit=3600
    [[ -z $__gelato_signal$__gelato_late_signal ]] || limit=20
    size=$(stat -L -c %s -- "$1") && [[ $((__gelato_kept_used + size)) -le $__gelato_kept_limit ]] \
        && mkdir -p -- "${2%/*}" || return
    # Without a process group of its own, so that a signal breaks it off with the rest.
    ln -L -T -- "$1" "$2" 2> /dev/null \
        || { timeout --foreground "$limit" cp -T -- "$1" "$3" && mv -f -T -- "$3" "$2"; } || return
    __gelato_kept_used=$((__gelato_kept_used + size))
}

# The same; the last line of its errors is how many bytes are kept then.
__gelato_become_kept() {
    local status
    [[ -n $__gelato_kept_used ]] || __gelato_count_kept
    __gelato_keep_whole "$@"
    status=$?
    printf '%s\n' "$__gelato_kept_used" >&2
    return "$status"
}

# Keeps file $1, which could not be brought, on this node as $2, or by another name where that is taken, where the site says;
# where it is into __gelato_place.
__gelato_keep_here() {
    local error=$__gelato_error name=$2 part status
    __gelato_place=
    [[ -n $__gelato_kept_at && -f $1 && -r $1 ]] || return
    [[ -n $__gelato_kept ]] || __gelato_kept=$(mktemp -d -- "$__gelato_kept_at/$__gelato_job.kept.XXXXXXXXXX") || return
    # The directory's own random name, for no file of a job is called so.
    part=$__gelato_kept/.part.${__gelato_kept##*.}
    while [[ -e $__gelato_kept/$name || -L $__gelato_kept/$name ]]; do
        name=$2.$((++__gelato_kept_again))
    done
    __gelato_attempt __gelato_become_kept "$1" "$__gelato_kept/$name" "$part"
    status=$?
    [[ ! $__gelato_error =~ ^[0-9]+$ ]] || __gelato_kept_used=$__gelato_error
    if [[ $status -eq 0 ]]; then
        __gelato_place="; it is kept on $__gelato_node: $__gelato_kept/$name"
    else
        rm -f -- "$part"
        find "$__gelato_kept" -depth -type d -empty -delete
        [[ -d $__gelato_kept ]] || __gelato_kept=
    fi
    __gelato_error=$error
}

# The job fails for $1, as for what it failed for already.
__gelato_fail_for() {
    if [[ ${#__gelato_lost} -lt 1000 ]]; then
        __gelato_lost+=${__gelato_lost:+; }$1
    elif [[ $__gelato_lost != *'; and more' ]]; then
        __gelato_lost+='; and more'
    fi
}

# File $1, that was to become $2 at URL or directory $3, could not be brought, for __gelato_error.
__gelato_lose() {
    __gelato_keep_here "$1" "$2"
    __gelato_fail_for "Cannot upload ${1#./} into $3${__gelato_error:+: $__gelato_error}$__gelato_place"
}

# Copies $1 to name $2 of the output sandbox.
__gelato_keep() {
    local before=${__gelato_copied["$2"]-}
    if [[ -n $before ]]; then
        __gelato_put_rest
        before=${__gelato_copied["$2"]-}
    fi
    __gelato_error=
    if [[ ! -f $1 || ! -r $1 ]]; then
        __gelato_miss "$1"
    elif [[ -n $before ]]; then
        __gelato_error="another file of that name is there, $before"
        [[ $before -ef $1 ]]
    elif [[ ${__gelato_given_up["$2"]-} -ef $1 ]]; then
        return 0
    elif __gelato_put "$1" "$2"; then
        __gelato_copied["$2"]=$1
    else
        false
    fi
}

# Whether file $1 is in the output sandbox under any name.
__gelato_is_kept() {
    local source
    for source in "${__gelato_copied[@]}"; do
        [[ ! $source -ef $1 ]] || return 0
    done
    return 1
}

# The same; the job fails when it cannot be.
__gelato_keep_or_lose() {
    __gelato_keep "$1" "$2" || __gelato_give_up "$1" "$2"
}

# File $1 cannot become $2 in the output sandbox, for __gelato_error.
__gelato_give_up() {
    __gelato_given_up["$2"]=$1
    __gelato_lose "$1" "$2" "$__gelato_output_at$2"
}

# Puts $1, of item $2 of OutputSandbox, where it belongs. A file found by a pattern keeps its name, or its path where the job has a
# session directory.
__gelato_place() {
    if [[ -n ${__gelato_output_url[$2]-} ]] && __gelato_goes "$2"; then
        __gelato_send "$1" "$2"
        return
    fi
    local name=${1##*/}
    if [[ ${__gelato_output[$2]} != *[*?[]* ]]; then
        name=${__gelato_output_name[$2]-$name}
    elif [[ -n $__gelato_output_paths ]]; then
        name=${1#./}
    fi
    __gelato_keep_or_lose "$1" "$name"
}

# Item $1 of OutputSandbox. A pattern is matched here.
__gelato_place_item() {
    local item=${__gelato_output[$1]} file
    local found=("$item")
    if [[ -n $__gelato_output_paths && $item == @* ]]; then
        __gelato_place_list "${item#@}" "$1"
        return
    fi
    if [[ -n $__gelato_output_paths && $item == */ ]]; then
        __gelato_place_directory "./${item%/}"
        return
    fi
    if [[ $item == *[*?[]* ]]; then
        # Without separators the pattern is expanded but never split.
        local IFS=
        shopt -s nullglob
        found=($item)
        shopt -u nullglob
        unset IFS
        [[ ${#found[@]} -gt 0 ]] || __gelato_miss "$item"
    fi
    for file in "${found[@]}"; do
        # Of old shells .* finds the directory above, too.
        [[ -z $__gelato_output_paths || /$file/ != */@(.|..)/* ]] || continue
        # A pattern is for files: a directory that it matches is none that is missing.
        [[ -z $__gelato_output_paths || $item != *[*?[]* || ! -d $file ]] || continue
        [[ $file == /* ]] || file=./$file
        __gelato_place "$file" "$1"
    done
}

__gelato_brought=0 # items of OutputSandbox that were brought, or given up
__gelato_stream_brought=0

__gelato_bring_output() {
    local i j=0 name stream
    [[ -n $__gelato_output_open ]] || __gelato_open_output
    __gelato_output_open=yes
    for i in "${!__gelato_output[@]}"; do
        [[ $((j++)) -ge $__gelato_brought ]] || continue
        __gelato_place_item "$i"
        __gelato_brought=$j
    done
    __gelato_put_rest
    # Kept although nobody asked for them: they are what a user looks at first. Never in the place of a file asked for, and not
    # once more beside the name they were asked for under.
    i=0
    for name in "$__gelato_stdout" "$__gelato_stderr"; do
        stream=${__gelato_stream_name[i++]-$name}
        [[ $i -gt $__gelato_stream_brought ]] || continue
        if [[ -n $name && -z ${__gelato_copied["$stream"]-} ]] && ! __gelato_is_kept "./$name"; then
            __gelato_keep_or_lose "./$name" "$stream"
        fi
        __gelato_stream_brought=$i
    done
    __gelato_put_rest
    [[ $__gelato_unnamed -eq 0 ]] || __gelato_warning+=" and $__gelato_unnamed more"
    __gelato_unnamed=0
    # The reason of a job that got a signal is the signal.
    [[ -z $__gelato_kept || -z $__gelato_signal$__gelato_late_signal ]] \
        || __gelato_warn "output is kept on $__gelato_node: $__gelato_kept"
}

# Whose child a process may be that the job has left running, into __gelato_adopters: this shell's, or that of the process which takes in
# orphans, as it did with what runs beside the payload. Where nothing does, it is one of those above this shell.
__gelato_find_adopters() {
    local up=$$ one __gelato_started __gelato_parent
    __gelato_adopters=" $$ "
    for one in "${__gelato_beside[@]}"; do
        __gelato_look "${one% *}"
        [[ $__gelato_started == "${one#* }" ]] || continue
        __gelato_adopters+="$__gelato_parent "
        return
    done
    __gelato_adopters+="1 "
    while __gelato_look "$up"; [[ ${__gelato_parent:-0} -gt 0 ]]; do
        up=$__gelato_parent
        __gelato_adopters+="$up "
    done
}

# Whether environment $1 names this wrapper, and no other job of its batch system.
__gelato_names_this_job() {
    local line name
    while IFS= read -r line || [[ -n $line ]]; do
        [[ $line != *"GELATO_PAYLOAD=$$.$__gelato_start."* ]] || break
    done < "$1"
    [[ -n $line ]] || return
    for name in SLURM_JOB_ID PBS_JOBID LSB_JOBID JOB_ID; do
        [[ -z ${!name-} ]] || break
    done
    while IFS= read -r -d '' line; do
        [[ $line != "$name="* || $line == "$name=${!name-}" ]] || return
    done < "$1"
    return 0
}

# Processes that the job has left running into __gelato_left_running, with the times they began: those of the payload's process group, and
# of this account those whose environment names this job, if they come from one of these or are orphans. A job that the payload
# submitted inherits its environment, but another daemon of the batch system starts it. A payload that was waited for is none.
__gelato_find_left() {
    local LC_ALL=C dir pid stat fields up turns group=$__gelato_payload_pid parents=() began=() __gelato_started __gelato_parent
    __gelato_left_running=()
    # That number may be somebody else's by now.
    __gelato_look "$group"
    [[ -z $__gelato_started || $__gelato_started == "$__gelato_payload_start" ]] || group=0
    for dir in /proc/[0-9]*; do
        [[ -O $dir ]] || continue
        pid=${dir##*/}
        stat=
        IFS= read -r -d '' stat < "$dir/stat"
        fields=(${stat##*) })
        [[ ${fields[0]-} == [!ZX] && ${fields[19]-0} -ge ${__gelato_start:-0} && $pid -ne $$ ]] || continue
        if [[ ${fields[2]-} -eq $group ]]; then
            parents[pid]=$$
        else
            __gelato_names_this_job "$dir/environ" || continue
            parents[pid]=${fields[1]}
        fi
        began[pid]=${fields[19]}
    done
    for pid in "${!parents[@]}"; do
        up=$pid
        for ((turns = ${#parents[@]}; turns > 0 && ${parents[up]:-0} > 0; turns--)); do
            up=${parents[up]}
        done
        [[ $__gelato_adopters != *" $up "* ]] || __gelato_left_running+=("$pid ${began[pid]}")
    done
} 2> /dev/null

# Sends the signals $2... to process $1, which began at the time that follows its number, unless that is somebody else's by now.
__gelato_signal_left() {
    local __gelato_started __gelato_parent signal
    for signal in "${@:2}"; do
        __gelato_look "${1% *}"
        [[ $__gelato_started != "${1#* }" ]] || kill -s "$signal" -- "${1% *}"
    done
} 2> /dev/null

# Ends what the job has left running, as batch systems do at a job's end: nothing writes to its files while they are brought, and nothing
# of it stays on a node whose batch system does not. It may tidy up for five seconds. Its process group is stopped before anything is
# looked for, so that nothing leaves it meanwhile; what was just being started elsewhere is found by two more looks.
__gelato_end_left() {
    local turn none=0 count=0 pause one pid known=()
    [[ -n $__gelato_payload_pid && -n $__gelato_start ]] || return 0
    __gelato_find_adopters
    __gelato_signal_group STOP "$__gelato_payload_pid" "$__gelato_payload_start"
    for ((turn = 0; turn < 35; turn++)); do
        [[ $turn -ge 25 || -z $__gelato_signal$__gelato_late_signal$__gelato_expired ]] || turn=25
        [[ $turn -lt 25 ]] || __gelato_signal_group KILL "$__gelato_payload_pid" "$__gelato_payload_start"
        __gelato_find_left
        [[ ${#__gelato_left_running[@]} -eq 0 ]] && ((++none)) || none=0
        [[ $none -lt 3 ]] || break
        # To the group, too: of what runs as another account, as programs with setuid do, the look knows nothing.
        [[ $turn -gt 0 ]] || __gelato_signal_group TERM "$__gelato_payload_pid" "$__gelato_payload_start"
        for one in "${__gelato_left_running[@]}"; do
            pid=${one% *}
            if [[ ${known[pid]-} != "${one#* }" ]]; then
                known[pid]=${one#* }
                ((++count))
                [[ $turn -ge 25 ]] || __gelato_signal_left "$one" TERM CONT
            fi
            [[ $turn -lt 25 ]] || __gelato_signal_left "$one" KILL
        done
        [[ $turn -gt 0 ]] || __gelato_signal_group CONT "$__gelato_payload_pid" "$__gelato_payload_start"
        [[ $turn -lt 25 ]] && pause=0.2 || pause=0.1
        [[ $none -eq 0 ]] || pause=0.08
        __gelato_rest "$pause"
    done
    [[ $count -eq 0 ]] || printf 'The job has left processes running, they were ended: %s\n' "$count" >&2
    [[ ${#__gelato_left_running[@]} -eq 0 ]] || printf 'Processes of the job cannot be ended: %s\n' "${__gelato_left_running[*]% *}" >&2
}

# What follows the payload, but for the site's hooks. Whatever was done is not done again by a shell that goes on.
__gelato_finish() {
    ! declare -F __gelato_run_epilogue > /dev/null || __gelato_run_epilogue
    __gelato_end_left
    __gelato_bring_output
    __gelato_stop_beside
    [[ -z $__gelato_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_signal)"
    [[ -z $__gelato_expired ]] || __gelato_fatal 'Proxy is expired' 2
    if [[ -n $__gelato_lost ]]; then
        # What was broken off by a signal failed because of it. Output that came through in spite of one is no failure here: the
        # signal is reported beside the exit code, and the CE asks the batch system what it meant.
        [[ -z $__gelato_late_signal ]] || __gelato_fatal "Job has been terminated (got SIG$__gelato_late_signal)"
        __gelato_fatal "$__gelato_lost"
    fi
    __gelato_done "$__gelato_exit" ''
    __gelato_clean
    __gelato_scratch=
    if [[ $__gelato_told != yes ]]; then
        trap - EXIT
        printf 'jw exit status = 1\n'
        exit 75
    fi
    printf 'jw exit status = 0\n'
}
