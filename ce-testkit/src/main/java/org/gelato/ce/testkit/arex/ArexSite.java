package org.gelato.ce.testkit.arex;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.gelato.ce.testkit.pki.GridPki;

/**
 * Debian's A-REX on the loopback interface, everything below one folder: the daemon that follows jobs and the one that serves
 * the web interface, as the distribution's start scripts make them, but from a configuration of its own and without systemd.
 * Members of the VO {@value GridPki#VO} are mapped to one account. Both daemons end with this process. Used by one thread.
 */
public final class ArexSite implements AutoCloseable {
    private static final Path DAEMON = Path.of("/usr/sbin/arched");
    private static final Path PLUGIN = Path.of("/usr/lib/arc/libarex.so");
    private static final Path PARSER = Path.of("/usr/lib/arc/arcconfig-parser");
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration STOP = Duration.ofSeconds(20);
    /** Ends the daemon when the other end of standard input goes away, however that comes. */
    private static final String WITH_US =
            "\"$@\" </dev/null & daemon=$!; while read -r _; do :; done; kill \"$daemon\"; wait \"$daemon\"";

    private final Path folder;
    private final int port;
    private final GridPki pki;
    private final String account;
    private final ArexBatch batch;
    private final List<Process> daemons = new ArrayList<>();
    private int mostJobs = -1;

    /**
     * Prepares one; nothing runs yet.
     *
     * @param folder absolute; made when absent. The account must be able to pass through the directories above
     * @param port of the web interface, which nobody listens on
     * @param pki its host certificate, authorities and VOMS issuer
     * @param account of the jobs; never root
     */
    public ArexSite(Path folder, int port, GridPki pki, String account, ArexBatch batch) {
        this.folder = folder;
        this.port = port;
        this.pki = pki;
        this.account = account;
        this.batch = batch;
    }

    /**
     * Before the start: bounds the jobs that are on their way at once; all others are accepted and wait.
     *
     * @param jobs at least 1
     */
    public ArexSite atOnce(int jobs) {
        mostJobs = jobs;
        return this;
    }

    /** Why there can be no A-REX here; empty when {@link #start} may be called. */
    public static Optional<String> missing() {
        if (!Files.isExecutable(DAEMON) || !Files.exists(PLUGIN) || !Files.exists(PARSER)) {
            return Optional.of("nordugrid-arc-arex is not installed");
        }
        return System.getProperty("user.name").equals("root")
                ? Optional.empty()
                : Optional.of("only root can start an A-REX that maps users to accounts");
    }

    /** The first number of its version, as in 7.0.0. */
    public static int version() throws IOException {
        Process process = new ProcessBuilder(DAEMON.toString(), "--version").start();
        try (InputStream out = process.getInputStream()) {
            String reported = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(reported.strip().replaceFirst("(?s)^.* version ([0-9]+)\\..*$", "$1"));
        }
    }

    /**
     * Starts both daemons and waits until the web interface takes connections.
     *
     * @throws IllegalStateException when it does not
     */
    public ArexSite start() {
        try {
            for (String part : List.of("control", "session", "log", "tmp", "run")) {
                Files.createDirectories(folder.resolve(part));
            }
            for (Path open : List.of(folder, folder.resolve("session"))) {
                Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            Files.setPosixFilePermissions(folder.resolve("tmp"), PosixFilePermissions.fromString("rwxrwxrwx"));
            Path conf = Files.writeString(folder.resolve("arc.conf"), configuration());
            parse(conf);
            daemons.add(daemon("jobs", Files.writeString(folder.resolve("jobs.xml"), jobsDaemon())));
            daemons.add(daemon("web", Files.writeString(folder.resolve("web.xml"), webDaemon())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await("A-REX to listen", this::listens);
        return this;
    }

    /** Waits until it has described itself, which it does some seconds after its start and then every minute. */
    public void awaitDescription() {
        await("A-REX's description of itself", () -> Files.exists(folder.resolve("control/info.xml")));
    }

    public int port() {
        return port;
    }

    /** What the daemons and all their children have running now. */
    public List<Long> pids() {
        return daemons.stream()
                .flatMap(Process::descendants)
                .map(ProcessHandle::pid)
                .toList();
    }

    /**
     * Jobs that A-REX has brought to their end, as it has them stored; what it reports to clients is up to a minute older.
     *
     * @throws IllegalStateException when one of them failed
     */
    public long finished() {
        long finished = 0;
        try (Stream<Path> ended = Files.list(folder.resolve("control/finished"))) {
            for (Path status :
                    ended.filter(f -> f.toString().endsWith(".status")).toList()) {
                if (Files.readString(status).strip().equals("FINISHED")) {
                    finished++;
                } else if (Files.readString(status).startsWith("FAILED")) {
                    throw new IllegalStateException(
                            "A-REX's " + status.getFileName() + " is " + Files.readString(status));
                }
            }
        } catch (NoSuchFileException e) {
            return finished; // None has ended, or one is being replaced: counted at the next call.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return finished;
    }

    private Path runtimeConfiguration() {
        return folder.resolve("run/arex.cfg");
    }

    private String configuration() {
        List<String> lines = new ArrayList<>(List.of(
                "[common]",
                "hostname=localhost",
                "x509_host_key=" + pki.hostKey(),
                "x509_host_cert=" + pki.hostCertificate(),
                "x509_cert_dir=" + pki.certificates(),
                "x509_voms_dir=" + pki.vomsdir(),
                "[authgroup:members]",
                "voms=" + GridPki.VO + " * * *",
                "[mapping]",
                "map_to_user=members " + account,
                "[lrms]",
                "lrms=" + batch.kind() + " long"));
        lines.addAll(batch.lines());
        lines.addAll(List.of(
                "[arex]",
                "controldir=" + folder.resolve("control"),
                "sessiondir=" + folder.resolve("session"),
                "tmpdir=" + folder.resolve("tmp"),
                "maxjobs=" + mostJobs + " " + mostJobs + " -1 -1 -1",
                "logfile=" + folder.resolve("log/arex.log"),
                "joblog=" + folder.resolve("log/jobs.log"),
                "helperlog=" + folder.resolve("log/helper.log"),
                "pidfile=" + folder.resolve("run/arex.pid"),
                "loglevel=2",
                "[arex/ws]",
                "wsurl=https://localhost:" + port + "/arex",
                "logfile=" + folder.resolve("log/web.log"),
                "pidfile=" + folder.resolve("run/web.pid"),
                "[arex/ws/jobs]",
                "allowaccess=members",
                "[infosys]",
                "logfile=" + folder.resolve("log/information.log"),
                "loglevel=2",
                "[infosys/glue2]",
                "[infosys/cluster]",
                "advertisedvo=" + GridPki.VO,
                "[queue:long]",
                "[queue:short]"));
        return String.join("\n", lines) + "\n";
    }

    /** A-REX reads the configuration only as its own program has prepared it. */
    private void parse(Path conf) throws IOException {
        Path log = folder.resolve("log/parser.log");
        Process parser = new ProcessBuilder(
                        PARSER.toString(),
                        "--config",
                        conf.toString(),
                        "--runconfig",
                        runtimeConfiguration().toString(),
                        "--save")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!ended(parser, START) || parser.exitValue() != 0) {
            throw new IllegalStateException("A-REX's configuration is refused: " + Files.readString(log));
        }
    }

    private Process daemon(String name, Path xml) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/bash", "-c", WITH_US, "arex", DAEMON.toString(), "-f", "-c", xml.toString())
                .directory(folder.resolve("log").toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log/" + name + ".out").toFile());
        builder.environment()
                .putAll(Map.of(
                        "ARC_LOCATION", "/usr",
                        "ARC_CONFIG", folder.resolve("arc.conf").toString(),
                        "X509_USER_CERT", pki.hostCertificate().toString(),
                        "X509_USER_KEY", pki.hostKey().toString(),
                        "X509_CERT_DIR", pki.certificates().toString(),
                        "X509_VOMS_DIR", pki.vomsdir().toString(),
                        "TMPDIR", folder.resolve("tmp").toString(),
                        "HOSTNAME", "localhost",
                        "MALLOC_ARENA_MAX", "2"));
        return builder.start();
    }

    private String server(String pidFile, String log) {
        return """
                <Server>
                  <PidFile>%s</PidFile>
                  <Logger><File>%s</File><Level>WARNING</Level></Logger>
                </Server>
                <ModuleManager><Path>/usr/lib/arc/</Path></ModuleManager>
                """.formatted(folder.resolve(pidFile), folder.resolve(log));
    }

    private String jobsDaemon() {
        return """
                <ArcConfig xmlns="http://www.nordugrid.org/schemas/ArcConfig/2007"
                    xmlns:arex="http://www.nordugrid.org/schemas/a-rex/Config">
                %s<Plugins><Name>arex</Name></Plugins>
                <Chain>
                  <Service name="a-rex" id="a-rex">
                    <arex:endpoint>https://localhost:%d/arex</arex:endpoint>
                    <arex:gmconfig>%s</arex:gmconfig>
                  </Service>
                </Chain>
                </ArcConfig>
                """.formatted(server("run/arex.pid", "log/arex.log"), port, runtimeConfiguration());
    }

    private String webDaemon() {
        StringBuilder plugins = new StringBuilder();
        for (String name :
                List.of("mcctcp", "mcctls", "mcchttp", "mccsoap", "arex", "identitymap", "arcshc", "arcshclegacy")) {
            plugins.append("<Plugins><Name>").append(name).append("</Name></Plugins>\n");
        }
        return """
                <ArcConfig xmlns="http://www.nordugrid.org/schemas/ArcConfig/2007"
                    xmlns:tcp="http://www.nordugrid.org/schemas/ArcMCCTCP/2007"
                    xmlns:arex="http://www.nordugrid.org/schemas/a-rex/Config">
                %s%s<Chain>
                  <Component name="tcp.service" id="tcp">
                    <next id="tls"/>
                    <tcp:Listen><tcp:Interface>127.0.0.1</tcp:Interface><tcp:Port>%d</tcp:Port></tcp:Listen>
                  </Component>
                  <Component name="tls.service" id="tls">
                    <next id="http"/>
                    <KeyPath>%s</KeyPath>
                    <CertificatePath>%s</CertificatePath>
                    <CACertificatesDir PolicyGlobus="true">%s</CACertificatesDir>
                    <VOMSDir>%s</VOMSDir>
                    <VOMSProcessing>standard</VOMSProcessing>
                    <ClientAuthn>false</ClientAuthn>
                  </Component>
                  <Component name="http.service" id="http">
                    <next id="soap">POST</next>
                    <next id="plexer"/>
                    <SecHandler name="arclegacy.handler" event="incoming"><ConfigFile>%s</ConfigFile></SecHandler>
                  </Component>
                  <Component name="soap.service" id="soap">
                    <next id="plexer"/>
                    <ContinueNonSOAP>true</ContinueNonSOAP>
                  </Component>
                  <Plexer name="plexer.service" id="plexer"><next id="a-rex">^/arex</next></Plexer>
                  <Service name="a-rex" id="a-rex">
                    <SecHandler name="arclegacy.map" event="incoming">
                      <ConfigBlock><ConfigFile>%s</ConfigFile><BlockName>mapping</BlockName></ConfigBlock>
                    </SecHandler>
                    <arex:endpoint>https://localhost:%d/arex</arex:endpoint>
                    <arex:gmconfig>%s</arex:gmconfig>
                    <arex:gmrun>none</arex:gmrun>
                    <arex:InfosysInterfaceMaxClients>1</arex:InfosysInterfaceMaxClients>
                    <arex:JobControlInterfaceMaxClients>100</arex:JobControlInterfaceMaxClients>
                    <arex:DataTransferInterfaceMaxClients>100</arex:DataTransferInterfaceMaxClients>
                  </Service>
                </Chain>
                </ArcConfig>
                """.formatted(
                        server("run/web.pid", "log/web.log"),
                        plugins,
                        port,
                        pki.hostKey(),
                        pki.hostCertificate(),
                        pki.certificates(),
                        pki.vomsdir(),
                        runtimeConfiguration(),
                        runtimeConfiguration(),
                        port,
                        runtimeConfiguration());
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + START.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0 || !daemons.stream().allMatch(Process::isAlive)) {
                String reported = reported();
                close();
                throw new IllegalStateException("waited in vain for " + what + ": " + reported);
            }
            pause();
        }
    }

    /** The ends of the logs. */
    private String reported() {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("jobs.out", "web.out", "arex.log", "web.log")) {
            Path log = folder.resolve("log").resolve(name);
            try (InputStream in = Files.newInputStream(log)) {
                String text = new String(in.readNBytes(1 << 20), StandardCharsets.UTF_8);
                all.append(name).append(": ").append(text.substring(Math.max(0, text.length() - 1000)));
            } catch (IOException e) {
                all.append(name).append(" cannot be read; ");
            }
        }
        return all.toString();
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static boolean ended(Process process, Duration time) {
        try {
            return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Ends the daemons, and the jobs that A-REX forked, which would go on. */
    @Override
    public void close() {
        List<ProcessHandle> family =
                daemons.stream().flatMap(Process::descendants).toList();
        for (Process daemon : daemons) {
            try {
                daemon.getOutputStream().close();
            } catch (IOException e) {
                daemon.destroy();
            }
        }
        for (Process daemon : daemons) {
            if (!ended(daemon, STOP)) {
                daemon.destroyForcibly();
            }
        }
        family.forEach(ProcessHandle::destroyForcibly);
        daemons.clear();
        ProcessHandle.allProcesses().filter(this::worksHere).forEach(ProcessHandle::destroyForcibly);
    }

    private boolean worksHere(ProcessHandle process) {
        try {
            return Path.of("/proc", Long.toString(process.pid()), "cwd")
                    .toRealPath()
                    .startsWith(folder);
        } catch (IOException e) {
            return false; // it has ended, or is not ours
        }
    }
}
