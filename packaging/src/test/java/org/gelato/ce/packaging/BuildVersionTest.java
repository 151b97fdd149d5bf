package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The version that dev/version makes of tag and commit. */
class BuildVersionTest {
    private static final Path ROOT = Path.of("..");

    @TempDir
    private Path directory;

    private Path tree;

    @BeforeEach
    void prepare() throws IOException {
        tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("dev"));
        for (String file : List.of("dev/version", "dev/commit", ".gitattributes")) {
            Files.copy(
                    ROOT.resolve(file),
                    tree.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.writeString(
                tree.resolve("pom.xml"),
                "<project>\n  <version>1.2.0-rc1</version>\n"
                        + "  <project.build.outputTimestamp>2026-11-20T00:00:00Z</project.build.outputTimestamp>\n</project>\n");
    }

    private String run(Path where, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("HOME", directory.toString());
        // Half past eleven in the evening, UTC: the day of the commit is no matter of the machine's time zone.
        builder.environment().put("GIT_AUTHOR_DATE", "2026-11-27T01:30:00+02:00");
        builder.environment().put("GIT_COMMITTER_DATE", "2026-11-27T01:30:00+02:00");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    private String git(String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("git", "-c", "user.name=nobody", "-c", "user.email=nobody@localhost"));
        command.addAll(List.of(words));
        return run(tree, command.toArray(String[]::new));
    }

    private String commit() throws IOException, InterruptedException {
        git("init", "-q");
        git("add", "-A");
        git("commit", "-q", "-m", "one");
        return git("rev-parse", "HEAD").substring(0, 7);
    }

    private String version(Path where) throws IOException, InterruptedException {
        return run(where, where.resolve("dev/version").toString());
    }

    @Test
    void aCommitHasItsTimeAndItsNameAndATagTheVersionAlone() throws Exception {
        String name = commit();
        assertThat(version(tree)).isEqualTo("1.2.0~rc1~git20261126.233000." + name);
        assertThat(run(tree, tree.resolve("dev/version").toString(), "--time")).isEqualTo("1795735800");
        Files.writeString(tree.resolve("pom.xml"), "changed\n", java.nio.file.StandardOpenOption.APPEND);
        assertThat(version(tree)).isEqualTo("1.2.0~rc1~git20261126.233000." + name + ".modified");
        git("checkout", "-q", "pom.xml");
        git("tag", "v1.2.0-rc1");
        git("tag", "another");
        assertThat(version(tree)).isEqualTo("1.2.0~rc1");
    }

    @Test
    void aShallowCloneWithoutTagsAndAnArchiveOfGitKnowTheCommit() throws Exception {
        String name = commit();
        git("tag", "v1.2.0-rc1");
        Path shallow = directory.resolve("shallow");
        git("clone", "-q", "--depth=1", "--no-tags", "file://" + tree, shallow.toString());
        assertThat(version(shallow)).isEqualTo("1.2.0~rc1~git20261126.233000." + name);
        Path unpacked = Files.createDirectories(shallow.resolve("unpacked-in-another-clone"));
        git("archive", "-o", directory.resolve("a.tar").toString(), "HEAD");
        run(unpacked, "tar", "-xf", directory.resolve("a.tar").toString());
        assertThat(version(unpacked)).isEqualTo("1.2.0~rc1");
        assertThat(run(unpacked, unpacked.resolve("dev/version").toString(), "--time"))
                .isEqualTo("1795735800");
    }

    /** As where root builds packages from a user's clone. */
    @Test
    @EnabledIfSystemProperty(named = "user.name", matches = "root")
    void anotherAccountsCloneHasItsVersion() throws Exception {
        String name = commit();
        run(directory, "chown", "-R", "nobody", tree.toString());
        assertThat(version(tree)).isEqualTo("1.2.0~rc1~git20261126.233000." + name);
    }

    @Test
    void filesWithoutHistoryDoNotPassForARelease() throws Exception {
        assertThat(version(tree)).isEqualTo("1.2.0~rc1~unknown");
        assertThat(run(tree, tree.resolve("dev/version").toString(), "--time")).isEqualTo("1795132800");
    }

    @Test
    void theChangelogBeginsWithThePomsVersion() throws IOException {
        Matcher pom =
                Pattern.compile("(?m)^  <version>(.*)</version>$").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(pom.find()).isTrue();
        assertThat(Files.readAllLines(ROOT.resolve("CHANGELOG.md")))
                .filteredOn(line -> line.startsWith("## "))
                .first()
                .asString()
                .matches("## " + Pattern.quote(pom.group(1)) + " \\((unreleased|[0-9]{4}-[0-9]{2}-[0-9]{2})\\)");
    }
}
