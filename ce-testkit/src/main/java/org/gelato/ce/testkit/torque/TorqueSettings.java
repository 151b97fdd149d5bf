package org.gelato.ce.testkit.torque;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the stand-in's server behaves; each change counts from its next tick, within 50 ms, for jobs it has already too.
 * Thread-safe.
 */
public final class TorqueSettings {
    /** Torque's exit status of a job that SIGTERM ended: 256 and the signal. */
    private static final int TERMINATED = 271;

    private final WholeFile file;
    private final List<String> queues;
    private final Map<String, String> values = new LinkedHashMap<>();

    TorqueSettings(Path folder, String host, List<String> queues) {
        this.file = new WholeFile(folder.resolve("settings"));
        this.queues = List.copyOf(queues);
        values.put("host", host);
        values.put("owner-host", host);
        write();
    }

    /** Slots jobs may use now; 0 keeps all queued. Jobs that run go on. */
    public void slots(int slots) {
        set("slots", Integer.toString(slots));
    }

    /** Slots of the one node: a job that wants more is refused with 190. */
    public void capacity(int slots) {
        set("capacity", Integer.toString(slots));
    }

    /** How long ended jobs are shown as C, in whole seconds; 300 s at first. */
    public void keepCompleted(Duration time) {
        set("keep-completed", Long.toString(time.toSeconds()));
    }

    /** Ended jobs vanish at once, or no longer do so. */
    public void forgetsFinished(boolean forgets) {
        set("forgets-finished", forgets ? "yes" : null);
    }

    /**
     * All jobs that run are over a limit: they get SIGTERM, then SIGKILL, and end with this status.
     *
     * @param status -10 for memory, -12 for CPU time; null for no limit
     */
    public void overLimit(Integer status) {
        set("over-limit", status == null ? null : status.toString());
    }

    /**
     * Jobs that start from now on end before their shell reads the script.
     *
     * @param status negative for what pbs_mom reports when it cannot start a job (-1, -2, -8, -9); 271 for a SIGTERM that
     *     comes first; null for jobs that run
     */
    public void startsEndWith(Integer status) {
        if (status != null && status >= 0 && status != TERMINATED) {
            throw new IllegalArgumentException("no job ends so at its start: " + status);
        }
        set("start-status", status == null ? null : status.toString());
    }

    /** Jobs go on showing R for so long after their processes are gone, as a Torque under load does. */
    public void staleRunning(Duration time) {
        set("stale-running", Long.toString(time.toMillis()));
    }

    /** Jobs a queue takes that are not over, 200 for more; negative for any number. */
    public void queueFull(int limit) {
        set("queue-full", Integer.toString(limit));
    }

    /** Takes no jobs, 175; null for none. */
    public void disabledQueue(String queue) {
        set("disabled", queue);
    }

    /** A queue takes jobs of one account only, 159 for others. */
    public void onlyUser(String queue, String user) {
        set("only-user", queue + " " + user);
    }

    /** Longest walltime a job may ask for, 190 for more. */
    public void longestWalltime(Duration time) {
        set("max-walltime", Long.toString(time.toSeconds()));
    }

    /** The host in a job's owner, which in the recorded samples was not the server's name. */
    public void ownerHost(String host) {
        set("owner-host", host);
    }

    private synchronized void set(String key, String value) {
        if (value == null) {
            values.remove(key);
        } else {
            values.put(key, value);
        }
        write();
    }

    private void write() {
        List<String> lines = new ArrayList<>();
        queues.forEach(queue -> lines.add("queue " + queue));
        values.forEach((key, value) -> lines.add(key + " " + value));
        file.write(lines);
    }
}
