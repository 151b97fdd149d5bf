#!/bin/bash
# condor-site.sh start|stop|kill-schedd|kill-shadows|stop-schedd|continue-schedd|new-queue|lose-history
#
# A whole HTCondor on one host, for tests: master, collector and schedd, by hand and without systemd, on loopback only, everything below one
# folder. Without slots its jobs go to CEs; with them it is a pool below a CE. Its master does not tune the kernel of the machine: connections
# would get all ports from 1024 on, those chosen for the servers of tests among them.
#
#   start        bring it up; done when its schedd takes jobs
#   kill-schedd  end schedd and grid manager by SIGKILL; the master starts the schedd again
#   kill-shadows end all shadows by SIGKILL; prints the jobs that they watched over
#   stop-schedd, continue-schedd
#                the schedd hangs by SIGSTOP, and goes on
#   new-queue    end the schedd, and have it begin with an empty queue that counts from 1
#   lose-history remove what it knows of jobs that left the queue
#   stop         end all daemons and remove the folder
#
# Environment:
#   CONDOR_SITE  folder of the site, absolute
#   CONDOR_PORT  the collector's port
#   CONDOR_USER  unix account that submits; made where it is missing
#   CONDOR_SLOTS CPUs of its one node; none without it. The account gelatodenied, made here, may then not write to the schedd, which
#                refuses jobs with the attribute Unwanted, and logs events in JSON
#   CONDOR_CAS   file of certificates that its clients trust; they are added to those of the system, as HTCondor's ARC client has no
#                setting for them: run it in a root of its own
# Clients: export CONDOR_CONFIG=$CONDOR_SITE/condor_config.
set -eu

SITE=${CONDOR_SITE:?} PORT=${CONDOR_PORT:?} ACCOUNT=${CONDOR_USER:?}
export CONDOR_CONFIG=$SITE/condor_config
PATH=/usr/sbin:/usr/bin:/sbin:/bin
readonly TRUSTED=/usr/local/share/ca-certificates/gelato-test-$PORT.crt

begin() {
  local directory ports
  ports=$(cat /proc/sys/net/ipv4/ip_local_port_range)
  id "$ACCOUNT" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$ACCOUNT"
  [ -z "${CONDOR_SLOTS:-}" ] || id gelatodenied >/dev/null 2>&1 || useradd --create-home gelatodenied
  mkdir -p "$SITE"
  chmod 755 "$SITE"
  for directory in spool execute lock run; do
    install -d -o condor -g condor "$SITE/$directory"
  done
  install -d -m 1777 -o condor -g condor "$SITE/log"
  install -d -o "$ACCOUNT" "$SITE/jobs"
  if [ -n "${CONDOR_CAS:-}" ]; then
    cp "$CONDOR_CAS" "$TRUSTED"
    flock /usr/local/share/ca-certificates update-ca-certificates >/dev/null 2>&1
  fi
  cat >"$CONDOR_CONFIG" <<TEXT
LOCAL_DIR = $SITE
LOG = $SITE/log
SPOOL = $SITE/spool
EXECUTE = $SITE/execute
LOCK = $SITE/lock
RUN = $SITE/run
RELEASE_DIR = /usr
BIN = /usr/bin
SBIN = /usr/sbin
LIB = /usr/lib/condor
LIBEXEC = /usr/libexec/condor
DAEMON_LIST = MASTER, COLLECTOR, SCHEDD${CONDOR_SLOTS:+, NEGOTIATOR, STARTD}
NUM_CPUS = ${CONDOR_SLOTS:-1}
MEMORY = 4000
RunBenchmarks = False
ENABLE_KERNEL_TUNING = False
START = True
PREEMPT = False
SUSPEND = False
KILL = False
TRUST_UID_DOMAIN = True
DENY_WRITE = gelatodenied@*
SUBMIT_REQUEST_MISSING_UNITS = error
SUBMIT_REQUIREMENT_NAMES = NotUnwanted
SUBMIT_REQUIREMENT_NotUnwanted = Unwanted =!= True
SUBMIT_REQUIREMENT_NotUnwanted_REASON = "this site takes no unwanted jobs"
${CONDOR_SLOTS:+EVENT_LOG = $SITE/log/EventLog}
EVENT_LOG_FORMAT_OPTIONS = JSON, ISO_DATE, SUB_SECOND, UTC
EVENT_LOG_JOB_AD_INFORMATION_ATTRS = GelatoTag
STARTER_INITIAL_UPDATE_INTERVAL = 2
STARTER_UPDATE_INTERVAL = 3
NEGOTIATOR_INTERVAL = 2
NEGOTIATOR_CYCLE_DELAY = 1
NEGOTIATOR_MIN_INTERVAL = 1
CONDOR_HOST = 127.0.0.1
COLLECTOR_HOST = 127.0.0.1:$PORT
NETWORK_INTERFACE = 127.0.0.1
USE_SHARED_PORT = False
SEC_DEFAULT_AUTHENTICATION_METHODS = FS
ALLOW_READ = *
ALLOW_WRITE = *
ALLOW_DAEMON = *
ALLOW_ADMINISTRATOR = *
UID_DOMAIN = localhost
FILESYSTEM_DOMAIN = localhost
ARC_GAHP = /usr/sbin/arc_gahp
GRIDMANAGER_LOG = $SITE/log/GridmanagerLog.\$(USERNAME)
GRIDMANAGER_JOB_PROBE_INTERVAL = 5
GRIDMANAGER_RESOURCE_PROBE_INTERVAL = 10
SCHEDD_INTERVAL = 5
PERIODIC_EXPR_INTERVAL = 5
UPDATE_INTERVAL = 5
MASTER_BACKOFF_CONSTANT = 2
MASTER_BACKOFF_CEILING = 3
TEXT
  setsid condor_master -f >"$SITE/log/master.out" 2>&1 </dev/null &
  echo $! >"$SITE/master.pid"
  ready
  if [ "$(cat /proc/sys/net/ipv4/ip_local_port_range)" != "$ports" ]; then
    echo "condor-site.sh: HTCondor changed the ephemeral ports of this host, from $ports" >&2
    exit 3
  fi
}

ready() {
  local i
  for ((i = 0; i < 600; i++)); do
    timeout 20 runuser -u "$ACCOUNT" -- env CONDOR_CONFIG="$CONDOR_CONFIG" condor_q >/dev/null 2>&1 && return 0
    sleep 0.3
  done
  echo "condor-site.sh: the schedd does not respond; see $SITE/log" >&2
  exit 3
}

end() {
  local i
  [ ! -e "$SITE/master.pid" ] || kill -QUIT "$(cat "$SITE/master.pid")" 2>/dev/null || true
  for ((i = 0; i < 100; i++)); do
    [ -e "$SITE/master.pid" ] && kill -0 "$(cat "$SITE/master.pid")" 2>/dev/null || break
    sleep 0.2
  done
  pkill -KILL -s "$(cat "$SITE/master.pid" 2>/dev/null || echo 0)" 2>/dev/null || true
  rm -rf "$SITE" "$TRUSTED"
}

case ${1:-} in
  start) begin ;;
  stop) end ;;
  kill-shadows)
    for shadow in $(pgrep -P "$(pgrep -d, -P "$(cat "$SITE/master.pid")" -x condor_schedd)" -x condor_shadow || true); do
      # one that began with another job has the old one in its command line
      job=$(tr '\0' '\n' 2>/dev/null <"/proc/$shadow/cmdline" | grep -xE '[0-9]+\.[0-9]+' || true)
      kill -KILL "$shadow" 2>/dev/null || continue
      last=$(sed -n "s/.*(\([0-9.]*\)) ($shadow): .*/\1/p" "$SITE/log/ShadowLog" | tail -n 1)
      echo "${last:-$job}"
    done
    ;;
  lose-history) rm -f "$SITE"/spool/history* ;;
  stop-schedd) pkill -STOP -P "$(cat "$SITE/master.pid")" -x condor_schedd ;;
  continue-schedd)
    pkill -CONT -P "$(cat "$SITE/master.pid")" -x condor_schedd
    ready
    ;;
  new-queue)
    pkill -KILL -P "$(cat "$SITE/master.pid")" -x condor_schedd || true
    rm -f "$SITE"/spool/job_queue.log* "$SITE"/spool/history*
    ready
    ;;
  kill-schedd)
    # those of other sites on this host are not ours
    schedd=$(pgrep -P "$(cat "$SITE/master.pid")" -x condor_schedd || true)
    manager=$([ -z "$schedd" ] || pgrep -d ' ' -P "${schedd//[[:space:]]/,}" -f condor_gridmanager || true)
    # shellcheck disable=SC2086 # several processes
    [ -z "$schedd$manager" ] || kill -KILL $schedd $manager 2>/dev/null || true
    ready
    ;;
  *)
    echo "usage: condor-site.sh start|stop|kill-schedd|kill-shadows|stop-schedd|continue-schedd|new-queue|lose-history" >&2
    exit 2
    ;;
esac
