package org.gelato.ce.lrms.slurm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.gelato.ce.core.lrms.Submission;

/**
 * The body of a hand-over by slurmrestd: what {@link SbatchCommand} gives as options, in the fields of an API version. Up to
 * version 38 the script stands beside the job, later within it. An unknown field would make slurmrestd refuse the job. Pure.
 */
final class RestJob {
    /** The first version whose jobs contain their script. */
    private static final int SCRIPT_WITHIN = 39;
    /** The first version in which a generic resource is named like any trackable one, {@code gres/gpu}. */
    private static final int TRACKABLE = 40;

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
        for (String option : SbatchCommand.options(submission, config.nodeOutput())) {
            String[] parts = option.split("=", 2);
            field(job, parts[0], parts.length == 2 ? parts[1] : "", version);
        }
        ObjectNode environment = job.putObject("environment");
        config.site()
                .jobEnvironment(submission, SbatchCommand.home(submission, config))
                .forEach(environment::put);
        submitterVariables(job, environment);
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        if (version >= SCRIPT_WITHIN) {
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
    private static void submitterVariables(ObjectNode job, ObjectNode environment) {
        environment.put("SLURM_UMASK", "0077");
        environment.put("SLURM_SUBMIT_DIR", job.get("current_working_directory").asText());
        if (job.has("tasks_per_node")) {
            environment.put("SLURM_NTASKS_PER_NODE", job.get("tasks_per_node").asText());
        }
    }

    private static void field(ObjectNode job, String option, String value, int version) {
        switch (option) {
            case "--job-name" -> job.put("name", value);
            case "--comment" -> job.put("comment", value);
            case "--partition" -> job.put("partition", value);
            case "--chdir" -> job.put("current_working_directory", value);
            case "--output" -> job.put("standard_output", value);
            case "--error" -> job.put("standard_error", value);
            // up to version 38 "requeue" is taken and has no effect
            case "--no-requeue" ->
                job.put(version >= SCRIPT_WITHIN ? "requeue" : "no_requeue", version < SCRIPT_WITHIN);
            case "--nodes" -> job.put("nodes", value);
            case "--ntasks" -> job.put("tasks", Integer.parseInt(value));
            case "--ntasks-per-node" -> job.put("tasks_per_node", Integer.parseInt(value));
            case "--mincpus" -> job.put("minimum_cpus_per_node", Integer.parseInt(value));
            case "--time" -> job.put("time_limit", Long.parseLong(value));
            case "--mem-per-cpu" -> job.put("memory_per_cpu", Long.parseLong(value.replace("M", "")));
            case "--mem" -> job.put("memory_per_node", Long.parseLong(value.replace("M", "")));
            case "--nice" -> job.put("nice", Integer.parseInt(value));
            case "--exclusive" -> exclusive(job, version);
            case "--gres" -> gres(job, value, version);
            default -> throw new IllegalStateException("no field of slurmrestd for " + option);
        }
    }

    private static void exclusive(ObjectNode job, int version) {
        if (version >= SCRIPT_WITHIN) {
            job.putArray("shared").add("none");
        } else {
            job.put("exclusive", "exclusive");
        }
    }

    private static void gres(ObjectNode job, String value, int version) {
        if (version < SCRIPT_WITHIN) {
            job.put("gres", value);
        } else if (version < TRACKABLE) {
            job.put("tres_per_node", value.replaceAll("(^|,)", "$1gres:"));
        } else {
            job.put("tres_per_node", value.replaceAll("(^|,)", "$1gres/"));
        }
    }
}
