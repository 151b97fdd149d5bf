package org.gelato.ce.core.wrapper;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.gelato.ce.core.base.Sha256;

/**
 * What is the same in the scripts of all jobs that need the same {@link ScriptPart}s of one version of the CE with one
 * configuration. Immutable; those that were made are remembered without their text, and there are about as many as sets of parts.
 */
public final class CommonPart {
    private static final Map<Kind, CommonPart> KNOWN = new ConcurrentHashMap<>();

    private final Kind kind;
    private final String sha256;

    /** What it is made of. */
    private record Kind(String constants, Set<ScriptPart> parts) {}

    private CommonPart(Kind kind) {
        this.kind = kind;
        this.sha256 = hash(content());
    }

    /**
     * @param constants assignments that do not depend on the job, lines
     * @param parts that not every job needs
     */
    static CommonPart of(String constants, Set<ScriptPart> parts) {
        return KNOWN.computeIfAbsent(new Kind(constants, Set.copyOf(parts)), CommonPart::new);
    }

    /** The text without a file. */
    static String text(String constants, Set<ScriptPart> parts) {
        return constants + ScriptPart.of(parts);
    }

    /** The file's bytes, UTF-8, a few ten thousand; it ends with one line feed. */
    public byte[] content() {
        return text(kind.constants(), kind.parts()).getBytes(StandardCharsets.UTF_8);
    }

    /** Their SHA-256 in 64 small hexadecimal digits, as {@code sha256sum} prints it: the file's name. */
    public String sha256() {
        return sha256;
    }

    private static String hash(byte[] content) {
        return HexFormat.of().formatHex(Sha256.of(content));
    }
}
