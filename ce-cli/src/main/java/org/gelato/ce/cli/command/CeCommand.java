package org.gelato.ce.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.gelato.ce.cli.Ce;
import org.gelato.ce.cli.CliContext;
import org.gelato.ce.cli.CliException;
import org.gelato.ce.cli.CommonOptions;
import org.gelato.ce.cli.Printable;
import org.gelato.ce.cli.wire.Answer;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands share: the options, the connection, and one way to tell a refusal. Used once, by the main thread. */
@Command(mixinStandardHelpOptions = true, versionProvider = Ce.Version.class)
abstract class CeCommand implements Callable<Integer> {
    /** Jobs named in one request: bounds the size of request and answer. */
    static final int JOBS_PER_REQUEST = 500;

    protected final CliContext context;
    protected final CommonOptions options;

    @Spec
    private CommandSpec spec;

    private boolean failed;

    CeCommand(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    /** A mistake on the command line: exit code 2. */
    protected final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    protected final ComputingElement connect(Endpoint endpoint) {
        return context.connector().connect(endpoint, options, context);
    }

    /** The CE of a command that needs exactly one. */
    protected final ComputingElement connectToNamed() {
        return connect(options.endpointOr(context.environment())
                .orElseThrow(() -> usage("which CE? Name it with -e HOST[:PORT] or in CE_ENDPOINT")));
    }

    /** Tells one failure and goes on; the command will end with exit code 1. */
    protected final void fail(Object subject, String message) {
        failed = true;
        context.err().println(spec.qualifiedName() + ": " + subject + ": " + Printable.line(message));
    }

    protected final boolean failed() {
        return failed;
    }

    /** Asks each job's CE, in bounded requests; a CE that fails is told and the others are still asked. */
    protected final <T> List<JobAnswer<T>> ask(
            List<JobUrl> jobs, BiFunction<ComputingElement, List<String>, List<Answer<T>>> question) {
        List<JobAnswer<T>> answers = new ArrayList<>();
        for (Map.Entry<Endpoint, List<JobUrl>> group : Grouping.byEndpoint(jobs).entrySet()) {
            ComputingElement ce = connect(group.getKey());
            for (List<JobUrl> part : Grouping.parts(group.getValue(), JOBS_PER_REQUEST)) {
                try {
                    List<String> ids = part.stream().map(JobUrl::localId).toList();
                    for (Answer<T> answer : question.apply(ce, ids)) {
                        answers.add(new JobAnswer<>(new JobUrl(group.getKey(), answer.subject()), answer));
                    }
                } catch (CliException e) {
                    if (options.debug()) {
                        e.printStackTrace(context.err());
                    }
                    fail(part.size() == 1 ? part.get(0) : part.size() + " jobs", e.getMessage());
                    break;
                }
            }
        }
        return answers;
    }

    /** An answer with the full name of its job. */
    record JobAnswer<T>(JobUrl job, Answer<T> answer) {}
}
