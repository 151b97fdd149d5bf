package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.Tree;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.account.NotPlainFileException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies below a directory. */
class HelperTreeTest {
    @TempDir
    Path temporary;

    private RunningHelper helper;

    @BeforeEach
    void start() throws IOException {
        helper = new RunningHelper(temporary);
        get(helper.commands.makeDirectory(helper.account, helper.home));
    }

    @AfterEach
    void stop() {
        helper.close();
    }

    private Tree tree(String directory, int depth, int max) {
        return get(helper.commands.tree(helper.account, helper.home.resolve(directory), depth, max));
    }

    @Test
    void entriesHaveTheTimeOfTheirLastChange() {
        helper.run("mkdir s; touch -d @1700000000 s/f; touch -d @-5 s/old; mkdir s/d; touch -d @1600000000 s/d");
        assertThat(tree("s", 1, 100).entries())
                .containsExactlyInAnyOrder(
                        new TreeEntry("f", 0, 1_700_000_000),
                        new TreeEntry("old", 0, -5),
                        new TreeEntry("d", TreeEntry.DIRECTORY, 1_600_000_000));
    }

    @Test
    void filesAndDirectoriesAreListedToTheDepthThatIsWanted() {
        helper.run(
                "mkdir -p 's/a b/c' s/empty; printf xyz > 's/a b/c/f'; printf x > s/top; ln -s / s/link; mkfifo s/pipe");
        assertThat(tree("s", 16, 100).entries())
                .extracting(TreeEntry::path, TreeEntry::size)
                .containsExactlyInAnyOrder(
                        tuple("a b", TreeEntry.DIRECTORY),
                        tuple("a b/c", TreeEntry.DIRECTORY),
                        tuple("a b/c/f", 3L),
                        tuple("empty", TreeEntry.DIRECTORY),
                        tuple("top", 1L));
        assertThat(tree("s", 1, 100).entries())
                .extracting(TreeEntry::path)
                .containsExactlyInAnyOrder("a b", "empty", "top");
        assertThat(tree("s", 16, 5).cut()).isFalse();
        assertThat(tree("s", 16, 4).cut()).isTrue();
        assertThat(tree("s", 16, 4).entries()).hasSize(4);
    }

    @Test
    void whatIsNoDirectoryIsAbsentAndLinksAreRefused() {
        helper.run("mkdir -p s; echo x > s/file; ln -s /etc link; ln -s s inner");
        for (String absent : new String[] {"nosuch", "s/file", "s/file/below"}) {
            assertThat(failure(helper.commands.tree(helper.account, helper.home.resolve(absent), 1, 10))
                            .code())
                    .as(absent)
                    .isEqualTo(Code.NO_SUCH_FILE);
        }
        for (String link : new String[] {"link", "inner", "link/ssl"}) {
            assertThat(failure(helper.commands.tree(helper.account, helper.home.resolve(link), 1, 10))
                            .code())
                    .as(link)
                    .isEqualTo(Code.REFUSED);
        }
        assertThat(failure(helper.commands.tree(helper.account, helper.home, 17, 10))
                        .code())
                .isEqualTo(Code.REFUSED);
    }

    /** A directory of the same file system that root has bound there, as users do by FUSE: what is in it is not the tree's. */
    @Test
    void whatIsMountedInATreeIsNotRemovedWithIt() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can mount");
        helper.run("mkdir -p other s/a/mnt; echo kept > other/kept; echo x > s/a/f");
        Path mounted = helper.home.resolve("s/a/mnt");
        assumeTrue(
                exit("mount", "--bind", helper.home.resolve("other").toString(), mounted.toString()) == 0,
                "this host lets nobody mount");
        try {
            assertThat(failure(helper.commands.remove(helper.account, helper.home.resolve("s"))))
                    .hasMessageContaining("busy");
            assertThat(helper.home.resolve("other/kept")).hasContent("kept");
            assertThat(helper.home.resolve("s/a/f")).doesNotExist();
        } finally {
            assertThat(exit("umount", mounted.toString())).isZero();
        }
        get(helper.commands.remove(helper.account, helper.home.resolve("s")));
        assertThat(helper.home.resolve("s")).doesNotExist();
        assertThat(helper.home.resolve("other/kept")).hasContent("kept");
    }

    private static int exit(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    @Test
    void aTreeThatIsDeepAndWideIsCut() {
        helper.run("mkdir s; cd s; for i in {1..40}; do mkdir d && cd d; done");
        assertThat(tree("s", 16, 100).entries()).hasSize(16);
        helper.run("mkdir w; cd w; touch {1..10001}");
        Tree wide = tree("w", 16, 20_000);
        assertThat(wide.cut()).isTrue();
        assertThat(wide.entries()).hasSize(10_000);
    }

    @Test
    void aDirectoryHasNoVersionAndWhatLiesBelowAFileDoesNotExist() {
        helper.run("mkdir d; echo x > f");
        assertThat(failure(helper.commands.stat(helper.account, helper.home.resolve("d"))))
                .isInstanceOf(NotPlainFileException.class);
        assertThat(failure(helper.commands.stat(helper.account, helper.home.resolve("f/g")))
                        .code())
                .isEqualTo(Code.NO_SUCH_FILE);
    }
}
