package org.gelato.ce.blahbridge.blahp;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.type.CreamMapping;
import org.gelato.ce.core.lrms.type.LrmsKeys;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.LrmsType;
import org.gelato.ce.core.lrms.type.SetupOption;

/** Any batch system for which a site has a blahpd of its own (docs/admin/blahp.md). */
public final class BlahpType implements LrmsType {
    static final String COMMAND = "gelato.lrms.blahp.command";
    static final String LOG = "gelato.lrms.blahp.accounting-log";

    static final String SCHEDD = "gelato.lrms.blahp.schedd";
    static final String SUDO = "gelato.lrms.blahp.sudo";

    private static final String TYPE = "gelato.lrms.blahp.grid-type";
    private static final String SCRIPTS = "the name of blahpd's scripts, for example lsf";
    private static final Pattern GRID_TYPE = Pattern.compile("[a-z][a-z0-9_]{0,15}");

    /** For the {@link java.util.ServiceLoader}. */
    public BlahpType() {}

    @Override
    public String name() {
        return "blahp";
    }

    @Override
    public LrmsSite read(LrmsKeys keys, Common common) {
        List<String> command = keys.texts(COMMAND);
        String gridType = keys.text(TYPE, GRID_TYPE, SCRIPTS);
        String schedd = keys.text(SCHEDD, BlahJobId.schedd(), "the name of a schedd");
        Path log = keys.optionalPath(LOG);
        boolean sudo = keys.flag(SUDO);
        int cpus = keys.number("gelato.lrms.blahp.host-smp-size", 1, 10_000);
        if (common.chosen()) {
            if (command.isEmpty() || !command.get(0).startsWith("/")) {
                keys.refuse(COMMAND, "the absolute path of blahpd and its arguments");
            }
            if (gridType.isEmpty()) {
                keys.refuse(TYPE, SCRIPTS);
            }
            if (!schedd.isEmpty() && !BlahJobId.isCondor(gridType)) {
                keys.refuse(SCHEDD, "used with grid-type = condor alone: leave it empty");
            }
            if (log == null) {
                keys.refuse(LOG, "the path of blahpd's log of submissions, without its date");
            }
        }
        return new BlahpSite(new BlahpConfig(
                command, gridType, schedd, sudo, System.getProperty("user.name"), cpus, log, common.commandTimeout()));
    }

    @Override
    public List<SetupOption> setupOptions() {
        return List.of(
                new SetupOption(
                        "--blahp-command",
                        "WORD",
                        "Program of the site's blahpd, then its arguments; may be repeated.",
                        COMMAND,
                        SetupOption.Value.TEXTS,
                        true),
                new SetupOption(
                        "--blahp-grid-type",
                        "NAME",
                        "Which of blahpd's scripts, such as lsf.",
                        TYPE,
                        SetupOption.Value.TEXT,
                        true),
                new SetupOption(
                        "--blahp-accounting-log",
                        "FILE",
                        "blahpd's log of submissions, without its date.",
                        LOG,
                        SetupOption.Value.PATH,
                        true));
    }

    @Override
    public List<CreamMapping> creamKeys() {
        return List.of(new CreamMapping(
                "BLAHP_BIN_PATH", COMMAND, List::of, "other batch systems are called by their own commands"));
    }
}
