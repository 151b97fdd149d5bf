package org.gelato.ce.cli.description;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignDescriptionTest {
    private static String advice(String file, String text) {
        return ForeignDescription.advice(file, file, text).orElse("");
    }

    @Test
    void aSubmitDescriptionOfHtcondor() {
        assertThat(advice("job.sub", """
                        # comment
                        Universe = vanilla
                        executable = work.sh
                        arguments  = -n 3 "it's me" \\
                                     $(Process)
                        request_cpus = 4
                        request_memory = 2 GB
                        +MaxRuntime = 3600
                        environment = "A=1 B=2"
                        transfer_input_files = data.txt, more.txt
                        transfer_output_files = result
                        output = out.$(Process)
                        error = err.txt
                        queue 10
                        """))
                .isEqualTo(
                        "job.sub: this is a submit description of HTCondor, and ce submit takes JDL, ADL and xRSL; the"
                                + " nearest here is: ce run --cores 4 --memory 2G --time 3600s --env A=1 --env B=2 --input data.txt"
                                + " --input more.txt --output result -- ./work.sh -n 3 'it'\\''s me' '$(Process)'"
                                + " > 'out.$(Process)' 2> err.txt (without 'queue 10': call it once for each job, universe, macros,"
                                + " $(...): write their values)");
    }

    @Test
    void aScriptForSbatch() {
        assertThat(advice("job.sh", """
                        #!/bin/bash
                        #SBATCH --job-name=test -p long
                        #SBATCH -c4
                        #SBATCH --mem=4G
                        #SBATCH -t 1-02:30
                        #SBATCH -o out.txt
                        #SBATCH --error=out.txt
                        #SBATCH --gres gpu:1
                        srun ./x
                        """))
                .isEqualTo(
                        "job.sh: this is a script for sbatch, and ce submit takes JDL, ADL and xRSL; the nearest here is:"
                                + " ce run --cores 4 --memory 4G --time 1590m -r cream-LRMS-long -- ./job.sh > out.txt 2>&1"
                                + " (without --job-name, --gres)");
    }

    @Test
    void aScriptForQsub() {
        assertThat(advice("/home/me/job.pbs", "#!/bin/sh\n#PBS -q short\n#PBS -l walltime=1:00:00\ndate\n"))
                .endsWith("a script for qsub, and ce submit takes JDL, ADL and xRSL; the nearest here is: ce run -r"
                        + " cream-LRMS-short -- /home/me/job.pbs (without -l)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[Executable = \"/bin/true\";]",
                "Executable = \"/bin/true\";\nQueueName = \"a\";",
                "[\nexecutable = \"a\";\n// queue\nArguments = \"\nqueue\n\";]",
                "&(executable=a)(queue=b)",
                "<ActivityDescription/>",
                "#!/bin/sh\necho '[Executable'",
                ""
            })
    void whatMayBeOneForACeIsNot(String text) {
        assertThat(advice("a", text)).isEmpty();
    }

    /** The text is another's and the line is for a shell. */
    @Test
    void nothingOfTheTextIsReadByTheShellThatTheLineIsPastedInto() {
        assertThat(advice("x", "executable = a;rm -rf b\narguments = $(id) `id` \u001b[2J'\nqueue\n"))
                .contains("-- './a;rm -rf b' '$(id)' '`id`' '?[2J'\\''' (without");
    }
}
