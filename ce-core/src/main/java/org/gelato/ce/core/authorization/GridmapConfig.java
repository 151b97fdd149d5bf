package org.gelato.ce.core.authorization;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.fault.Messages;

/**
 * Where the lists are that decide who may use the CE.
 *
 * @param gridmap grid-mapfile; must exist
 * @param banList DNs that are refused whatever else the files contain; null for none, and the file may be absent
 * @param adminList DNs of administrators; null for none, and the file may be absent
 * @param checkInterval how often the files are checked for changes, 1 second to 1 hour
 * @param gridmapdir directory of pool accounts and their leases; null when the grid-mapfile may name no pools
 * @param voAdminList administrators of VOs; null for none, and the file may be absent
 */
public record GridmapConfig(
        Path gridmap, Path banList, Path adminList, Duration checkInterval, Path gridmapdir, Path voAdminList) {
    public GridmapConfig {
        if (gridmap == null) {
            throw new IllegalArgumentException("gelato.authorization.gridmap is missing, name the grid-mapfile");
        }
        if (checkInterval.compareTo(Duration.ofSeconds(1)) < 0 || checkInterval.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "files of authorization are checked every second to every hour, not every "
                            + Messages.span(checkInterval));
        }
    }

    /** A site without administrators of VOs. */
    public GridmapConfig(Path gridmap, Path banList, Path adminList, Duration checkInterval, Path gridmapdir) {
        this(gridmap, banList, adminList, checkInterval, gridmapdir, null);
    }

    /** A site without pool accounts, too. */
    public GridmapConfig(Path gridmap, Path banList, Path adminList, Duration checkInterval) {
        this(gridmap, banList, adminList, checkInterval, null);
    }
}
