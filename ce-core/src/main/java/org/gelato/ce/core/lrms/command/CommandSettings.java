package org.gelato.ce.core.lrms.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.lrms.type.LrmsType;

/**
 * What every batch system has that is reached by its commands.
 *
 * @param binDirectory where they lie; absolute
 * @param submitAttributes the site's {@code *_local_submit_attributes.sh}; null for none
 * @param timeout after which a command is killed; at least a second
 * @param nodesSeeSandboxes whether worker nodes see the sandboxes
 */
public record CommandSettings(
        @Key Path binDirectory,
        @Key(optional = true) Path submitAttributes,
        Duration timeout,
        boolean nodesSeeSandboxes) {
    /** As the distributions install them. */
    public static final CommandSettings DEFAULT =
            new CommandSettings(Path.of("/usr/bin"), null, Duration.ofSeconds(60), true);

    /** What {@link org.gelato.ce.core.base.Keys#read} is given for one. */
    public static Object[] given(LrmsType.Common common) {
        return new Object[] {common.commandTimeout(), common.sharedSandboxes()};
    }

    /**
     * How the commands are called.
     *
     * @param variable of the environment that names the batch system's configuration
     * @param file its value; null where the commands find it themselves
     */
    public CommandSite site(String variable, Path file) {
        return new CommandSite(binDirectory, file == null ? Map.of() : Map.of(variable, file.toString()), timeout);
    }
}
