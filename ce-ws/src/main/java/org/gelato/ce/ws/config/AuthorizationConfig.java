package org.gelato.ce.ws.config;

import java.nio.file.Path;

/**
 * Who may come in.
 *
 * @param gridmap DNs and FQAN patterns to local accounts
 * @param ban banned DNs; the file may be absent
 * @param admins DNs of administrators; the file may be absent
 * @param gridmapdir pool accounts and their leases; null for none
 */
public record AuthorizationConfig(Path gridmap, Path ban, Path admins, Path gridmapdir) {
    static AuthorizationConfig read(ConfigReader r) {
        return new AuthorizationConfig(
                r.path("gelato.authorization.gridmap"),
                r.path("gelato.authorization.ban"),
                r.path("gelato.authorization.admins"),
                r.optionalPath("gelato.authorization.gridmapdir"));
    }
}
