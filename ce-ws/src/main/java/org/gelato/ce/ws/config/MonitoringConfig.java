package org.gelato.ce.ws.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.authorization.MonitoringReaders;
import org.gelato.ce.ws.http.AddressRange;

/**
 * Who sees metrics and the details of readiness.
 *
 * @param networks see metrics, beside root and the CE's account on this host, and administrators
 * @param readers see all that monitoring shows
 * @param accounts see the same on this host without a credential: their numbers
 */
public record MonitoringConfig(List<AddressRange> networks, MonitoringReaders readers, Set<Integer> accounts) {
    private static final String NETWORKS = "gelato.monitoring.networks";
    private static final String READERS = "gelato.monitoring.readers";
    private static final String ACCOUNTS = "gelato.monitoring.accounts";
    private static final Path PASSWD = Path.of("/etc/passwd");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

    static MonitoringConfig read(Binder r) {
        return new MonitoringConfig(networks(r), readers(r), accounts(r));
    }

    private static List<AddressRange> networks(Binder r) {
        try {
            return r.texts(NETWORKS).stream().map(AddressRange::parse).toList();
        } catch (IllegalArgumentException e) {
            r.refuse(NETWORKS, "a list of networks: " + e.getMessage());
            return List.of();
        }
    }

    private static MonitoringReaders readers(Binder r) {
        try {
            return new MonitoringReaders(r.texts(READERS));
        } catch (IllegalArgumentException e) {
            r.refuse(READERS, "a list of DNs, or ISSUER,SUBJECT of tokens: " + e.getMessage());
            return MonitoringReaders.NONE;
        }
    }

    private static Set<Integer> accounts(Binder r) {
        Set<Integer> numbers = new HashSet<>();
        for (String account : r.texts(ACCOUNTS)) {
            try {
                numbers.add(number(account));
            } catch (IllegalArgumentException | IOException e) {
                r.refuse(
                        ACCOUNTS,
                        "a list of accounts of this host: " + account + " is not in " + PASSWD
                                + "; name it by its number (id -u)");
            }
        }
        return Set.copyOf(numbers);
    }

    /** An account of a directory service is not looked up, which would take a program or wait for a server: it is named by its number. */
    private static int number(String account) throws IOException {
        if (NUMBER.matcher(account).matches()) {
            return Integer.parseInt(account);
        }
        try (Stream<String> lines = Files.lines(PASSWD, StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split(":", 4))
                    .filter(fields -> fields.length == 4 && fields[0].equals(account))
                    .map(fields -> Integer.valueOf(fields[2]))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(account));
        }
    }
}
