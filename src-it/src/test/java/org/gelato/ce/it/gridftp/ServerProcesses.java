package org.gelato.ce.it.gridftp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The processes of one CE's GridFTP server, recognized by its configuration file in their command line. */
final class ServerProcesses {
    private final String configuration;

    ServerProcesses(Path configuration) {
        this.configuration = configuration.toString();
    }

    /** All of them: the one that listens and those of connections. */
    List<ProcessHandle> all() {
        return ProcessHandle.allProcesses().filter(this::isServer).toList();
    }

    /** The one the others descend from; there must be exactly one. */
    ProcessHandle listener() {
        List<ProcessHandle> all = all();
        List<Long> pids = all.stream().map(ProcessHandle::pid).toList();
        List<ProcessHandle> first = all.stream()
                .filter(p -> p.parent()
                        .map(ProcessHandle::pid)
                        .filter(pids::contains)
                        .isEmpty())
                .toList();
        if (first.size() != 1) {
            throw new IllegalStateException(first.size() + " servers: " + first);
        }
        return first.get(0);
    }

    private boolean isServer(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
            return line.contains("globus-gridftp-server") && line.contains(configuration);
        } catch (IOException e) {
            return false;
        }
    }
}
