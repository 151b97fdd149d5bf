package org.gelato.ce.ws;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.LrmsConfig;

/** The command line that starts the helper: the site's own, or the helper that comes with this software. */
final class HelperCommand {
    private static final String MINIMUM_UID = "1000";

    private final CeConfig config;

    HelperCommand(CeConfig config) {
        this.config = config;
    }

    /**
     * Program and arguments.
     *
     * @throws IOException when the helper that comes with this software cannot be unpacked
     */
    List<String> line() throws IOException {
        List<String> line = new ArrayList<>(config.helper().command());
        if (line.isEmpty()) {
            line.add(HelperBinary.extract(config.home().resolve("helper")).toString());
        }
        if (config.helper().config() != null) {
            line.addAll(List.of("-c", config.helper().config().toString()));
        } else {
            // A privileged helper of a site has its limits in a file of root's; these are for one started by us.
            line.addAll(List.of("-s", config.sandboxRoot().toString(), "-m", MINIMUM_UID));
            programs().forEach(p -> line.addAll(List.of("-x", p)));
        }
        return line;
    }

    private Stream<String> programs() {
        LrmsConfig lrms = config.lrms();
        return lrms.kind() == LrmsConfig.Kind.FORK
                ? Stream.of("/bin/bash")
                : Stream.of("sbatch", "squeue", "scancel", "scontrol", "sacct", "sinfo")
                        .map(name -> lrms.slurmBinDirectory().resolve(name).toString());
    }
}
