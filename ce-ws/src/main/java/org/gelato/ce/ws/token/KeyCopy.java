package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An issuer's last fetched keys in a file, for a start while the issuer does not answer. Written whole or not at all. */
final class KeyCopy {
    private static final Logger log = LoggerFactory.getLogger(KeyCopy.class);
    private static final int MAX_BYTES = 1024 * 1024;

    /** Keys and when they were fetched. */
    record CachedKeys(KeySet keys, Instant fetched) {}

    private final Path file;
    private final String issuer;

    KeyCopy(Path directory, String issuer) {
        this.file = directory.resolve(Sha256.hex(issuer) + ".json");
        this.issuer = issuer;
    }

    /** Empty when there is none, or none that can be used, which is logged. */
    Optional<CachedKeys> read() {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException("too long");
            }
            JsonNode json = StrictJson.object(Files.readAllBytes(file));
            if (!issuer.equals(json.path("issuer").textValue())) {
                throw new IllegalArgumentException("of another issuer");
            }
            byte[] keys = Base64.getDecoder().decode(json.path("keys").asText());
            return Optional.of(new CachedKeys(
                    KeySet.parse(keys, issuer),
                    Instant.ofEpochSecond(json.path("fetched").asLong())));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            log.warn("the copy of the keys of {} in {} is not used: {}", issuer, file, e.getMessage());
            return Optional.empty();
        }
    }

    void write(byte[] keys, Instant fetched) {
        String text = "{\"issuer\":\"" + issuer + "\",\"fetched\":" + fetched.getEpochSecond() + ",\"keys\":\""
                + Base64.getEncoder().encodeToString(keys) + "\"}";
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel out = FileChannel.open(
                    fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            log.warn(
                    "the keys of {} can't be kept in {}, a start while the issuer does not answer will miss them: {}",
                    issuer,
                    file,
                    Messages.of(e));
        }
    }
}
