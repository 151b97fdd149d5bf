package org.gelato.ce.it.history;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.gelato.ce.it.kill.Victim;

/** A fault of a site, which is over when its making returns. */
enum FaultKind {
    CE_KILLED(Victim.CE),
    CE_STOPPED(null),
    SECOND_KILLED(null),
    SECOND_STOPPED(null),
    HELPER_KILLED(Victim.HELPER),
    WORKERS_KILLED(Victim.WORKER),
    DATABASE_KILLED(Victim.DATABASE),
    DATABASE_STOPPED(null),
    DATABASE_CUT(Victim.DATABASE_CUT),
    CLIENTS_CUT(Victim.CLIENTS),
    SLURM_KILLED(Victim.SLURM),
    SLURM_STOPPED(Victim.SLURM_STOPPED),
    SLURMRESTD_KILLED(Victim.SLURMRESTD),
    SLURMRESTD_STOPPED(Victim.SLURMRESTD_STOPPED),
    MUNGE_STOPPED(Victim.MUNGE_STOPPED);

    private final Victim victim;

    FaultKind(Victim victim) {
        this.victim = victim;
    }

    /** Those that a site can have. */
    static List<FaultKind> of(HistorySite site) {
        return Arrays.stream(values())
                .filter(kind -> site.hasSecond() || !kind.name().startsWith("SECOND"))
                .toList();
    }

    /** Whether the batch system may forget by it what it accepted last. */
    boolean forgets() {
        return this == SLURM_KILLED;
    }

    /** @param milliseconds how long what is stopped stands still */
    void make(HistorySite site, int milliseconds) {
        switch (this) {
            case CE_STOPPED -> stop(site.first().ce().process().pid(), milliseconds);
            case SECOND_STOPPED -> stop(site.secondCe().process().pid(), milliseconds);
            case DATABASE_STOPPED -> stop(site.first().database().pid(), milliseconds);
            case SECOND_KILLED -> {
                site.secondCe().kill();
                site.startSecond();
            }
            case CLIENTS_CUT -> {
                if (site.hasSecond()) {
                    site.secondFront().cut();
                }
                victim.strike(site.first());
            }
            default -> victim.strike(site.first());
        }
    }

    private static void stop(long pid, int milliseconds) {
        Victim.signal("STOP", pid);
        try {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
        } finally {
            Victim.signal("CONT", pid);
        }
    }
}
