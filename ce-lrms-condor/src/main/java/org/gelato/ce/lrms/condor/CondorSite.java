package org.gelato.ce.lrms.condor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.command.CommandSite;
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

    /** {@inheritDoc} Two full rounds: one under way, and one that waits. */
    @Override
    public int handOversAtOnce() {
        return 2 * Rounds.MOST;
    }

    @Override
    public List<HelperLine> helperLines() {
        List<HelperLine> lines = config.site().executables(PROGRAMS, config.submitAttributes());
        lines.addAll(
                CommandSite.own(CondorOwnAccountCommands.lines(config), CondorOwnAccountCommands.environment(config)));
        return lines;
    }

    @Override
    public List<SiteFile> files() {
        List<SiteFile> files = config.site().programs(BLOCK + "bin-directory", PROGRAMS);
        files.addAll(config.site().programs(BLOCK + "bin-directory", List.of("condor_q", "condor_history")));
        if (config.configFile() != null) {
            files.add(SiteFile.file(BLOCK + "config", config.configFile()));
        }
        if (config.submitAttributes() != null) {
            files.add(SiteFile.file(BLOCK + "submit-attributes", config.submitAttributes()));
        }
        if (config.eventLog() != null) {
            files.add(SiteFile.file(EVENT_LOG, config.eventLog()));
        }
        return files;
    }

    /** {@inheritDoc} A schedd that does not know the account, nodes that share no files with this host, an event log that is off. */
    @Override
    public CompletableFuture<Optional<Unsupported>> unsupported(AccountCommands accounts, String account) {
        return new SiteCheck(config, accounts).of(account);
    }

    @Override
    public String queueCommands() {
        return "condor_status";
    }
}
