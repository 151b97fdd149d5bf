package org.gelato.ce.core.wrapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.jdl.JdlException;
import org.gelato.ce.core.jdl.JobRequest;
import org.gelato.ce.core.jdl.OutputDestination;
import org.gelato.ce.core.jdl.SandboxItem;
import org.gelato.ce.core.jdl.ShellWords;

/**
 * Writes the script that runs a job on a worker node (contract/behaviour.md section 5, design section 7): the values of
 * this job as quoted assignments, then {@code wrapper.sh}, which is the same for all. Stateless and thread-safe. The
 * script outlives the CE; it tells its fate by events and by the exit record in the sandbox.
 */
public final class JobWrapper {
    /** Variables bash keeps for itself: it would refuse, change or act on a value, so they are set by {@code env}. */
    private static final Set<String> SHELLS_OWN = Set.of(
            "_",
            "BASHOPTS",
            "BASHPID",
            "BASH_ALIASES",
            "BASH_ARGC",
            "BASH_ARGV",
            "BASH_ARGV0",
            "BASH_CMDS",
            "BASH_COMMAND",
            "BASH_COMPAT",
            "BASH_LINENO",
            "BASH_MONOSECONDS",
            "BASH_REMATCH",
            "BASH_SOURCE",
            "BASH_SUBSHELL",
            "BASH_TRAPSIG",
            "BASH_VERSINFO",
            "BASH_XTRACEFD",
            "COLUMNS",
            "COMP_WORDBREAKS",
            "DIRSTACK",
            "EPOCHREALTIME",
            "EPOCHSECONDS",
            "EUID",
            "FUNCNAME",
            "FUNCNEST",
            "GLOBIGNORE",
            "GROUPS",
            "HISTCMD",
            "IFS",
            "LINENO",
            "LINES",
            "OPTIND",
            "PIPESTATUS",
            "POSIXLY_CORRECT",
            "PPID",
            "RANDOM",
            "SECONDS",
            "SHELLOPTS",
            "SHLVL",
            "SRANDOM",
            "UID");

    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)\\})(.*)", Pattern.DOTALL);
    private static final String FIXED = fixedPart();

    private JobWrapper() {}

    /**
     * The whole script, to be written with mode 0700 and run by the batch system as the job's account.
     *
     * @param request as {@link org.gelato.ce.core.jdl.Jdl#parse} checked it
     * @throws IllegalArgumentException when the request did not pass that check, or the settings say no way for events
     */
    public static String script(JobRequest request, WrapperSettings settings) {
        if (settings.events() == null && settings.eventsUrl() == null) {
            throw new IllegalArgumentException("a wrapper needs a directory or a URL for its events");
        }
        StringBuilder script = new StringBuilder("#!/bin/bash\n");
        identity(script, settings);
        exports(script, request, settings);
        files(script, request, settings);
        payload(script, request);
        return script.append(FIXED).toString();
    }

    private static void identity(StringBuilder script, WrapperSettings settings) {
        assign(script, "__gelato_job", settings.id().toString());
        assign(script, "__gelato_attempt", Integer.toString(settings.attempt()));
        assign(script, "__gelato_sandbox", settings.sandbox().toString());
        assign(
                script,
                "__gelato_events",
                settings.events() == null ? "" : settings.events().toString());
        assign(script, "__gelato_events_url", settings.eventsUrl() == null ? "" : settings.eventsUrl());
        assign(
                script,
                "__gelato_ca_directory",
                settings.caDirectory() == null ? "" : settings.caDirectory().toString());
        assign(script, "__gelato_token", settings.token());
    }

    private static void exports(StringBuilder script, JobRequest request, WrapperSettings settings) {
        String gridJobId = request.gridJobId() == null ? "N/A" : request.gridJobId();
        export(script, "GRID_JOBID", gridJobId);
        export(script, "CREAM_JOBID", settings.jobUrl());
        export(script, "CE_ID", settings.ceId());
        export(script, "GLITE_WMS_JOBID", gridJobId);
        export(script, "GLITE_WMS_SEQUENCE_CODE", request.lbSequenceCode());
        export(script, "HLR_LOCATION", request.others().get("HLRLocation"));
        export(script, "EDG_MW_VERSION", request.others().get("MwVersion"));
        export(
                script,
                "X509_USER_PROXY",
                settings.proxyFile() == null ? null : settings.proxyFile().toString());
    }

    private static void files(StringBuilder script, JobRequest request, WrapperSettings settings) {
        array(
                script,
                "__gelato_input",
                request.inputSandbox().stream().map(SandboxItem::baseName).toList());
        assign(script, "__gelato_stdout", orEmpty(request.stdOutput()));
        assign(script, "__gelato_stderr", orEmpty(request.stdError()));
        array(script, "__gelato_output", request.outputSandbox());
        List<String> names = new ArrayList<>();
        for (int i = 0; i < request.outputSandbox().size(); i++) {
            List<String> destinations = request.outputSandboxDestUris();
            names.add(OutputDestination.name(
                    destinations.isEmpty() ? null : destinations.get(i),
                    request.outputSandbox().get(i)));
        }
        array(script, "__gelato_output_name", names);
        // A client reads this line from the file to learn how names are put below OSB.
        String host = settings.ceId().replaceFirst("(:[0-9]+)?/.*", "");
        for (int i = 0; i < names.size(); i++) {
            assign(
                    script,
                    "__output_file_dest[" + i + "]",
                    "gsiftp://" + host + settings.sandbox() + "/OSB/" + names.get(i));
        }
    }

    private static void payload(StringBuilder script, JobRequest request) {
        assign(script, "__gelato_executable", request.executable());
        assign(script, "__gelato_stdin", orEmpty(request.stdInput()));
        List<String> shellsOwn = new ArrayList<>();
        script.append("__gelato_environment() {\n:\n");
        for (Map.Entry<String, String> variable : request.environment().entrySet()) {
            if (SHELLS_OWN.contains(variable.getKey())) {
                shellsOwn.add(variable.getKey() + "=" + variable.getValue());
            } else {
                export(script, variable.getKey(), variable.getValue());
            }
        }
        script.append("}\n");
        array(script, "__gelato_shells_own", shellsOwn);
        script.append("__gelato_locate() {\n__gelato_executable_path=")
                .append(path(request.executable()))
                .append("\n__gelato_stdin_path=")
                .append(request.stdInput() == null ? "/dev/null" : path(request.stdInput()))
                .append("\n}\n");
        script.append("__gelato_with_arguments() {\n\"$@\"")
                .append(arguments(request))
                .append("\n}\n");
    }

    private static String arguments(JobRequest request) {
        try {
            return ArgumentWords.render(ShellWords.parse(request.arguments()));
        } catch (JdlException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** File rule A as a shell word: a leading variable is looked up, everything else is quoted. */
    private static String path(String file) {
        Matcher variable = VARIABLE.matcher(file);
        if (variable.matches()) {
            String name = variable.group(1) == null ? variable.group(2) : variable.group(1);
            return "\"${" + name + "}\"" + BashQuote.quote(variable.group(3));
        }
        return BashQuote.quote(file.startsWith("/") ? file : "./" + file);
    }

    private static String orEmpty(String value) {
        return value == null ? "" : value;
    }

    private static void assign(StringBuilder script, String name, String value) {
        script.append(name).append('=').append(BashQuote.quote(value)).append('\n');
    }

    private static void array(StringBuilder script, String name, List<String> values) {
        script.append(name).append(values.stream().map(BashQuote::quote).collect(Collectors.joining(" ", "=(", ")\n")));
    }

    /** Nothing for null. */
    private static void export(StringBuilder script, String name, String value) {
        if (value != null) {
            script.append("export ")
                    .append(name)
                    .append('=')
                    .append(BashQuote.quote(value))
                    .append('\n');
        }
    }

    private static String fixedPart() {
        try (InputStream in = JobWrapper.class.getResourceAsStream("wrapper.sh")) {
            if (in == null) {
                throw new IllegalStateException("wrapper.sh is missing beside " + JobWrapper.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
