# --- What the job uses ----------------------------------------------------------------------------------------------

# Hundredths of a second since the node started into __gelato_uptime; nothing where the node does not tell. Nobody sets this
# clock, as the time of day is set.
__gelato_read_uptime() {
    local seconds= rest
    read -r seconds rest 2>/dev/null < /proc/uptime
    __gelato_uptime=
    [[ ! $seconds =~ ^([0-9]{1,10})\.([0-9]{2})$ ]] || __gelato_uptime=$((10#${BASH_REMATCH[1]}${BASH_REMATCH[2]}))
}

# Cores the batch system gave, on all nodes, into __gelato_cores; nothing where it does not say. What the node has, or lets this
# wrapper run on, is not what was given. Slurm writes 4(x2),2 for two nodes with four cores each and one with two.
__gelato_count_cores() {
    local rest part
    __gelato_cores=
    if [[ -n ${SLURM_JOB_ID-} ]]; then
        rest=${SLURM_JOB_CPUS_PER_NODE:-${SLURM_CPUS_ON_NODE-}},
        while [[ -n $rest ]]; do
            part=${rest%%,*}
            rest=${rest#*,}
            if [[ ! $part =~ ^([0-9]{1,6})(\(x([0-9]{1,5})\))?$ ]]; then
                __gelato_cores=
                return
            fi
            __gelato_cores=$((${__gelato_cores:-0} + 10#${BASH_REMATCH[1]} * 10#${BASH_REMATCH[3]:-1}))
        done
        return
    fi
    if [[ -n ${PBS_JOBID-} ]]; then
        part=${PBS_NP-}
    elif [[ -n ${LSB_JOBID-} ]]; then
        part=${LSB_DJOB_NUMPROC-}
    else
        part=${NSLOTS-}
    fi
    [[ ! $part =~ ^[0-9]{1,6}$ ]] || __gelato_cores=$((10#$part))
}

__gelato_read_uptime
__gelato_began=$__gelato_uptime
__gelato_count_cores
# Where it does not say, those the job requested.
: "${__gelato_cores:=${__gelato_requested_cores:-1}}"
readonly __gelato_began __gelato_cores

# The most memory of this job on this node in KiB into __gelato_memory. It is known where the batch system made a control group for
# the job alone, which has the job's id for its name; that of anybody else counts others too. The kernel counts the file cache of the job
# as well.
__gelato_read_memory() {
    local number controllers path name file bytes
    __gelato_memory=
    if [[ -n ${SLURM_JOB_ID-} ]]; then
        name=job_$SLURM_JOB_ID
    elif [[ -n ${PBS_JOBID-} ]]; then
        name=torque/$PBS_JOBID
    else
        return
    fi
    while IFS=: read -r number controllers path; do
        [[ $path/ == */"$name"/* ]] || continue
        path=$path/
        path=${path%%/"$name"/*}/$name
        case ,$controllers, in
            ,,) file=/sys/fs/cgroup$path/memory.peak ;;
            *,memory,*) file=/sys/fs/cgroup/memory$path/memory.max_usage_in_bytes ;;
            *) continue ;;
        esac
        bytes=
        read -r bytes 2>/dev/null < "$file"
        [[ ! $bytes =~ ^[0-9]{1,18}$ ]] || __gelato_memory=$((10#$bytes / 1024))
    done 2>/dev/null < "/proc/$$/cgroup"
}

# What this job used until now, as lines of an event, into __gelato_used. Of what the node does not tell there is no line.
__gelato_measure() {
    local stat= fields
    __gelato_used=
    # This shell and all it waited for, with what those waited for. Linux counts in hundredths of a second for programs,
    # whatever it counts in for itself.
    IFS= read -r -d '' stat 2>/dev/null < "/proc/$$/stat"
    fields=(${stat##*) })
    if [[ ${fields[*]:11:4} =~ ^([0-9]{1,15})\ ([0-9]{1,15})\ ([0-9]{1,15})\ ([0-9]{1,15})$ ]]; then
        __gelato_used+=cpu=$(((BASH_REMATCH[1] + BASH_REMATCH[2] + BASH_REMATCH[3] + BASH_REMATCH[4]) * 10))$'\n'
    fi
    __gelato_read_uptime
    if [[ -n $__gelato_began && -n $__gelato_uptime ]]; then
        __gelato_used+=wall=$(((__gelato_uptime - __gelato_began) * 10))$'\n'
    fi
    __gelato_used+=cores=$__gelato_cores$'\n'
    __gelato_read_memory
    [[ -z $__gelato_memory ]] || __gelato_used+=memory=$__gelato_memory$'\n'
}
