package org.gelato.ce.ws.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.KeyOrigins;
import org.gelato.ce.ws.tls.IssuerTrust;
import org.gelato.ce.ws.token.KeyProbe;
import org.gelato.ce.ws.token.TokenIssuer;

/**
 * Walks one imaginary job of a user through the steps of a real one, and ends where that one would stop. A directory is made
 * and removed as the account; nothing else is changed. Used once, by one thread.
 */
public final class ServerTrace {
    private final CeConfig config;
    private final Findings findings;
    private final List<Step> steps = new ArrayList<>();

    /**
     * A step.
     *
     * @param name of the step
     * @param passed whether a job gets past it
     * @param what was found
     * @param advice what to do; null for a step that is passed
     */
    public record Step(String name, boolean passed, String what, String advice) {
        /** One line for an administrator. */
        public String text() {
            return (passed ? "ok   " : "STOP ") + name + ": " + what + (advice == null ? "" : "; " + advice);
        }
    }

    private ServerTrace(CeConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    /**
     * Walks until a job of this user would stop.
     *
     * @param file the configuration
     * @param dn in slash form or RFC 2253; for a bearer token {@code ISSUER,SUBJECT}
     * @param fqans in the order of the proxy; the groups and scopes of a token; empty for none
     * @return the steps in order; only the last may not be passed
     * @throws ConfigurationException when the file cannot be used
     * @throws IllegalArgumentException when the DN is none, or a text is no FQAN
     */
    public static List<Step> steps(Path file, String dn, List<String> fqans) {
        ServerTrace trace = new ServerTrace(CeConfig.load(file), new Findings(KeyOrigins.of(file)));
        trace.walk(dn, fqans);
        return List.copyOf(trace.steps);
    }

    private void walk(String dn, List<String> fqans) {
        List<String> problems =
                GridmapAuthorizer.problems(config.authorization().files());
        if (!problems.isEmpty()) {
            stop(
                    "lists of users",
                    String.join("; ", problems),
                    "correct the file (" + Manual.page("docs/admin/authorization.md") + ")");
            return;
        }
        Explanation user = GridmapAuthorizer.explainer(
                        config.authorization().files(), config.tokens().vos())
                .explain(dn, fqans);
        boolean token = TokenIdentity.isSubject(dn);
        boolean valid = token ? issuer(dn.substring(0, dn.indexOf(','))) : attributes(user.fqans());
        if (!valid || !authorization(user) || (token && !scopes(fqans))) {
            return;
        }
        Path home = token && user.dn().equals(dn) ? homeOfToken(user) : home(user);
        try {
            HelperCheck.with(config, accounts -> account(accounts, user.account(), home));
        } catch (IOException e) {
            stop(
                    "helper",
                    "it cannot be started: " + e.getMessage(),
                    "run ce server check (" + Manual.page("docs/developer/helper.md") + ")");
        }
    }

    /** Whether tokens of an issuer can be verified: it is configured, and its keys can be had now. */
    private boolean issuer(String name) {
        TokenIssuer issuer = config.tokens().issuers().stream()
                .filter(one -> one.issuer().equals(name))
                .findFirst()
                .orElse(null);
        if (issuer == null) {
            return stop(
                    "issuer",
                    "no token of " + name + " is accepted",
                    "add it to gelato.tokens.issuers, exactly as in the claim iss ("
                            + Manual.page("docs/admin/tokens.md") + ")");
        }
        try {
            int keys = issuer.keyFile() == null ? fetched(issuer) : KeyProbe.count(issuer, config.tokens(), null);
            pass(
                    "issuer",
                    "tokens of " + name + " are accepted, by " + keys + " keys "
                            + (issuer.keyFile() == null ? "fetched now" : "of " + issuer.keyFile()));
            return true;
        } catch (IOException e) {
            return stop(
                    "issuer",
                    "the keys of " + name + " cannot be had now: " + e.getMessage(),
                    "let this host reach the issuer, or set keys of the issuer to a file ("
                            + Manual.page("docs/admin/tokens.md") + ")");
        }
    }

    private int fetched(TokenIssuer issuer) throws IOException {
        return TrustCheck.with(
                config, trust -> KeyProbe.count(issuer, config.tokens(), IssuerTrust.context(trust.validator())));
    }

    /** Whether a token with these attributes may submit. */
    private boolean scopes(List<String> attributes) {
        Set<Permission> permitted = EnumSet.noneOf(Permission.class);
        attributes.forEach(attribute -> Permission.ofScope(attribute).ifPresent(permitted::add));
        if (permitted.isEmpty()) {
            pass("scopes", "none, so that the token permits everything");
            return true;
        }
        String named = permitted.stream().map(Permission::scope).collect(Collectors.joining(", "));
        if (!permitted.contains(Permission.CREATE)) {
            return stop(
                    "scopes",
                    "the token permits " + named + " alone",
                    "request a token with " + Permission.CREATE.scope() + " from the issuer");
        }
        pass("scopes", named);
        return true;
    }

    private boolean attributes(List<String> fqans) {
        try {
            Optional<String> unknown = fqans.isEmpty()
                    ? Optional.empty()
                    : TrustCheck.with(
                            config,
                            trust -> fqans.stream()
                                    .map(ServerTrace::vo)
                                    .filter(vo -> !trust.hasVomsServer(vo))
                                    .findFirst());
            if (unknown.isPresent()) {
                return stop(
                        "VOMS attributes",
                        TrustCheck.noServer(config, unknown.get()),
                        "install the .lsc files of the VO's VOMS servers");
            }
        } catch (IOException | IllegalArgumentException e) {
            return stop("VOMS attributes", Messages.of(e), "run ce server check");
        }
        pass("VOMS attributes", fqans.isEmpty() ? "none" : String.join(", ", fqans));
        return true;
    }

    private static String vo(String fqan) {
        return fqan.substring(1).replaceFirst("/.*", "");
    }

    private boolean authorization(Explanation user) {
        if (user.banned() != null) {
            return stop("ban list", "banned by " + user.banned(), "remove the line to admit the user");
        }
        pass("ban list", "not in the ban file; bans of administrators are in the database: ce ban --list");
        if (!user.authorized() || user.account() == null) {
            return stop(
                    "mapping",
                    String.valueOf(user.refusal()),
                    "add a line for the DN or an FQAN to "
                            + config.authorization().files().gridmap());
        }
        pass(
                "mapping",
                user.account() + " by " + user.mapping()
                        + (user.pool() == null || user.leased() ? "" : ", leased by the first call"));
        return true;
    }

    private void account(AccountCommands accounts, String account, Path home) {
        try {
            HelperCheck.serves(accounts, account).join();
        } catch (CompletionException e) {
            stop(
                    "account",
                    "the helper does not serve " + account + ": " + e.getCause().getMessage(),
                    "make the account, or allow it in the helper's configuration (min_uid, allowed_group)");
            return;
        }
        pass("account", "the helper serves " + account);
        if (sandbox(accounts, account, home)) {
            batchSystem(accounts, account);
        }
    }

    private Path home(Explanation user) {
        String fqan = user.fqans().isEmpty() ? "" : user.fqans().get(0);
        return new SandboxLayout(config.sandboxRoot())
                .home(new Owner(user.dn(), fqan, fqan.isEmpty() ? null : vo(fqan)), user.account());
    }

    private Path homeOfToken(Explanation user) {
        String issuer = user.dn().substring(0, user.dn().indexOf(','));
        String vo = config.tokens().issuers().stream()
                .filter(one -> one.issuer().equals(issuer))
                .findFirst()
                .map(TokenIssuer::vo)
                .or(() -> user.fqans().stream()
                        .filter(attribute -> Permission.ofScope(attribute).isEmpty())
                        .findFirst()
                        .map(group -> TokenGroup.parse(group).vo()))
                .orElse(null);
        String group = user.group();
        return new SandboxLayout(config.sandboxRoot()).home(new Owner(user.dn(), group, vo), user.account());
    }

    private boolean sandbox(AccountCommands accounts, String account, Path home) {
        Path directory = home.resolve("check-" + ProcessHandle.current().pid());
        try {
            accounts.makeDirectory(account, directory).join();
            accounts.remove(account, directory).join();
        } catch (CompletionException e) {
            return stop(
                    "sandbox",
                    account + " cannot make " + directory + ": " + e.getCause().getMessage(),
                    "let accounts pass all directories above gelato.sandbox-root (mode 0711), and see that it is not full");
        }
        pass("sandbox", account + " made and removed " + directory);
        return true;
    }

    private void batchSystem(AccountCommands accounts, String account) {
        HelperCheck.of(config, findings, accounts, account);
        if (findings.all().isEmpty()) {
            pass("batch system", account + " may run its commands, and it has the queues that are configured");
        } else {
            Finding first = findings.all().get(0);
            stop("batch system", first.what(), first.advice());
        }
    }

    private void pass(String name, String what) {
        steps.add(new Step(name, true, what, null));
    }

    private boolean stop(String name, String what, String advice) {
        steps.add(new Step(name, false, what, advice));
        return false;
    }
}
