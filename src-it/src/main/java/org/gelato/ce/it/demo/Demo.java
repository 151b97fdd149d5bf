package org.gelato.ce.it.demo;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.gelato.ce.cli.terminal.CliException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ./ce demo}: makes a grid of its own, starts a CE in a process of its own, runs the sleep job through it as a user would, shows every
 * state, fetches the output, purges, and leaves nothing running. The user has a VOMS proxy and speaks CREAM2, or a bearer token
 * alone and speaks ARC REST. The last line and the exit code show whether all of it succeeded.
 */
@Command(
        name = "ce demo",
        mixinStandardHelpOptions = true,
        description = "Runs one job through a CE of its own.",
        footer = {"", "Exit code: 0 all went well, 1 something failed, 2 wrong command line."})
public final class Demo implements Callable<Integer> {
    private static final int FAILED = 1;

    private final PrintStream out;
    private final DemoHome home;

    @Spec
    private CommandSpec spec;

    @Option(names = "--keep", description = "Leave the CE running; target/demo/env.sh points clients to it.")
    private boolean keep;

    @Option(names = "--stop", description = "End the CE that --keep left running.")
    private boolean stop;

    @Option(
            names = "--token",
            description = "Run the job by a bearer token of the demo's own issuer, without a proxy, over ARC REST.")
    private boolean token;

    @Option(
            names = "--account",
            paramLabel = "NAME",
            description = "Local account for the jobs when started by root. Default: nobody.")
    private String account;

    Demo(Path source, PrintStream out) {
        this.home = new DemoHome(source);
        this.out = out;
    }

    public static void main(String[] args) {
        Path source = Path.of(System.getProperty("gelato.source", "")).toAbsolutePath();
        int code = new CommandLine(new Demo(source, new PrintStream(System.out, true, StandardCharsets.UTF_8)))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .execute(args);
        System.exit(code);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (stop && (keep || token)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), (keep ? "--keep" : "--token") + " and --stop exclude each other");
        }
        try {
            if (stop) {
                return stop();
            }
            run();
            return 0;
        } catch (DemoException | CliException e) {
            out.println("DEMO FAILED: " + e.getMessage());
            out.println("log: " + home.log());
            return FAILED;
        }
    }

    private int stop() throws InterruptedException {
        Optional<RunningCe> ce = RunningCe.find(home);
        boolean was = ce.filter(RunningCe::isAlive).isPresent();
        if (ce.isPresent()) {
            // Also when its process is gone: jobs or the database may have outlived it.
            ce.get().stop();
        }
        home.removeState();
        out.println(was ? "stopped" : "no demo is running");
        return 0;
    }

    private void run() throws InterruptedException {
        RunningCe.find(home).filter(RunningCe::isAlive).ifPresent(ce -> {
            throw new DemoException(
                    "a demo is running already, as process " + ce.pid() + ": end it with ./ce demo --stop");
        });
        LocalAccount local = LocalAccount.choose(account);
        home.prepare(local);
        out.println("Gelato CE demo; jobs run as " + local.name());
        if (!home.state().startsWith(home.directory())) {
            out.println("state     in " + home.state().getParent() + ", as " + local.name() + " can't pass all of "
                    + home.directory());
        }
        DemoGrid grid = DemoGrid.make(home, local, token ? new DemoIssuer(Clock.systemUTC()) : null);
        if (token) {
            out.println("grid      CA and host certificate in " + home.pki() + "; no proxy");
            out.println("issuer    " + DemoIssuer.NAME + " with its keys in " + home.issuerKeys());
            out.println("token     in " + home.bearerToken() + " until " + grid.tokenEnd());
        } else {
            out.println("grid      CA, VOMS issuer, host and user certificate in " + home.pki());
        }

        RunningCe ce = RunningCe.start(home, grid, local);
        // Ctrl-C, or anything else that ends this process, must not leave a CE behind.
        Thread cleaner = new Thread(ce::stopQuietly, "demo-cleaner");
        Runtime.getRuntime().addShutdownHook(cleaner);
        String last;
        String running = "";
        try {
            out.println("starting  a CE with its own database on " + grid.serviceUrl() + " (log: " + home.log() + ")");
            ce.awaitReady(grid);
            out.println("ready");
            JobStory story = new JobStory(new UserCommands(home, grid, Clock.systemUTC()), home, out);
            last = story.tell();
            if (keep) {
                running = story.leaveOne();
            } else {
                story.purge();
            }
        } catch (RuntimeException | InterruptedException | Error e) {
            ce.stop();
            throw e;
        } finally {
            release(cleaner);
        }
        if (keep) {
            grid.writeEnvironment(home.environmentFile());
            out.println("kept      service    " + grid.serviceUrl() + (token ? "/arex" : "/ce-cream/services/CREAM2"));
            if (token) {
                out.println("          token      " + home.bearerToken() + " until " + grid.tokenEnd()
                        + ", sent as Authorization: Bearer");
            }
            out.println("          health     " + grid.serviceUrl() + "/health/ready");
            out.println("          metrics    " + grid.serviceUrl() + "/metrics");
            out.println("          dashboard  " + grid.serviceUrl() + "/");
            out.println("          use it     . " + home.environmentFile() + "; ./ce list");
            out.println("          follow     ./ce follow " + running
                    + " (a second job, which says for ten minutes what it does)");
            out.println(
                    "          see also   ./ce usage, ./ce glue2" + (token ? "" : ", ./ce jobs, ./ce usage status"));
            out.println("          end it     ./ce demo --stop");
        } else {
            ce.stop();
            home.removeState();
            out.println("stopped   no process is left");
        }
        out.println(last);
    }

    private static void release(Thread cleaner) {
        try {
            Runtime.getRuntime().removeShutdownHook(cleaner);
        } catch (IllegalStateException e) {
            // The process is ending already, and the cleaner at work.
        }
    }
}
