package org.gelato.ce.blahbridge.blahp;

import java.util.List;
import org.gelato.ce.core.base.Keys;
import org.gelato.ce.core.lrms.type.CreamMapping;
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
    static final String SCRIPTS = "the name of blahpd's scripts, for example lsf";

    /** For the {@link java.util.ServiceLoader}. */
    public BlahpType() {}

    @Override
    public String name() {
        return "blahp";
    }

    @Override
    public LrmsSite read(Keys keys, Common common) {
        BlahpConfig config = keys.read(
                "gelato.lrms.blahp", BlahpConfig.class, System.getProperty("user.name"), common.commandTimeout());
        if (common.chosen()) {
            if (config.command().isEmpty() || !config.command().get(0).startsWith("/")) {
                keys.refuse(COMMAND, "the absolute path of blahpd and its arguments");
            }
            if (config.gridType().isEmpty()) {
                keys.refuse(TYPE, SCRIPTS);
            }
            if (!config.schedd().isEmpty() && !BlahJobId.isCondor(config.gridType())) {
                keys.refuse(SCHEDD, "used with grid-type = condor alone: leave it empty");
            }
            if (config.accountingLog() == null) {
                keys.refuse(LOG, "the path of blahpd's log of submissions, without its date");
            }
        }
        return new BlahpSite(config);
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
