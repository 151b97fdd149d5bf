package org.gelato.ce.core.authorization;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Mappings;
import org.gelato.ce.core.identity.NoUser;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.route.Routes;

/**
 * Authorization by ban file, grid-mapfile and admin list (docs/developer/protocol/behaviour.md section 3, chain A, but a ban always
 * wins). Any thread may call {@link #authorize}: it works on what is in memory, except the first mapping of a user to a
 * pool, which makes a lease on disk. The files are checked on the scheduler; an edit counts at the next check, and an
 * unusable edit leaves the last valid content in force. Leases outlive a restart, nothing else does.
 */
public final class GridmapAuthorizer implements Authorizer {
    private final AuthorizationFiles files;
    private final PoolAccounts pools;
    private final Supplier<BanSet> adminBans;
    private volatile GridmapSnapshot snapshot;

    /**
     * Reads the files and has the scheduler check them from then on.
     *
     * @throws IllegalArgumentException when the grid-mapfile is absent or one of the files can't be used
     */
    public GridmapAuthorizer(GridmapConfig config, ScheduledExecutorService scheduler) {
        this(config, scheduler, () -> BanSet.NONE);
    }

    /**
     * As the other, with the bans of administrators beside those of the file.
     *
     * @param bans returns at once
     */
    public GridmapAuthorizer(GridmapConfig config, ScheduledExecutorService scheduler, Supplier<BanSet> bans) {
        this(config, new LocalSuperuser(), new LocalAccounts(), bans);
        long nanos = config.checkInterval().toNanos();
        scheduler.scheduleWithFixedDelay(
                Repeated.of("reading of the lists of users", this::refresh), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** @param objection why no user may be mapped to an account of a pool; empty when there is no objection */
    GridmapAuthorizer(GridmapConfig config, Predicate<String> superuser, Function<String, String> objection) {
        this(config, superuser, objection, () -> BanSet.NONE);
    }

    GridmapAuthorizer(
            GridmapConfig config,
            Predicate<String> superuser,
            Function<String, String> objection,
            Supplier<BanSet> adminBans) {
        this.adminBans = adminBans;
        files = new AuthorizationFiles(config, superuser);
        pools = config.gridmapdir() == null
                ? null
                : new PoolAccounts(config.gridmapdir(), objection, Clock.systemUTC());
    }

    /**
     * Reads the files once and changes nothing: for a check of a configuration before the CE starts.
     *
     * @return why the CE would not start, or which lines it would leave out, each with its file; empty when all is well
     */
    public static List<String> problems(GridmapConfig config) {
        return AuthorizationFiles.problems(config, new LocalSuperuser());
    }

    /**
     * The accounts that the files name now, each with the first place that names it: {@code FILE line N} of the grid-mapfile,
     * or the gridmapdir for accounts of a pool. Changes nothing; empty when the grid-mapfile cannot be used.
     */
    public static Map<String, String> accounts(GridmapConfig config) {
        return AuthorizationFiles.accounts(config, new LocalSuperuser());
    }

    /**
     * Explains by the files as they are now, for a check: nothing is leased, and nothing reads the files again later.
     *
     * @param vos of the tokens of issuers that have one
     * @throws IllegalArgumentException when the grid-mapfile is absent or one of the files can't be used
     */
    public static Explainer explainer(GridmapConfig config, Map<String, String> vos) {
        return new GridmapAuthorizer(config, new LocalSuperuser(), new LocalAccounts())
                .explainer(() -> Routes.NONE, vos);
    }

    /** The VOs whose members the grid-mapfile maps by attribute, sorted; empty when it cannot be used. */
    public static Set<String> vos(GridmapConfig config) {
        return AuthorizationFiles.vos(config, new LocalSuperuser());
    }

    /** The same, and those whose tokens it maps by group. */
    public static Set<String> allVos(GridmapConfig config) {
        return AuthorizationFiles.allVos(config, new LocalSuperuser());
    }

    /** Reads the files again if they have changed. Called by the scheduler, and after the CE itself has written one. */
    public void refresh() {
        files.refresh();
        if (pools != null) {
            pools.refresh();
        }
    }

    /** Whom the files map now, as of the last check; the same object until something changes. Not for requests. */
    public Mappings mappings() {
        Gridmap map = files.gridmap();
        DnList bans = files.bans();
        PoolMappings leases = pools == null ? null : pools.leases();
        GridmapSnapshot known = snapshot;
        BanSet byAdmins = adminBans.get();
        if (known == null || !known.isOf(map, bans, leases, byAdmins)) {
            known = new GridmapSnapshot(map, bans, leases, byAdmins);
            snapshot = known;
        }
        return known;
    }

    /**
     * Explains why a user is mapped, refused or banned, by the same files, and what the site's routes give.
     *
     * @param vos of the tokens of issuers that have one
     */
    public Explainer explainer(Supplier<Routes> routes, Map<String, String> vos) {
        return new GridmapExplainer(files, this, routes, vos);
    }

    /** Each file with what is wrong with it, for the log and the administrator; the empty text when nothing is. */
    public Map<Path, String> fileState() {
        return files.state();
    }

    @Override
    public Caller authorize(Identity identity) {
        return decide(identity, false).caller();
    }

    /** The decision of a call, made on also where the identity is banned; nothing is leased. */
    AccountDecision explained(Identity identity) {
        return decide(identity, true);
    }

    private AccountDecision decide(Identity who, boolean explains) {
        int banLine = files.bans().line(who);
        Ban ban = adminBans.get().of(who);
        NoUser banned = banLine > 0
                ? NoUser.banned(who, "the user is banned on this CE")
                : ban == null ? null : NoUser.banned(who, ban.text());
        if (banned != null && !explains) {
            return new AccountDecision(who, banLine, ban, null, null, null, 0, banned);
        }
        AccountDecision.Entry entry = who instanceof TokenIdentity token
                ? files.gridmap().entry(token)
                : files.gridmap().entry((GridIdentity) who);
        AccountDecision person =
                entry == null || entry.person() == null || banned != null ? null : decide(entry.person(), explains);
        PoolAccounts.Found account = null;
        NoUser refusal = person == null ? null : person.refusal();
        if (entry == null) {
            refusal = NoUser.unmapped(who, refusal(who));
        } else if (entry.person() == null) {
            try {
                account = account(who.subject(), entry, explains);
            } catch (PoolAccounts.Unavailable e) {
                refusal = NoUser.unmapped(
                        who, Messages.ofCertificate(who.subject()) + " not authorized: " + e.getMessage());
            }
        }
        Identity mapped = who instanceof TokenIdentity token && entry != null ? token.mappedBy(entry.attribute()) : who;
        int admin = files.admins().line(who);
        return new AccountDecision(
                mapped, banLine, ban, entry, person, account, admin, banned == null ? refusal : banned);
    }

    private PoolAccounts.Found account(String subject, AccountDecision.Entry entry, boolean explains)
            throws PoolAccounts.Unavailable {
        String target = entry.line().target();
        boolean byAttribute = entry.attribute() != null;
        if (!entry.line().pool()) {
            return new PoolAccounts.Found(target, null, false);
        }
        return explains
                ? pools.find(subject, target, byAttribute)
                : new PoolAccounts.Found(pools.account(subject, target, byAttribute), null, true);
    }

    /** The VOs whose users' messages an identity may read; who is authorized is another question. */
    public Set<String> administered(Identity identity) {
        return files.administered(identity);
    }

    /** Whether a DN (RFC 2253) is on the ban list. */
    public boolean isBanned(String dn) {
        return files.bans().contains(dn);
    }

    /** Why the grid-mapfile maps no such user. */
    private String refusal(Identity who) {
        return who instanceof TokenIdentity token
                ? refusal(token)
                : refusal((GridIdentity) who, files.gridmap().rules());
    }

    /** Why this file maps no such token. */
    static String refusal(TokenIdentity token) {
        String groups = token.groups().stream().map(TokenGroup::toString).collect(Collectors.joining(", "));
        return token.subject() + " not authorized: no line of the grid-mapfile is for "
                + (token.capable()
                        ? "this issuer or subject; a token with capability scopes is not mapped by its groups"
                        : groups.isEmpty()
                                ? "this subject; the token has neither capability scopes nor groups"
                                : "this subject or one of its groups " + groups)
                + ServiceException.NotAuthorized.doNotCount(token.ignoredScopes());
    }

    /** Why this file maps no user with these attributes. */
    static String refusal(GridIdentity identity, List<FqanRule> rules) {
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
        lines.add(Messages.ofCertificate(identity.dn()) + " not authorized: " + missing);
        lines.addAll(identity.vomsErrors());
        return String.join("\n", lines);
    }
}
