package org.gelato.ce.it.torque;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.torque.TorqueStandIn;

/**
 * A whole CE in front of the stand-in. Jobs append their batch name to one file, so that a payload that ran twice shows.
 * Where the tests run as root, jobs belong to an account that owns nothing.
 */
final class TorqueSite implements AutoCloseable {
    private static final String WITNESS = """
            #!/bin/bash
            echo "$PBS_JOBNAME" >> "${0%/*}/witnessed"
            case $1 in
            gate) read -r line < "${0%/*}/gate" ;;
            sleep) exec sleep "$2" ;;
            exit) exit "$2" ;;
            die) kill -9 $(pgrep -s 0) ;;
            esac
            """;

    private static final String ATTRIBUTES = "[ -n \"$Seconds_Min\" ] && echo \"#PBS -l walltime=$Seconds_Min\"\n";

    private final Path folder;
    private final TorqueStandIn torque;
    private final SiteCe ce;
    private final Path witness;
    private final HttpClient http;
    private int descriptions;

    /** @param settings further configuration keys */
    TorqueSite(String name, Map<String, Object> settings) throws IOException {
        folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-torque-");
        torque = new TorqueStandIn(folder.resolve("site"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        witness = Files.writeString(folder.resolve("witness"), WITNESS);
        Files.setPosixFilePermissions(witness, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path witnessed = Files.createFile(folder.resolve("witnessed"));
        Files.setPosixFilePermissions(witnessed, PosixFilePermissions.fromString("rw-rw-rw-"));
        Path attributes = Files.writeString(folder.resolve("attributes.sh"), ATTRIBUTES);
        Files.setPosixFilePermissions(attributes, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, Object> all = new LinkedHashMap<>(torque.configuration());
        all.put("gelato.lrms.torque.submit-attributes", attributes.toString());
        all.putAll(settings);
        ce = new SiteCe(name, "pbs", JobAccount.name(), all);
        http = HttpClient.newBuilder().sslContext(ce.tls(null)).build();
    }

    TorqueSite start() {
        torque.start();
        ce.start();
        return this;
    }

    TorqueStandIn torque() {
        return torque;
    }

    SiteCe ce() {
        return ce;
    }

    Path folder() {
        return folder;
    }

    /** Description of a job that witnesses and then runs the given command. */
    String jdl(String words, String more) {
        return "[ Executable = \"" + witness + "\"; Arguments = \"" + words
                + "\"; StdOutput = \"o\"; StdError = \"e\"; " + more + "]";
    }

    /** Submits so many jobs in calls of 50. */
    List<String> submit(SiteUser user, int count, String words) throws IOException {
        List<String> ids = new ArrayList<>();
        for (int done = 0; done < count; done += 50) {
            List<String> command = new ArrayList<>(List.of("submit", "--timeout", "180"));
            for (int i = done; i < Math.min(count, done + 50); i++) {
                Path jdl = ce.base().resolve("job" + ++descriptions + ".jdl");
                command.add(Files.writeString(jdl, jdl(words, "")).toString());
            }
            user.must("", command.toArray(new String[0])).out().lines().forEach(ids::add);
        }
        return ids;
    }

    static List<String> tags(List<String> ids) {
        return ids.stream().map(id -> "cream_" + id.substring(id.length() - 9)).toList();
    }

    /** Lines of these jobs' payloads. */
    List<String> witnessed(List<String> ids) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("witnessed")));
        lines.retainAll(tags(ids));
        return lines;
    }

    /** The calls of qsub for these jobs. */
    List<String> submissions(List<String> ids) {
        List<String> names = new ArrayList<>(torque.submittedNames());
        names.retainAll(tags(ids));
        return names;
    }

    /** Starts of these jobs, from Torque's accounting. */
    List<String> starts(List<String> ids) throws IOException {
        List<String> names = new ArrayList<>();
        try (var days = Files.list(torque.accountingDirectory())) {
            for (Path day : days.toList()) {
                Files.readAllLines(day).stream()
                        .filter(line -> line.contains(";S;"))
                        .map(line -> line.replaceAll(".* jobname=(\\S+) .*", "$1"))
                        .forEach(names::add);
            }
        }
        names.retainAll(tags(ids));
        return names;
    }

    /** A page, whatever its status. */
    String page(String path) {
        return response(path).body();
    }

    /** The HTTP status of a page. */
    int status(String path) {
        return response(path).statusCode();
    }

    private HttpResponse<String> response(String path) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + ce.port() + path))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The sum of the samples of a metric whose labels contain a text; 0 where there is none. */
    double metric(String name, String label) {
        return page("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Lets go the jobs that wait at the gate, all at once. */
    void openGate() throws IOException {
        // a reader gets its end when this closes
        try (var gate = Files.newByteChannel(folder.resolve("gate"), StandardOpenOption.WRITE)) {
            gate.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
    }

    void makeGate() throws IOException {
        Path gate = folder.resolve("gate");
        Files.deleteIfExists(gate);
        try {
            int exit = new ProcessBuilder("mkfifo", "-m", "666", gate.toString())
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IOException("mkfifo ended with " + exit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Torque's ids of jobs in a state. */
    List<String> shown(String state) {
        return user().run("qstat")
                .out()
                .lines()
                .filter(line -> line.matches("\\d.* " + state + " (long|short) +"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    /** The number of a running job's session, which is that of the process that runs its wrapper. */
    long session(String lrmsId) {
        return user().run("qstat", "-f", lrmsId)
                .out()
                .lines()
                .filter(line -> line.strip().startsWith("session_id = "))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 2)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lrmsId + " has no session"));
    }

    /** The jobs' account with Torque's commands, which are counted as the CE's are. */
    TorqueUser user() {
        return new TorqueUser(torque, folder, JobAccount.name());
    }

    @Override
    public void close() {
        ce.close();
        torque.wipe();
        SiteCe.remove(folder);
    }
}
