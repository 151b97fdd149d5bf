package org.gelato.ce.lrms.condor;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.lrms.command.CommandSite;
import org.gelato.ce.core.lrms.command.LrmsCommands;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.SiteFile;

/**
 * A site's HTCondor.
 *
 * @param config how it is reached
 */
public record CondorSite(CondorConfig config) implements LrmsSite {
    /** What accounts run. */
    public static final List<String> PROGRAMS = List.of(
            "condor_submit",
            "condor_rm",
            "condor_hold",
            "condor_release",
            "condor_suspend",
            "condor_continue",
            "condor_qedit",
            "condor_status",
            "condor_config_val");

    private static final String BLOCK = CondorType.BLOCK;

    private static final Pattern VALUE = Pattern.compile("(?m)^([A-Za-z_]+) = (\\S+)\\s*$");

    /** The key of the event log. */
    static final String EVENT_LOG = BLOCK + "event-log";

    @Override
    public String idName() {
        return "condor";
    }

    @Override
    public Lrms open(LrmsOpening opening) {
        return new CondorLrms(config, opening.accounts(), opening.work(), opening.clock());
    }

    @Override
    public Renderers<?> renderers() {
        return RequestLines.RENDERERS;
    }

    /** {@inheritDoc} By its configuration: a schedd that is named, or the one of this host. */
    @Override
    public CompletableFuture<Optional<String>> identity(AccountCommands accounts, Path stateDirectory) {
        return new LrmsCommands(config.site(), accounts, CondorMessages::brief)
                .run(AccountCommands.SELF, "condor_config_val", CondorOwnAccountCommands.SCHEDD)
                .thenApply(completed -> schedd(completed.stdout()));
    }

    /** By lines {@code NAME = value}, with others between them. A schedd's own name has its host behind it, where that is not its own. */
    static Optional<String> schedd(String printed) {
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        VALUE.matcher(printed).results().forEach(line -> values.put(line.group(1), line.group(2)));
        String host = values.get("FULL_HOSTNAME");
        String name = values.get("SCHEDD_NAME");
        String named = name == null || name.contains("@") || host == null ? name : name + "@" + host;
        return Stream.of(values.get("SCHEDD_HOST"), named, host)
                .filter(Objects::nonNull)
                .findFirst()
                .map(schedd -> "schedd " + schedd.toLowerCase(Locale.ROOT));
    }

    /** {@inheritDoc} Two full rounds: one under way, and one that waits. */
    @Override
    public int handOversAtOnce() {
        return 2 * Rounds.MAX;
    }

    @Override
    public List<HelperLine> helperLines() {
        List<HelperLine> lines =
                config.site().executables(PROGRAMS, config.commands().submitAttributes());
        lines.addAll(
                CommandSite.own(CondorOwnAccountCommands.lines(config), CondorOwnAccountCommands.environment(config)));
        lines.add(new HelperLine(
                "self_executable=" + CondorOwnAccountCommands.schedd(config),
                "a CE with another schedd is not refused on this database",
                "set gelato.lrms.identity"));
        return lines;
    }

    @Override
    public List<SiteFile> files() {
        List<SiteFile> files = config.site().programs(BLOCK + "bin-directory", PROGRAMS);
        files.addAll(config.site().programs(BLOCK + "bin-directory", List.of("condor_q", "condor_history")));
        if (config.configFile() != null) {
            files.add(SiteFile.file(BLOCK + "config", config.configFile()));
        }
        if (config.commands().submitAttributes() != null) {
            files.add(
                    SiteFile.file(BLOCK + "submit-attributes", config.commands().submitAttributes()));
        }
        if (config.eventLog() != null) {
            files.add(SiteFile.file(EVENT_LOG, config.eventLog()));
        }
        return files;
    }

    /**
     * {@inheritDoc} A schedd that does not know the account, nodes that share no files with this host or have none of its accounts, no
     * history, an event log that is off.
     */
    @Override
    public CompletableFuture<Optional<Unsupported>> unsupported(AccountCommands accounts, String account) {
        return new SiteCheck(config, accounts).of(account);
    }

    /** {@inheritDoc} A schedd that does not let it in. */
    @Override
    public CompletableFuture<Optional<Unsupported>> refusal(AccountCommands accounts, String account) {
        return new SiteCheck(config, accounts).permitted(account);
    }

    @Override
    public String statusCommands() {
        return "condor_status";
    }

    /** {@inheritDoc} HTCondor has none: any name is one. */
    @Override
    public boolean hasQueues() {
        return false;
    }
}
