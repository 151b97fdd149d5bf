package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.account.OtherSizeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that arrive in parts. */
class HelperUploadTest {
    @TempDir
    Path temporary;

    private RunningHelper helper;

    @BeforeEach
    void start() throws IOException {
        helper = new RunningHelper(temporary);
    }

    @AfterEach
    void stop() {
        helper.close();
    }

    private long append(Path file, long offset, String text) {
        return get(helper.commands.append(helper.account, file, offset, text.getBytes(StandardCharsets.UTF_8)));
    }

    private long wrongSize(Path file, long offset) {
        return ((OtherSizeException) failure(helper.commands.append(helper.account, file, offset, new byte[1]))).size();
    }

    @Test
    void aFileGrowsAtItsEndAloneAndIsFinishedUnderItsName() {
        Path part = helper.home.resolve("job/ISB.part/in put");
        Path file = helper.home.resolve("job/ISB/in put");
        assertThat(append(part, 0, "abc")).isEqualTo(3);
        assertThat(append(part, 3, "de")).isEqualTo(5);
        assertThat(wrongSize(part, 3)).isEqualTo(5);
        assertThat(wrongSize(part, 0)).isEqualTo(5);
        assertThat(wrongSize(helper.home.resolve("job/ISB.part/other"), 7)).isZero();
        OtherSizeException wrong = (OtherSizeException) failure(helper.commands.finish(helper.account, part, file, 4));
        assertThat(wrong.size()).isEqualTo(5);

        get(helper.commands.finish(helper.account, part, file, 5));

        assertThat(helper.text(file)).isEqualTo("abcde");
        assertThat(helper.run("stat -c %a 'job/ISB/in put'; ls job/ISB.part").stdout())
                .isEqualTo("600\n");
        assertThat(failure(helper.commands.finish(helper.account, part, file, 5))
                        .code())
                .isEqualTo(Code.NO_SUCH_FILE);
    }

    @Test
    void anEmptyFileAndTheLargestPart() {
        Path file = helper.home.resolve("empty");
        assertThat(get(helper.commands.append(helper.account, file, 0, new byte[0])))
                .isZero();
        assertThat(get(helper.commands.stat(helper.account, file)).size()).isZero();
        byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte) 7);
        assertThat(get(helper.commands.append(helper.account, file, 0, large))).isEqualTo(1 << 20);
        assertThat(failure(helper.commands.append(helper.account, file, 1 << 20, new byte[(1 << 20) + 1]))
                        .code())
                .isEqualTo(Code.REFUSED);
        assertThat(get(helper.commands.stat(helper.account, file)).size()).isEqualTo(1 << 20);
    }

    @Test
    void theVersionShowsEveryChange() throws IOException {
        Path file = helper.home.resolve("f");
        helper.put(file, "one");
        FileVersion first = get(helper.commands.stat(helper.account, file));
        assertThat(first.version()).matches("[0-9a-f.-]+");
        assertThat(get(helper.commands.stat(helper.account, file))).isEqualTo(first);
        assertThat(first.modified())
                .isEqualTo(Files.getLastModifiedTime(file).to(TimeUnit.SECONDS))
                .isPositive();
        helper.put(file, "two");
        assertThat(get(helper.commands.stat(helper.account, file)).version()).isNotEqualTo(first.version());
        assertThat(failure(helper.commands.stat(helper.account, helper.home.resolve("g")))
                        .code())
                .isEqualTo(Code.NO_SUCH_FILE);
    }

    @Test
    void linksPipesAndDirectoriesAreNeverWritten() {
        helper.run("mkdir real d; echo keep > real/target; ln -s real link; ln -s real/target file; mkfifo pipe");
        for (String name : List.of("link/x", "file", "../../../escape")) {
            assertThat(failure(helper.commands.append(helper.account, helper.home.resolve(name), 0, new byte[3]))
                            .code())
                    .as(name)
                    .isEqualTo(Code.REFUSED);
        }
        for (String name : List.of("pipe", "d")) {
            assertThat(failure(helper.commands.append(helper.account, helper.home.resolve(name), 0, new byte[3]))
                            .code())
                    .as(name)
                    .isEqualTo(Code.FAILED);
        }
        assertThat(failure(helper.commands.stat(helper.account, helper.home.resolve("file")))
                        .code())
                .isEqualTo(Code.REFUSED);
        assertThat(failure(helper.commands.finish(
                                helper.account, helper.home.resolve("file"), helper.home.resolve("z"), 5))
                        .code())
                .isEqualTo(Code.REFUSED);
        append(helper.home.resolve("part"), 0, "x");
        assertThat(failure(helper.commands.finish(
                                helper.account, helper.home.resolve("part"), helper.home.resolve("link/z"), 1))
                        .code())
                .isEqualTo(Code.REFUSED);
        assertThat(helper.run("cat real/target; ls real").stdout()).isEqualTo("keep\ntarget\n");
    }

    @Test
    void whatFindsNoRoomLeavesTheFileAsItWas() {
        // the limit on the size of files stands for a full disk: both end a write half-way
        helper.close();
        helper = RunningHelper.withFileLimit(temporary, 2);
        Path file = helper.home.resolve("f");
        append(file, 0, "x".repeat(1500));

        assertThat(failure(helper.commands.append(helper.account, file, 1500, new byte[1500])))
                .isInstanceOf(DiskFullException.class);

        assertThat(get(helper.commands.stat(helper.account, file)).size()).isEqualTo(1500);
        assertThat(append(file, 1500, "y".repeat(500))).isEqualTo(2000);
    }
}
