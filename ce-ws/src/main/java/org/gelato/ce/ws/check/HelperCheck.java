package org.gelato.ce.ws.check;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.RestartingChannel;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.base.LiveProcess;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.HelperCommand;

/**
 * The helper's configuration, and what a helper of its own does with it: started as the CE would start it, and ended again.
 * The home of a CE that runs is not touched. The helper makes the sandbox root where it is absent, as always.
 */
final class HelperCheck {
    /** Polls that should show an ended job. */
    private static final int POLLS_SHOWN = 3;

    private static final String CONFIG = "gelato.helper.config";
    private static final String COMMAND = "gelato.helper.command";
    private static final String GRIDMAP = "gelato.authorization.gridmap";
    private static final String DIRECTORY = "gelato-check-";
    private static final int MAX_ACCOUNTS = 1000;
    /** Accounts that the batch system is tried with: of a pool one, as they are alike. */
    private static final int MAX_TRIED = 50;

    private static final int MAX_FILE = 64 * 1024;

    /** Greater than any process id that Linux gives, so that a signal to this group reaches nothing. */
    private static final long NO_GROUP = Integer.MAX_VALUE;

    private static final int SIGTERM = 15;

    private final CeConfig config;
    private final Findings findings;

    private HelperCheck(CeConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    /** Blocks as long as a command of the batch system may take. */
    static void run(CeConfig config, Findings findings) {
        HelperCheck check = new HelperCheck(config, findings);
        if (config.helper().config() != null) {
            check.file(config.helper().config());
        }
        HelperPaths.run(config, findings);
        check.live();
    }

    private void file(Path file) {
        if (!findings.file(CONFIG, file)) {
            return;
        }
        try {
            if (Files.size(file) > MAX_FILE) {
                findings.error(CONFIG, file + " is larger than 64 KiB", "shorten it");
                return;
            }
            Set<PosixFilePermission> modes = Files.getPosixFilePermissions(file);
            boolean loose =
                    modes.contains(PosixFilePermission.GROUP_WRITE) || modes.contains(PosixFilePermission.OTHERS_WRITE);
            boolean foreign = !config.helper().command().isEmpty()
                    && !Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid"));
            if (loose || foreign) {
                findings.error(
                        CONFIG,
                        file + (loose ? " may be written by others" : " does not belong to root"),
                        "run: chown root " + file + "; chmod 0644 " + file);
            }
            lines(file, Files.readAllLines(file).stream().map(String::strip).toList());
        } catch (IOException e) {
            findings.error(
                    CONFIG,
                    file + " cannot be read as text: " + e.getMessage(),
                    "write it anew (" + Manual.page("docs/developer/helper.md") + ")");
        }
    }

    private void lines(Path file, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isEmpty() && !line.startsWith("#") && line.indexOf('=') < 0) {
                findings.error(
                        CONFIG,
                        file + " line " + (i + 1) + " is not key=value",
                        "write the whole line (" + Manual.page("docs/developer/helper.md") + ")");
            }
        }
        Set<String> there = lines.stream()
                .map(l -> l.replaceFirst("\\s*=\\s*", "="))
                .collect(Collectors.toCollection(TreeSet::new));
        for (HelperLine needed : new HelperCommand(config).lines()) {
            String text = needed.text();
            boolean own = text.startsWith("min_uid=") || text.startsWith("max_output=");
            if (own || there.contains(text) || there.contains(text.replaceFirst("(executable=/.*/)[^/]+$", "$1"))) {
                continue;
            }
            if (needed.without() == null) {
                findings.error(CONFIG, file + " lacks a line that this configuration needs", "add: " + text);
            } else {
                findings.warning(
                        CONFIG,
                        file + " lacks a line, so " + needed.without(),
                        "add: " + text + "; or " + needed.remedy());
            }
        }
    }

    private void live() {
        try {
            with(config, accounts -> {
                accounts(accounts);
                batchSystem(accounts);
                BatchSystemCheck.run(config, accounts, findings);
            });
        } catch (IOException | RuntimeException e) {
            findings.error(
                    COMMAND,
                    "the helper cannot be started: " + e.getMessage(),
                    "correct what it names; run the command by hand as the CE's account ("
                            + Manual.page("docs/developer/helper.md") + ")");
        }
    }

    /**
     * Starts a helper as the CE would, and ends it after the work.
     *
     * @throws IOException when it does not start
     */
    static void with(CeConfig config, Consumer<AccountCommands> work) throws IOException {
        Path home = config.helper().command().isEmpty() ? directory() : null;
        RestartingChannel started;
        try {
            started = RestartingChannel.start(
                    new HelperCommand(config).line(home == null ? config.home() : home), Clock.systemUTC());
        } finally {
            // The helper has read its files: a kill from now on leaves none behind.
            if (home != null) {
                remove(home);
            }
        }
        try (RestartingChannel channel = started) {
            work.accept(new HelperAccountCommands(channel));
        }
    }

    /** What the helper does not do for one account, and what the batch system lacks. */
    static void of(CeConfig config, Findings findings, AccountCommands accounts, String account) {
        HelperCheck check = new HelperCheck(config, findings);
        check.programs(accounts, account);
        check.unsupported(accounts, account);
        check.batchSystem(accounts);
    }

    /** Completes when the helper serves an account; changes nothing. */
    static CompletableFuture<Void> serves(AccountCommands accounts, String account) {
        return accounts.signal(account, NO_GROUP, SIGTERM);
    }

    private void accounts(AccountCommands accounts) {
        Map<String, String> named =
                GridmapAuthorizer.accounts(config.authorization().files());
        String pools = String.valueOf(config.authorization().files().gridmapdir());
        List<String> probed = probed(named, pools);
        Map<String, CompletableFuture<Void>> probes =
                probed.stream().collect(Collectors.toMap(a -> a, a -> serves(accounts, a)));
        List<String> served = new ArrayList<>();
        for (String account : probed) {
            try {
                probes.get(account).join();
                served.add(account);
            } catch (CompletionException e) {
                findings.error(
                        GRIDMAP,
                        named.get(account) + ": the helper does not serve the account " + account + ": "
                                + e.getCause().getMessage(),
                        "make the account, or allow it in the helper's configuration (min_uid, allowed_group)");
            }
        }
        if (!served.isEmpty()) {
            programs(accounts, served.get(0));
            unsupported(accounts, served.get(0));
            List<String> some = oneOfEachPool(served, named, pools);
            // The first was tried just now.
            refusals(
                    config.lrms().site(),
                    accounts,
                    some.stream().limit(MAX_TRIED).skip(1).toList(),
                    findings);
            left(findings, named.size() - probed.size(), some.size() - MAX_TRIED);
        }
    }

    /** What is looked at of many accounts: first all that are no pool's, and one of each pool. */
    static List<String> probed(Map<String, String> named, String pools) {
        Set<String> first = new LinkedHashSet<>(oneOfEachPool(named.keySet(), named, pools));
        first.addAll(named.keySet());
        return first.stream().limit(MAX_ACCOUNTS).toList();
    }

    /** All that are no pool's, and of each pool the first. */
    static List<String> oneOfEachPool(Collection<String> accounts, Map<String, String> named, String pools) {
        Set<String> tried = new HashSet<>();
        return accounts.stream()
                .filter(account -> !named.get(account).equals(pools) || tried.add(account.replaceAll("[0-9]+$", "")))
                .toList();
    }

    /** Says what was not looked at: nothing is known of it. */
    static void left(Findings findings, int unprobed, int untried) {
        if (unprobed > 0) {
            findings.note(
                    GRIDMAP,
                    unprobed + " more accounts were not looked at: the helper is tried with " + MAX_ACCOUNTS
                            + ", those of no pool and one of each pool first",
                    "see that they are made as the others are");
        }
        if (untried > 0) {
            findings.note(
                    GRIDMAP,
                    untried + " more accounts were not tried at the batch system, which is tried with " + MAX_TRIED,
                    "try those that matter by ce server check --with-job ACCOUNT");
        }
    }

    /** One account may be refused alone. One after the other, up to the first without a response. */
    static void refusals(LrmsSite site, AccountCommands accounts, List<String> some, Findings findings) {
        for (String account : some) {
            try {
                site.refusal(accounts, account)
                        .join()
                        .ifPresent(found -> findings.error(found.key(), found.what(), found.advice()));
            } catch (CompletionException e) {
                return;
            }
        }
    }

    /** A batch system that does not respond is another check's finding. */
    private void unsupported(AccountCommands accounts, String account) {
        config.lrms()
                .site()
                .unsupported(accounts, account)
                .exceptionally(e -> Optional.empty())
                .join()
                .ifPresent(setUp -> unsupported(findings, setUp));
        config.lrms()
                .site()
                .endsShown(accounts, account)
                .exceptionally(e -> Optional.empty())
                .join()
                .ifPresent(shown -> endsShown(findings, shown, config.lrms().pollInterval()));
    }

    static void unsupported(Findings findings, LrmsSite.Unsupported setUp) {
        if (setUp.inPart()) {
            findings.warning(setUp.key(), setUp.what(), setUp.advice());
        } else {
            findings.error(setUp.key(), setUp.what(), setUp.advice());
        }
    }

    /** A poll may be late by what the one before it took. */
    static void endsShown(Findings findings, LrmsSite.EndsShown shown, Duration poll) {
        if (shown.time().compareTo(poll.multipliedBy(POLLS_SHOWN)) >= 0) {
            return;
        }
        String what = "the batch system shows ended jobs for " + shown.time().toSeconds() + " s (" + shown.setting()
                + "), and is polled every " + poll.toSeconds() + " s: ";
        findings.warning(
                "gelato.lrms.poll-interval",
                what
                        + (shown.history() == null
                                ? "how jobs ended that no poll shows is known by their wrappers alone, which do not see all"
                                : "how jobs ended that no poll shows is looked up in " + shown.history()),
                "raise " + shown.setting() + " there to 300 s, or lower the interval");
    }

    private void programs(AccountCommands accounts, String account) {
        Set<String> programs = new HelperCommand(config)
                .limits().stream()
                        .filter(line -> line.startsWith("executable="))
                        .map(line -> line.substring("executable=".length()))
                        .filter(p -> Files.isExecutable(Path.of(p)))
                        .collect(Collectors.toCollection(TreeSet::new));
        for (String program : programs) {
            try {
                accounts.run(
                                account,
                                new AccountCommands.Run(
                                        List.of(program, "--version"),
                                        null,
                                        Map.of(),
                                        new byte[0],
                                        List.of(),
                                        Duration.ofSeconds(10),
                                        1024))
                        .join();
            } catch (CompletionException e) {
                findings.error(
                        COMMAND,
                        "the helper does not run " + program + " as " + account + ": "
                                + e.getCause().getMessage(),
                        "list it in the helper's configuration (executable), and let the account execute it");
            }
        }
    }

    private void batchSystem(AccountCommands accounts) {
        String commands = config.lrms().site().statusCommands();
        if (commands.isEmpty()) {
            return;
        }
        try {
            Path state = directory();
            try (Lrms lrms = config.lrms()
                    .site()
                    .open(new LrmsOpening(
                            accounts, Runnable::run, state, new SimpleMeterRegistry(), Clock.systemUTC()))) {
                ClusterStatus status = lrms.status().join();
                if (config.lrms().site().hasQueues()) {
                    missing(status);
                } else {
                    health(lrms);
                }
            } finally {
                remove(state);
            }
        } catch (IOException e) {
            findings.error("gelato.lrms.kind", "the batch system cannot be opened: " + e.getMessage(), "correct that");
        } catch (CompletionException e) {
            boolean refused = e.getCause() instanceof AccountCommandException cause
                    && cause.code() == AccountCommandException.Code.REFUSED;
            findings.error(
                    "gelato.lrms.kind",
                    "the " + (config.lrms().site().hasQueues() ? "queues" : "nodes")
                            + " of the batch system cannot be read: "
                            + e.getCause().getMessage(),
                    refused
                            ? "the helper's configuration must allow " + commands + " ("
                                    + Manual.page("docs/developer/helper.md") + ")"
                            : "check that the batch system runs and can be reached from this host");
        }
    }

    /** What shows the nodes of a batch system without queues is another service than the one that takes jobs. */
    private void health(Lrms lrms) {
        Lrms.Health health = lrms.health().join();
        if (!health.up()) {
            findings.error(
                    "gelato.lrms.kind",
                    "the batch system's service that takes jobs does not respond: " + health.detail(),
                    "check that it runs, and that the batch system's configuration on this host names it");
        }
    }

    private void missing(ClusterStatus status) {
        String there = status.queues().stream().map(ClusterStatus.Queue::name).collect(Collectors.joining(", "));
        config.lrms().queues().stream()
                .filter(queue -> status.queue(queue).isEmpty())
                .forEach(queue -> findings.error(
                        "gelato.lrms.queues",
                        "the batch system has no queue '" + queue + "'; it has " + (there.isEmpty() ? "none" : there),
                        "name only queues that exist"));
    }

    /** A directory of this process, after those of checks that were killed are removed. */
    static Path directory() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(temporary, DIRECTORY + "*")) {
            for (Path old : left) {
                String pid = old.getFileName()
                        .toString()
                        .substring(DIRECTORY.length())
                        .replaceFirst("-.*", "");
                boolean ours = Files.isDirectory(old, LinkOption.NOFOLLOW_LINKS)
                        && Files.getOwner(old).equals(Files.getOwner(Path.of("/proc/self")));
                if (ours
                        && pid.matches("[0-9]{1,10}")
                        && ProcessHandle.of(Long.parseLong(pid))
                                .filter(LiveProcess::isAlive)
                                .isEmpty()) {
                    remove(old);
                }
            }
        }
        return Files.createTempDirectory(
                DIRECTORY + ProcessHandle.current().pid() + "-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** Removes a directory of a check with what lies in it. */
    static void remove(Path home) throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
