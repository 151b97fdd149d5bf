package org.gelato.ce.lrms.torque;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * A site's Torque.
 *
 * @param config how it is reached
 */
public record TorqueSite(TorqueConfig config) implements LrmsSite {
    private static final List<String> NEEDED = List.of("qsub", "qdel", "qhold", "qrls", "qstat");
    private static final String BLOCK = TorqueType.BLOCK;
    private static final Pattern SERVER = Pattern.compile("(?m)^Server:\\s*(\\S+)");
    private static final int MAX_SHOWN = 65_536;

    @Override
    public String idName() {
        return config.idName();
    }

    @Override
    public Lrms open(LrmsOpening opening) {
        return new TorqueLrms(config, opening.accounts(), opening.work());
    }

    @Override
    public Renderers<?> renderers() {
        return QsubOptions.renderers(config);
    }

    @Override
    public List<HelperLine> helperLines() {
        List<String> all = new ArrayList<>(NEEDED);
        all.add("pbsnodes");
        List<HelperLine> lines =
                config.site().executables(all, config.commands().submitAttributes());
        if (!config.slurm()) {
            lines.add(new HelperLine(
                    "self_executable=" + TorqueOwnAccountCommands.serverLine(config),
                    "a CE with another server is not refused on this database",
                    "set gelato.lrms.identity"));
        }
        lines.addAll(
                CommandSite.own(TorqueOwnAccountCommands.lines(config), TorqueOwnAccountCommands.environment(config)));
        return lines;
    }

    @Override
    public List<SiteFile> files() {
        List<SiteFile> files = config.site().programs(BLOCK + "bin-directory", NEEDED);
        if (config.accountingDirectory() != null) {
            files.add(SiteFile.directory(BLOCK + "accounting-directory", config.accountingDirectory()));
        }
        if (config.commands().submitAttributes() != null) {
            files.add(
                    SiteFile.file(BLOCK + "submit-attributes", config.commands().submitAttributes()));
        }
        return files;
    }

    /** {@inheritDoc} The name of the server, which ids of jobs have, too. Slurm's qstat names none. */
    @Override
    public CompletableFuture<Optional<String>> identity(AccountCommands accounts, Path stateDirectory) {
        if (config.slurm()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        LrmsCommands commands = new LrmsCommands(config.site(), accounts, TorqueMessages::brief);
        return commands.run(AccountCommands.SELF, "qstat", TorqueOwnAccountCommands.server(config))
                .thenApply(completed -> {
                    commands.endedWell("qstat", completed);
                    Matcher server = SERVER.matcher(completed.stdout());
                    return server.find()
                            ? Optional.of("server " + server.group(1).toLowerCase(Locale.ROOT))
                            : Optional.empty();
                });
    }

    /** {@inheritDoc} Slurm behind its Torque commands has no such setting in qstat. */
    @Override
    public CompletableFuture<Optional<EndsShown>> endsShown(AccountCommands accounts, String account) {
        if (config.slurm()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        String log = config.accountingDirectory() == null ? null : "its accounting log";
        return accounts.run(
                        account,
                        new AccountCommands.Run(
                                List.of(config.site().program("qstat"), "-B", "-f"),
                                null,
                                config.site().environment(),
                                new byte[0],
                                List.of(),
                                config.site().timeout(),
                                MAX_SHOWN))
                .thenApply(result -> {
                    Matcher kept = TorqueType.KEPT.matcher(result.stdout());
                    long seconds = kept.find() ? Long.parseLong(kept.group(1)) : 0;
                    return result.exit() == 0
                            ? Optional.of(new EndsShown(Duration.ofSeconds(seconds), "keep_completed", log))
                            : Optional.empty();
                });
    }

    @Override
    public String statusCommands() {
        return "qstat -Q -f and pbsnodes -a";
    }
}
