package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks what a host has. Changes nothing; each program it runs is bounded. */
final class SiteFinder {
    private static final List<Path> BIN = Stream.of("/usr/bin", "/usr/local/bin", "/opt/slurm/bin", "/opt/torque/bin")
            .map(Path::of)
            .toList();
    private static final List<Path> SYSTEM_BIN = Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/sbin")
            .map(Path::of)
            .toList();
    private static final List<Path> SOCKETS = Stream.of("/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock")
            .map(Path::of)
            .toList();
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern TORQUE_QUEUE = Pattern.compile("^Queue: (\\S+)$");
    private static final Pattern TORQUE_DEFAULT = Pattern.compile("(?m)^\\s*default_queue = (\\S+)$");
    private static final Pattern TORQUE_ROUTE = Pattern.compile("^\\s*queue_type = Route\\s*$");
    private static final Pattern TORQUE_KEPT = Pattern.compile("(?m)^\\s*keep_completed = ([0-9]{1,9})$");
    private static final int LEAST_KEPT = 300;
    private static final int DNS_NAME = 2;
    private static final int MYSQL = 3306;
    private static final int MILLIS = 500;
    private static final int MOST_QUEUES = 100;

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
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
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

    /** The batch system of that kind, or, for null, the one that responds; null when there is none. */
    BatchSystem batchSystem(String kind) {
        if (kind == null) {
            BatchSystem slurm = slurm();
            if (slurm != null) {
                return slurm;
            }
            BatchSystem torque = torque();
            return torque == null || torque.problem() != null ? null : torque;
        }
        return switch (kind) {
            case "slurm" -> or(slurm(), "slurm", "scontrol");
            case "torque" -> or(torque(), "torque", "qstat");
            default -> new BatchSystem(kind, null, List.of("default"), null, List.of(), null);
        };
    }

    private BatchSystem or(BatchSystem found, String kind, String program) {
        return found != null
                ? found
                : new BatchSystem(
                        kind,
                        options.binDirectory,
                        List.of(),
                        null,
                        List.of(),
                        program + " is not in "
                                + (options.binDirectory == null ? BIN : List.of(options.binDirectory))
                                + ": install the batch system's commands, or name their directory by --bin-directory");
    }

    private Path directoryOf(String program) {
        List<Path> places = options.binDirectory == null ? BIN : List.of(options.binDirectory);
        return places.stream()
                .filter(d -> Files.isExecutable(d.resolve(program)))
                .findFirst()
                .orElse(null);
    }

    private BatchSystem slurm() {
        Path bin = directoryOf("scontrol");
        if (bin == null) {
            return null;
        }
        Map<String, String> environment =
                options.slurmConf == null ? Map.of() : Map.of("SLURM_CONF", options.slurmConf.toString());
        BoundedCommand.Outcome partitions =
                BoundedCommand.run(List.of(bin.resolve("sinfo").toString(), "--noheader", "--format=%P"), environment);
        if (!partitions.good()) {
            return new BatchSystem(
                    "slurm", bin, List.of(), null, List.of(), "Slurm does not respond: " + partitions.error());
        }
        List<String> names =
                partitions.output().lines().map(String::strip).distinct().toList();
        Stream<String> first = names.stream().filter(n -> n.endsWith("*"));
        Stream<String> others = names.stream().filter(n -> !n.endsWith("*"));
        List<String> queues = usable(Stream.concat(first.map(n -> n.substring(0, n.length() - 1)), others));
        BoundedCommand.Outcome settings =
                BoundedCommand.run(List.of(bin.resolve("scontrol").toString(), "show", "config"), environment);
        return new BatchSystem("slurm", bin, queues, completionLog(settings.output()), List.of(), null);
    }

    private static Path completionLog(String settings) {
        String type = setting(settings, "JobCompType");
        String place = setting(settings, "JobCompLoc");
        return "jobcomp/filetxt".equals(type) && place != null && place.startsWith("/") ? Path.of(place) : null;
    }

    private static String setting(String settings, String name) {
        Matcher found = Pattern.compile("(?m)^" + name + "\\s*= (\\S+)\\s*$").matcher(settings);
        return found.find() ? found.group(1) : null;
    }

    private BatchSystem torque() {
        Path bin = directoryOf("qstat");
        if (bin == null) {
            return null;
        }
        String qstat = bin.resolve("qstat").toString();
        BoundedCommand.Outcome listing = BoundedCommand.run(List.of(qstat, "-Q", "-f"));
        if (!listing.good()) {
            return new BatchSystem(
                    "torque", bin, List.of(), null, List.of(), "Torque does not respond: " + listing.error());
        }
        List<String> names = new ArrayList<>();
        for (String line : listing.output().lines().toList()) {
            Matcher queue = TORQUE_QUEUE.matcher(line);
            if (queue.matches()) {
                names.add(queue.group(1));
            } else if (TORQUE_ROUTE.matcher(line).matches() && !names.isEmpty()) {
                names.remove(names.size() - 1);
            }
        }
        BoundedCommand.Outcome server = BoundedCommand.run(List.of(qstat, "-B", "-f"));
        Matcher preferred = TORQUE_DEFAULT.matcher(server.output());
        Stream<String> first = preferred.find() ? names.stream().filter(preferred.group(1)::equals) : Stream.empty();
        return new BatchSystem("torque", bin, usable(Stream.concat(first, names.stream())), null, advice(server), null);
    }

    private static List<String> advice(BoundedCommand.Outcome server) {
        List<String> advice = new ArrayList<>();
        if (server.good() && !server.output().contains("query_other_jobs = True")) {
            advice.add("Torque shows each account its own jobs alone: qmgr -c 'set server query_other_jobs = True'");
        }
        Matcher kept = TORQUE_KEPT.matcher(server.output());
        if (server.good() && (!kept.find() || Integer.parseInt(kept.group(1)) < LEAST_KEPT)) {
            advice.add(
                    "Torque forgets ended jobs too soon: qmgr -c 'set server keep_completed = 300' (docs/torque.md)");
        }
        return advice;
    }

    private static List<String> usable(Stream<String> names) {
        return names.filter(n -> QUEUE.matcher(n).matches())
                .distinct()
                .limit(MOST_QUEUES)
                .toList();
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
