package org.gelato.ce.ws.boot;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.check.Finding;
import org.gelato.ce.ws.check.ServerCheck;
import org.gelato.ce.ws.check.ServerTrace;
import org.gelato.ce.ws.check.TestJob;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.parts.ConfiguredLrms;
import org.gelato.ce.ws.parts.Wiring;
import org.gelato.ce.ws.setup.AsAccount;
import org.gelato.ce.ws.tls.HandshakeLimits;
import org.gelato.ce.ws.web.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The server's command line: one class for each command. Exit status 0 for success, 1 for failure, 2 for invalid
 * usage.
 */
@Command(
        name = "ce server",
        description = "Sets up, runs and checks a Computing Element on this host.",
        subcommands = {
            Main.Run.class,
            ServerInit.class,
            ServerTestPki.class,
            ServerPrepare.class,
            Main.Check.class,
            ServerStatus.class,
            ServerLogs.class,
            Doctor.class,
            Restored.class,
            ServerArchive.class,
            ServerWhois.class,
            ServerControl.Drain.class,
            ServerControl.Enable.class,
            ServerControl.Ban.class,
            ServerControl.Unban.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionLine.class)
public final class Main {
    private static final Logger log = LoggerFactory.getLogger(Main.class);
    private static final int FAILED = 1;
    private static final int MAX_PATIENCE = 86_400;

    /** With what to do about it. */
    private static final int LONGEST_LINE = 2000;

    private Main() {}

    public static void main(String[] args) {
        HandshakeLimits.apply();
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        int status = commandLine().execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** The commands; separate from {@link #main} so that they can be run, or documented, without ending the process. */
    public static CommandLine commandLine() {
        CommandLine commands = new CommandLine(new Main()).setExecutionExceptionHandler((e, line, result) -> {
            report(line.getErr(), e);
            return FAILED;
        });
        CommandLine init = commands.getSubcommands().get("init");
        init.<ServerInit>getCommand().addOptions(init.getCommandSpec());
        return commands.setHelpSectionKeys(purposeFirst(commands.getHelpSectionKeys()));
    }

    /** What a command is for stands before how it is written. */
    private static List<String> purposeFirst(List<String> sections) {
        List<String> order = new ArrayList<>(sections);
        order.removeAll(List.of(SECTION_KEY_DESCRIPTION_HEADING, SECTION_KEY_DESCRIPTION));
        order.addAll(0, List.of(SECTION_KEY_DESCRIPTION_HEADING, SECTION_KEY_DESCRIPTION));
        return order;
    }

    private static void report(PrintWriter err, Exception e) {
        if (e instanceof ConfigurationException bad) {
            bad.problems().forEach(err::println);
        } else {
            // One line says it all, unless it is a defect.
            if (isDefect(e)) {
                log.error("The server cannot run", e);
            } else {
                log.debug("The server cannot run", e);
            }
            err.println(Messages.of(e, LONGEST_LINE));
        }
    }

    private static boolean isDefect(Exception e) {
        return e instanceof NullPointerException
                || e instanceof ClassCastException
                || e instanceof IndexOutOfBoundsException
                || e instanceof NoSuchElementException
                || e instanceof UnsupportedOperationException;
    }

    /** Serves until it gets SIGTERM or SIGINT, then closes in order. */
    @Command(name = "run", description = "Run the server until it is stopped.")
    static final class Run extends ServerCommand.Configured {
        @Override
        public Integer call() throws InterruptedException {
            CeConfig read = Gelato.read(config());
            Gelato gelato = Gelato.open(read, Clock.systemUTC(), Wiring::parts);
            CountDownLatch stopped = new CountDownLatch(1);
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                log.info("Stopping: calls at work end, jobs go on without the server");
                                gelato.close();
                                log.info("Stopped");
                                stopped.countDown();
                            },
                            "stop"));
            try {
                gelato.listen();
            } catch (RuntimeException e) {
                gelato.close();
                throw e;
            }
            log.info("Ready: {}, version {}", read.baseUrl(), Version.text());
            stopped.await();
            return 0;
        }
    }

    /** Reports errors of a configuration and of the files it names. */
    @Command(name = "check", description = "Report what is wrong with the configuration and with all that it names.")
    static final class Check extends ServerCommand.Configured {
        @Option(
                names = "--json",
                description = "Print the findings, or what makes the configuration unusable, as a JSON array.")
        private boolean json;

        @Option(
                names = "--trace",
                arity = "1..*",
                paramLabel = "DN [FQAN]",
                hideParamSyntax = true,
                description =
                        "Instead walk an imaginary job of this user through its steps, to where it would stop. A bearer"
                                + " token is ISSUER,SUBJECT with its scopes and groups.")
        private List<String> trace;

        @Option(
                names = "--with-job",
                paramLabel = "ACCOUNT",
                description =
                        "Instead run a job of one second as this account, and see that nodes have the CE's files.")
        private String withJob;

        @Option(
                names = "--patience",
                paramLabel = "SECONDS",
                defaultValue = "300",
                description = "How long the job of --with-job may take. Default: ${DEFAULT-VALUE}.")
        private int patience;

        @Override
        public Integer call() throws IOException, InterruptedException {
            if (trace != null && withJob != null) {
                throw usage("--trace and --with-job exclude each other");
            }
            try {
                return checked();
            } catch (ConfigurationException e) {
                if (!json) {
                    throw e;
                }
                out().println(JSON.writeValueAsString(ServerCheck.findings(e)));
                return FAILED;
            }
        }

        private Integer checked() throws IOException, InterruptedException {
            AsAccount.Choice reader = AsAccount.choice(CeConfig.load(config()).home(), arguments());
            if (reader.account() != null) {
                return AsAccount.run(reader.account(), Main.class, arguments());
            }
            if (reader.doubt() != null) {
                err().println("warning: " + reader.doubt());
            }
            if (trace != null) {
                return trace();
            }
            if (withJob != null) {
                return report(testJob());
            }
            List<Finding> findings = ServerCheck.findings(config(), Clock.systemUTC());
            boolean failed = findings.stream().anyMatch(f -> f.level() == Finding.Level.ERROR);
            if (json) {
                out().println(JSON.writeValueAsString(findings));
            } else {
                CeConfig.measures(config()).forEach((key, measure) -> out().println("read: " + key + " = " + measure));
                findings.forEach(f -> err().println(f.text()));
                if (!failed) {
                    out().println("ok");
                }
            }
            return failed ? FAILED : 0;
        }

        /** This command for a process that may be in another directory. */
        private List<String> arguments() {
            List<String> arguments = new ArrayList<>(
                    List.of("check", "--config", config().toAbsolutePath().toString()));
            if (json) {
                arguments.add("--json");
            }
            if (withJob != null) {
                arguments.addAll(List.of("--with-job", withJob, "--patience", Integer.toString(patience)));
            }
            if (trace != null) {
                arguments.add("--trace");
                arguments.addAll(trace);
            }
            return arguments;
        }

        private Integer trace() throws IOException {
            List<ServerTrace.Step> steps;
            try {
                steps = ServerTrace.steps(config(), trace.get(0), trace.subList(1, trace.size()));
            } catch (ConfigurationException e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw new CommandLine.ParameterException(line(), "--trace: " + e.getMessage(), e);
            }
            return report(steps);
        }

        private List<ServerTrace.Step> testJob() throws IOException {
            if (patience < 1 || patience > MAX_PATIENCE) {
                throw usage("--patience is 1 to " + MAX_PATIENCE + " seconds");
            }
            try (OpenParts parts = new OpenParts()) {
                return TestJob.steps(
                        config(),
                        withJob,
                        Duration.ofSeconds(patience),
                        (read, accounts) -> ConfiguredLrms.openAlone(read, accounts, parts::push));
            }
        }

        private Integer report(List<ServerTrace.Step> steps) throws IOException {
            if (json) {
                out().println(JSON.writeValueAsString(steps));
            } else {
                steps.forEach(step -> out().println(step.text()));
            }
            return steps.stream().allMatch(ServerTrace.Step::passed) ? 0 : FAILED;
        }
    }

    /** What {@code --version} prints. */
    static final class VersionLine implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"ce server " + Version.text()};
        }
    }
}
