package org.gelato.ce.ws.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The ephemeral ports of this host: those that Linux chooses for outgoing connections. A connection that has the port of a server keeps that
 * server from starting, for as long as the connection lives. By itself Linux chooses high ports; HTCondor's master, for one, has it choose
 * from all above 1023.
 *
 * @param first the lowest one
 * @param last the highest one
 * @param reserved ports that are never chosen, as {@code 8443,9000-9100}
 */
record EphemeralPorts(int first, int last, String reserved) {
    private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4");
    private static final EphemeralPorts NONE = new EphemeralPorts(0, -1, "");

    /** Those of this host; none where they cannot be read. */
    static EphemeralPorts ofHost() {
        return in(SETTINGS);
    }

    /** @param settings the directory with Linux's settings of IPv4 */
    static EphemeralPorts in(Path settings) {
        try {
            String[] range = Files.readString(settings.resolve("ip_local_port_range"))
                    .strip()
                    .split("\\s+");
            return new EphemeralPorts(
                    Integer.parseInt(range[0]),
                    Integer.parseInt(range[1]),
                    Files.readString(settings.resolve("ip_local_reserved_ports"))
                            .strip());
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return NONE;
        }
    }

    /** Whether an outgoing connection may have a port. */
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
