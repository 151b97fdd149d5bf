package org.gelato.ce.ws.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The ports that Linux gives to connections of this host. A connection that has the port of a server keeps that server from starting, for as
 * long as the connection lives. Linux keeps to high ports by itself; HTCondor's master, for one, has it give all from 1024 on.
 *
 * @param first the lowest one that is given
 * @param last the highest one
 * @param reserved ports that are not given, as {@code 8443,9000-9100}
 */
record ConnectionPorts(int first, int last, String reserved) {
    private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4");
    private static final ConnectionPorts NONE = new ConnectionPorts(0, -1, "");

    /** Those of this host; none where they cannot be read. */
    static ConnectionPorts ofHost() {
        return in(SETTINGS);
    }

    /** @param settings the directory with Linux's settings of IPv4 */
    static ConnectionPorts in(Path settings) {
        try {
            String[] range = Files.readString(settings.resolve("ip_local_port_range"))
                    .strip()
                    .split("\\s+");
            return new ConnectionPorts(
                    Integer.parseInt(range[0]),
                    Integer.parseInt(range[1]),
                    Files.readString(settings.resolve("ip_local_reserved_ports"))
                            .strip());
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return NONE;
        }
    }

    /** Whether a connection may get a port. */
    boolean include(int port) {
        return port >= first
                && port <= last
                && Arrays.stream(reserved.split(",")).noneMatch(part -> holds(part, port));
    }

    /** Reserved ports with more, as Linux reads them. */
    String reservedWith(List<Integer> ports) {
        String more = ports.stream().map(String::valueOf).collect(Collectors.joining(","));
        return reserved.isEmpty() ? more : reserved + "," + more;
    }

    private static boolean holds(String part, int port) {
        String[] ends = part.split("-");
        try {
            return port >= Integer.parseInt(ends[0]) && port <= Integer.parseInt(ends[ends.length - 1]);
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
