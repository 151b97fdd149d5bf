package org.gelato.ce.ws.boot;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.setup.AsAccount;
import org.gelato.ce.ws.setup.SetupException;
import org.gelato.ce.ws.setup.SetupOptions;
import org.gelato.ce.ws.setup.SetupPlan;
import org.gelato.ce.ws.setup.SiteSetup;
import org.gelato.ce.ws.setup.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** Sets up a site, then makes the delegation key and the schema and checks, as the CE's account. */
@Command(
        name = "init",
        description = {
            "Find what this host has and write the configuration of a CE for it.",
            "On a terminal it asks; elsewhere, and with --yes, options and what is found count. A file with other content is"
                    + " replaced with --force alone. It may be run again at any time."
        })
final class ServerInit extends ServerCommand {
    @Mixin
    private SetupOptions options;

    void addOptions(CommandSpec command) {
        options.addTo(command);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        PrintWriter err = err();
        Console console = options.silent() ? null : System.console();
        try {
            SetupPlan plan = SiteSetup.plan(options, console == null ? null : new OnConsole(console));
            plan.report().forEach(out::println);
            if (options.isDryRun()) {
                plan.shown().forEach(out::println);
                out.println("nothing was written");
                return 0;
            }
            if (console != null && !confirmed(console, plan)) {
                err.println("nothing was written");
                return 1;
            }
            plan.apply().forEach(out::println);
            boolean good = options.filesOnly() || checked(plan, err);
            out.println("next:");
            plan.nextSteps().forEach(step -> out.println("  " + step));
            return good ? 0 : 1;
        } catch (SetupException e) {
            e.problems().forEach(err::println);
            return 1;
        } catch (IOException e) {
            err.println("not everything could be written: " + Messages.of(e)
                    + "; correct that and run ce server init again");
            return 1;
        }
    }

    private static boolean confirmed(Console console, SetupPlan plan) {
        plan.shown().forEach(line -> console.writer().println(line));
        String response = console.readLine("Write this? [yes] ");
        return response != null && (response.isBlank() || response.strip().equalsIgnoreCase("yes"));
    }

    private boolean checked(SetupPlan plan, PrintWriter err) throws IOException, InterruptedException {
        String file = plan.configuration().toString();
        boolean good = asAccount(plan.user(), "prepare", file) == 0 && asAccount(plan.user(), "check", file) == 0;
        if (!good) {
            err.println("the files are written; correct what is named above, then run as " + plan.user()
                    + ": ce server prepare --config " + file + " && ce server check --config " + file);
        }
        return good;
    }

    /** Files that the CE makes for itself must be its account's. */
    private int asAccount(String user, String verb, String file) throws IOException, InterruptedException {
        List<String> arguments = List.of(verb, "--config", file);
        if (user.equals(System.getProperty("user.name"))) {
            CommandLine line = Main.commandLine();
            line.setOut(out());
            line.setErr(err());
            return line.execute(arguments.toArray(String[]::new));
        }
        out().flush();
        return AsAccount.run(user, Main.class, arguments);
    }

    /** Questions on a terminal. */
    private record OnConsole(Console console) implements Terminal {
        @Override
        public String ask(String question, String proposal) {
            String response = console.readLine("%s%s: ", question, proposal == null ? "" : " [" + proposal + "]");
            if (response == null) {
                throw new SetupException("the terminal has ended; nothing was written");
            }
            return response.isBlank() ? proposal : response.strip();
        }

        @Override
        public void show(String line) {
            console.writer().println(line);
        }
    }
}
