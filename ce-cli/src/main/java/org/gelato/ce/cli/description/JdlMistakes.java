package org.gelato.ce.cli.description;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Nearest;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.jdl.AttributeNames;
import org.gelato.ce.description.jdl.JdlCheck;

/** What a description in JDL says otherwise than its user may believe: found before anything is sent, and said with its place. */
public final class JdlMistakes {
    private static final String MEMORY =
            "CERequirements = \"other.GlueHostMainMemoryRAMSize >= 4000\", a number of MiB";
    private static final String TIME =
            "CERequirements = \"other.GlueCEPolicyMaxWallClockTime >= 60\", a number of minutes";

    /** By names of other systems, in lower case and without underscores: what has that meaning here. */
    private static final Map<String, String> ELSEWHERE = Nearest.synonyms(
            "memory mem requestmemory minmemory=" + MEMORY,
            "time walltime maxwalltime maxruntime cputime=" + TIME,
            "cpus ncpus cores ncores requestcpus count ntasks=CpuNumber",
            "nodes=HostNumber",
            "gpus requestgpus=GPUNumber",
            "queue partition=QueueName",
            "name=JobName",
            "program command exe=Executable",
            "args argument=Arguments",
            "input stdin=StdInput",
            "output stdout=StdOutput",
            "error stderr=StdError",
            "env=Environment",
            "transferinputfiles inputfiles=InputSandbox",
            "transferoutputfiles outputfiles=OutputSandbox");

    private JdlMistakes() {}

    /**
     * Reads a description as it will be sent.
     *
     * @param label how messages call it
     * @return what is said and does not stop it
     * @throws CliException for an error of syntax, with its place
     */
    public static List<String> of(String label, JdlText jdl) {
        List<String> mistakes = new ArrayList<>();
        jdl.names().stream()
                .filter(name -> !AttributeNames.isKnown(name))
                .forEach(name -> mistakes.add(label + ": " + jdl.place(name) + "attribute " + name
                        + " is not known and will do nothing" + instead(name)));
        try {
            JdlCheck check = JdlCheck.of(jdl.toString());
            String queue = jdl.string("QueueName").orElse("");
            check.otherQueues(jdl.string("BatchSystem").orElse(""), queue)
                    .forEach(other ->
                            mistakes.add(label + ": " + jdl.place("CERequirements") + "CERequirements name the queue "
                                    + Printable.line(other) + ", and the job goes to " + queue));
        } catch (DescriptionException e) {
            throw new CliException(
                    label + ": "
                            + (e.line() == 0 ? "" : "line " + e.line() + ", column " + e.column() + ": ")
                            + e.getMessage(),
                    e);
        }
        return mistakes;
    }

    private static String instead(String name) {
        String known = ELSEWHERE.get(name.toLowerCase(Locale.ROOT).replace("_", ""));
        if (known != null) {
            return "; write " + known;
        }
        return Nearest.of(name, AttributeNames.KNOWN)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }
}
