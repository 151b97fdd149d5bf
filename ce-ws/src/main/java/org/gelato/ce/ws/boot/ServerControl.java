package org.gelato.ce.ws.boot;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.check.OwnPages;
import org.gelato.ce.ws.config.CeConfig;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What root on the CE's host closes and whom it bans, without a proxy: the CE that runs here does it for whoever can read its key. */
abstract class ServerControl extends ServerCommand.Configured {
    private static final int MAX = 1 << 20;

    /** A queue or a VO. */
    static final class Part {
        @Option(names = "--queue", paramLabel = "NAME", description = "This queue alone.")
        private String queue;

        @Option(names = "--vo", paramLabel = "VO", description = "This VO alone.")
        private String vo;

        private static Map<String, String> parameters(Part part) {
            Map<String, String> parameters = new LinkedHashMap<>();
            if (part != null) {
                parameters.put("queue", part.queue);
                parameters.put("vo", part.vo);
            }
            return parameters;
        }
    }

    /** A user, an attribute or a VO. */
    static final class Whom {
        @Option(names = "--dn", paramLabel = "DN", description = "A user: DN, or ISSUER,SUBJECT of a token.")
        private String dn;

        @Option(names = "--fqan", paramLabel = "FQAN", description = "An attribute, group or entitlement.")
        private String fqan;

        @Option(names = "--vo", paramLabel = "VO", description = "A VO.")
        private String vo;

        private Map<String, String> parameters() {
            Map<String, String> parameters = new LinkedHashMap<>();
            parameters.put("dn", dn);
            parameters.put("fqan", fqan);
            parameters.put("vo", vo);
            return parameters;
        }
    }

    /** {@code ce server drain}. */
    @Command(
            name = "drain",
            description =
                    "Let the CE accept no new jobs, of all or of a queue or VO; as root on its host, without a proxy.")
    static final class Drain extends ServerControl {
        @ArgGroup
        private Part part;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Shown to users.")
        private String reason;

        @Override
        public Integer call() {
            Map<String, String> parameters = Part.parameters(part);
            parameters.put("reason", reason);
            JsonNode made = request("PUT", "drains", parameters);
            say("drained; " + made.path("running").asLong() + " jobs run, "
                    + made.path("queued").asLong() + " wait, "
                    + made.path("registered").asLong()
                    + " are registered and not started");
            return 0;
        }
    }

    /** {@code ce server enable}. */
    @Command(
            name = "enable",
            description = "End a drain, of all or of a queue or VO; as root on the CE's host, without a proxy.")
    static final class Enable extends ServerControl {
        @ArgGroup
        private Part part;

        @Override
        public Integer call() {
            boolean changed = request("DELETE", "drains", Part.parameters(part))
                    .path("changed")
                    .asBoolean();
            say(changed ? "new jobs are accepted" : "it was not drained");
            return 0;
        }
    }

    /** {@code ce server ban}. */
    @Command(
            name = "ban",
            description = "Let the CE refuse a user, an attribute or a VO; as root on its host, without a proxy.")
    static final class Ban extends ServerControl {
        @ArgGroup(multiplicity = "1")
        private Whom whom;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Kept with the ban, for administrators.")
        private String reason;

        @Option(names = "--cancel", description = "Cancel the jobs of whom it concerns, too.")
        private boolean cancel;

        @Override
        public Integer call() {
            Map<String, String> parameters = whom.parameters();
            parameters.put("reason", reason);
            parameters.put("jobs", cancel ? "cancel" : "keep");
            JsonNode made = request("PUT", "bans", parameters);
            say("banned: " + made.path("kind").asText() + " "
                    + made.path("name").asText() + "; "
                    + made.path("jobs").asLong() + " jobs had not ended, "
                    + made.path("cancelled").asLong() + " of them are being cancelled");
            if (made.has("warning")) {
                say("warning: " + made.path("warning").asText());
            }
            return 0;
        }
    }

    /** {@code ce server unban}. */
    @Command(
            name = "unban",
            description = "End a ban of an administrator; as root on the CE's host, without a proxy.",
            footer = {"", "Exit code: 0 the ban is ended, 1 there was none (or no response), 2 wrong command line."})
    static final class Unban extends ServerControl {
        @ArgGroup(multiplicity = "1")
        private Whom whom;

        @Override
        public Integer call() {
            boolean changed =
                    request("DELETE", "bans", whom.parameters()).path("changed").asBoolean();
            say(changed ? "the ban is ended" : "there was no such ban; the ban file is the site's own");
            return changed ? 0 : 1;
        }
    }

    final void say(String line) {
        PrintWriter out = out();
        out.println(Messages.line(line));
    }

    /** The sentence of a refusal, behind the line with its status. */
    private static String error(String text) {
        try {
            String sentence = JSON.readTree(text.substring(text.indexOf('\n') + 1))
                    .path("error")
                    .asText();
            return Messages.line(sentence.isEmpty() ? text : sentence);
        } catch (IOException e) {
            return Messages.line(text);
        }
    }

    final JsonNode request(String method, String what, Map<String, String> parameters) {
        CeConfig read = running();
        String query = parameters.entrySet().stream()
                .filter(parameter -> Objects.nonNull(parameter.getValue()))
                .map(parameter ->
                        parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        try {
            String text = OwnPages.change(read, method, "/ce-cream/admin/" + what + "?" + query, MAX);
            if (!text.startsWith("{")) {
                throw new IllegalStateException("the CE refuses: " + error(text)
                        + (text.startsWith("status 403")
                                ? "; is " + read.home()
                                        + " the directory of the CE that runs? Name its configuration with --config"
                                : ""));
            }
            return JSON.readTree(text);
        } catch (OwnPages.Unanswered e) {
            throw new IllegalStateException(
                    "the CE of " + read.baseUrl() + " got the request and did not respond: " + Messages.of(e)
                            + "; it may have been done: repeat the same command",
                    e);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the CE of " + read.baseUrl() + " does not respond on this host: " + Messages.of(e)
                            + "; start it first",
                    e);
        }
    }
}
