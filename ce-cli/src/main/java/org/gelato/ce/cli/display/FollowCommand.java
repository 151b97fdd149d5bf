package org.gelato.ce.cli.display;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.JobIdArguments;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ce follow}: what jobs print and send, as it comes, until they have ended. */
@Command(
        name = "follow",
        description = {
            "Shows what jobs print and the messages they send, as it comes, and ends when the jobs have ended.",
            "Asks for the live output of jobs that run. Standard output and standard error of a job go where this command's go,"
                    + " each line after \"| \" unless output is raw; a message is a line TIME LEVEL [KEY] TEXT on standard output."
                    + " What the CE says begins with [CE], and no line of a job does."
        },
        footer = {
            "",
            "A lost connection is replaced; nothing is shown twice or left out, but what the CE says was cut.",
            "With --json each message, piece of output and end of a job is an object on a line.",
            "Exit code: 0 all jobs are DONE-OK with exit code 0, 1 one is not or failed to be followed, 2 wrong command line."
        })
public final class FollowCommand extends LiveAction {
    @Mixin
    private JobIdArguments ids = new JobIdArguments();

    @Option(names = "--no-output", description = "Only messages, and do not ask for live output.")
    private boolean noOutput;

    @Option(
            names = "--raw",
            description =
                    "Print output byte by byte as it is: the job may control the terminal. Default: control characters"
                            + " become question marks.")
    private boolean raw;

    private MessageCalls messages;
    private JobPrinter printer;
    private final Set<String> ended = new HashSet<>();
    private int bad;

    public FollowCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() throws InterruptedException {
        List<JobUrl> jobs =
                List.copyOf(new LinkedHashSet<>(ids.read(context.in(), options.endpointOr(context.environment()))));
        List<String> followed = jobs.stream().map(JobUrl::localId).distinct().toList();
        query(followed, null, !noOutput);
        messages = connect(jobs).messages();
        followed = among(followed, this::begin);
        printer = new JobPrinter(context.out(), context.err(), jobs.size() > 1, raw, onTerminal());
        MessageStream stream = new MessageStream(context, messages, "0", this::note);
        while (!followed.isEmpty() && !context.out().checkError()) {
            try {
                stream.follow(query(followed, null, !noOutput), this::show);
                followed = List.of();
            } catch (ServiceFault e) {
                // A job was purged while the connection was lost: the others are followed on.
                List<String> running =
                        followed.stream().filter(job -> !ended.contains(job)).toList();
                List<String> left = among(running, this::isThere);
                if (left.size() == followed.size()) {
                    throw e;
                }
                followed = left;
            }
        }
        return bad > 0 || failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    /** @throws ServiceFault for a job that is unknown */
    private boolean begin(String job) {
        if (noOutput) {
            return isThere(job);
        }
        if (!messages.wantOutput(job)) {
            message(job + " has ended: shown is what it sent while it ran; ce output fetches its files");
        }
        return true;
    }

    private boolean isThere(String job) {
        messages.page(query(List.of(job), null, false), "0", 1, report -> {});
        return true;
    }

    private void note(String text) {
        printer.endLines();
        message(text);
    }

    private void show(MessageCalls.Item item) {
        if (options.json()) {
            print(item instanceof MessageCalls.End ? MessagesCommand.ended((ObjectNode) item.json()) : item.json());
        } else if (item instanceof MessageCalls.Report report) {
            printer.print(report);
        }
        if (item instanceof MessageCalls.End end) {
            StatusReport status = end.status();
            boolean fine = status.isDoneOk() && "0".equals(status.exitCode());
            bad += fine ? 0 : 1;
            ended.add(end.localId());
            printer.end(end.localId());
            note(end.localId() + " " + Printable.line(status.name())
                    + (status.exitCode() == null ? "" : " exit=" + status.exitCode())
                    + (status.failureReason() == null ? "" : " reason=" + status.failureReason()));
        }
    }
}
