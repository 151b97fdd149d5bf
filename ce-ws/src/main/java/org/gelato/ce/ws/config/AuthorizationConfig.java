package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.authorization.GridmapConfig;
import org.gelato.ce.core.base.Key;

/**
 * Who is authorized.
 *
 * @param gridmap DNs and FQAN patterns to local accounts
 * @param ban banned DNs; the file may be absent
 * @param admins DNs of administrators; the file may be absent
 * @param gridmapdir pool accounts and their leases; null for none
 * @param voAdmins who administers which VO; null for none, and the file may be absent
 */
public record AuthorizationConfig(
        @Key Path gridmap,
        @Key Path ban,
        @Key Path admins,
        @Key(optional = true) Path gridmapdir,
        @Key(optional = true) Path voAdmins) {
    private static final Duration FILE_CHECK = Duration.ofSeconds(2);

    /** The same as the type of the part that reads the files. */
    public GridmapConfig files() {
        return new GridmapConfig(gridmap, ban, admins, FILE_CHECK, gridmapdir, voAdmins);
    }
}
