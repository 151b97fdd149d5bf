package org.gelato.ce.lrms.condor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.base.Keys;
import org.gelato.ce.core.lrms.type.FoundLrms;
import org.gelato.ce.core.lrms.type.LrmsSearch;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.LrmsType;
import org.gelato.ce.core.lrms.type.SetupOption;

/** HTCondor (docs/admin/condor.md). */
public final class CondorType implements LrmsType {
    static final String BLOCK = "gelato.lrms.condor.";

    private static final Pattern QUEUE_LINE = Pattern.compile("([A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}):(.*)");
    private static final String CONFIG_OPTION = "--condor-config";

    /** For the {@link java.util.ServiceLoader}. */
    public CondorType() {}

    @Override
    public String name() {
        return "condor";
    }

    @Override
    public LrmsSite read(Keys keys, Common common) {
        return new CondorSite(keys.read(
                "gelato.lrms.condor",
                CondorConfig.class,
                common.commandTimeout(),
                common.sharedSandboxes(),
                queues(keys)));
    }

    private static Map<String, List<SubmitLine>> queues(Keys keys) {
        Map<String, List<SubmitLine>> queues = new LinkedHashMap<>();
        for (String text : keys.texts(BLOCK + "queues")) {
            Matcher m = QUEUE_LINE.matcher(text);
            Optional<SubmitLine> line = m.matches() ? SubmitLine.of(m.group(2)) : Optional.empty();
            if (line.isPresent()) {
                queues.computeIfAbsent(m.group(1), queue -> new ArrayList<>()).add(line.get());
            } else {
                keys.refuse(
                        BLOCK + "queues",
                        "texts QUEUE: NAME = VALUE, each a line of a submit description that neither queues nor ends in a backslash");
            }
        }
        return queues;
    }

    @Override
    public String program() {
        return "condor_submit";
    }

    @Override
    public boolean isProgramItsOwn() {
        return true;
    }

    /** After those that have queues: HTCondor's client may be there for other uses. */
    @Override
    public int precedence() {
        return 30;
    }

    @Override
    public List<SetupOption> setupOptions() {
        return List.of(new SetupOption(
                CONFIG_OPTION,
                "FILE",
                "condor_config, where HTCondor does not find it itself.",
                BLOCK + "config",
                SetupOption.Value.PATH,
                false));
    }

    /** {@inheritDoc} HTCondor has no queues: any name is one. */
    @Override
    public FoundLrms find(Path bin, LrmsSearch search) {
        List<String> config = search.option(CONFIG_OPTION);
        LrmsSearch.Result queue = search.run(
                bin.resolve("condor_q"),
                CondorOwnAccountCommands.HEALTH,
                config.isEmpty() ? Map.of() : Map.of("CONDOR_CONFIG", config.get(0)));
        return queue.good()
                ? FoundLrms.unqueried()
                : FoundLrms.silent("HTCondor's schedd does not respond: " + queue.error());
    }
}
