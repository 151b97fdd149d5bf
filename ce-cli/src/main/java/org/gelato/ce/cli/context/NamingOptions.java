package org.gelato.ce.cli.context;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.wire.JobNaming;
import picocli.CommandLine.Option;

/** The options of commands that give jobs a name and labels. */
public final class NamingOptions {
    @Option(names = "--name", paramLabel = "NAME", description = "A name to find the job by, see 'ce list --name'.")
    private String name;

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            hideParamSyntax = true,
            description = "A label to find the job by, see 'ce list --label'. May be repeated.")
    private List<String> labels = new ArrayList<>();

    /** @throws IllegalArgumentException for what no CE takes */
    public JobNaming read() {
        return new JobNaming(name, labels).checked();
    }
}
