package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.authorization.GridmapConfig;

/**
 * Who is authorized.
 *
 * @param gridmap DNs and FQAN patterns to local accounts
 * @param ban banned DNs; the file may be absent
 * @param admins DNs of administrators; the file may be absent
 * @param gridmapdir pool accounts and their leases; null for none
 * @param voAdmins who administers which VO; null for none, and the file may be absent
 */
public record AuthorizationConfig(Path gridmap, Path ban, Path admins, Path gridmapdir, Path voAdmins) {
    private static final Duration FILE_CHECK = Duration.ofSeconds(2);

    static AuthorizationConfig read(ConfigReader r) {
        return new AuthorizationConfig(
                r.path("gelato.authorization.gridmap"),
                r.path("gelato.authorization.ban"),
                r.path("gelato.authorization.admins"),
                r.optionalPath("gelato.authorization.gridmapdir"),
                r.optionalPath("gelato.authorization.vo-admins"));
    }

    /** The same as the type of the part that reads the files. */
    public GridmapConfig files() {
        return new GridmapConfig(gridmap, ban, admins, FILE_CHECK, gridmapdir, voAdmins);
    }
}
