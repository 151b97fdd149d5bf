package org.gelato.ce.core.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.gelato.ce.core.job.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authorization by ban file, grid-mapfile and admin list (contract/behaviour.md section 3, chain A, but a ban always
 * wins). Any thread may call {@link #authorize}: it works on what is in memory. The files are looked at on the scheduler;
 * an edit counts at the next look, and an unusable edit leaves the last good content in force. Nothing is kept across a
 * restart.
 */
public final class GridmapAuthorizer implements Authorizer {
    private static final Logger LOG = LoggerFactory.getLogger(GridmapAuthorizer.class);

    private final WatchedFile<Gridmap> gridmap;
    private final WatchedFile<DnList> banned;
    private final WatchedFile<DnList> admins;

    /**
     * Reads the files and has the scheduler look at them from then on.
     *
     * @throws IllegalArgumentException when the grid-mapfile is absent or one of the files can't be used
     */
    public GridmapAuthorizer(GridmapConfig config, ScheduledExecutorService scheduler) {
        this(config, new LocalSuperuser());
        long nanos = config.checkInterval().toNanos();
        scheduler.scheduleWithFixedDelay(this::refresh, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    GridmapAuthorizer(GridmapConfig config, Predicate<String> superuser) {
        gridmap = new WatchedFile<>(config.gridmap(), null, text -> {
            Gridmap map = Gridmap.parse(text, superuser);
            map.complaints().forEach(c -> LOG.error("{}: {}; this entry is left out", config.gridmap(), c));
            LOG.info(
                    "{}: {} DNs and {} FQAN patterns",
                    config.gridmap(),
                    map.accountByDn().size(),
                    map.rules().size());
            return map;
        });
        banned = config.banList() == null
                ? null
                : new WatchedFile<>(config.banList(), DnList.EMPTY, text -> DnList.parse(text, true));
        admins = config.adminList() == null
                ? null
                : new WatchedFile<>(config.adminList(), DnList.EMPTY, text -> DnList.parse(text, false));
    }

    /** Looks at the files now. Called by the scheduler, and after the CE itself has written one. */
    public void refresh() {
        if (banned != null) {
            banned.refresh();
        }
        if (admins != null) {
            admins.refresh();
        }
        gridmap.refresh();
    }

    @Override
    public Caller authorize(GridIdentity identity) {
        if (isBanned(identity.dn())) {
            throw new ServiceException.NotAuthorized(identity.dn() + " not authorized: the user is banned on this CE");
        }
        Gridmap map = gridmap.current();
        String account = map.account(identity)
                .orElseThrow(() -> new ServiceException.NotAuthorized(refusal(identity, map.rules())));
        boolean admin = admins != null && admins.current().contains(identity.dn());
        return new Caller(identity, account, admin);
    }

    /** Whether a DN (RFC 2253) is on the ban list. */
    public boolean isBanned(String dn) {
        return banned != null && banned.current().contains(dn);
    }

    private static String refusal(GridIdentity identity, List<FqanRule> rules) {
        List<String> lines = new ArrayList<>();
        String missing;
        if (!identity.fqans().isEmpty()) {
            missing = "neither the DN nor one of the VOMS attributes " + String.join(", ", identity.fqans())
                    + " is mapped to a local account";
        } else if (rules.isEmpty()) {
            missing = "the DN is not mapped to a local account";
        } else {
            missing = "the DN is not mapped to a local account, and the proxy has no valid VOMS attributes,"
                    + " by which members of VOs are mapped";
        }
        lines.add(identity.dn() + " not authorized: " + missing);
        lines.addAll(identity.vomsErrors());
        return String.join("\n", lines);
    }
}
