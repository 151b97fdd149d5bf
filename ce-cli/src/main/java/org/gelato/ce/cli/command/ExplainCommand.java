package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.json.Explanation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce explain}: why a user is mapped, refused or banned, and what a job gets. Exit code 1 when the CE would refuse. */
@Command(
        name = "explain",
        description =
                "Shows why a CE maps, refuses or bans a user, and what a job of the user gets; for its administrators.",
        footer = {"", "Exit code: 0 mapped, 1 refused or banned (or no response), 2 wrong command line."})
public final class ExplainCommand extends CeCommand {
    @Option(
            names = "--dn",
            required = true,
            paramLabel = "DN",
            description = "Who: /DC=org/CN=Some Body or CN=Some Body,DC=org; of a bearer token ISSUER,SUBJECT.")
    private String dn;

    @Option(
            names = "--fqan",
            paramLabel = "FQAN",
            description =
                    "VOMS attribute of the proxy, /vo/group/Role=role, or group or scope of the token, compute.read; repeat it in the"
                            + " proxy's order.")
    private List<String> fqans = new ArrayList<>();

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            description =
                    "Shows which of the site's routes a job in this queue matches, and each setting with its route.")
    private String queue;

    @Option(names = "--cores", paramLabel = "N", description = "Cores that the job requests; with --queue. Default: 1.")
    private Integer cores;

    public ExplainCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (dn.isBlank()) {
            throw usage("--dn is empty");
        }
        if (cores != null && (queue == null || cores < 1)) {
            throw usage("--cores is a number from 1 on, with --queue");
        }
        Explanation report = connectToNamed().explain(dn, fqans, queue, cores);
        if (options.json()) {
            JsonResult.print(context.out(), json(report));
        } else {
            print(report);
        }
        return report.authorized() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void print(Explanation report) {
        texts(report).forEach((label, value) -> {
            if (value != null) {
                context.out().printf("%-10s %s%n", label + ":", Printable.line(value));
            }
        });
        report.fqans().forEach(fqan -> context.out().printf("%-10s %s%n", "fqan:", Printable.line(fqan)));
        if (report.routes() != null) {
            print(report.routes());
        }
        report.steps().forEach(step -> context.out().println("  - " + Printable.line(step)));
        context.out().println(report.authorized() ? "AUTHORIZED" : report.banned() != null ? "BANNED" : "REFUSED");
    }

    private void print(Explanation.Routed routes) {
        String names = routes.names().isEmpty() ? "none matches" : String.join(", ", routes.names());
        context.out().printf("%-10s %s%n", "routes:", Printable.line(names));
        routes.values()
                .forEach(value -> context.out()
                        .println("  " + Printable.line(value.key() + " = " + value.value() + ", by " + value.route())));
    }

    private static ObjectNode json(Explanation report) {
        ObjectNode root = JsonResult.object();
        JsonResult.add(root, report);
        root.remove(report.pool() == null ? List.of("slashDn", "leased") : List.of("slashDn"));
        return root;
    }

    private static Map<String, String> texts(Explanation report) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("dn", report.dn());
        texts.put("owner", report.owner());
        texts.put("group", report.group() == null || report.group().isEmpty() ? null : report.group());
        texts.put("banned", report.banned());
        texts.put("admin", report.admin());
        texts.put("mapping", report.mapping());
        texts.put("account", report.account());
        texts.put("pool", report.pool());
        texts.put("lease", report.lease());
        texts.put("refusal", report.refusal());
        return texts;
    }
}
