package org.gelato.ce.ws.glue2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.testkit.glue.LdifEntry;
import org.gelato.ce.testkit.glue.LdifReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LdifTest {
    @TempDir
    private Path directory;

    private static LdifEntry written(String value) {
        List<LdifEntry> read = LdifReader.read(Ldif.of(
                new Entity.Builder(Kind.COMPUTING_MANAGER, "urn:x")
                        .with("ProductName", "a")
                        .with("ProductVersion", value)
                        .build(),
                SampleCe.NOW));
        assertThat(read).hasSize(1);
        return read.get(0);
    }

    /** What the strict reader takes is one entry with that value, whatever it is. */
    @Property
    void anyValueIsOneValueOfOneEntry(@ForAll String value) {
        LdifEntry entry = written(value);
        String read = entry.one("GLUE2ManagerProductVersion");
        assertThat(entry.values()).containsKeys("GLUE2ManagerProductName", "GLUE2ManagerID");
        if (read != null) {
            assertThat(read.codePointCount(0, read.length())).isLessThanOrEqualTo(4096);
            assertThat(read.codePoints().noneMatch(Character::isISOControl)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "a: b",
                ":colon",
                "<file:///etc/passwd",
                "x dn : y",
                "\u00fc\ud83d\ude00",
                "# no comment",
                "a  b",
                "long text of more than a line, which is folded at a blank or anywhere else; it comes back as it was written"
            })
    void aValueOfPrintableCharactersComesBack(String value) {
        assertThat(written(value).one("GLUE2ManagerProductVersion")).isEqualTo(value);
    }

    @Test
    void linesAreFoldedAt76Characters() {
        String ldif = new SampleCe().ldif();
        assertThat(ldif.lines())
                .anyMatch(line -> line.startsWith(" "))
                .allMatch(line -> line.length() <= 76)
                .anyMatch(line -> line.length() == 76);
    }

    @Test
    void controlCharactersBecomeBlanksAndNothingIsLeftOfBlanks() {
        assertThat(written("a\nb\u0000c\u2028d\ud800e\u202ef").one("GLUE2ManagerProductVersion"))
                .isEqualTo("a b c d e f");
        assertThat(written(" \n\t").one("GLUE2ManagerProductVersion")).isNull();
    }

    /** A host of this name would else end the entries of the whole site in the BDII above. */
    @Test
    void noValueBeginsAnEntry() {
        assertThat(written("https://ce.cdn:8443/arex DN:x").one("GLUE2ManagerProductVersion"))
                .isEqualTo("https://ce.cdn.:8443/arex DN.:x");
    }

    @Test
    void aFileIsReplacedAsAWholeForEverybodyToRead() throws Exception {
        SampleCe ce = new SampleCe();
        Path file = directory.resolve("glue2.ldif");
        Files.writeString(file, "old");
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        Clock clock = Clock.fixed(SampleCe.NOW, ZoneOffset.UTC);

        new Glue2Publisher(ce.model(), file, clock).write();

        assertThat(Files.readString(file)).isEqualTo(ce.ldif());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aFileThatCannotBeWrittenStaysAndEndsNothing() throws Exception {
        Path file = Files.createDirectory(directory.resolve("glue2.ldif"));
        Files.writeString(file.resolve("x"), "x");
        Glue2Publisher publisher =
                new Glue2Publisher(new SampleCe().model(), file, Clock.fixed(SampleCe.NOW, ZoneOffset.UTC));
        publisher.write();
        publisher.write();
        assertThat(file.resolve("x")).exists();
    }
}
