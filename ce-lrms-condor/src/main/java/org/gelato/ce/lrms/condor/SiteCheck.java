package org.gelato.ce.lrms.condor;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.command.LrmsCommands;
import org.gelato.ce.core.lrms.type.LrmsSite.Unsupported;

/** Looks for what would keep every job of an account from running, by commands of that account that change nothing. */
final class SiteCheck {
    private static final String PAGE = Manual.page("docs/admin/condor.md");
    /** It is looked for by a schedd, and of no job. */
    private static final String NONE = "false";

    private static final String SHARED = "gelato.sandbox.shared";
    /** Nodes that a message names. */
    private static final int MAX_NAMED = 5;

    private final CondorConfig config;
    private final LrmsCommands commands;

    SiteCheck(CondorConfig config, AccountCommands accounts) {
        this.config = config;
        this.commands = new LrmsCommands(config.site(), accounts, CondorMessages::brief);
    }

    CompletableFuture<Optional<Unsupported>> of(String account) {
        return permitted(account)
                .thenCompose(found -> found.isPresent() ? CompletableFuture.completedFuture(found) : history(account))
                .thenCompose(found -> found.isPresent() || config.eventLog() == null
                        ? CompletableFuture.completedFuture(found)
                        : events(account))
                .thenCompose(found -> found.isPresent() || !config.commands().nodesSeeSandboxes()
                        ? CompletableFuture.completedFuture(found)
                        : shared(account));
    }

    /** By the configuration of this host, whose file condor_history reads. Without one it fails, and no job that the queue does not show ends. */
    private CompletableFuture<Optional<Unsupported>> history(String account) {
        return commands.run(account, "condor_config_val", List.of("HISTORY"))
                .thenApply(completed -> (completed.exit() == 0
                                ? completed.stdout().isBlank()
                                : completed.stderr().contains("Not defined"))
                        ? Optional.of(new Unsupported(
                                "gelato.lrms.kind",
                                "HTCondor keeps no history on this host (HISTORY is not set): how jobs ended that its queue does not"
                                        + " show any more is never known",
                                "set HISTORY and call condor_reconfig (" + PAGE + ")"))
                        : Optional.empty());
    }

    /** By the configuration of this host, where the log is. */
    private CompletableFuture<Optional<Unsupported>> events(String account) {
        return value(account, "EVENT_LOG")
                .thenCompose(path -> !path.equals(config.eventLog().toString())
                        ? off("HTCondor's EVENT_LOG is off or elsewhere: '" + path + "'")
                        : value(account, "EVENT_LOG_FORMAT_OPTIONS")
                                .thenCompose(format -> !hasWord(format, "JSON")
                                        ? off("HTCondor's event log is not in JSON")
                                        : value(account, "EVENT_LOG_JOB_AD_INFORMATION_ATTRS")
                                                .thenCompose(attributes -> hasWord(attributes, SubmitDescription.TAG)
                                                        ? CompletableFuture.completedFuture(Optional.empty())
                                                        : off("HTCondor's event log does not show "
                                                                + SubmitDescription.TAG))));
    }

    private static boolean hasWord(String list, String word) {
        return Stream.of(list.split("[,\\s]+")).anyMatch(word::equalsIgnoreCase);
    }

    private static CompletableFuture<Optional<Unsupported>> off(String what) {
        return CompletableFuture.completedFuture(Optional.of(new Unsupported(
                CondorSite.EVENT_LOG,
                what,
                "configure HTCondor's event log and call condor_reconfig, or leave the key empty (" + PAGE + ")")));
    }

    /** Empty where it is not defined. */
    private CompletableFuture<String> value(String account, String name) {
        return commands.run(account, "condor_config_val", List.of(name))
                .thenApply(
                        completed -> completed.exit() == 0 ? completed.stdout().strip() : "");
    }

    /** A hold of no job is refused before it is looked whose it is. */
    CompletableFuture<Optional<Unsupported>> permitted(String account) {
        return commands.run(account, "condor_hold", List.of("-constraint", NONE))
                .thenApply(completed -> {
                    String message = CondorMessages.brief(completed.stderr());
                    if (completed.timedOut() || CondorMessages.isAway(completed.stderr())) {
                        throw new LrmsException("condor_hold: " + message);
                    }
                    return CondorMessages.isDenied(completed.stderr())
                            ? Optional.of(new Unsupported(
                                    "gelato.lrms.kind",
                                    "HTCondor's schedd takes nothing from the account " + account + ": " + message,
                                    "let it write to the schedd (ALLOW_WRITE, SEC_DEFAULT_AUTHENTICATION_METHODS; "
                                            + PAGE + ")"))
                            : Optional.empty();
                });
    }

    /** By the configuration of this host, from which jobs have their domains, where the schedd is here. */
    private CompletableFuture<Optional<Unsupported>> shared(String account) {
        return value(account, "FILESYSTEM_DOMAIN")
                .thenCompose(files -> value(account, "SCHEDD_HOST")
                        .thenCompose(elsewhere -> elsewhere.isEmpty()
                                ? value(account, "UID_DOMAIN")
                                : CompletableFuture.completedFuture(""))
                        .thenCompose(uids -> commands.run(
                                        account,
                                        "condor_status",
                                        List.of("-af:t", "FileSystemDomain", "UidDomain", "Machine"))
                                .thenApply(nodes -> other(files, uids, nodes))));
    }

    /** Nodes with other files get no jobs, but those with other accounts do. */
    private static Optional<Unsupported> other(String files, String uids, Completed nodes) {
        List<String[]> all = nodes.stdout()
                .lines()
                .map(line -> line.strip().split("\t"))
                .filter(node -> !node[0].isEmpty())
                .toList();
        List<String[]> shared =
                all.stream().filter(node -> node[0].equalsIgnoreCase(files)).toList();
        if (files.isEmpty() || nodes.exit() != 0 || nodes.dropped() > 0 || all.isEmpty()) {
            return Optional.empty();
        }
        if (shared.isEmpty()) {
            return Optional.of(new Unsupported(
                    SHARED,
                    "no node of HTCondor has the FILESYSTEM_DOMAIN of this host, '" + files + "': no job would start",
                    "set the same FILESYSTEM_DOMAIN here and on nodes that see the sandboxes, or gelato.sandbox.shared = no ("
                            + PAGE + ")"));
        }
        List<String[]> others = shared.stream()
                .filter(node -> node.length > 1 && !node[1].equals("undefined") && !node[1].equalsIgnoreCase(uids))
                .toList();
        return uids.isEmpty() || others.isEmpty()
                ? Optional.empty()
                : Optional.of(asNobody(uids, others, others.size() < shared.size()));
    }

    /** @param inPart whether there are nodes without this fault */
    private static Unsupported asNobody(String uids, List<String[]> nodes, boolean inPart) {
        Set<String> domains = nodes.stream().map(node -> node[1]).collect(Collectors.toCollection(TreeSet::new));
        Set<String> names = nodes.stream()
                .map(node -> node.length > 2 ? node[2] : "undefined")
                .collect(Collectors.toCollection(TreeSet::new));
        String first = names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        String which = inPart
                ? "nodes of HTCondor that see the sandboxes have (" + names.size() + ": " + CondorMessages.brief(first)
                        + (names.size() > MAX_NAMED ? ", ..." : "") + ")"
                : "all nodes of HTCondor that see the sandboxes have";
        return new Unsupported(
                SHARED,
                which + " the UID_DOMAIN " + CondorMessages.brief(String.join(", ", domains)) + ", and this host '"
                        + uids + "': they run jobs as nobody, who cannot read the sandboxes, or refuse them",
                "set the same UID_DOMAIN here and on all nodes that see the sandboxes, or "
                        + (inPart
                                ? "keep jobs off those, by a line of each queue in gelato.lrms.condor.queues: requirements = TARGET.UidDomain == \""
                                        + uids + "\" ("
                                : "gelato.sandbox.shared = no (")
                        + PAGE + ")",
                inPart);
    }
}
