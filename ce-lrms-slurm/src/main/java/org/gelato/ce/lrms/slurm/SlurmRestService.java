package org.gelato.ce.lrms.slurm;

import java.util.List;
import org.gelato.ce.core.lrms.command.CommandSite;

/**
 * The slurmrestd of each account, for the helper's configuration. Its variables are those of the commands; {@code SLURM_JWT}
 * never is among them, for with it slurmrestd wants tokens instead of the account. Functions without state.
 */
public final class SlurmRestService {
    /** More would contend for the same locks. */
    private static final int THREADS = 4;

    private static final List<String> PLUGINS =
            List.of("slurmctld", "openapi/v0.0.39", "openapi/v0.0.38", "openapi/v0.0.37", "openapi/v0.0.36");

    private SlurmRestService() {}

    /**
     * Name and command line for each kind of slurmrestd, newest first: the helper keeps to the first that starts, and puts the
     * place of the socket in. Without {@code -s} slurmrestd of a site without slurmdbd does not start; one ends at a plugin it
     * has not got. From Slurm 23.11 on one plugin has all versions.
     */
    public static List<String> lines(SlurmConfig config) {
        return PLUGINS.stream()
                .map(plugin -> SlurmRest.SERVICE + " " + config.restDaemon() + " -t " + THREADS
                        + " -a rest_auth/local -s " + plugin + " unix:{socket}")
                .toList();
    }

    /** {@code NAME=value} of each variable. */
    public static List<String> environment(SlurmConfig config) {
        return CommandSite.lines(config.site().environment());
    }
}
