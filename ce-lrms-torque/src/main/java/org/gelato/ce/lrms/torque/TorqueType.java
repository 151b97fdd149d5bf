package org.gelato.ce.lrms.torque;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.base.Keys;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.lrms.command.CommandSettings;
import org.gelato.ce.core.lrms.type.CreamMapping;
import org.gelato.ce.core.lrms.type.FoundLrms;
import org.gelato.ce.core.lrms.type.LrmsSearch;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.LrmsType;

/** Torque, and the Torque commands that come with Slurm (docs/admin/torque.md). */
public final class TorqueType implements LrmsType {
    static final String BLOCK = "gelato.lrms.torque.";

    private static final Pattern QUEUE = Pattern.compile("^Queue: (\\S+)$");
    private static final Pattern PREFERRED = Pattern.compile("(?m)^\\s*default_queue = (\\S+)$");
    private static final Pattern ROUTE = Pattern.compile("^\\s*queue_type = Route\\s*$");
    static final Pattern KEPT = Pattern.compile("(?m)^\\s*keep_completed = ([0-9]{1,9})$");
    private static final int LEAST_KEPT = 300;

    /** For the {@link java.util.ServiceLoader}. */
    public TorqueType() {}

    @Override
    public String name() {
        return "torque";
    }

    @Override
    public LrmsSite read(Keys keys, Common common) {
        return new TorqueSite(keys.read("gelato.lrms.torque", TorqueConfig.class, CommandSettings.given(common)));
    }

    @Override
    public String program() {
        return "qstat";
    }

    @Override
    public List<Path> directories() {
        return List.of(Path.of("/opt/torque/bin"));
    }

    @Override
    public int precedence() {
        return 20;
    }

    @Override
    public List<CreamMapping> creamKeys() {
        return List.of(new CreamMapping(
                "HOST_SMP_SIZE",
                BLOCK + "host-smp-size",
                Integer::valueOf,
                "Slurm tells the size of its nodes, blahpd has gelato.lrms.blahp.host-smp-size"));
    }

    @Override
    public FoundLrms find(Path bin, LrmsSearch search) {
        Path qstat = bin.resolve("qstat");
        LrmsSearch.Result listing = search.run(qstat, List.of("-Q", "-f"), Map.of());
        if (!listing.good()) {
            return FoundLrms.silent("Torque does not respond: " + listing.error());
        }
        List<String> names = new ArrayList<>();
        for (String line : listing.output().lines().toList()) {
            Matcher queue = QUEUE.matcher(line);
            if (queue.matches()) {
                names.add(queue.group(1));
            } else if (ROUTE.matcher(line).matches() && !names.isEmpty()) {
                names.remove(names.size() - 1);
            }
        }
        LrmsSearch.Result server = search.run(qstat, List.of("-B", "-f"), Map.of());
        Matcher preferred = PREFERRED.matcher(server.output());
        Stream<String> first = preferred.find() ? names.stream().filter(preferred.group(1)::equals) : Stream.empty();
        return new FoundLrms(
                Stream.concat(first, names.stream()).distinct().toList(), true, List.of(), advice(server), null);
    }

    private static List<String> advice(LrmsSearch.Result server) {
        List<String> advice = new ArrayList<>();
        if (server.good() && !server.output().contains("query_other_jobs = True")) {
            advice.add("Torque shows each account its own jobs alone: qmgr -c 'set server query_other_jobs = True'");
        }
        Matcher kept = KEPT.matcher(server.output());
        if (server.good() && (!kept.find() || Integer.parseInt(kept.group(1)) < LEAST_KEPT)) {
            advice.add("Torque forgets ended jobs too soon: qmgr -c 'set server keep_completed = 300' ("
                    + Manual.page("docs/admin/torque.md") + ")");
        }
        return advice;
    }
}
