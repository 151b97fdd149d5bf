package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.type.FoundLrms;
import org.gelato.ce.core.lrms.type.LrmsSearch;
import org.gelato.ce.core.lrms.type.LrmsType;
import org.gelato.ce.core.lrms.type.LrmsTypes;
import org.gelato.ce.ws.credential.PemCredential;

/** Looks what a host has. Changes nothing; each program it runs is bounded. */
final class SiteFinder {
    private static final List<Path> BIN =
            Stream.of("/usr/bin", "/usr/local/bin").map(Path::of).toList();
    private static final List<Path> SYSTEM_BIN = Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/sbin")
            .map(Path::of)
            .toList();
    private static final List<Path> SOCKETS = Stream.of("/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock")
            .map(Path::of)
            .toList();
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int DNS_NAME = 2;
    private static final int MYSQL = 3306;
    private static final int MILLIS = 500;
    private static final int MAX_QUEUES = 100;

    private final SetupOptions options;

    SiteFinder(SetupOptions options) {
        this.options = options;
    }

    /** The one name of the host certificate; else the machine's; null when neither is known. */
    String host() {
        List<String> certified = certified();
        if (certified.size() == 1) {
            return certified.get(0);
        }
        try {
            String name = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
            return name.contains(".") && !name.matches("[0-9.]+") && isOfHost(name) ? name : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private List<String> certified() {
        Set<String> names = new LinkedHashSet<>();
        Path file = options.gridSecurity.resolve("hostcert.pem");
        try {
            X509Certificate certificate = PemCredential.certificates(Files.readAllBytes(file)).stream()
                    .filter(one -> one.getBasicConstraints() < 0)
                    .findFirst()
                    .orElseThrow(() -> new IOException("all certificates are of CAs"));
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            for (List<?> name : alternatives == null ? List.<List<?>>of() : alternatives) {
                if (Integer.valueOf(DNS_NAME).equals(name.get(0))
                        && isOfHost(name.get(1).toString())) {
                    names.add(name.get(1).toString().toLowerCase(Locale.ROOT));
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            // What is wrong with it is for the check to say.
            return List.of();
        }
        return List.copyOf(names);
    }

    private static boolean isOfHost(String name) {
        return !name.contains("*") && !name.startsWith("localhost");
    }

    /** The batch system that responds, else one that is installed; null when there is none. */
    ChosenBatchSystem batchSystem() {
        List<ChosenBatchSystem> installed = LrmsTypes.all().stream()
                .filter(type -> type.program() != null && directoryOf(type) != null)
                .map(this::batchSystem)
                .toList();
        return installed.stream()
                .filter(system -> system.problem() == null)
                .findFirst()
                .or(() -> installed.stream()
                        .filter(system -> system.type().isProgramItsOwn())
                        .findFirst())
                .orElse(null);
    }

    /** What there is of that kind. */
    ChosenBatchSystem batchSystem(LrmsType type) {
        Path bin = type.program() == null ? null : directoryOf(type);
        if (type.program() != null && bin == null) {
            return new ChosenBatchSystem(
                    type,
                    options.binDirectory,
                    FoundLrms.silent(type.program() + " is not in "
                            + directories(type)
                            + ": install the batch system's commands, or name their directory by --bin-directory"));
        }
        FoundLrms found = type.find(bin, new Search());
        return new ChosenBatchSystem(
                type,
                bin,
                new FoundLrms(
                        usable(found.queues()), found.fixedQueues(), found.logs(), found.advice(), found.problem()));
    }

    private Path directoryOf(LrmsType type) {
        return directories(type).stream()
                .filter(d -> Files.isExecutable(d.resolve(type.program())))
                .findFirst()
                .orElse(null);
    }

    private List<Path> directories(LrmsType type) {
        return options.binDirectory != null
                ? List.of(options.binDirectory)
                : Stream.concat(BIN.stream(), type.directories().stream()).toList();
    }

    private static List<String> usable(List<String> names) {
        return names.stream()
                .filter(n -> QUEUE.matcher(n).matches())
                .distinct()
                .limit(MAX_QUEUES)
                .toList();
    }

    private final class Search implements LrmsSearch {
        @Override
        public List<String> option(String name) {
            return options.ofLrms(name);
        }

        @Override
        public Result run(Path program, List<String> arguments, Map<String, String> environment) {
            List<String> command = new ArrayList<>(List.of(program.toString()));
            command.addAll(arguments);
            BoundedCommand.Outcome outcome = BoundedCommand.run(command, environment);
            return new Result(outcome.good(), outcome.output(), outcome.error());
        }
    }

    /** Where a MySQL or MariaDB server of this host listens; null for nowhere. */
    String databaseServer() {
        for (Path socket : SOCKETS) {
            if (Files.exists(socket)) {
                return socket.toString();
            }
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), MYSQL), MILLIS);
            return "port " + MYSQL;
        } catch (IOException e) {
            return null;
        }
    }

    /** A program of administrators; null when it is not installed. */
    static Path program(String name) {
        return SYSTEM_BIN.stream()
                .map(d -> d.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
