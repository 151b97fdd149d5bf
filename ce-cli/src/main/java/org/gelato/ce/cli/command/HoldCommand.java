package org.gelato.ce.cli.command;

import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.Response;
import picocli.CommandLine.Command;

/** {@code ce suspend} and {@code ce resume}: which jobs a batch system can hold is its own matter. */
public abstract class HoldCommand extends JobCommand {
    HoldCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Command(name = "suspend", description = "Holds jobs in the batch system.")
    public static final class Suspend extends HoldCommand {
        public Suspend(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        String done() {
            return "hold requested";
        }

        @Override
        String awaited() {
            return "JOB_SUSPEND";
        }

        @Override
        String carriedOut() {
            return "held";
        }

        @Override
        List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
            return ce.suspend(jobs);
        }
    }

    @Command(name = "resume", description = "Lets held jobs go on.")
    public static final class Resume extends HoldCommand {
        public Resume(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        String done() {
            return "release requested";
        }

        @Override
        String awaited() {
            return "JOB_RESUME";
        }

        @Override
        String carriedOut() {
            return "released";
        }

        @Override
        List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
            return ce.resume(jobs);
        }
    }
}
