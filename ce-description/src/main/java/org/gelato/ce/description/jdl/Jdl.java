package org.gelato.ce.description.jdl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionLanguage;
import org.gelato.ce.description.EnvironmentRule;
import org.gelato.ce.description.FileRule;
import org.gelato.ce.description.InputRule;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.OutputRule;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SandboxRule;
import org.gelato.ce.description.ShellWords;
import org.gelato.ce.description.UriRule;

/** Reads job descriptions. Stateless and thread-safe; bounded in size, depth and time for hostile input. */
public final class Jdl implements DescriptionLanguage {
    /** The one instance. */
    public static final Jdl LANGUAGE = new Jdl();

    /** Strings without rules of their own. */
    private static final List<String> KEPT =
            List.of("MyProxyServer", "HLRLocation", "MwVersion", "WMS_HOSTNAME", "LBAddress");

    private Jdl() {}

    @Override
    public int code() {
        return 0;
    }

    @Override
    public String beginnings() {
        return "[";
    }

    @Override
    public JobRequest read(String text, ReadingBudget budget) throws DescriptionException {
        return parse(text, budget);
    }

    /**
     * Parses and checks a job description (docs/developer/protocol/jdl.md sections 1 and 2). Whether queue and batch system exist
     * is the caller's to check.
     *
     * @param text as the client sent it
     * @return the checked request
     * @throws DescriptionException naming the attribute, or line and column, and what is accepted
     */
    public static JobRequest parse(String text) throws DescriptionException {
        return parse(text, ReadingBudget.UNBOUNDED);
    }

    /**
     * The same for one description of several.
     *
     * @param budget of the call they came with
     */
    public static JobRequest parse(String text, ReadingBudget budget) throws DescriptionException {
        Map<String, Expr.Attribute> record = JdlReader.read(text, budget);
        try {
            return checked(new Attributes(record, budget, ReadingBudget.mostOf(text)), record, budget);
        } catch (DescriptionException e) {
            throw placed(e, record);
        }
    }

    /** An attribute that a rule refuses stands somewhere in the text, unless it is absent. */
    private static DescriptionException placed(DescriptionException e, Map<String, Expr.Attribute> record) {
        Expr.Attribute refused =
                e.attribute() == null ? null : record.get(e.attribute().toLowerCase(Locale.ROOT));
        return refused == null ? e : e.at(refused.line(), refused.column());
    }

    private static JobRequest checked(Attributes attributes, Map<String, Expr.Attribute> record, ReadingBudget budget)
            throws DescriptionException {
        List<String> warnings = new ArrayList<>();

        TypeRule.check(attributes);
        String executable = FileRule.input("Executable", attributes.mandatory("Executable"));
        String arguments = attributes.string("Arguments");
        if (arguments != null) {
            ShellWords.parse("Arguments", arguments);
        }
        String stdInput = FileRule.input("StdInput", attributes.string("StdInput"));
        String stdOutput = FileRule.output("StdOutput", attributes.string("StdOutput"));
        String stdError = FileRule.output("StdError", attributes.string("StdError"));
        OutputRule.streams(stdOutput, stdError);

        List<String> input = SandboxRule.check("InputSandbox", attributes.strings("InputSandbox"));
        List<JobRequest.InputFile> inputFiles = InputRule.check(input, attributes.string("InputSandboxBaseURI"));
        SandboxRule.brings(input, "executable", executable);
        SandboxRule.brings(input, "stdInput", stdInput);

        List<String> output = SandboxRule.check("OutputSandbox", attributes.strings("OutputSandbox"));
        List<JobRequest.OutputFile> outputFiles = OutputRule.check(
                output, attributes.string("OutputSandboxBaseDestURI"), attributes.strings("OutputSandboxDestURI"));

        JobRequest.Hooks hooks = new JobRequest.Hooks(hook(attributes, "Prologue"), hook(attributes, "Epilogue"));
        Map<String, String> others = others(attributes);
        Map<String, String> environment = EnvironmentRule.check(attributes.strings("Environment"), warnings);
        OutputDataRule.check(record, budget, warnings);
        JobRequest.Monitoring monitoring = MonitoringRule.check(
                attributes, new JobRequest.Streams(stdInput, stdOutput, stdError), input, warnings);

        return new JobRequest(
                new JobRequest.Executable(executable, arguments == null ? "" : arguments),
                new JobRequest.Streams(stdInput, stdOutput, stdError),
                new JobRequest.Files(inputFiles, outputFiles, false),
                resources(attributes, record.get("cerequirements"), budget, warnings),
                environment,
                hooks,
                new JobRequest.Origin(
                        attributes.string("VirtualOrganisation"),
                        attributes.string("edg_jobid"),
                        attributes.string("LB_sequence_code")),
                others,
                List.copyOf(warnings),
                JobRequest.Session.NONE,
                monitoring,
                JobLabels.check("JobName", attributes.string("JobName"), "Labels", attributes.strings("Labels")));
    }

    private static JobRequest.Resources resources(
            Attributes attributes, Expr.Attribute requirements, ReadingBudget budget, List<String> warnings)
            throws DescriptionException {
        String batchSystem = target(attributes, "BatchSystem");
        String queue = target(attributes, "QueueName");
        JobRequest.NodeRequest nodes = NodeRule.check(attributes);
        CeRequirements read;
        try {
            read = CeRequirements.of(requirements, budget);
        } catch (DescriptionException e) {
            // a site's own scripts may have a use for any text
            warnings.add("CERequirements: nothing follows from what is no expression: " + e.getMessage());
            return new JobRequest.Resources(batchSystem, queue, nodes);
        }
        return new JobRequest.Resources(batchSystem, queue, nodes, read.limits(), read.further());
    }

    private static String target(Attributes attributes, String name) throws DescriptionException {
        String value = attributes.string(name);
        if (value == null) {
            throw Attributes.missing(name, " (\"" + name + "\" attribute not defined into the JDL)");
        }
        return value;
    }

    private static JobRequest.Executable hook(Attributes attributes, String name) throws DescriptionException {
        String file = FileRule.input(name, attributes.string(name));
        String arguments = attributes.string(name + "Arguments");
        if (arguments != null) {
            ShellWords.parse(name + "Arguments", arguments);
        }
        return file == null ? null : new JobRequest.Executable(file, arguments == null ? "" : arguments);
    }

    private static Map<String, String> others(Attributes attributes) throws DescriptionException {
        Map<String, String> others = new LinkedHashMap<>();
        String token = attributes.string("ReallyRunningToken");
        if (token != null) {
            UriRule.check("ReallyRunningToken", token, Set.of("gsiftp"), "gridFTP");
        }
        put(others, "ReallyRunningToken", token);
        for (String name : KEPT) {
            put(others, name, attributes.string(name));
        }
        put(others, "MaxOutputSandboxSize", attributes.number("MaxOutputSandboxSize"));
        for (String name : List.of("Requirements", "Rank")) {
            put(others, name, attributes.expression(name));
        }
        PerusalRule.check(attributes, others);
        return Collections.unmodifiableMap(others);
    }

    private static void put(Map<String, String> others, String name, String value) {
        if (value != null) {
            others.put(name, value);
        }
    }
}
