package org.gelato.ce.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoStorageTest {
    @TempDir
    Path temp;

    private int transfer(String from, String to) throws Exception {
        return new ProcessBuilder(temp.resolve("transfer").toString(), from, to)
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("said").toFile())
                .start()
                .waitFor();
    }

    @Test
    void aUrlStandsForAFileOfItsNameBothWays() throws Exception {
        Path storage = temp.resolve("user's storage");
        DemoHome.storage(storage, temp.resolve("transfer"));
        Path here = temp.resolve("in put.txt");
        assertThat(transfer("root://se.example.org//pool/hello.txt", here.toString()))
                .isZero();
        assertThat(here).content().startsWith("Hello");
        assertThat(transfer(here.toString(), "rucio://rucio.example.org/replicas/s/n.txt"))
                .isZero();
        assertThat(storage.resolve("n.txt")).hasSameTextualContentAs(here);
        assertThat(transfer("srm://se.example.org/none", here.toString())).isNotZero();
        assertThat(transfer("srm://se.example.org/../..", here.toString())).isNotZero();
    }
}
