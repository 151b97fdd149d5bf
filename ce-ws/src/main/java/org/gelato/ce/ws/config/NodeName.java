package org.gelato.ce.ws.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What this front end is called among those that share a database. It must be another one's on no other machine: a CE that starts
 * takes the claims of processes that are gone from its own machine, which it knows by this name (docs/developer/decisions/0048).
 */
final class NodeName {
    private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

    private NodeName() {}

    /**
     * The site's own name for it, or the machine's.
     *
     * @param named in small letters; empty for none
     * @param host of the job ids, which may be the name of a service of several machines
     * @param form of host names
     */
    static String configured(String named, String host, Pattern form) {
        return named.isEmpty() ? of(host, machine(), form) : named;
    }

    /**
     * The machine's name, in the form that the host has, where the host is this machine.
     *
     * @param machine what the kernel calls the machine; empty when unknown
     */
    static String of(String host, String machine, Pattern form) {
        boolean unnamed =
                label(machine).equals("localhost") || !form.matcher(machine).matches();
        return unnamed || label(host).equals(label(machine)) ? host : machine;
    }

    private static String label(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    private static String machine() {
        try {
            // Not by a resolver: it may be slow, or say what others call this machine.
            return Files.readString(KERNEL).strip().toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            return "";
        }
    }
}
