package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.RestartingChannel;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.lrms.slurm.SlurmLrms;
import org.gelato.ce.lrms.torque.TorqueLrms;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.LrmsConfig;

/**
 * Whether the configured queues exist in the batch system, found by a helper of its own that is started as the CE would start
 * it and ended again. The home of a CE that runs is not touched. Slurm and Torque only: the others report no queues.
 */
final class QueueCheck {
    private final CeConfig config;

    private QueueCheck(CeConfig config) {
        this.config = config;
    }

    /** One line per problem; blocks as long as a command of the batch system may take. */
    static List<String> problems(CeConfig config) {
        LrmsConfig.Kind kind = config.lrms().kind();
        return kind == LrmsConfig.Kind.SLURM || kind == LrmsConfig.Kind.TORQUE
                ? new QueueCheck(config).problems()
                : List.of();
    }

    private List<String> problems() {
        try {
            Path home = Files.createTempDirectory("gelato-check");
            try (RestartingChannel channel =
                    RestartingChannel.start(new HelperCommand(config).line(home), Clock.systemUTC())) {
                return problems(new HelperAccountCommands(channel));
            } finally {
                remove(home);
            }
        } catch (IOException | RuntimeException e) {
            return List.of("gelato.helper: the helper cannot be started: " + e.getMessage());
        }
    }

    private List<String> problems(AccountCommands accounts) {
        String kind = config.lrms().kind().name().toLowerCase(Locale.ROOT);
        try (Lrms lrms = lrms(accounts)) {
            return missing(lrms.status().join());
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            String advice = cause instanceof AccountCommandException refused
                            && refused.code() == AccountCommandException.Code.REFUSED
                    ? "; the helper's configuration must allow " + reading() + " (docs/helper.md)"
                    : "";
            return List.of(
                    "gelato.lrms.kind = " + kind + ": its queues cannot be read: " + cause.getMessage() + advice);
        }
    }

    private String reading() {
        return config.lrms().kind() == LrmsConfig.Kind.SLURM ? "sinfo" : "qstat -Q -f and pbsnodes -a";
    }

    private Lrms lrms(AccountCommands accounts) {
        return config.lrms().kind() == LrmsConfig.Kind.SLURM
                ? new SlurmLrms(config.lrms().slurm(), accounts, Runnable::run)
                : new TorqueLrms(config.lrms().torque(), accounts, Runnable::run);
    }

    private List<String> missing(ClusterStatus status) {
        String there = status.queues().stream().map(ClusterStatus.Queue::name).collect(Collectors.joining(", "));
        return config.lrms().queues().stream()
                .filter(queue -> status.queue(queue).isEmpty())
                .map(queue -> "gelato.lrms.queues: the batch system has no queue '" + queue + "'; it has "
                        + (there.isEmpty() ? "none" : there))
                .toList();
    }

    /** The helper and its limits lie in it, side by side. */
    private static void remove(Path home) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(home);
    }
}
