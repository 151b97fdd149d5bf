package org.gelato.ce.lrms.slurm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.base.Keys;
import org.gelato.ce.core.lrms.command.CommandSettings;
import org.gelato.ce.core.lrms.type.FoundLrms;
import org.gelato.ce.core.lrms.type.LrmsSearch;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.LrmsType;
import org.gelato.ce.core.lrms.type.SetupOption;

/** Slurm (docs/admin/slurm.md). */
public final class SlurmType implements LrmsType {
    static final String BLOCK = "gelato.lrms.slurm.";

    private static final String CONF_OPTION = "--slurm-conf";

    /** For the {@link java.util.ServiceLoader}. */
    public SlurmType() {}

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public LrmsSite read(Keys keys, Common common) {
        return new SlurmSite(keys.read("gelato.lrms.slurm", SlurmConfig.class, CommandSettings.given(common)));
    }

    @Override
    public String program() {
        return "scontrol";
    }

    @Override
    public List<Path> directories() {
        return List.of(Path.of("/opt/slurm/bin"));
    }

    @Override
    public boolean isProgramItsOwn() {
        return true;
    }

    /** Before Torque, as Slurm brings Torque's commands along. */
    @Override
    public int precedence() {
        return 10;
    }

    @Override
    public List<SetupOption> setupOptions() {
        return List.of(new SetupOption(
                CONF_OPTION,
                "FILE",
                "slurm.conf, where Slurm does not find it itself.",
                BLOCK + "conf",
                SetupOption.Value.PATH,
                false));
    }

    @Override
    public FoundLrms find(Path bin, LrmsSearch search) {
        List<String> conf = search.option(CONF_OPTION);
        Map<String, String> environment = conf.isEmpty() ? Map.of() : Map.of("SLURM_CONF", conf.get(0));
        LrmsSearch.Result partitions =
                search.run(bin.resolve("sinfo"), List.of("--noheader", "--format=%P"), environment);
        if (!partitions.good()) {
            return FoundLrms.silent("Slurm does not respond: " + partitions.error());
        }
        List<String> names =
                partitions.output().lines().map(String::strip).distinct().toList();
        Stream<String> first = names.stream().filter(n -> n.endsWith("*"));
        Stream<String> others = names.stream().filter(n -> !n.endsWith("*"));
        List<String> queues = Stream.concat(first.map(n -> n.substring(0, n.length() - 1)), others)
                .toList();
        LrmsSearch.Result settings = search.run(bin.resolve("scontrol"), List.of("show", "config"), environment);
        return new FoundLrms(queues, true, completionLog(settings.output()), List.of(), null);
    }

    private static List<FoundLrms.Log> completionLog(String settings) {
        String type = setting(settings, "JobCompType");
        String place = setting(settings, "JobCompLoc");
        return "jobcomp/filetxt".equals(type) && place != null && place.startsWith("/")
                ? List.of(new FoundLrms.Log(BLOCK + "job-completion-log", Path.of(place), "Slurm notes ended jobs"))
                : List.of();
    }

    private static String setting(String settings, String name) {
        Matcher found = Pattern.compile("(?m)^" + name + "\\s*= (\\S+)\\s*$").matcher(settings);
        return found.find() ? found.group(1) : null;
    }
}
