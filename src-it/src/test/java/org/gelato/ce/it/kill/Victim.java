package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** What is killed, with kill -9 or a reset, and how it comes back. A stopped thread of the CE continues in between. */
public enum Victim {
    CE,
    /** The helper; the CE starts the next one. */
    HELPER,
    /** All workers of accounts; the helper starts the next ones. */
    WORKER,
    DATABASE,
    /** The connections to the database. */
    DATABASE_CUT,
    /** The connections to the database, after a commit went through and before its response came. */
    COMMIT_ANSWER,
    SLURM,
    /** The slurmrestd of each account; their workers start the next ones. */
    SLURMRESTD,
    /** The same stopped; their workers kill them. */
    SLURMRESTD_STOPPED,
    /** slurmctld stopped for a while. */
    SLURM_STOPPED,
    /** munged stopped for a while. */
    MUNGE_STOPPED,
    CLIENTS;

    /** How long a daemon that is let go on stands still. */
    private static final Duration PAUSE = Duration.ofSeconds(2);
    /** For what comes back by itself, while another fault may last. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Kills it, lets the CE go on, and brings it back. */
    public void strike(KillSite site) {
        switch (this) {
            case CE -> restartCe(site);
            case HELPER -> {
                kill(helper(site));
                site.release();
                awaitReady(site);
            }
            case WORKER -> {
                helper(site).children().filter(Victim::isHelper).toList().forEach(Victim::kill);
                site.release();
                awaitReady(site);
            }
            case DATABASE -> {
                site.database().kill();
                site.release();
                site.database().restart();
            }
            case DATABASE_CUT -> {
                site.database().relay().cut();
                site.release();
            }
            case COMMIT_ANSWER -> loseACommit(site);
            case SLURM -> {
                site.slurm().kill();
                site.release();
                site.slurm().restart();
            }
            case SLURMRESTD -> {
                restDaemons(site).forEach(Victim::kill);
                site.release();
            }
            case SLURMRESTD_STOPPED -> {
                List<ProcessHandle> stopped = restDaemons(site);
                stopped.forEach(daemon -> signal("STOP", daemon.pid()));
                site.release();
                // without a request it stays, and does no harm
                stopped.forEach(daemon -> LockSupport.parkNanos(PAUSE.toNanos()));
                stopped.stream().filter(ProcessHandle::isAlive).forEach(daemon -> signal("CONT", daemon.pid()));
            }
            case SLURM_STOPPED -> pause(site, site.slurm().controller());
            case MUNGE_STOPPED -> pause(site, site.slurm().munge());
            case CLIENTS -> {
                site.front().cut();
                site.release();
            }
        }
    }

    private static void pause(KillSite site, long pid) {
        signal("STOP", pid);
        try {
            site.release();
            LockSupport.parkNanos(PAUSE.toNanos());
        } finally {
            signal("CONT", pid);
        }
    }

    /** Sends a signal by its name, as STOP, and waits until it was sent. */
    public static void signal(String name, long pid) {
        try {
            new ProcessBuilder("/bin/kill", "-" + name, Long.toString(pid))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<ProcessHandle> restDaemons(KillSite site) {
        return site.ce()
                .process()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/slurmrestd"))
                .toList();
    }

    private static void restartCe(KillSite site) {
        site.ce().kill();
        site.release();
        site.startCe();
    }

    private static void loseACommit(KillSite site) {
        Relay relay = site.database().relay();
        relay.loseResponses();
        site.release();
        Awaitility.await("a commit whose response is lost")
                .pollInterval(Duration.ofMillis(10))
                .until(relay::lostACommit);
        relay.cutAndCarry();
    }

    private static void awaitReady(KillSite site) {
        Awaitility.await("the CE is ready without a restart")
                .atMost(PATIENCE)
                .until(() -> site.ce().isReady());
    }

    private static ProcessHandle helper(KillSite site) {
        // There is none for a moment when the last one was killed just now.
        return Awaitility.await("the CE's one helper")
                .atMost(PATIENCE)
                .until(() -> helpers(site), helpers -> helpers.size() == 1)
                .get(0);
    }

    private static List<ProcessHandle> helpers(KillSite site) {
        return site.ce().process().children().filter(Victim::isHelper).toList();
    }

    private static boolean isHelper(ProcessHandle process) {
        Optional<String> command = process.info().command();
        return command.isPresent() && command.get().contains("gelato-helper");
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(5, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException("process " + process.pid() + " was not killed", e);
        }
    }
}
