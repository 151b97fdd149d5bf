package org.gelato.ce.core.authorization;

import java.util.Collection;
import java.util.List;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Mappings;

/**
 * The files at one moment. Immutable.
 *
 * @param leases null when there is no gridmapdir, or it could never be read
 * @param byAdmins the bans of administrators
 */
record GridmapSnapshot(Gridmap gridmap, DnList banned, PoolMappings leases, BanSet byAdmins) implements Mappings {
    /** Whether the very same versions were read; comparing their contents would cost as much as a new evaluation. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(Gridmap map, DnList ban, PoolMappings table, BanSet bans) {
        return gridmap == map && banned == ban && leases == table && byAdmins == bans;
    }

    @Override
    public boolean hold(String dn, Collection<String> fqans, String account) {
        if (banned.contains(dn) || byAdmins.of(dn, fqans) != null) {
            return false;
        }
        MappingLine own = gridmap.byDn().get(DnForms.comparable(dn));
        if (own != null) {
            return gives(own, dn, false, account);
        }
        for (String fqan : fqans) {
            // A pattern for everything would fit the absence of attributes too.
            List<MappingLine> lines = fqan.isEmpty() ? List.of() : gridmap.rules(fqan);
            if (!lines.isEmpty() && gives(lines.get(0), dn, true, account)) {
                return true;
            }
        }
        return false;
    }

    private boolean gives(MappingLine line, String dn, boolean byFqan, String account) {
        if (!line.pool()) {
            return line.target().equals(account);
        }
        String name = PoolMappingName.of(dn);
        String wanted = byFqan ? name + ":" + line.target() : name;
        return leases != null
                && leases.lease(name, line.target(), wanted)
                        .filter(lease -> lease.account().equals(account))
                        .isPresent();
    }
}
