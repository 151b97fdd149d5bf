package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What administrators close and whom they ban. Results are printed as they are under {@code --json}. */
public abstract class ControlCommand extends CeCommand {
    ControlCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    /** Prints the CE's JSON under {@code --json}. @return whether it did */
    final boolean printed(JsonNode result) {
        if (options.json()) {
            if (!(result instanceof ObjectNode object)) {
                throw new CliException("the CE's response is no JSON object");
            }
            JsonResult.print(context.out(), object);
        }
        return options.json();
    }

    final void line(String text) {
        context.err().println(Printable.line(text));
    }

    /** The parts of a CE. */
    abstract static class OfPart extends ControlCommand {
        @Option(names = "--queue", paramLabel = "NAME", description = "Only this queue.")
        private String queue;

        @Option(names = "--vo", paramLabel = "VO", description = "Only this VO.")
        private String vo;

        OfPart(CliContext context, CommonOptions options) {
            super(context, options);
        }

        final boolean whole() {
            return queue == null && vo == null;
        }

        final Map<String, String> part() {
            if (queue != null && vo != null) {
                throw usage("--queue and --vo exclude each other");
            }
            if ((queue != null && queue.isBlank()) || (vo != null && vo.isBlank())) {
                throw usage("--queue and --vo want a name");
            }
            Map<String, String> part = new LinkedHashMap<>();
            part.put("queue", queue);
            part.put("vo", vo);
            return part;
        }

        final String text(ComputingElement ce) {
            return queue != null
                    ? "queue " + queue + " of " + ce.endpoint()
                    : vo != null
                            ? "VO " + vo + " at " + ce.endpoint()
                            : ce.endpoint().toString();
        }

        final void remaining(JsonNode result) {
            result.path("drains").forEach(d -> line("drained: " + ControlCommand.text(d)));
        }
    }

    /** {@code ce drain}: closes a part for new jobs and estimates when it is empty. */
    @Command(
            name = "drain",
            description = "Lets a CE refuse new jobs, all or those of a queue or VO; for its administrators.",
            footer = {
                "",
                "Holds on all front ends and over restarts, until ce enable with the same option.",
                "Jobs that are registered may still be started, and all go on. Shown is how many there are, and when the"
                        + " last of those that run ends at the latest, where the batch system reports its queues' limits."
            })
    public static final class Drain extends OfPart {
        @Option(names = "--reason", paramLabel = "TEXT", description = "Shown to users who are refused.")
        private String reason;

        @Option(names = "--list", description = "Show what is drained and change nothing.")
        private boolean list;

        public Drain(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            if (reason != null && reason.isBlank()) {
                throw usage("--reason wants a text");
            }
            Map<String, String> parameters = part();
            if (list) {
                if (!whole() || reason != null) {
                    throw usage("--list shows all that is drained: leave out --queue, --vo and --reason");
                }
                list(connectToNamed().control("GET", "drains", Map.of()));
                return ExitCode.OK;
            }
            parameters.put("reason", reason);
            ComputingElement ce = connectToNamed();
            JsonNode result = ce.control("PUT", "drains", parameters);
            if (!printed(result)) {
                line("New jobs are refused by " + text(ce));
                line(result.path("running").asLong() + " jobs run, "
                        + result.path("queued").asLong() + " wait, "
                        + result.path("registered").asLong() + " are registered and not started");
                line(
                        result.has("lastEnd")
                                ? "The last that runs ends by "
                                        + result.path("lastEnd").asText() + "; those that wait end later"
                                : "When the last ends is unknown");
                remaining(result);
            }
            return ExitCode.OK;
        }

        private void list(JsonNode result) {
            if (!printed(result)) {
                result.path("drains").forEach(d -> context.out().println(Printable.line(ControlCommand.text(d))));
            }
        }
    }

    private static String text(JsonNode drain) {
        return drain.path("part").asText() + " "
                + (drain.has("name") ? drain.path("name").asText() + " " : "") + "since "
                + drain.path("since").asText() + " by " + drain.path("by").asText()
                + (drain.has("reason") ? ": " + drain.path("reason").asText() : "");
    }

    /** {@code ce enable}: opens what was drained. */
    @Command(
            name = "enable",
            description = "Lets a CE accept new jobs again, all or those of a queue or VO; for its administrators.",
            footer = {"", "Without --queue and --vo, queues and VOs that are drained remain so."})
    public static final class Enable extends OfPart {
        public Enable(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            Map<String, String> part = part();
            if (whole()) {
                // By the wire, as a CREAM CE understands it too.
                return new SubmissionCommand.Enable(context, options).of(connectToNamed());
            }
            ComputingElement ce = connectToNamed();
            JsonNode result = ce.control("DELETE", "drains", part);
            if (!printed(result)) {
                line(
                        result.path("changed").asBoolean()
                                ? "New jobs are accepted by " + text(ce)
                                : text(ce) + " was not drained");
                remaining(result);
            }
            return ExitCode.OK;
        }
    }

    /** Whom a ban is about. */
    abstract static class OfWhom extends ControlCommand {
        OfWhom(CliContext context, CommonOptions options) {
            super(context, options);
        }

        final Map<String, String> whom(String text) {
            if (text.isBlank()) {
                throw usage(
                        "name a DN, the holder of a token as ISSUER,SUBJECT, an FQAN, a group or entitlement, or a VO");
            }
            String name = text.strip();
            int slash = name.indexOf('/', 1);
            boolean slashDn = name.startsWith("/") && (slash < 0 ? name : name.substring(0, slash)).contains("=");
            // An entitlement of a token may have an equals sign; a token's holder is written ISSUER,SUBJECT.
            boolean attribute = name.startsWith("urn:") || (name.startsWith("/") && !slashDn);
            boolean person = slashDn || name.contains("=") || name.matches("[a-z]+://[^,]+,.+");
            String kind = attribute ? "fqan" : person ? "dn" : "vo";
            Map<String, String> whom = new LinkedHashMap<>();
            whom.put(kind, name);
            return whom;
        }
    }

    /** {@code ce ban}: refuses a user, an attribute or a VO. */
    @Command(
            name = "ban",
            description =
                    "Lets a CE refuse a user, an attribute or a VO, and lists who is banned; for its administrators.",
            footer = {
                "",
                "/DC=org/CN=A or CN=A,DC=org is a user, /vo/group/Role=role an attribute, another text a VO.",
                "Holds on all front ends and over restarts; the ban file counts beside it."
            })
    public static final class Ban extends OfWhom {
        @Parameters(arity = "0..1", paramLabel = "DN|FQAN|VO", hideParamSyntax = true, description = "Whom to ban.")
        private String whom;

        @Option(names = "--list", description = "Show the bans and change nothing.")
        private boolean list;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Kept with the ban, for administrators.")
        private String reason;

        @Option(
                names = "--jobs",
                paramLabel = "keep|cancel",
                defaultValue = "keep",
                description = "What happens to the jobs. Default: keep.")
        private String jobs;

        @Option(names = "--force", description = "Even if the ban concerns yourself.")
        private boolean force;

        public Ban(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            if (list == (whom != null)) {
                throw usage("name whom to ban, or give --list");
            }
            if (!jobs.equals("keep") && !jobs.equals("cancel")) {
                throw usage("--jobs wants keep or cancel");
            }
            if (reason != null && reason.isBlank()) {
                throw usage("--reason wants a text");
            }
            if (list) {
                list(connectToNamed().control("GET", "bans", Map.of()));
                return ExitCode.OK;
            }
            Map<String, String> parameters = whom(whom);
            parameters.put("reason", reason);
            parameters.put("jobs", jobs);
            parameters.put("force", force ? "true" : null);
            JsonNode result = connectToNamed().control("PUT", "bans", parameters);
            if (!printed(result)) {
                line("banned: " + result.path("kind").asText() + " "
                        + result.path("name").asText());
                line(result.path("jobs").asLong() + " jobs had not ended; "
                        + (jobs.equals("cancel")
                                ? result.path("cancelled").asLong() + " are being cancelled"
                                : "they go on (--jobs cancel ends them)"));
                if (result.has("warning")) {
                    line("warning: " + result.path("warning").asText());
                }
            }
            return ExitCode.OK;
        }

        private void list(JsonNode result) {
            if (!printed(result)) {
                result.path("bans")
                        .forEach(b -> context.out()
                                .println(Printable.line(b.path("kind").asText() + " "
                                        + b.path("name").asText() + " since "
                                        + b.path("since").asText() + " by "
                                        + b.path("by").asText()
                                        + (b.has("reason")
                                                ? ": " + b.path("reason").asText()
                                                : ""))));
            }
        }
    }

    /** {@code ce unban}: ends a ban. */
    @Command(
            name = "unban",
            description = "Ends a ban that ce ban made; for the administrators of a CE.",
            footer = {"", "Exit code: 0 the ban is ended, 1 there was none, 2 wrong command line."})
    public static final class Unban extends OfWhom {
        @Parameters(paramLabel = "DN|FQAN|VO", hideParamSyntax = true, description = "Whose ban to end.")
        private String whom;

        public Unban(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            JsonNode result = connectToNamed().control("DELETE", "bans", whom(whom));
            boolean json = printed(result);
            if (!result.path("changed").asBoolean()) {
                fail(Printable.line(whom), "no such ban; ce ban --list shows them, the ban file is the site's own");
                return ExitCode.FAILED;
            }
            if (!json) {
                line("no longer banned: " + whom);
            }
            return ExitCode.OK;
        }
    }
}
