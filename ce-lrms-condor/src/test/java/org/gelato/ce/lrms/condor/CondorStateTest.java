package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;

/** States as HTCondor 23.9.6 shows them. */
class CondorStateTest {
    private static final String ID = "83.4#" + Ads.ROUND;

    private static LrmsJob of(String attributes) {
        return CondorState.of(Ads.of(attributes));
    }

    /** The recorded jobs by what they were called. */
    private static Map<String, LrmsJob> recorded() {
        Map<String, LrmsJob> jobs = new HashMap<>();
        Ads.recorded("zoo-states.txt").lines().forEach(line -> {
            String name = line.replaceFirst("GelatoJob = \"([a-z0-9]+)\".*", "$1");
            jobs.put(name, of(line + " LastRemoteHost = \"slot1_2@wn7\" RemoteHost = \"slot1_3@wn8\""));
        });
        return jobs;
    }

    /** SYSTEM_PERIODIC_RELEASE of a site lets such jobs go, and they run. */
    @Test
    void whatIsHeldBeforeItRanIsHeldForWhateverReasonUntilItIsRemoved() {
        LrmsJob noexe = recorded().get("noexe");
        assertThat(noexe.state()).isEqualTo(State.HELD);
        assertThat(noexe.isInQueue()).isTrue();
        assertThat(noexe.reason())
                .isEqualTo(
                        "Error from slot1_4@vm.local: Failed to execute '/no/such/prog': (errno=2: 'No such file or directory')"
                                + " (hold code 6)");
        for (int code : new int[] {6, 7, 8, 12, 13, 14, 34, 46, 47}) {
            assertThat(of("JobStatus = 5 NumJobStarts = 0 HoldReasonCode = " + code)
                            .state())
                    .isEqualTo(State.HELD);
            assertThat(of("JobStatus = 3 LastJobStatus = 5 HoldReasonCode = " + code
                            + " RemoveReason = \"The job attribute PeriodicRemove expression 'x' evaluated to TRUE\""))
                    .as("by our policy")
                    .returns(State.FAILED, LrmsJob::state)
                    .satisfies(job -> assertThat(job.reason()).isNotEmpty());
        }
    }

    @Test
    void whatHTCondorHoldsAtTheEndOfItsRunHasFailed() {
        for (int code : new int[] {6, 7, 8, 12, 13, 14, 34, 46, 47}) {
            assertThat(of("JobStatus = 5 NumJobStarts = 1 ExitCode = 0 HoldReasonCode = " + code))
                    .returns(State.FAILED, LrmsJob::state)
                    .returns(null, LrmsJob::exitCode);
        }
        assertThat(of("JobStatus = 5 NumJobStarts = 1 HoldReasonCode = 34 MemoryProvisioned = 128")
                        .reason())
                .isEqualTo("out of memory (limit 128 MiB)");
        assertThat(of("JobStatus = 5 NumJobStarts = 1 HoldReasonCode = 46 HoldReason = \"too long\"")
                        .reason())
                .isEqualTo("too long (hold code 46)");
        assertThat(
                        of("JobStatus = 5 NumJobStarts = 1 HoldReasonCode = 3 HoldReasonSubCode = 4101 HoldReason = \"CPU time\"")
                                .state())
                .isEqualTo(State.FAILED);
    }

    @Test
    void whatSomebodyHoldsBeforeItRunsIsHeldAndNotOnANode() {
        LrmsJob held = recorded().get("holdrun");
        assertThat(held.state()).isEqualTo(State.HELD);
        assertThat(held.reason()).isEqualTo("by hand (by user bob) (hold code 1)");
        assertThat(held.isInQueue()).isTrue();
        assertThat(of("JobStatus = 5 HoldReasonCode = 1 HoldReason = \"why\" NumJobStarts = 1"))
                .as("HTCondor ended its run")
                .returns(State.DONE, LrmsJob::state)
                .returns("why (hold code 1)", LrmsJob::reason);
        for (int code : new int[] {1, 3, 15, 16, 26}) {
            assertThat(of("JobStatus = 5 HoldReasonCode = " + code).state()).isEqualTo(State.HELD);
        }
        assertThat(of("JobStatus = 5").state()).isEqualTo(State.HELD);
    }

    @Test
    void endsHaveExitCodesSignalsOrReasons() {
        assertThat(of("JobStatus = 4 ExitBySignal = false ExitCode = 3").exitCode())
                .isEqualTo(3);
        assertThat(of("JobStatus = 4 ExitBySignal = true ExitSignal = 9").exitCode())
                .isEqualTo(137);
        assertThat(of("JobStatus = 4").exitCode()).isNull();
        Map<String, LrmsJob> jobs = recorded();
        assertThat(jobs.get("exect").exitCode()).isZero();
        assertThat(jobs.get("rmidle").state()).isEqualTo(State.CANCELLED);
        assertThat(jobs.get("rmidle").reason()).isEqualTo("via condor_rm (by user bob)");
        assertThat(jobs.get("sig9b").state()).isEqualTo(State.CANCELLED);
        assertThat(jobs.get("perrm").state()).isEqualTo(State.FAILED);
        assertThat(jobs.get("perrm").reason()).contains("PeriodicRemove");
        assertThat(of("JobStatus = 3 RemoveReason = \"via condor_rm (by user x)\" EnteredCurrentStatus = 1795688206")
                        .endedAt())
                .isEqualTo(Instant.ofEpochSecond(1795688206));
    }

    @Test
    void whatIsRemovedAfterItsEndKeepsIt() {
        String removed = "JobStatus = 3 RemoveReason = \"via condor_rm (by user bob)\" ";
        assertThat(of(removed + "LastJobStatus = 4 ExitBySignal = false ExitCode = 3"))
                .returns(State.DONE, LrmsJob::state)
                .returns(3, LrmsJob::exitCode);
        String held = removed + "LastJobStatus = 5 LastHoldReasonCode = %d LastHoldReason = \"why\" NumJobStarts = %d";
        assertThat(of(held.formatted(6, 1)))
                .returns(State.FAILED, LrmsJob::state)
                .returns("why (hold code 6)", LrmsJob::reason);
        assertThat(of(held.formatted(6, 1) + " EnteredCurrentStatus = 1795688206")
                        .endedAt())
                .as("that is when it was removed")
                .isNull();
        assertThat(of(removed + "LastJobStatus = 2 EnteredCurrentStatus = 1795688206")
                        .endedAt())
                .isNotNull();
        for (int code : new int[] {1, 6}) {
            assertThat(of(held.formatted(code, 0)).state())
                    .as("it might have run yet")
                    .isEqualTo(State.CANCELLED);
        }
    }

    @Test
    void aRemovalWithAReasonIsOneByWhoGaveIt() {
        assertThat(of("JobStatus = 3 LastJobStatus = 1 RemoveReason = \"drain for maintenance (by user condor)\""))
                .returns(State.CANCELLED, LrmsJob::state)
                .returns("drain for maintenance (by user condor)", LrmsJob::whyCancelled);
        assertThat(of("JobStatus = 3 LastJobStatus = 1 RemoveReason = \"site policy: waited for a week\"")
                        .state())
                .as("SYSTEM_PERIODIC_REMOVE_REASON")
                .isEqualTo(State.FAILED);
    }

    @Test
    void whatRanAndWaitsAgainHasEndedItsWrapperKnowsHow() {
        assertThat(of("JobStatus = 1 NumJobStarts = 0").state()).isEqualTo(State.QUEUED);
        LrmsJob evicted = of("JobStatus = 1 NumJobStarts = 1 LastRemoteHost = \"slot1@wn1\"");
        assertThat(evicted.state()).isEqualTo(State.DONE);
        assertThat(evicted.exitCode()).isNull();
        assertThat(evicted.reason()).contains("evicted");
        assertThat(evicted.workerNode()).isEqualTo("wn1");
        assertThat(of("JobStatus = 3 LastJobStatus = 1 NumJobStarts = 1 RemoveReason = \"via condor_rm (by user x)\""))
                .as("the CE removed it")
                .returns(State.DONE, LrmsJob::state);
    }

    @Test
    void aRunningOrSuspendedJobHasItsNode() {
        assertThat(of("JobStatus = 2 RemoteHost = \"slot1_1@wn1\"")).returns("wn1", LrmsJob::workerNode);
        assertThat(of("JobStatus = 6 LastRemoteHost = \"slot1_1@wn1\"")).returns(State.RUNNING, LrmsJob::state);
        LrmsJob suspended = of("JobStatus = 7");
        assertThat(suspended.state()).isEqualTo(State.HELD);
        assertThat(suspended.isInQueue()).as("it keeps its node").isFalse();
    }

    @Test
    void usageIsTheEndedJobs() {
        LrmsJob done = of(Ads.recorded("condor_q-l-done-exit3.txt")
                + " JobStatus = 4 CumulativeRemoteUserCpu = 12.5 CumulativeRemoteSysCpu = 2.0 RemoteWallClockTime = 3600.0"
                + " CpusProvisioned = 4 ResidentSetSize_RAW = 4556");
        assertThat(done.workerNode()).isEqualTo("vm.local");
        assertThat(done.usage().wall()).isEqualTo(Duration.ofHours(1));
        assertThat(done.usage().cpu()).isEqualTo(Duration.ofMillis(14_500));
        assertThat(done.usage().cores()).isEqualTo(4);
        assertThat(done.usage().peakMemoryKib()).isEqualTo(4556);
        assertThat(of("JobStatus = 2 RemoteHost = \"a@b\" RemoteWallClockTime = 3.0")
                        .usage())
                .isNull();
    }

    /** The schedd has not yet taken the job from its node, so that its times are not added up. */
    @Test
    void whatHasJustEndedHasItsNodeAndNoUsageYet() {
        String times = " RemoteHost = \"slot1_1@wn1\" RemoteWallClockTime = 0.0 CpusProvisioned = 1";
        assertThat(of("JobStatus = 4 ExitBySignal = false ExitCode = 3" + times))
                .returns("wn1", LrmsJob::workerNode)
                .returns(3, LrmsJob::exitCode)
                .returns(null, LrmsJob::usage);
        assertThat(of("JobStatus = 3 RemoveReason = \"via condor_rm (by user x)\"" + times))
                .returns("wn1", LrmsJob::workerNode)
                .returns(null, LrmsJob::usage);
    }

    @Test
    void whatHasNoIdOrNoStateIsNoJob() {
        assertThat(of("JobStatus = 9")).isNull();
        assertThat(of("JobStatus = \"4\"").state()).isEqualTo(State.DONE);
        assertThat(of("JobStatus = 4 GelatoRound = \"x\"")).isNull();
        assertThat(of("JobStatus = 4 GelatoRound = undefined")).isNull();
        assertThat(of("JobStatus = 4 ClusterId = -1")).isNull();
        assertThat(of("JobStatus = 4 RemoteWallClockTime = 1e99 CpusProvisioned = 99999999999")
                        .state())
                .isEqualTo(State.DONE);
    }

    @Property
    void noAttributeOfAUserMakesTheListingFail(@ForAll String text, @ForAll int number) {
        String quoted = '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
        String id = of("JobStatus = 5 HoldReasonCode = " + number + " HoldReason = " + quoted
                        + " RemoteWallClockTime = " + quoted)
                .lrmsId();
        assertThat(id).isEqualTo(ID);
    }
}
