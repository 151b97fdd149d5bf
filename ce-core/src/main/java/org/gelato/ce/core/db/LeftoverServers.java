package org.gelato.ce.core.db;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.core.process.LiveProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server processes that outlived the process that started them (kill -9). They are known by their command line in
 * {@code /proc}, which also finds one that was still starting and had not written its pid file. Call with the lock of
 * the directory held: then it can be no other CE's server.
 */
final class LeftoverServers {
    private static final Logger log = LoggerFactory.getLogger(LeftoverServers.class);

    private LeftoverServers() {}

    /** Ends every server on one of these data directories, cleanly if it ends in time. */
    static void stop(Duration patience, Path... dataDirectories) throws IOException, InterruptedException {
        List<String> options =
                Arrays.stream(dataDirectories).map(d -> "--datadir=" + d).toList();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                String pid = process.getFileName().toString();
                if (pid.matches("[0-9]+") && runsOn(process, options)) {
                    Optional<ProcessHandle> server = ProcessHandle.of(Long.parseLong(pid));
                    if (server.isPresent()) {
                        stop(server.get(), patience);
                    }
                }
            }
        }
    }

    private static boolean runsOn(Path process, List<String> options) {
        try {
            byte[] line = Files.readAllBytes(process.resolve("cmdline"));
            List<String> words = Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0"));
            return words.get(0).endsWith("mariadbd") && words.stream().anyMatch(options::contains);
        } catch (IOException e) {
            return false; // Ended meanwhile, or not visible to us.
        }
    }

    private static void stop(ProcessHandle server, Duration patience) throws InterruptedException {
        log.info("Stopping the database server {} left over from an earlier run", server.pid());
        server.destroy();
        if (!LiveProcess.awaitEnd(server, patience)) {
            log.warn("Database server {} did not stop within {}, killing it", server.pid(), patience);
            server.destroyForcibly();
            LiveProcess.awaitEnd(server, patience);
        }
    }
}
