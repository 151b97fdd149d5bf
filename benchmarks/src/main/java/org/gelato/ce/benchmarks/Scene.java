package org.gelato.ce.benchmarks;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.description.jdl.Jdl;

/** The jobs that are measured, and their owner: the same in every benchmark. */
final class Scene {
    /** Name of the batch system, which responds at once. */
    static final String LRMS = "bench";

    static final String QUEUE = "long";
    static final String ACCOUNT = "dteam001";
    static final String DELEGATION = "d1";
    static final String FQAN = "/dteam/Role=production";
    static final String VO = "dteam";

    /** A description as pilots and workload managers send them. */
    static final String JDL = """
            [
              Type = "Job"; JobType = "Normal";
              Executable = "/bin/sh"; Arguments = "run.sh --events 1000 'two words' --seed 42";
              StdOutput = "job.out"; StdError = "job.err";
              OutputSandbox = { "job.out", "job.err", "result.root" };
              OutputSandboxBaseDestUri = "gsiftp://localhost";
              Environment = { "EXPERIMENT=dteam", "SITE=GELATO-TEST", "SCRATCH=/var/tmp", "LEVEL=3" };
              CpuNumber = 1; SMPGranularity = 1; WholeNodes = false;
              CERequirements = "other.GlueHostMainMemoryRAMSize >= 2048 && other.GlueCEPolicyMaxWallClockTime >= 60";
              BatchSystem = "bench"; QueueName = "long";
            ]
            """;

    private Scene() {}

    /** The owner of the jobs that are requested. */
    static Caller caller() {
        return caller("Jane Doe");
    }

    static Caller caller(String name) {
        return new Caller(
                new GridIdentity(
                        "CN=" + name + ",O=People,DC=gelato,DC=test",
                        List.of(FQAN, "/dteam"),
                        VO,
                        false,
                        Instant.now().plusSeconds(86_400),
                        List.of()),
                ACCOUNT,
                false);
    }

    /** A job that is registered and not started. */
    static JobDescription description() {
        return new JobDescription("ref", Jdl.LANGUAGE, JDL, DELEGATION, null, null, false);
    }
}
