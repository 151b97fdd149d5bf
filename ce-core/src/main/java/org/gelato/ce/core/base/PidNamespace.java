package org.gelato.ce.core.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the process numbers of this process mean something: this boot of this kernel, and its namespace of process numbers. */
public final class PidNamespace {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    private PidNamespace() {}

    /** A name that no other namespace has, of any host; at most 100 characters. Null where the kernel does not say. */
    public static String own() {
        try {
            return Files.readString(BOOT).strip() + " " + Files.readSymbolicLink(NAMESPACE);
        } catch (IOException e) {
            return null;
        }
    }
}
