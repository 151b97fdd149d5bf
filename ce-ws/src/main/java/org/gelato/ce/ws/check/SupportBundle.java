package org.gelato.ce.ws.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.DatabaseInspection;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.ShownConfig;
import org.gelato.ce.ws.setup.AsAccount;
import org.gelato.ce.ws.setup.RootsPlace;
import org.gelato.ce.ws.setup.SetupException;
import org.gelato.ce.ws.web.Version;

/**
 * Collects a support bundle: one file that an administrator can send to somebody. Each part is bounded and goes through {@link Secrets},
 * the configuration through {@link ShownConfig}; files of keys, proxies and passwords are never read into it. A part that cannot be had is replaced by the reason.
 */
public final class SupportBundle {
    private static final int MAX = 4 << 20;
    private static final Duration DATABASE_PATIENCE = Duration.ofSeconds(5);

    private final Path configuration;
    private final Path applicationLog;
    private final Clock clock;
    private final Class<?> commands;
    private final Map<String, String> parts = new LinkedHashMap<>();
    private final List<String> missing = new ArrayList<>();

    @FunctionalInterface
    private interface Part {
        String text() throws Exception;
    }

    /**
     * @param configuration the server's configuration file
     * @param applicationLog a file that has the server's output; null when it is in the journal
     * @param commands runs the server's commands, such as {@code check}, in a process of the CE's account
     */
    public SupportBundle(Path configuration, Path applicationLog, Clock clock, Class<?> commands) {
        this.configuration = configuration;
        this.applicationLog = applicationLog;
        this.clock = clock;
        this.commands = commands;
    }

    /**
     * Writes the bundle, readable by its owner alone; it gets its name when it is whole.
     *
     * @param target must not exist, nor be where another account than root could lead root elsewhere
     * @return what could not be had, one text each; empty when everything is in it
     * @throws IOException when the file cannot be written
     * @throws SetupException when root is to write or read where another account could lead it elsewhere
     */
    public List<String> write(Path target) throws IOException {
        RootsPlace.directory(target.toAbsolutePath().getParent());
        RootsPlace.file(configuration);
        if (applicationLog != null) {
            RootsPlace.file(applicationLog);
        }
        if (Files.exists(target)) {
            throw new IOException(target + " exists already: name another file");
        }
        Secrets secrets = collect();
        StringBuilder about = new StringBuilder("Support bundle of a Gelato CE, made at " + clock.instant() + ".\n"
                + "Secrets are replaced by " + Secrets.MASK
                + ", as are values of the configuration that could be some. It names users by their DNs.\n\n");
        parts.keySet().forEach(name -> about.append(name).append('\n'));
        missing.forEach(why -> about.append("missing: ").append(why).append('\n'));
        Path part = Files.createTempFile(
                target.toAbsolutePath().getParent(),
                ".gelato-doctor",
                ".part",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            try (OutputStream out = Files.newOutputStream(part);
                    ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
                entry(zip, "README.txt", secrets.without(about.toString()));
                for (Map.Entry<String, String> one : parts.entrySet()) {
                    entry(zip, one.getKey(), secrets.without(one.getValue()));
                }
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        return missing.stream().map(secrets::without).toList();
    }

    private static void entry(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    private Secrets collect() {
        List<String> values = new ArrayList<>();
        add("versions.txt", SupportBundle::versions);
        add("host/limits.txt", () -> text(Path.of("/proc/self/limits")));
        add("host/memory.txt", () -> text(Path.of("/proc/meminfo")));
        add("host/load.txt", () -> text(Path.of("/proc/loadavg")));
        add("host/os-release.txt", () -> text(Path.of("/etc/os-release")));
        add("configuration/" + configuration.getFileName(), () -> {
            values.addAll(ShownConfig.hidden(configuration));
            return ShownConfig.text(configuration);
        });
        add("check.json", this::findings);
        CeConfig config;
        try {
            config = CeConfig.load(configuration);
        } catch (ConfigurationException e) {
            missing.add("everything that the configuration names: " + String.join("; ", e.problems()));
            return new Secrets(values);
        }
        if (!config.database().isEmbedded()) {
            try {
                values.add(config.database().external().password());
            } catch (ConfigurationException e) {
                missing.add("the database's password, to take it out: " + String.join("; ", e.problems()));
            }
        }
        if (config.helper().config() != null) {
            add("configuration/helper.conf", () -> text(config.helper().config()));
        }
        add("host/disks.txt", () -> disks(config));
        if (config.database().isEmbedded()) {
            missing.add("the database's own numbers: it is an embedded one; those of its jobs are in metrics.txt");
        } else {
            add("database.txt", () -> database(config));
        }
        add("metrics.txt", () -> page(config, "/metrics"));
        add("readiness.json", () -> page(config, "/health/ready"));
        add("log/audit.log", () -> tail(config.audit().file()));
        if (applicationLog == null) {
            missing.add("the application log: it is in the journal (journalctl -u gelato-ce); --log FILE adds a file");
        } else {
            add("log/application.log", () -> tail(applicationLog));
        }
        return new Secrets(values);
    }

    /** What the CE's account finds. */
    private String findings() throws IOException, InterruptedException {
        List<String> check = List.of(
                "check", "--json", "--config", configuration.toAbsolutePath().toString());
        AsAccount.Choice reader = AsAccount.choice(CeConfig.load(configuration).home(), check);
        ObjectMapper json = new ObjectMapper();
        if (reader.account() == null) {
            if (reader.doubt() != null) {
                missing.add("what the CE's account finds, in check.json: " + reader.doubt());
            }
            return json.writerWithDefaultPrettyPrinter().writeValueAsString(ServerCheck.findings(configuration, clock));
        }
        Path found = Files.createTempFile("gelato-check", ".json");
        try {
            int status = AsAccount.run(reader.account(), commands, check, ProcessBuilder.Redirect.to(found.toFile()));
            String text = text(found);
            if (text.isBlank()) {
                throw new IOException("no findings, exit code " + status + ", of, as " + reader.account()
                        + ": ce server " + String.join(" ", check));
            }
            return json.readTree(text).toPrettyString();
        } finally {
            Files.deleteIfExists(found);
        }
    }

    private void add(String name, Part part) {
        try {
            parts.put(name, cut(part.text()));
        } catch (Exception e) {
            missing.add(name + ": " + Messages.of(e));
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX ? text : text.substring(0, MAX) + "\n(cut here)\n";
    }

    private static String versions() {
        Map<String, String> of = new TreeMap<>();
        for (String name : List.of("java.version", "java.vm.name", "java.vendor", "os.name", "os.arch", "os.version")) {
            of.put(name, System.getProperty(name));
        }
        of.put("gelato", Version.text());
        of.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        of.put("time", Instant.now().toString());
        StringWriter text = new StringWriter();
        of.forEach(
                (name, value) -> text.append(name).append(" = ").append(value).append('\n'));
        return text.toString();
    }

    private static String disks(CeConfig config) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path place : List.of(
                config.home(),
                config.sandboxRoot(),
                config.audit().file().toAbsolutePath().getParent())) {
            if (Files.exists(place)) {
                FileStore store = Files.getFileStore(place);
                text.append(place)
                        .append(": ")
                        .append(store.type())
                        .append(", ")
                        .append(store.getUsableSpace() >> 20)
                        .append(" MiB free of ")
                        .append(store.getTotalSpace() >> 20)
                        .append('\n');
            }
        }
        return text.toString();
    }

    private String database(CeConfig config) {
        DatabaseConfig read = config.database().external();
        try (Database database =
                Database.reading(new DatabaseConfig(read.url(), read.user(), read.password(), 2, DATABASE_PATIENCE))) {
            DatabaseInspection found = DatabaseInspection.of(database, clock);
            return "url = " + ShownConfig.database(read.url()) + "\nuser = " + read.user() + "\nserver = "
                    + found.version() + "\nschema = "
                    + found.schema() + " of " + found.newestKnown() + "\nmax_allowed_packet = "
                    + found.maxAllowedPacket() + "\nbinlog_format = " + found.binlogFormat() + "\nclock = "
                    + found.offset().toMillis() + " ms ahead\n";
        }
    }

    private static String page(CeConfig config, String path) throws IOException {
        return OwnPages.get(config, path, MAX);
    }

    private static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX), StandardCharsets.UTF_8);
        }
    }

    /** The last lines of a file; not of what a link names, as its directory may belong to the CE's account. */
    private static String tail(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a regular file");
        }
        try (SeekableByteChannel in = Files.newByteChannel(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long from = Math.max(0, in.size() - MAX / 2);
            in.position(from);
            byte[] bytes = Channels.newInputStream(in).readNBytes(MAX / 2);
            String text = new String(bytes, StandardCharsets.UTF_8);
            // The first line may have lost its beginning.
            return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
        }
    }
}
