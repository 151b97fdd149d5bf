#!/bin/bash
# slurm-site.sh prepare|start|stop-controller|hold|stop|status|wipe
#
# A whole Slurm batch site on one host, for tests: munge with its own key and
# socket, slurmctld and slurmd, started by hand and without systemd, on loopback
# only, everything below one folder.
#
#   prepare          install Slurm and munge where that may be done, make the accounts; exit 3 and the reason otherwise
#   start            bring up whatever is not up; done when the node takes jobs
#   stop-controller  end slurmctld alone; jobs go on, start brings it back
#   hold             from now on no job begins; jobs are taken and wait
#   stop             end all jobs and daemons; the history of jobs stays in the folder
#   status           what is up; exit 3 when anything is down
#   wipe             stop, then remove the folder
#
# Environment:
#   SLURM_SITE     folder of the site, absolute       (default: target/slurm-site below the current directory)
#   SLURM_PORT     slurmctld's port; slurmd has the next one  (default: two free ones, kept for the life of the folder)
#   SLURM_SLOTS    job slots                          (default 500)
#   SLURM_QUEUES   partitions, the first is the default (default "long short")
#   SLURM_USERS    unix accounts jobs may run as      (default "dteam001")
#   SLURM_MIN_JOB_AGE  seconds an ended job is shown  (default 3600)
#   SLURM_FORM     slots: one node that schedules slots alone (default); farm: four nodes of 8 slots, 16000 MB and two GPUs by
#                  name, memory scheduled and enforced, 500 MB a slot by default, partitions high and low on the fourth node with
#                  preemption by requeueing, short with a limit of one minute; slots and queues are not looked at;
#                  page: what SLURM_PAGE tells administrators to write, on a host of two CPUs, its places replaced by the folder's
#   SLURM_PLUGINS  yes: a plugin replaces name and comment of jobs of the partition short, and a prolog fails while there is a file
#                  etc/prolog-fails in the folder; of slots only
#   SLURM_DBD      yes: accounts and QOS are kept by a slurmdbd before a MariaDB of the site's own, and enforced; not of page
#   SLURM_PAGE     the page of the documentation for the form page, absolute
#   SLURM_MEMORY   who ends a job of a farm that takes too much memory: cgroup, which prepare refuses where the host has no cgroups
#                  to write to, or slurmd (OverMemoryKill; the default)
# Clients: export SLURM_CONF=$SLURM_SITE/etc/slurm.conf, or source $SLURM_SITE/env.
set -u

SITE=${SLURM_SITE:-$PWD/target/slurm-site}
SLOTS=${SLURM_SLOTS:-500}
QUEUES=${SLURM_QUEUES:-long short}
ACCOUNTS=${SLURM_USERS:-dteam001}
MIN_JOB_AGE=${SLURM_MIN_JOB_AGE:-3600}
FORM=${SLURM_FORM:-slots}
MEMORY=${SLURM_MEMORY:-slurmd}
PLUGINS=${SLURM_PLUGINS:-no}
DBD=${SLURM_DBD:-no}
SLURM_PAGE=${SLURM_PAGE:-}
CONF=$SITE/etc/slurm.conf
SELF_NAME=${0##*/}
PATH=/usr/sbin:/usr/bin:/sbin:/bin
NEEDED="munged slurmctld slurmd sbatch squeue scancel scontrol sinfo"
PACKAGES="slurm-wlm munge"
if [ "$DBD" = yes ]; then
  NEEDED="$NEEDED slurmdbd sacctmgr mariadbd mariadb-install-db mariadb"
  PACKAGES="$PACKAGES slurmdbd mariadb-server"
fi

die() { # exit words
  local code=$1
  shift
  printf '%s: %s\n' "$SELF_NAME" "$*" >&2
  exit "$code"
}

check_settings() {
  case $SITE in /*) ;; *) die 2 "SLURM_SITE must be absolute, is '$SITE'" ;; esac
  # slurm.conf has no way to quote a path
  case $SITE in *[!A-Za-z0-9/._+-]*) die 2 "SLURM_SITE may have only letters, digits and /._+- in it, is '$SITE'" ;; esac
  local n
  for n in "$SLOTS" "$MIN_JOB_AGE" ${SLURM_PORT:+"$SLURM_PORT"}; do
    case $n in '' | *[!0-9]*) die 2 "slots, age and port are whole numbers, got '$n'" ;; esac
  done
  case $FORM in slots | farm | page) ;; *) die 2 "SLURM_FORM is slots, farm or page, got '$FORM'" ;; esac
  case $MEMORY in cgroup | slurmd) ;; *) die 2 "SLURM_MEMORY is cgroup or slurmd, got '$MEMORY'" ;; esac
  case "$QUEUES $ACCOUNTS" in *[!A-Za-z0-9_\ -]*) die 2 "odd name in '$QUEUES' or '$ACCOUNTS'" ;; esac
}

missing_programs() {
  local p
  for p in $NEEDED; do
    type -P "$p" >/dev/null || printf '%s ' "$p"
  done
}

install_packages() {
  [ -z "$(missing_programs)" ] && return 0
  [ "$(id -u)" = 0 ] || die 3 "not installed: $(missing_programs)and only root may install $PACKAGES"
  type -P apt-get >/dev/null || die 3 "not installed: $(missing_programs)and this is no Debian where $PACKAGES could be fetched"
  local log=$SITE/log/apt.log policy=/usr/sbin/policy-rc.d made=no rc
  # else the packages would start daemons of their own
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy && made=yes
  fi
  apt_install >"$log" 2>&1 || { apt-get -o DPkg::Lock::Timeout=300 update && apt_install; } >>"$log" 2>&1
  rc=$?
  [ $made = yes ] && rm -f $policy
  if [ $rc != 0 ] || [ -n "$(missing_programs)" ]; then
    die 3 "$PACKAGES could not be installed: $(grep -E '^E: ' "$log" | tail -1 || true) (see $log)"
  fi
}

apt_install() {
  # shellcheck disable=SC2086 # several words
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $PACKAGES
}

make_accounts() {
  local a
  for a in $ACCOUNTS; do
    id "$a" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$a" || die 3 "no account $a and it could not be made"
  done
}

make_folders() {
  mkdir -p "$SITE"/{etc,log,run,state,spool,munge/{etc,run,log,lib}} || die 3 "cannot make $SITE"
  chmod 755 "$SITE" "$SITE"/{etc,log,run,spool,munge,munge/run}
  chmod 700 "$SITE/state"
  : >"$SITE/.slurm-site"
}

reachable_by_accounts() { # a file jobs and their commands must be able to read
  local a
  for a in $ACCOUNTS; do
    runuser -u "$a" -- test -r "$1" || die 3 "account $a cannot read $1: every directory above must let it through"
  done
}

prepare() {
  [ "$(id -u)" = 0 ] || die 3 "only root can run jobs as other accounts"
  if [ "$FORM $MEMORY" = "farm cgroup" ]; then
    local controller
    for controller in memory freezer cpuset; do
      [ -w "/sys/fs/cgroup/$controller/cgroup.procs" ] || die 3 "no version 1 cgroup of $controller to write to"
    done
  fi
  mkdir -p "$SITE/log" || die 3 "cannot make $SITE"
  install_packages
  make_accounts
  make_folders
  : >"$SITE/etc/reachable" && chmod 644 "$SITE/etc/reachable"
  reachable_by_accounts "$SITE/etc/reachable"
}

# A daemon is ours when its pid file names a process of that name that was started with our SLURM_CONF: process
# numbers are used again.
ours() { # pid name
  [ -n "$1" ] && [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ] && has_environment "$1" "SLURM_CONF=$CONF"
}

has_environment() { # pid NAME=value
  grep -qzxF -- "$2" "/proc/$1/environ" 2>/dev/null
}

up() { # pidfile name
  local pid
  pid=$(cat "$1" 2>/dev/null) && ours "$pid" "$2"
}

end_daemon() { # pidfile name
  local pid i
  if up "$1" "$2"; then
    pid=$(cat "$1")
    kill "$pid" 2>/dev/null
    for i in $(seq 150); do
      [ -d "/proc/$pid" ] || break
      sleep 0.1
    done
    [ -d "/proc/$pid" ] && kill -9 "$pid"
  fi
  rm -f "$1"
}

# Daemons get a bare environment and none of our descriptors: a caller reading our output would else wait for ever.
daemon() { # program arguments...
  env -i PATH="$PATH" LANG=C SLURM_CONF="$CONF" "$@" </dev/null >>"$SITE/log/start.log" 2>&1 9>&-
}

# Whether somebody listens on a port, or has a connection from it: the kernel may hand out any port, and a daemon cannot bind that one.
taken() { # port
  grep -qiE "^ *[0-9]+: [0-9A-F]+:$(printf %04X "$1") " /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# A number below 450 that no other site of this machine has had lately: two that start at once find the same ports free.
next_site() {
  local n
  {
    flock 8
    n=$(cat "${TMPDIR:-/tmp}/gelato-slurm-sites" 2>/dev/null)
    case $n in '' | *[!0-9]*) n=$((RANDOM % 450)) ;; esac
    n=$(((10#$n + 1) % 450))
    echo "$n" >"${TMPDIR:-/tmp}/gelato-slurm-sites"
  } 8>>"${TMPDIR:-/tmp}/gelato-slurm-sites.lock"
  echo "${n:-$((RANDOM % 450))}"
}

choose_port() {
  local p
  if [ -n "${SLURM_PORT:-}" ]; then
    echo "$SLURM_PORT"
    return
  fi
  p=$(cat "$SITE/etc/port" 2>/dev/null)
  if [ -n "$p" ] && ! taken "$p"; then
    echo "$p"
    return
  fi
  while :; do
    # Beside those of org.gelato.ce.testkit.site.FreePort.
    p=$((30000 + 6 * $(next_site)))
    taken "$p" || taken $((p + 1)) || taken $((p + 2)) || taken $((p + 3)) || taken $((p + 4)) || taken $((p + 5)) || break
  done
  echo "$p"
}

# A unix socket's path has at most 107 bytes; slurmd makes its sockets, with job and step number, in its spool folder.
short_site() {
  if [ ${#SITE} -gt 70 ]; then
    echo "/tmp/slurm-site-$(printf %s "$SITE" | cksum | cut -d' ' -f1)"
  else
    echo "$SITE"
  fi
}

link_short_site() {
  local link
  link=$(short_site)
  [ "$link" = "$SITE" ] || [ "$(readlink "$link" 2>/dev/null)" = "$SITE" ] || ln -sfn "$SITE" "$link"
}

# The names of the nodes. Those of a farm have the port in them, for a node's cgroup is named after it alone.
node_names() {
  if [ "$FORM" = slots ]; then
    echo wn0
  elif [ "$FORM" = page ]; then
    hostname -s
  else
    printf "wn$(cat "$SITE/etc/port")-%d\n" 1 2 3 4
  fi
}

# What a farm has in place of the lines of a site of slots.
farm_conf() { # host port
  local node number=0 first last
  node_names >"$SITE/etc/nodes"
  first=$(head -n 3 "$SITE/etc/nodes" | paste -sd,)
  last=$(tail -n 1 "$SITE/etc/nodes")
  if [ "$MEMORY" = cgroup ]; then
    echo "TaskPlugin=task/cgroup"
  else
    echo "TaskPlugin=task/none"
    echo "JobAcctGatherParams=OverMemoryKill"
  fi
  cat <<CONF
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
SelectTypeParameters=CR_CPU_Memory
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
GresTypes=gpu
CONF
  while read -r node; do
    number=$((number + 1))
    echo "NodeName=$node NodeHostname=$1 NodeAddr=127.0.0.1 Port=$(($2 + number)) CPUs=8 RealMemory=16000 Gres=gpu:fermi:2 State=UNKNOWN"
    # devices that every host has; nothing is bound to them
    printf "NodeName=$node Name=gpu Type=fermi File=/dev/%s\n" null zero >&3
  done <"$SITE/etc/nodes" 3>"$SITE/etc/gres.conf"
  cat <<CONF
PartitionName=long Nodes=$first Default=YES MaxTime=72:00:00 DefaultTime=24:00:00 DefMemPerCPU=500 State=UP PriorityTier=1
PartitionName=short Nodes=$first MaxTime=00:01:00 DefaultTime=00:01:00 DefMemPerCPU=500 State=UP PriorityTier=1
PartitionName=high Nodes=$last MaxTime=72:00:00 DefaultTime=24:00:00 DefMemPerCPU=500 State=UP PriorityTier=10
PartitionName=low Nodes=$last MaxTime=72:00:00 DefaultTime=24:00:00 DefMemPerCPU=500 State=UP PriorityTier=1
CONF
}

# One node that schedules slots.
slots_conf() { # host port
  local queue default=YES
  cat <<CONF
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectTypeParameters=CR_CPU
NodeName=wn0 NodeHostname=$1 NodeAddr=127.0.0.1 Port=$(($2 + 1)) CPUs=$SLOTS Sockets=1 CoresPerSocket=$SLOTS ThreadsPerCore=1 RealMemory=1000000 State=UNKNOWN
CONF
  for queue in $QUEUES; do
    echo "PartitionName=$queue Nodes=wn0 Default=$default MaxTime=72:00:00 DefaultTime=24:00:00 State=UP OverSubscribe=NO"
    default=NO
  done
}

# What a site may do to jobs.
write_plugins() {
  cat >"$SITE/etc/job_submit.lua" <<'LUA'
function slurm_job_submit(job, partitions, uid)
  if job.partition == "short" then
    job.name = "site-job"
    job.comment = "vo=dteam"
  end
  return slurm.SUCCESS
end
function slurm_job_modify(job, record, partitions, uid)
  return slurm.SUCCESS
end
return slurm.SUCCESS
LUA
  printf '#!/bin/sh\n[ ! -e %s/etc/prolog-fails ]\n' "$SITE" >"$SITE/etc/prolog"
  chmod 755 "$SITE/etc/prolog"
  echo "JobSubmitPlugins=lua"
  echo "Prolog=$SITE/etc/prolog"
}

# What the page tells to write, as the shell of an administrator would write it.
page_conf() { # host port
  local text
  text=$(sed -n '/^cat >\/etc\/slurm\/slurm.conf <<CONF$/,/^CONF$/p' "$SLURM_PAGE" | sed '1d;$d')
  [ -n "$text" ] || die 1 "no slurm.conf in $SLURM_PAGE"
  nproc() { echo 2; }
  eval "cat <<PAGE
$text
PAGE"
  unset -f nproc
}

write_page_conf() {
  local host port
  host=$(hostname -s)
  port=$(choose_port)
  echo "$port" >"$SITE/etc/port"
  # of a key that is there twice the last value counts
  {
    page_conf
    cat <<CONF
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthInfo=socket=$(short_site)/munge/run/socket
SlurmctldPidFile=$SITE/run/slurmctld.pid
SlurmdPidFile=$SITE/run/slurmd-%n.pid
SlurmctldLogFile=$SITE/log/slurmctld.log
SlurmdLogFile=$SITE/log/slurmd-%n.log
SlurmUser=root
StateSaveLocation=$SITE/state
SlurmdSpoolDir=$(short_site)/spool/%n
CONF
  } | sed -e '/^SlurmctldHost=[^(]*$/d' -e "s/^NodeName=[^ ]*/& NodeAddr=127.0.0.1/" >"$CONF"
  eval "$(sed -n "s,^\(echo .*\) >/etc/slurm/cgroup.conf$,\1 >$SITE/etc/cgroup.conf,p" "$SLURM_PAGE")"
  echo "export SLURM_CONF=$CONF" >"$SITE/env"
  chmod 644 "$SITE"/etc/*.conf "$SITE/env"
}

write_conf() {
  local host port
  if [ "$FORM" = page ]; then
    write_page_conf
    return
  fi
  host=$(hostname -s) || host=localhost
  port=$(choose_port)
  echo "$port" >"$SITE/etc/port"
  {
    cat <<CONF
ClusterName=gelato
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$(short_site)/munge/run/socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
SwitchType=switch/none
$(storage_conf "$port")
JobCompType=jobcomp/filetxt
JobCompLoc=$SITE/log/jobcomp.log
SelectType=select/cons_tres
SchedulerType=sched/backfill
SchedulerParameters=default_queue_depth=1000,sched_min_interval=200000,batch_sched_delay=1,bf_interval=10,bf_max_job_test=1000,max_rpc_cnt=150
PriorityType=priority/basic
SlurmdParameters=config_overrides
ReturnToService=2
EnforcePartLimits=ALL
MaxJobCount=60000
MinJobAge=$MIN_JOB_AGE
InactiveLimit=0
KillWait=5
MessageTimeout=20
TCPTimeout=20
BatchStartTimeout=60
SlurmctldTimeout=120
SlurmdTimeout=300
PropagateResourceLimits=NONE
SlurmctldPidFile=$SITE/run/slurmctld.pid
SlurmdPidFile=$SITE/run/slurmd-%n.pid
SlurmctldLogFile=$SITE/log/slurmctld.log
SlurmdLogFile=$SITE/log/slurmd-%n.log
SlurmctldDebug=info
SlurmdDebug=info
StateSaveLocation=$SITE/state
SlurmdSpoolDir=$(short_site)/spool/%n
CONF
    "${FORM}_conf" "$host" "$port"
    [ "$PLUGINS" = no ] || write_plugins
  } >"$CONF.new"
  mv "$CONF.new" "$CONF"
  printf '%s\n' CgroupPlugin=cgroup/v1 ConstrainRAMSpace=yes ConstrainSwapSpace=yes AllowedSwapSpace=0 >"$SITE/etc/cgroup.conf"
  echo "export SLURM_CONF=$CONF" >"$SITE/env"
  chmod 644 "$CONF" "$SITE/etc/cgroup.conf" "$SITE/env"
  touch "$SITE/log/jobcomp.log"
  chmod 644 "$SITE/log/jobcomp.log"
}

storage_conf() { # port
  if [ "$DBD" = no ]; then
    echo AccountingStorageType=accounting_storage/none
    return
  fi
  cat <<CONF
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$(($1 + 5))
AccountingStoragePass=$(short_site)/munge/run/socket
AccountingStorageEnforce=associations,limits,qos
CONF
}

# Its server has no port, and nobody but root gets at its socket.
start_storage() {
  local data=$SITE/storage i
  if ! up "$SITE/run/mariadbd.pid" mariadbd; then
    if [ ! -d "$data/mysql" ]; then
      mkdir -m 700 -p "$data"
      mariadb-install-db --no-defaults --user=root --auth-root-authentication-method=normal --skip-test-db \
        --datadir="$data" >"$SITE/log/storage.log" 2>&1 9>&- || die 1 "no database could be made, see $SITE/log/storage.log"
    fi
    daemon mariadbd --no-defaults --user=root --datadir="$data" --skip-networking --socket="$(storage_socket)" \
      --pid-file="$SITE/run/mariadbd.pid" --innodb-buffer-pool-size=64M --log-error="$SITE/log/storage.log" &
    for i in $(seq 300); do
      [ -S "$(storage_socket)" ] && mariadb --no-defaults --socket="$(storage_socket)" -e 'SELECT 1' >/dev/null 2>&1 && break
      sleep 0.2
    done
  fi
  if ! up "$SITE/run/slurmdbd.pid" slurmdbd; then
    cat >"$SITE/etc/slurmdbd.conf" <<CONF
AuthType=auth/munge
AuthInfo=socket=$(short_site)/munge/run/socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$(($(cat "$SITE/etc/port") + 5))
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
StorageLoc=slurm
PidFile=$SITE/run/slurmdbd.pid
LogFile=$SITE/log/slurmdbd.log
CONF
    chmod 600 "$SITE/etc/slurmdbd.conf"
    daemon MYSQL_UNIX_PORT="$(storage_socket)" slurmdbd || die 1 "slurmdbd did not start, see $SITE/log/slurmdbd.log"
  fi
  for i in $(seq 20); do
    client sacctmgr -n list cluster >/dev/null 2>&1 && break
    sleep 0.2
  done
  [ -n "$(client sacctmgr -n list cluster gelato 2>/dev/null)" ] || client sacctmgr -i add cluster gelato >>"$SITE/log/start.log" 2>&1 ||
    die 1 "slurmdbd takes no cluster, see $SITE/log/start.log and $SITE/log/slurmdbd.log"
}

storage_socket() {
  echo "$(short_site)/run/mariadbd"
}

start_munge() {
  up "$SITE/munge/run/munged.pid" munged && return
  if [ ! -s "$SITE/munge/etc/key" ]; then
    (umask 077 && head -c 1024 /dev/urandom >"$SITE/munge/etc/key") || die 1 "cannot make the munge key"
  fi
  chown -R munge:munge "$SITE/munge"
  chmod 700 "$SITE"/munge/{etc,log,lib}
  chmod 400 "$SITE/munge/etc/key"
  # --force: the folders above may belong to whoever has checked the sources out
  daemon setpriv --reuid=munge --regid=munge --clear-groups munged --force --num-threads=4 \
    --key-file="$SITE/munge/etc/key" --socket="$(short_site)/munge/run/socket" --pid-file="$SITE/munge/run/munged.pid" \
    --log-file="$SITE/munge/log/munged.log" --seed-file="$SITE/munge/lib/seed" ||
    die 1 "munged did not start, see $SITE/munge/log/munged.log"
}

start() {
  prepare
  exec 9>"$SITE/run/lock"
  flock 9
  ulimit -n 20000 2>/dev/null
  ulimit -u unlimited 2>/dev/null
  link_short_site
  start_munge
  if ! up "$SITE/run/slurmctld.pid" slurmctld; then
    # with slurmd up its jobs expect the controller where it was
    any_slurmd_up || write_conf
    [ "$DBD" = no ] || start_storage
    daemon slurmctld || die 1 "slurmctld did not start, see $SITE/log/slurmctld.log"
  fi
  reachable_by_accounts "$CONF"
  local node i
  for node in $(node_names); do
    if ! up "$SITE/run/slurmd-$node.pid" slurmd; then
      daemon slurmd -N "$node" || die 1 "slurmd did not start, see $SITE/log/slurmd-$node.log"
    fi
  done
  for i in $(seq 150); do
    # one that does not like its configuration ends after it has become a daemon
    takes_jobs || ! up "$SITE/run/slurmctld.pid" slurmctld && break
    sleep 0.2
  done
  status || die 1 "the site did not come up, see $SITE/log"
}

any_slurmd_up() {
  local file
  for file in "$SITE"/run/slurmd-*.pid; do
    up "$file" slurmd && return
  done
  return 1
}

# Whether every node takes jobs.
takes_jobs() {
  [ "$(client sinfo -h -N -t idle,mixed,allocated -o %N 2>/dev/null | sort -u | wc -l)" = "$(node_names | wc -l)" ]
}

client() {
  SLURM_CONF=$CONF "$@" 9>&-
}

hold() {
  local partition
  for partition in $(client sinfo -h -o %R | sort -u); do
    client scontrol update "PartitionName=$partition" State=DOWN || die 1 "partition $partition could not be held"
  done
}

end_jobs() {
  local partition i
  for partition in $(client sinfo -h -o %R | sort -u); do
    client scancel -f -p "$partition"
  done
  for i in $(seq 300); do
    [ -z "$(client squeue -h)" ] && return
    sleep 0.2
  done
}

# What a job started and no daemon minds any more.
end_strays() {
  local environ pid
  for environ in $(grep -lzxF -- "SLURM_CONF=$CONF" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${environ#/proc/}
    pid=${pid%/environ}
    # nobody's shell, no client and no CE that only looks at this site
    if ours "$pid" slurmstepd || grep -qz '^SLURM_JOB_ID=' "$environ" 2>/dev/null; then
      kill -9 "$pid" 2>/dev/null
    fi
  done
}

# What slurmd leaves of a node's cgroups, deepest first.
remove_cgroups() {
  local node cgroup
  [ "$FORM" = farm ] || return 0
  for node in $(node_names 2>/dev/null); do
    for cgroup in /sys/fs/cgroup/*/"slurm_$node"; do
      [ ! -d "$cgroup" ] || find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null
    done
  done
}

stop() {
  [ -e "$SITE/.slurm-site" ] || return 0
  up "$SITE/run/slurmctld.pid" slurmctld && end_jobs 2>/dev/null
  local file
  for file in "$SITE"/run/slurmd-*.pid; do
    end_daemon "$file" slurmd
  done
  end_daemon "$SITE/run/slurmctld.pid" slurmctld
  end_daemon "$SITE/run/slurmdbd.pid" slurmdbd
  end_daemon "$SITE/run/mariadbd.pid" mariadbd
  end_daemon "$SITE/munge/run/munged.pid" munged
  end_strays
  remove_cgroups
  [ "$(short_site)" = "$SITE" ] || rm -f "$(short_site)"
}

status() {
  local rc=0 d name pid
  for d in munge/run/munged run/slurmctld $(node_names | sed 's|^|run/slurmd-|'); do
    name=${d##*/}
    if up "$SITE/$d.pid" "${name%%-*}"; then
      pid=$(cat "$SITE/$d.pid")
      echo "$name up, process $pid"
    else
      echo "$name down"
      rc=3
    fi
  done
  [ $rc = 0 ] || return $rc
  client sinfo -o "%P %a, node %T, CPUs allocated/idle/other/total %C" || rc=3
  takes_jobs || rc=3
  echo "configuration $CONF"
  return $rc
}

check_settings
case ${1:-} in
  prepare) prepare ;;
  start) start ;;
  stop-controller) end_daemon "$SITE/run/slurmctld.pid" slurmctld ;;
  hold) hold ;;
  stop) stop ;;
  status) status ;;
  wipe)
    stop
    [ ! -e "$SITE/.slurm-site" ] || rm -rf "$SITE"
    ;;
  *)
    sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//p}' "$0"
    exit 2
    ;;
esac
