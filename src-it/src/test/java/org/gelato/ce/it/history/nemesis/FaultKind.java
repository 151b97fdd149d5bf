package org.gelato.ce.it.history.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.gelato.ce.it.htcondor.CondorSlots;
import org.gelato.ce.it.kill.KillSite;
import org.gelato.ce.it.kill.KillableSlurm;
import org.gelato.ce.it.kill.Relay;
import org.gelato.ce.it.kill.Victim;

/** A fault of a site, which is over when its making returns. */
public enum FaultKind {
    CE_KILLED(Target.CE, Victim.CE),
    CE_STOPPED(Target.CE, null),
    SECOND_KILLED(Target.SECOND, null),
    SECOND_STOPPED(Target.SECOND, null),
    /** The second front end ends, and continues by newer software. */
    SECOND_UPGRADED(Target.SECOND, null),
    /** It is minutes or an hour ahead, or back, and then right again. */
    CE_CLOCK_MOVED(Target.CLOCK, null),
    HELPER_KILLED(Target.CE, Victim.HELPER),
    WORKERS_KILLED(Target.CE, Victim.WORKER),
    DATABASE_KILLED(Target.DATABASE, Victim.DATABASE),
    DATABASE_STOPPED(Target.DATABASE, null),
    /** It refuses to write, as one that became a replica. */
    DATABASE_READ_ONLY(Target.DATABASE, null),
    DATABASE_DISK_FULL(Target.DATABASE, null),
    DATABASE_CUT(Target.CONNECTIONS, Victim.DATABASE_CUT),
    /** Nothing is carried to it and from it; then what was sent meanwhile comes late. */
    DATABASE_SILENT(Target.CONNECTIONS, null),
    /** The server of a cluster through which the CE writes. */
    WRITER_KILLED(Target.DATABASE, null),
    WRITER_STOPPED(Target.DATABASE, null),
    WRITER_CUT(Target.DATABASE, null),
    /** Another server of a cluster. */
    MEMBER_KILLED(Target.DATABASE, null),
    CLIENTS_CUT(Target.CLIENTS, Victim.CLIENTS),
    CLIENTS_SILENT(Target.CLIENTS, null),
    /** The CA's list of revoked certificates has ended: nobody is admitted until there is a newer one. */
    CRL_ENDED(Target.TRUST, null),
    HOST_CERTIFICATE_RENEWED(Target.TRUST, null),
    /** A CA is no trust anchor for a while: its users are refused, and nobody else. */
    CA_REMOVED(Target.TRUST, null),
    SLURM_KILLED(Target.BATCH, Victim.SLURM),
    SLURM_STOPPED(Target.BATCH, Victim.SLURM_STOPPED),
    /** Its controller loses what it knew of all jobs. */
    SLURM_FORGOT(Target.BATCH, null),
    SLURMRESTD_KILLED(Target.REST, Victim.SLURMRESTD),
    SLURMRESTD_STOPPED(Target.REST, Victim.SLURMRESTD_STOPPED),
    MUNGE_STOPPED(Target.BATCH, Victim.MUNGE_STOPPED),
    SCHEDD_KILLED(Target.BATCH, null),
    SCHEDD_STOPPED(Target.BATCH, null),
    /** HTCondor then ends the jobs that they watched over, or starts them once more. */
    SHADOWS_KILLED(Target.BATCH, null);

    private static final Set<FaultKind> OF_HTCONDOR = EnumSet.of(SCHEDD_KILLED, SCHEDD_STOPPED, SHADOWS_KILLED);
    private static final Set<FaultKind> OF_SLURM =
            EnumSet.of(SLURM_KILLED, SLURM_FORGOT, SLURM_STOPPED, SLURMRESTD_KILLED, SLURMRESTD_STOPPED, MUNGE_STOPPED);

    private static final Set<FaultKind> OF_GALERA =
            EnumSet.of(WRITER_KILLED, WRITER_STOPPED, WRITER_CUT, MEMBER_KILLED);
    private static final Set<FaultKind> OF_ONE_DATABASE = EnumSet.of(
            DATABASE_KILLED, DATABASE_STOPPED, DATABASE_READ_ONLY, DATABASE_DISK_FULL, DATABASE_CUT, DATABASE_SILENT);

    private static final int LONGEST_MINUTES = 6;
    /** As a clock goes that was set by hand to the wrong time zone. */
    private static final int AN_HOUR_MINUTES = 60;

    private final Target target;
    private final Victim victim;

    /** What cannot have two faults at once. */
    private enum Target {
        CE,
        SECOND,
        CLOCK,
        DATABASE,
        CONNECTIONS,
        CLIENTS,
        TRUST,
        BATCH,
        REST
    }

    FaultKind(Target target, Victim victim) {
        this.target = target;
        this.victim = victim;
    }

    /** Whether both can be at once. */
    boolean goesWith(FaultKind other) {
        // of a CE that is killed nobody knows the daemons
        boolean ce = target == Target.CE || other.target == Target.CE;
        boolean rest = target == Target.REST || other.target == Target.REST;
        return target != other.target && !(ce && rest);
    }

    /** Some that its batch system and all else survive, in a fixed order. */
    public static List<List<FaultKind>> few(HistorySite site) {
        if (site.galera() != null) {
            return List.of(
                    List.of(WRITER_KILLED),
                    List.of(CLIENTS_CUT, WRITER_CUT),
                    List.of(CE_STOPPED, WRITER_STOPPED),
                    List.of(MEMBER_KILLED));
        }
        if (isForgetful(site)) {
            return List.of(List.of(SLURM_FORGOT), List.of(CE_STOPPED, SLURM_FORGOT), List.of(CE_KILLED));
        }
        return isOnHtcondor(site)
                ? List.of(
                        List.of(SCHEDD_STOPPED, DATABASE_CUT),
                        List.of(CE_KILLED),
                        List.of(SHADOWS_KILLED),
                        List.of(SCHEDD_KILLED, CLIENTS_CUT))
                : List.of(
                        site.first().clock() == null ? List.of(CE_STOPPED) : List.of(CE_STOPPED, CE_CLOCK_MOVED),
                        List.of(SLURM_STOPPED, DATABASE_SILENT),
                        List.of(CA_REMOVED, DATABASE_READ_ONLY),
                        List.of(CE_KILLED, CLIENTS_CUT));
    }

    private static boolean isOnHtcondor(HistorySite site) {
        return site.first().batch() instanceof CondorSlots;
    }

    private static boolean isForgetful(HistorySite site) {
        return site.first().batch() instanceof KillableSlurm slurm && slurm.isForgetful();
    }

    /** Those that a site can have. */
    public static List<FaultKind> of(HistorySite site) {
        return Arrays.stream(values())
                .filter(kind -> !(isOnHtcondor(site) ? OF_SLURM : OF_HTCONDOR).contains(kind))
                .filter(kind -> !(site.galera() == null ? OF_GALERA : OF_ONE_DATABASE).contains(kind))
                .filter(kind -> kind != SLURM_FORGOT || isForgetful(site))
                .filter(kind -> site.hasSecond() || kind.target != Target.SECOND)
                .filter(kind -> site.disk() != null || kind != DATABASE_DISK_FULL)
                .filter(kind -> site.first().clock() != null || kind != CE_CLOCK_MOVED)
                // older software that was killed does not start again
                .filter(kind -> kind != SECOND_UPGRADED && !(site.hasOlder() && kind == SECOND_KILLED))
                .toList();
    }

    /** Whether the batch system may forget by it what it accepted last. */
    public boolean forgets() {
        return this == SLURM_KILLED || this == SLURM_FORGOT;
    }

    /** Of whose credentials the CE may take valid ones for ended ones by it, or the other way round. */
    public Set<Authority> doubts() {
        return switch (this) {
            case CE_CLOCK_MOVED -> EnumSet.allOf(Authority.class);
            // it revokes the server of the VO, too
            case CRL_ENDED -> EnumSet.of(Authority.CA, Authority.OTHER_CA);
            case CA_REMOVED -> EnumSet.of(Authority.OTHER_CA);
            default -> EnumSet.noneOf(Authority.class);
        };
    }

    /**
     * Makes it.
     *
     * @param milliseconds how long what is stopped stands still
     * @param now positions in the log
     */
    FaultLog.Made make(HistorySite site, int milliseconds, LongSupplier now) {
        return switch (this) {
            case SHADOWS_KILLED ->
                new FaultLog.Made(KillSite.jobs(site.first().condor().killShadows()), null);
            case CA_REMOVED -> new FaultLog.Made(Set.of(), new TrustFaults(site).removeAuthority(milliseconds, now));
            default -> {
                harm(site, milliseconds);
                yield FaultLog.Made.NOTHING;
            }
        };
    }

    private void harm(HistorySite site, int milliseconds) {
        switch (this) {
            case SCHEDD_KILLED -> site.first().condor().killSchedd();
            case SCHEDD_STOPPED -> {
                site.first().condor().stopSchedd();
                try {
                    pause(milliseconds);
                } finally {
                    site.first().condor().continueSchedd();
                }
            }
            case SLURM_FORGOT -> ((KillableSlurm) site.first().batch()).forget();
            case CE_STOPPED -> stop(site.first().ce().process().pid(), milliseconds);
            case SECOND_STOPPED -> stop(site.secondCe().process().pid(), milliseconds);
            case DATABASE_STOPPED -> stop(site.first().database().pid(), milliseconds);
            case CE_CLOCK_MOVED -> {
                int minutes = milliseconds % 3 == 0 ? AN_HOUR_MINUTES : milliseconds % LONGEST_MINUTES + 1;
                site.first().clock().move((milliseconds / 100 % 2 == 0 ? 60L : -60L) * minutes);
                pause(milliseconds);
                site.first().clock().move(0);
            }
            case DATABASE_SILENT -> silent(site.first().database().relay(), milliseconds);
            case CLIENTS_SILENT -> silent(site.first().front(), milliseconds);
            case DATABASE_READ_ONLY -> {
                site.first().database().readOnly(true);
                pause(milliseconds);
                site.first().database().readOnly(false);
            }
            case DATABASE_DISK_FULL -> full(site, milliseconds);
            case WRITER_KILLED -> site.galera().killWriter(milliseconds);
            // half of these are longer than its group waits
            case WRITER_STOPPED -> site.galera().stopWriter(3 * milliseconds);
            case WRITER_CUT -> site.galera().cutWriter();
            case MEMBER_KILLED -> site.galera().killOther(milliseconds);
            case CRL_ENDED -> new TrustFaults(site).endRevocationList(milliseconds);
            case HOST_CERTIFICATE_RENEWED -> new TrustFaults(site).renewHostCertificates();
            case SECOND_KILLED -> {
                site.secondCe().kill();
                site.startSecond();
            }
            case SECOND_UPGRADED -> {
                site.secondCe().stop();
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
            pause(milliseconds);
        } finally {
            Victim.signal("CONT", pid);
        }
    }

    private static void silent(Relay relay, int milliseconds) {
        relay.hold();
        try {
            pause(milliseconds);
        } finally {
            relay.carry();
        }
    }

    private static void full(HistorySite site, int milliseconds) {
        try {
            try {
                site.disk().fill();
                pause(milliseconds);
            } finally {
                site.disk().empty();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause(int milliseconds) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }
}
