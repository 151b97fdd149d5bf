package org.gelato.ce.core.wrapper;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.RemoteFile;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.ShellWords;

/**
 * Writes the script that runs a job on a worker node (docs/developer/protocol/behaviour.md section 5, docs/developer/design.md section 7):
 * the values of this job as quoted assignments, then those of the {@link ScriptPart}s it needs, or a few lines that load
 * these from a file (docs/developer/decisions/0072-job-wrapper-script.md). Stateless and thread-safe. The script
 * outlives the CE; it reports its fate by events and, where it sees the sandbox, by the exit record there.
 */
public final class JobWrapper {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)\\})(.*)", Pattern.DOTALL);

    /** A login shell: worker nodes say where a site's software lies in their profiles. */
    private static final String INTERPRETER = "#!/bin/bash -l";

    /** The environment may set shell options, and variables that the script takes for unset. */
    private static final String CLEAN = "set +aeu;unset \"${!__gelato_@}\"";

    private JobWrapper() {}

    /**
     * A script whose common part is a file that its worker node sees.
     *
     * @param script of this job, to be run as {@link #script} by an account that may read the file
     * @param common content of the file, which has to be there before the script is handed over
     */
    public record Divided(String script, CommonPart common) {}

    /**
     * The whole script, to be written with mode 0700 and run by the batch system as the job's account.
     *
     * @param request as {@link org.gelato.ce.description.jdl.Jdl#parse} checked it
     * @throws IllegalArgumentException when the request did not pass that check, or the settings say no way for events
     */
    public static String script(JobRequest request, WrapperSettings settings) {
        ScriptText script = head();
        Set<ScriptPart> parts = assignments(script, request, settings);
        return script + CommonPart.text(constants(settings), parts);
    }

    /**
     * The same in two, for a worker node that sees the sandbox.
     *
     * @param directory where the file with the common part is, absolute; its name there is {@link CommonPart#sha256()}
     * @throws IllegalArgumentException as {@link #script}, and when the node does not see the sandbox
     */
    public static Divided divided(JobRequest request, WrapperSettings settings, Path directory) {
        if (settings.remote() != null) {
            throw new IllegalArgumentException("a node that does not see the sandbox needs the whole wrapper");
        }
        ScriptText script = head();
        Set<ScriptPart> parts = assignments(script, request, settings);
        CommonPart common = CommonPart.of(constants(settings), parts);
        script.assign("__gelato_file", directory.resolve(common.sha256()).toString());
        return new Divided(script + ScriptPart.LOAD.text(), common);
    }

    private static ScriptText head() {
        ScriptText script = new ScriptText();
        script.line(INTERPRETER);
        script.line(CLEAN);
        return script;
    }

    /** Values that the site's configuration gives to all its jobs of a kind: names of the job end with its id, which is in its own part. */
    private static String constants(WrapperSettings settings) {
        ScriptText script = new ScriptText();
        String id = settings.id().toString();
        settings.names().forEach((name, value) -> {
            String rest = value.endsWith(id) ? value.substring(0, value.length() - id.length()) : value;
            script.line(
                    "export " + name + "=" + BashQuote.quote(rest) + (rest.equals(value) ? "" : "\"$__gelato_job\""));
        });
        script.assign(
                "__gelato_ca_directory",
                settings.caDirectory() == null ? null : settings.caDirectory().toString());
        ProxyGuard guard = settings.proxy() == null ? null : settings.proxy().guard();
        script.assign("__gelato_proxy_slot", guard == null ? null : seconds(guard.slot()));
        script.assign("__gelato_proxy_pause", guard == null ? null : seconds(guard.retryWait()));
        WrapperPatience patience = settings.patience();
        script.assign("__gelato_patience", seconds(patience.ce()));
        script.assign("__gelato_storage_patience", seconds(patience.storage()));
        script.assign("__gelato_hook_limit", seconds(patience.hook()));
        settings.programs().commands().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> script.assign("__gelato_transfer_" + e.getKey(), e.getValue()));
        if (patience.kept() != null) {
            script.assign("__gelato_kept_at", patience.kept().toString());
            script.assign("__gelato_kept_limit", Long.toString(patience.keptBytes()));
        }
        MessageSettings messages = settings.messages();
        if (messages.isOn()) {
            script.assign("__gelato_message_limit", Integer.toString(messages.perJob()));
            script.assign("__gelato_message_bytes", Long.toString(messages.bytesPerJob()));
            script.assign("__gelato_output_limit", Long.toString(messages.outputPerJob()));
            script.assign("__gelato_messages_url", settings.messagesUrl());
        }
        return script.toString();
    }

    /** Writes the values of this job. */
    private static Set<ScriptPart> assignments(ScriptText script, JobRequest request, WrapperSettings settings) {
        if (settings.eventsUrl() == null && (settings.events() == null || settings.remote() != null)) {
            throw new IllegalArgumentException("a wrapper needs a URL or a directory it sees for its events");
        }
        Set<ScriptPart> parts = EnumSet.noneOf(ScriptPart.class);
        identity(script, settings);
        JobRequest.NodeRequest nodes = request.resources().nodes();
        script.assign(
                "__gelato_requested_cores",
                nodes == null || nodes.cores() == 1 ? null : Integer.toString(nodes.cores()));
        sandbox(script, settings, parts);
        exports(script, request, settings);
        if (settings.proxy() != null) {
            proxy(script, settings.proxy());
            parts.add(settings.proxy().token() ? ScriptPart.BEARER : ScriptPart.PROXY);
        }
        if ((settings.proxy() == null || settings.proxy().token())
                && request.session().runtimeEnvironments().stream()
                        .anyMatch(wanted -> wanted.name().equalsIgnoreCase(RuntimeEnvironments.PROXY))) {
            // Into the wrapper's own error output, and first into the job's, where its user looks for what went wrong.
            script.assign(
                    "__gelato_notice",
                    RuntimeEnvironments.PROXY + ": the job has no proxy, X509_USER_PROXY is not set");
            script.line("printf '%s\\n' \"$__gelato_notice\" >&2");
        }
        JobFiles.input(script, request, parts);
        script.assign("__gelato_stdout", request.streams().output());
        script.assign("__gelato_stderr", request.streams().error());
        String host = settings.ceId().replaceFirst("(:[0-9]+)?/.*", "");
        JobFiles.output(script, request, "gsiftp://" + host + settings.sandbox() + "/OSB", parts);
        runtimeEnvironments(script, request.session().runtimeEnvironments(), parts);
        payload(script, request);
        hook(script, "prologue", request.hooks().prologue(), ScriptPart.PROLOGUE, parts);
        hook(script, "epilogue", request.hooks().epilogue(), ScriptPart.EPILOGUE, parts);
        others(script, request.others(), parts);
        if (settings.messages().isOn()) {
            monitoring(script, request.monitoring(), parts);
        }
        return parts;
    }

    private static void identity(ScriptText script, WrapperSettings settings) {
        script.assign("__gelato_job", settings.id().toString());
        script.assign("__gelato_attempt", Integer.toString(settings.attempt()));
        script.assign(
                "__gelato_events",
                settings.events() == null ? null : settings.events().toString());
        script.assign("__gelato_events_url", settings.eventsUrl());
        script.assign("__gelato_token", settings.token());
        script.assign(
                "__gelato_vo_directory",
                settings.vo() == null
                        ? null
                        : "VO_" + settings.vo().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_") + "_SW_DIR");
    }

    private static void sandbox(ScriptText script, WrapperSettings settings, Set<ScriptPart> parts) {
        RemoteSandbox remote = settings.remote();
        if (remote == null) {
            script.assign("__gelato_sandbox", settings.sandbox().toString());
            parts.add(ScriptPart.SHARED);
            return;
        }
        script.assign("__gelato_claim_url", remote.claimUrl());
        script.assign("__gelato_input_at", remote.inputUrl());
        script.assign("__gelato_output_at", remote.outputUrl());
        parts.addAll(Set.of(ScriptPart.ENCODE, ScriptPart.REMOTE));
    }

    private static void exports(ScriptText script, JobRequest request, WrapperSettings settings) {
        String gridJobId =
                request.origin().gridJobId() == null ? "N/A" : request.origin().gridJobId();
        script.export("GRID_JOBID", gridJobId);
        script.export("CE_ID", settings.ceId());
        script.export("GLITE_WMS_SEQUENCE_CODE", request.origin().sequenceCode());
        script.export("HLR_LOCATION", request.others().get("HLRLocation"));
        script.export("EDG_MW_VERSION", request.others().get("MwVersion"));
    }

    private static void proxy(ScriptText script, ProxySettings proxy) {
        // For the site's first hooks; the job gets a copy of its own.
        if (proxy.file() != null) {
            String variable = proxy.token() ? "BEARER_TOKEN_FILE" : "X509_USER_PROXY";
            script.export(variable, proxy.file().toString());
            script.line("__gelato_proxy_source=$" + variable);
        }
        script.assign("__gelato_proxy_url", proxy.url());
        script.assign(
                "__gelato_proxy_end",
                proxy.end() == null ? null : Long.toString(proxy.end().getEpochSecond()));
    }

    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, duration.toSeconds()));
    }

    private static void runtimeEnvironments(
            ScriptText script, List<JobRequest.RuntimeEnvironment> wanted, Set<ScriptPart> parts) {
        List<JobRequest.RuntimeEnvironment> present =
                wanted.stream().filter(one -> one.snippet() != null).toList();
        if (present.isEmpty()) {
            return;
        }
        script.array(
                "__gelato_runtime",
                present.stream().map(JobRequest.RuntimeEnvironment::name).toList());
        script.array(
                "__gelato_runtime_text",
                present.stream().map(JobRequest.RuntimeEnvironment::snippet).toList());
        for (int i = 0; i < present.size(); i++) {
            script.open("__gelato_with_runtime_" + i + "_options");
            script.line("\"$@\""
                    + present.get(i).options().stream()
                            .map(option -> " " + BashQuote.quote(option))
                            .collect(Collectors.joining()));
            script.close();
        }
        parts.add(ScriptPart.RUNTIME);
    }

    private static void payload(ScriptText script, JobRequest request) {
        script.assign("__gelato_executable", request.executable().file());
        script.assign("__gelato_stdin", request.streams().input());
        List<String> shellsOwn = new ArrayList<>();
        Map<String, String> exported = new LinkedHashMap<>(request.environment());
        exported.keySet().removeAll(ShellVariables.OWN);
        request.environment().forEach((name, value) -> {
            if (!exported.containsKey(name)) {
                shellsOwn.add(name + "=" + value);
            }
        });
        if (!exported.isEmpty()) {
            script.open("__gelato_environment");
            exported.forEach(script::export);
            script.close();
        }
        script.array("__gelato_shells_own", shellsOwn);
        program(script, "payload", request.executable());
        if (request.streams().input() != null) {
            script.open("__gelato_locate_stdin");
            script.line("__gelato_stdin_path=" + path(request.streams().input()));
            script.close();
        }
    }

    /** The functions that say where program {@code name} is and run a command with its arguments. */
    private static void program(ScriptText script, String name, JobRequest.Executable program) {
        script.open("__gelato_locate_" + name);
        script.line("__gelato_path=" + path(program.file()));
        script.close();
        script.open("__gelato_with_" + name + "_arguments");
        try {
            script.line("\"$@\"" + ShellArguments.render(ShellWords.parse(name + " arguments", program.arguments())));
        } catch (DescriptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        script.close();
    }

    private static void hook(
            ScriptText script, String name, JobRequest.Executable hook, ScriptPart part, Set<ScriptPart> parts) {
        if (hook != null) {
            script.assign("__gelato_" + name, hook.file());
            program(script, name, hook);
            parts.add(part);
        }
    }

    /** Messages and live output. Nothing is assigned for a job that does not mention them. */
    private static void monitoring(ScriptText script, JobRequest.Monitoring monitoring, Set<ScriptPart> parts) {
        parts.add(ScriptPart.MESSAGES);
        script.assign("__gelato_live", monitoring.liveOutput() ? "1" : null);
        List<JobRequest.Filter> filters = monitoring.filters();
        if (filters.isEmpty()) {
            return;
        }
        script.array(
                "__gelato_filter_key",
                filters.stream().map(f -> orEmpty(f.key())).toList());
        script.array(
                "__gelato_filter_regex",
                filters.stream().map(f -> orEmpty(f.regex())).toList());
        script.array(
                "__gelato_filter_program",
                filters.stream().map(f -> orEmpty(f.program())).toList());
        for (int i = 0; i < filters.size(); i++) {
            if (filters.get(i).program() != null) {
                program(
                        script,
                        "filter_" + i,
                        new JobRequest.Executable(filters.get(i).program(), ""));
            }
        }
        parts.add(ScriptPart.FILTERS);
    }

    private static String orEmpty(String value) {
        return value == null ? "" : value;
    }

    private static void others(ScriptText script, Map<String, String> others, Set<ScriptPart> parts) {
        String token = others.get("ReallyRunningToken");
        if (token != null) {
            script.assign("__gelato_token_url", RemoteFile.of(token).url());
            parts.addAll(Set.of(ScriptPart.ENCODE, ScriptPart.TRANSFER, ScriptPart.TOKEN));
        }
        if (others.containsKey("PerusalFileEnable")) {
            RemoteFile files = RemoteFile.of(others.get("PerusalFilesDestURI")).directory();
            RemoteFile list = RemoteFile.of(others.get("PerusalListFileURI"));
            script.assign("__gelato_perusal_interval", others.get("PerusalTimeInterval"));
            script.assign("__gelato_perusal_url", files.url());
            script.assign("__gelato_perusal_subject", files.subject());
            script.assign("__gelato_perusal_list", list.url());
            script.assign("__gelato_perusal_list_subject", list.subject());
            parts.addAll(Set.of(ScriptPart.ENCODE, ScriptPart.TRANSFER, ScriptPart.PERUSAL));
        }
    }

    /** File rule A as a shell word: a leading variable is expanded, everything else is quoted. */
    private static String path(String file) {
        Matcher variable = VARIABLE.matcher(file);
        if (variable.matches()) {
            String name = variable.group(1) == null ? variable.group(2) : variable.group(1);
            return "\"${" + name + "}\"" + BashQuote.quote(variable.group(3));
        }
        return BashQuote.quote(file.startsWith("/") ? file : "./" + file);
    }
}
