package org.gelato.ce.lrms.slurm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.gelato.ce.core.lrms.Submission;

/**
 * The body of a hand-over by slurmrestd: what sbatch has as options, in the fields of an API version. Up to version 38 the script
 * stands beside the job, later within it. Pure.
 */
final class RestJob {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RestJob() {}

    /**
     * @param version the last number of {@code v0.0.NN}
     * @throws IllegalArgumentException with a message for the user when Slurm can never take such a job
     */
    static byte[] of(Submission submission, SlurmConfig config, int version) {
        // sbatch would refuse it; slurmrestd lets the job fail on its node
        if (!submission.wrapper().startsWith("#!")) {
            throw new IllegalArgumentException("the batch script does not begin with #!");
        }
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        Map<SlurmOption, Object> options = SbatchCommand.options(submission, config.wrapperOutput());
        options.forEach((option, value) -> option.field(value, job, version));
        ObjectNode environment = job.putObject("environment");
        config.site()
                .jobEnvironment(submission, SbatchCommand.home(submission, config))
                .forEach(environment::put);
        submitterVariables(options, environment);
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        if (version >= SlurmOption.SCRIPT_WITHIN) {
            job.put("script", submission.wrapper());
        } else {
            all.put("script", submission.wrapper());
        }
        all.set("job", job);
        try {
            return JSON.writeValueAsBytes(all);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON cannot be written", e);
        }
    }

    /** What sbatch adds itself. The node takes the umask from its variable and removes that; files are the account's alone. */
    private static void submitterVariables(Map<SlurmOption, Object> options, ObjectNode environment) {
        environment.put("SLURM_UMASK", "0077");
        environment.put("SLURM_SUBMIT_DIR", options.get(SlurmOption.CHDIR).toString());
        if (options.get(SlurmOption.NTASKS_PER_NODE) instanceof Integer perNode) {
            environment.put("SLURM_NTASKS_PER_NODE", perNode.toString());
        }
    }
}
