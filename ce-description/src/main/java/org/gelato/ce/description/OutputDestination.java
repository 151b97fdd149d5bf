package org.gelato.ce.description;

import java.net.URI;

/** Where an output file goes (docs/developer/protocol/jdl.md section 3, second table). */
final class OutputDestination {
    private OutputDestination() {}

    /** Whether a destination is the job's own output directory on the CE: {@code gsiftp://localhost[/...]}. */
    static boolean isLocal(String destination) {
        try {
            URI uri = URI.create(SandboxItem.withoutSubject(destination));
            return uri.getScheme() != null
                    && UriRule.scheme(uri).equals("gsiftp")
                    && "localhost".equalsIgnoreCase(uri.getHost())
                    && uri.getPort() < 0
                    && uri.getUserInfo() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Where one file goes: below a server that is named alone; null when it is kept. */
    static RemoteFile file(String destination) {
        RemoteFile file = isLocal(destination) ? null : RemoteFile.of(destination);
        return file == null || !file.isServerAlone() ? file : file.directory();
    }

    /** The directory that files go to; null when they are kept. */
    static RemoteFile directory(String destination) {
        return isLocal(destination) ? null : RemoteFile.of(destination).directory();
    }

    /**
     * The file's name in the output directory: the last component of a local destination, or the item's own.
     */
    static String name(String destination, String item) {
        if (!isLocal(destination)) {
            return SandboxItem.baseName(item);
        }
        String path = SandboxItem.withoutSubject(destination).substring("gsiftp://localhost".length());
        String name = path.substring(path.lastIndexOf('/') + 1);
        return name.isEmpty() || name.equals(".") || name.equals("..") ? SandboxItem.baseName(item) : name;
    }
}
