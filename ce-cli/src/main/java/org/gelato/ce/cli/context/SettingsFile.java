package org.gelato.ce.cli.context;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;
import org.gelato.ce.cli.terminal.GivenFile;
import org.gelato.ce.cli.terminal.Printable;

/**
 * The user's configuration file, {@code gelato/ce.conf} below {@code $XDG_CONFIG_HOME} or {@code ~/.config}. Whoever can write it names the
 * CE that proxies and tokens go to, so what others can write is refused, as is what belongs to another user than this one and root.
 */
public final class SettingsFile {
    private static final int MAX_BYTES = 64 * 1024;
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;

    private final Path path;

    private SettingsFile(Path path) {
        this.path = path;
    }

    /** Where the environment says it is; empty for a user without a home. */
    public static Optional<SettingsFile> locate(Map<String, String> environment) {
        String base = environment.get("XDG_CONFIG_HOME");
        String home = environment.get("HOME");
        if (base != null && base.startsWith("/")) {
            return Optional.of(new SettingsFile(Path.of(base, "gelato", "ce.conf")));
        }
        return home == null || !home.startsWith("/")
                ? Optional.empty()
                : Optional.of(new SettingsFile(Path.of(home, ".config", "gelato", "ce.conf")));
    }

    public Path path() {
        return path;
    }

    /**
     * What it says; nothing where there is none.
     *
     * @throws CliException naming the file, the line where there is one, and what is wrong
     */
    public Settings read() {
        return text().map(text -> Settings.of(path.toString(), SettingsText.of(path.toString(), text)))
                .orElse(Settings.NONE);
    }

    private Optional<String> text() {
        try {
            int owner = ownUid();
            requireOwn(path.getParent(), owner, STICKY);
            requireOwn(path, owner, 0);
            byte[] bytes = GivenFile.read(path, MAX_BYTES);
            if (bytes.length > MAX_BYTES) {
                throw new CliException(path + " is larger than " + MAX_BYTES + " bytes");
            }
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (CharacterCodingException e) {
            throw new CliException(path + " is not text in UTF-8", e);
        } catch (IOException e) {
            throw new CliException("can't read " + path + ": " + FileTrouble.reason(e), e);
        }
    }

    private static int ownUid() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /** @param harmless bits of the mode with which it counts for nothing that others can write */
    private static void requireOwn(Path file, int owner, int harmless) throws IOException {
        Map<String, Object> found = Files.readAttributes(file, "unix:uid,mode");
        int uid = (Integer) found.get("uid");
        int mode = (Integer) found.get("mode");
        if (uid != owner && uid != 0) {
            throw new CliException(file + " belongs to another user, who could choose the CE that your credentials go"
                    + " to: make your own");
        }
        if ((mode & OTHERS_WRITE) != 0 && (mode & harmless) == 0) {
            throw new CliException(
                    file + " can be written by other users, who could choose the CE that your credentials"
                            + " go to: chmod go-w " + file);
        }
    }

    /**
     * Changes one key and leaves all else as it is. Made for this user alone when it is new.
     *
     * @param value null to take the key out
     * @return whether anything changed
     * @throws IllegalArgumentException for a key or value that can't be
     * @throws CliException when the file can't be read or written
     */
    public boolean set(String key, String value) {
        if (value != null) {
            Settings.checkNew(key, value);
            if (value.chars().anyMatch(c -> c == '"' || c == '\\' || Character.isISOControl(c))) {
                throw new IllegalArgumentException("'" + Printable.line(value) + "' can't be a value");
            }
        }
        String old = text().orElse("");
        SettingsText read = SettingsText.of(path.toString(), old);
        if (value == null && !read.entries().containsKey(key)) {
            return false;
        }
        String changed = read.with(old, key, value);
        // A change that makes the file one that is refused is none.
        Settings.of("with this " + path, SettingsText.of("with this " + path, changed));
        if (changed.equals(old)) {
            return false;
        }
        write(changed);
        return true;
    }

    private void write(String text) {
        Path target = path;
        try {
            Files.createDirectories(
                    path.getParent(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            // A link of the user's, to a file that is kept elsewhere, remains one.
            target = Files.exists(path) ? path.toRealPath() : path;
            Path part = Files.createTempFile(target.getParent(), ".ce", ".conf");
            try {
                Files.writeString(part, text);
                Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw new CliException("can't write " + target + ": " + FileTrouble.reason(e), e);
        }
    }
}
