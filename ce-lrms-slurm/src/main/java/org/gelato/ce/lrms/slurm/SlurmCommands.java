package org.gelato.ce.lrms.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;

/** Slurm's commands with the site's paths and environment, run through the helper. Thread-safe, without state. */
final class SlurmCommands {
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    private final SlurmConfig config;
    private final AccountCommands accounts;

    SlurmCommands(SlurmConfig config, AccountCommands accounts) {
        this.config = config;
        this.accounts = accounts;
    }

    /** Absolute path of a command. */
    String program(String name) {
        return config.binDirectory().resolve(name).toString();
    }

    /** The environment every command needs; a job inherits it through sbatch. */
    Map<String, String> environment() {
        return environment(config);
    }

    static Map<String, String> environment(SlurmConfig config) {
        Map<String, String> environment = new LinkedHashMap<>();
        String bin = config.binDirectory().toString();
        environment.put("PATH", List.of(PATH.split(":", -1)).contains(bin) ? PATH : PATH + ":" + bin);
        environment.put("LANG", "C");
        if (config.confFile() != null) {
            environment.put("SLURM_CONF", config.confFile().toString());
        }
        return environment;
    }

    /** {@link #environment()} and who the account is. */
    Map<String, String> environment(String account, String home) {
        Map<String, String> environment = environment();
        environment.put("HOME", home);
        environment.put("USER", account);
        environment.put("LOGNAME", account);
        return environment;
    }

    /** Where wrappers print on worker nodes that do not see the sandboxes; null where they see them. */
    String nodeOutput() {
        return config.nodeOutput();
    }

    Duration timeout() {
        return config.commandTimeout();
    }

    /** Runs a command without input; the future fails as {@link AccountCommands#run} says. */
    CompletableFuture<Completed> run(String account, int maxOutput, String name, List<String> arguments) {
        List<String> argv = new ArrayList<>();
        argv.add(program(name));
        argv.addAll(arguments);
        return run(account, new Run(argv, null, environment(), new byte[0], List.of(), timeout(), maxOutput));
    }

    /**
     * Runs a command without input whose output may be long; the future fails as {@link AccountCommands#stream} says.
     */
    CompletableFuture<Completed> stream(
            String account, String name, List<String> arguments, Executor work, Consumer<byte[]> pieces) {
        List<String> argv = new ArrayList<>();
        argv.add(program(name));
        argv.addAll(arguments);
        Run run = new Run(argv, null, environment(), new byte[0], List.of(), timeout(), 0);
        try {
            return accounts.stream(account, run, work, pieces);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    CompletableFuture<Completed> run(String account, Run run) {
        try {
            return accounts.run(account, run);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** @throws SlurmException when a command that reads was killed or failed */
    static void endedWell(String name, Completed completed) {
        if (completed.timedOut()) {
            throw new SlurmException(name + " did not end in time " + SlurmMessages.brief(completed.stderr()));
        }
        if (completed.exit() != 0) {
            throw new SlurmException(
                    name + ": " + SlurmMessages.brief(completed.stderr()) + " (status " + completed.exit() + ")");
        }
    }
}
