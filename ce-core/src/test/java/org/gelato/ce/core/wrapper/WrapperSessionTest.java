package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.gelato.ce.core.description.JobRequest;
import org.gelato.ce.core.description.WordBudget;
import org.gelato.ce.core.description.xrsl.Xrsl;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose description has a session directory in mind. */
class WrapperSessionTest {
    @TempDir
    Path directory;

    @Test
    void runsWithItsInputsAndKeepsItsOutputs() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.upload("run.sh", "#!/bin/bash\n./tool \"$@\"; echo kept > res\n");
        run.upload("tool", "#!/bin/bash\nprintf '[%s]' \"$A\" \"$@\"\n");
        JobRequest job = Xrsl.LANGUAGE.read(
                "&(executable=run.sh)(arguments=\"a b\" \"it's $HOME *\")(inputfiles=(run.sh \"\")(tool \"\"))(executables=tool)"
                        + "(stdout=out)(join=yes)(outputfiles=(\"/\" \"\"))(environment=(A \" x $y \"))"
                        + "(runtimeenvironment=ENV/PROXY)",
                new WordBudget());
        Ended ended = run.run(job);
        assertThat(run.output("out")).isEqualTo("[ x $y ][a b][it's $HOME *]");
        assertThat(run.output("res")).isEqualTo("kept\n");
        assertThat(ended.stderr()).isEqualTo("ENV/PROXY: the job has no proxy, X509_USER_PROXY is not set\n");
        assertThat(ended.status()).isZero();
    }
}
