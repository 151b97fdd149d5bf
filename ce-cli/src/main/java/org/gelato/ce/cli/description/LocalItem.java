package org.gelato.ce.cli.description;

import org.gelato.ce.description.SandboxItem;

/**
 * An input file that a description leaves to its client to bring.
 *
 * @param name as the job will find it
 * @param source path on this machine, or a {@code file:} URI
 */
public record LocalItem(String name, String source) {
    /**
     * The item of a name and a source as ADL and xRSL have them, where a CE treats the source so (docs/user/descriptions.md).
     *
     * @param source null or empty where the name is the path, too
     * @return null when the CE fetches the file itself
     */
    static LocalItem of(String name, String source) {
        if (source == null || source.isBlank()) {
            return new LocalItem(name, name);
        }
        return SandboxItem.isLocal(source) ? new LocalItem(name, source.strip()) : null;
    }
}
