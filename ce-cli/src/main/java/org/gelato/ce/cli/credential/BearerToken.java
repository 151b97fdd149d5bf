package org.gelato.ce.cli.credential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;
import org.gelato.ce.cli.terminal.GivenFile;

/**
 * The user's bearer token, where the WLCG's rules of discovery look for it. The first place that has one counts, also when what
 * is there can't be used. The token is never shown.
 *
 * @param text the token
 * @param source where it was found, for messages
 */
public record BearerToken(String text, String source) {
    private static final int MAX_BYTES = 16 * 1024;
    /** RFC 6750 section 2.1; possessive, as the text may be long. */
    private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9._~+/-]++=*+");

    /**
     * Looks at {@code BEARER_TOKEN}, the file {@code BEARER_TOKEN_FILE}, {@code $XDG_RUNTIME_DIR/bt_u<uid>}, and
     * {@code /tmp/bt_u<uid>}.
     *
     * @return empty when there is none
     * @throws CliException when what is there is no token, naming the place
     */
    public static Optional<BearerToken> find(Map<String, String> environment) {
        return find(environment, Path.of("/tmp"), UserProxy.uid());
    }

    static Optional<BearerToken> find(Map<String, String> environment, Path temporary, Object uid) {
        String given = environment.get("BEARER_TOKEN");
        if (given != null && !given.isEmpty()) {
            return Optional.of(token(given, "BEARER_TOKEN"));
        }
        String file = environment.get("BEARER_TOKEN_FILE");
        if (file != null && !file.isEmpty()) {
            return Optional.of(read(Path.of(file))
                    .orElseThrow(() -> new CliException("no token: BEARER_TOKEN_FILE names " + file
                            + ", which does not exist; unset it or get a token")));
        }
        String name = "bt_u" + uid;
        String runtime = environment.get("XDG_RUNTIME_DIR");
        Optional<BearerToken> found =
                runtime == null || runtime.isEmpty() ? Optional.empty() : read(Path.of(runtime, name));
        return found.isPresent() ? found : readOwn(temporary.resolve(name), uid);
    }

    /** In a directory for everybody a file may be somebody else's. */
    private static Optional<BearerToken> readOwn(Path file, Object uid) {
        try {
            Object owner = Files.getAttribute(file, "unix:uid");
            if (!owner.toString().equals(uid.toString())) {
                throw new CliException("can't use the token in " + file + ": the file belongs to another user");
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new CliException("can't read the token in " + file + ": " + FileTrouble.reason(e), e);
        }
        return read(file);
    }

    private static Optional<BearerToken> read(Path file) {
        try {
            byte[] bytes = GivenFile.read(file, MAX_BYTES);
            return Optional.of(token(new String(bytes, StandardCharsets.ISO_8859_1), file.toString()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new CliException("can't read the token in " + file + ": " + FileTrouble.reason(e), e);
        }
    }

    /**
     * This token, for a call now. Its end is read where it is a JWT (RFC 7519 section 4.1.4); nothing else of it is judged here, as
     * that is the CE's part.
     *
     * @throws CliException when it has ended
     */
    public BearerToken valid(Instant now) {
        Optional<Instant> end = end();
        if (end.isPresent() && !end.get().isAfter(now)) {
            throw new CliException(
                    "the token of " + source + " ended at " + end.get() + ": get a new one from its issuer");
        }
        return this;
    }

    private Optional<Instant> end() {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            JsonNode exp = new ObjectMapper()
                    .readTree(Base64.getUrlDecoder().decode(parts[1]))
                    .path("exp");
            return exp.isNumber() ? Optional.of(Instant.ofEpochSecond(exp.longValue())) : Optional.empty();
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            // No JWT, or one that the CE will refuse with better words.
            return Optional.empty();
        }
    }

    private static BearerToken token(String text, String source) {
        String token = text.strip();
        if (text.length() > MAX_BYTES || !SYNTAX.matcher(token).matches()) {
            throw new CliException("what is in " + source + " is no bearer token: "
                    + (token.isEmpty() ? "it is empty" : "it has characters that no token has, or is too long")
                    + "; get a new one, or remove it");
        }
        return new BearerToken(token, source);
    }

    @Override
    public String toString() {
        return "BearerToken[" + source + "]";
    }
}
