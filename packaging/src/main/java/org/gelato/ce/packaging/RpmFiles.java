package org.gelato.ce.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What the RPMs hold: the {@code %install} of gelato.spec, and the lists that its {@code %files -f} read. */
final class RpmFiles {
    /** From a directory with this in its name on, directories are ours. */
    private static final String OURS = "gelato";

    private RpmFiles() {}

    /**
     * Installs the files of all packages, and writes for each package {@code PACKAGE.files}. Directories that are ours are in the list of each
     * package that has something in them: an erased package leaves what is in no list.
     *
     * @param buildroot rpmbuild's root for what is installed
     * @param lists directory for the lists, made when absent
     * @throws IOException when a file cannot be read or written
     */
    static void install(Collection<Contents.Line> contents, Path buildroot, Path lists) throws IOException {
        Map<String, Set<String>> listed = new LinkedHashMap<>();
        for (Contents.Line line : contents) {
            Path target = buildroot.resolve(line.path().substring(1));
            Files.createDirectories(target.getParent());
            if (line.kind() == Contents.Kind.LINK) {
                Files.createSymbolicLink(target, Path.of(line.source()));
            } else {
                Files.copy(Path.of(line.source()), target, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(target, permissions(line.mode()));
            }
            Set<String> list = listed.computeIfAbsent(line.packageName(), name -> new LinkedHashSet<>());
            list.addAll(directories(line.path()));
            list.add(listed(line));
        }
        Files.createDirectories(lists);
        for (Map.Entry<String, Set<String>> list : listed.entrySet()) {
            Files.write(lists.resolve(list.getKey() + ".files"), list.getValue());
        }
    }

    private static Set<String> directories(String path) {
        Set<String> directories = new LinkedHashSet<>();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            String directory = path.substring(0, end);
            if (directory.contains("/" + OURS)) {
                directories.add("%dir %attr(0755, root, root) " + directory);
            }
        }
        return directories;
    }

    private static String listed(Contents.Line line) {
        return switch (line.kind()) {
            case LINK -> line.path();
            case FILE -> attributes(line) + line.path();
            case CONFIG, SITE -> attributes(line) + "%config(noreplace) " + line.path();
        };
    }

    private static String attributes(Contents.Line line) {
        return "%attr(" + line.mode() + ", " + line.user() + ", " + line.group() + ") ";
    }

    private static Set<PosixFilePermission> permissions(String octal) {
        int mode = Integer.parseInt(octal, 8);
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        // From the owner's right to read, the highest bit, to that of others to execute.
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int bit = 0; bit < all.length; bit++) {
            if ((mode & 1 << (all.length - 1 - bit)) != 0) {
                permissions.add(all[bit]);
            }
        }
        return permissions;
    }
}
