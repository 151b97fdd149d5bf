package org.gelato.ce.core.db;

import com.mysql.cj.conf.ConnectionUrl;
import com.mysql.cj.conf.HostInfo;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servers a database URL names, each with a URL of its own. The driver's own failover is not used: it returns to the first host
 * as soon as that one answers, whatever the host is by then (docs/developer/decisions/0074).
 */
final class WriterHosts {
    private static final Pattern PARTS = Pattern.compile("jdbc:mysql://[^/]*(/.*)?", Pattern.DOTALL);

    private final List<Host> hosts;

    /**
     * A server.
     *
     * @param name host and port, for messages
     * @param url to connect to it alone
     */
    record Host(String name, String url) {}

    private WriterHosts(List<Host> hosts) {
        this.hosts = List.copyOf(hosts);
    }

    /**
     * Reads a URL.
     *
     * @param url {@code jdbc:mysql://host[:port][,host[:port]…]/schema?properties}
     * @throws RuntimeException the driver's, when it is no URL that it understands
     */
    static WriterHosts of(String url) {
        List<HostInfo> all =
                ConnectionUrl.getConnectionUrlInstance(url, new Properties()).getHostsList();
        Matcher parts = PARTS.matcher(url);
        if (all.size() < 2 || !parts.matches()) {
            return new WriterHosts(
                    List.of(new Host(url.replaceAll("^jdbc:mysql://(?:[^/@]*@)?([^/]*).*$", "$1"), url)));
        }
        String rest = parts.group(1) == null ? "" : parts.group(1);
        return new WriterHosts(all.stream()
                .map(host -> address(host))
                .map(address -> new Host(address, "jdbc:mysql://" + address + rest))
                .toList());
    }

    private static String address(HostInfo host) {
        String name = host.getHost();
        boolean v6 = name.indexOf(':') >= 0 && !name.startsWith("[");
        return (v6 ? "[" + name + "]" : name) + ":" + host.getPort();
    }

    Host get(int index) {
        return hosts.get(index);
    }

    int size() {
        return hosts.size();
    }
}
