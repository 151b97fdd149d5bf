package org.gelato.ce.lrms.condor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.lrms.command.CommandSettings;
import org.gelato.ce.core.lrms.command.CommandSite;

/**
 * How to reach a site's HTCondor.
 *
 * @param commands condor_submit and the others, some of which wait for a silent schedd for ever. Where worker nodes do not see the
 *     sandboxes, HTCondor brings the wrapper there, and its output is discarded
 * @param configFile value of {@code CONDOR_CONFIG} for commands; null where HTCondor finds its configuration itself
 * @param queues lines of the submit description by queue; a queue without an entry has none
 * @param suspendRunning whether jobs that run may be suspended by their users
 * @param eventLog HTCondor's global event log in JSON, read by this process; null for none
 */
public record CondorConfig(
        @Key(Key.BESIDE) CommandSettings commands,
        @Key(value = "config", optional = true) Path configFile,
        Map<String, List<SubmitLine>> queues,
        @Key boolean suspendRunning,
        @Key(optional = true) Path eventLog) {
    /** HTCondor as the distributions install it. */
    public static final CondorConfig DEFAULT = new CondorConfig(CommandSettings.DEFAULT, null, Map.of(), true, null);

    public CondorConfig {
        queues = Map.copyOf(queues);
    }

    /** How its commands are called. */
    CommandSite site() {
        return commands.site("CONDOR_CONFIG", configFile);
    }
}
