package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.lrms.slurm.ScriptedDaemon.answer;
import static org.gelato.ce.lrms.slurm.ScriptedDaemon.recorded;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.SettingContract;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The adapter through slurmrestd, and when it goes by the commands. */
class SlurmRestTest {
    private static final SubmitResult BY_COMMAND = new SubmitResult.Accepted("17");

    /** Of 24.11.5. */
    private static final String COMPLETED =
            "{\"status\":[{\"error\":{\"string\":\"Job/step already completing or completed\","
                    + "\"code\":2021,\"message\":\"Job/step already completing or completed\"}}],\"errors\":[]}";

    private static SlurmLrms lrms(Api api, ScriptedDaemon daemon) {
        return new SlurmLrms(Records.with(SlurmConfig.DEFAULT, "api", api), daemon, Runnable::run);
    }

    private static SubmitResult submit(SlurmLrms lrms) {
        return lrms.submit(List.of(Submissions.plain())).get(0).join();
    }

    private static ScriptedDaemon failing(Code code) {
        return new ScriptedDaemon(
                38, call -> CompletableFuture.failedFuture(new AccountCommandException(code, "not sent")));
    }

    @ParameterizedTest
    @ValueSource(ints = {36, 38, 39, 41, 45})
    void theNewestVersionIsFoundOnceAndAJobIsOneRequest(int version) {
        ScriptedDaemon daemon = new ScriptedDaemon(version, call -> recorded("02-submit-full"));
        SlurmLrms lrms = lrms(Api.AUTO, daemon);
        assertThat(submit(lrms)).isEqualTo(new SubmitResult.Accepted("1"));
        int before = daemon.sent.size();
        assertThat(before).isEqualTo(SlurmRest.NEWEST - version + 1 + 1);
        assertThat(submit(lrms)).isEqualTo(new SubmitResult.Accepted("1"));
        assertThat(daemon.sent).hasSize(before + 1);
        assertThat(daemon.commands.calls).isEmpty();
        assertThat(lrms.fallbacks()).isZero();
        var call = daemon.sent.get(before);
        assertThat(call.method() + " " + call.target()).isEqualTo("POST /slurm/v0.0." + version + "/job/submit");
        assertThat(call.service()).isEqualTo("slurmrestd");
        assertThat(call.directory()).isEqualTo(Path.of("/sandboxes/vo/ab/00/00/CREAM000000042"));
        assertThat(call.timeout()).isEqualTo(SlurmConfig.DEFAULT.commands().timeout());
        assertThat(new String(call.body(), StandardCharsets.UTF_8)).contains("cream_000000042");
    }

    /** With slurmctld away a ping says 500 in a version that exists, and the job finds out what that means for it. */
    @Test
    void aVersionWhoseControllerIsAwayIsOne() {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> recorded("02-submit-full"));
        daemon.ping = () -> answer(500, "{\"errors\":[{\"error_number\":-1,\"error\":\"Unspecified error\"}]}");
        assertThat(submit(lrms(Api.REST, daemon))).isEqualTo(new SubmitResult.Accepted("1"));
    }

    @Test
    void whoeverMayNotPingMayNotSubmit() {
        ScriptedDaemon daemon = new ScriptedDaemon(42, call -> recorded("02-submit-full"));
        daemon.ping = () -> answer(401, "Authentication failure");
        assertThat(submit(lrms(Api.REST, daemon))).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(daemon.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"set.attributes.mail-type, true", "set.qos, false"})
    void furtherOptionsOfARouteGoByTheCommand(String key, boolean command) {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> recorded("02-submit-full"));
        SubmitResult result = lrms(Api.REST, daemon)
                .submit(List.of(SettingContract.job(key, "END")))
                .get(0)
                .join();
        assertThat(result).isEqualTo(command ? BY_COMMAND : new SubmitResult.Accepted("1"));
        assertThat(daemon.sent.isEmpty()).isEqualTo(command);
    }

    @Test
    void withCommandsItIsNeverUsed() {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> recorded("02-submit-full"));
        assertThat(submit(lrms(Api.COMMANDS, daemon))).isEqualTo(BY_COMMAND);
        assertThat(daemon.sent).isEmpty();
    }

    @Test
    void aVersionThatIsGoneIsSoughtAnewAndTheJobComesAgain() {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> recorded("02-submit-full"));
        SlurmLrms lrms = lrms(Api.REST, daemon);
        submit(lrms);
        daemon.version = 41;
        assertThat(submit(lrms)).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(submit(lrms)).isEqualTo(new SubmitResult.Accepted("1"));
        assertThat(daemon.requests()).last().asString().contains("v0.0.41");
    }

    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            names = {"REFUSED", "FAILED"})
    void whereThereIsNoDaemonAccountsGoByCommandsForAWhile(Code code) {
        ScriptedDaemon none = failing(code);
        SlurmLrms lrms = lrms(Api.AUTO, none);
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        int sent = none.sent.size();
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        assertThat(none.sent).as("not tried with each job").hasSize(sent);
        assertThat(lrms.fallbacks()).isEqualTo(2);
        assertThat(submit(lrms(Api.REST, failing(code)))).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(submit(lrms(Api.AUTO, new ScriptedDaemon(35, call -> null))))
                .as("no version that is known")
                .isEqualTo(BY_COMMAND);
    }

    @Test
    void oneThatIsBusyIsUsedForTheNextJob() {
        ScriptedDaemon daemon = failing(Code.BUSY);
        SlurmLrms lrms = lrms(Api.AUTO, daemon);
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        int sent = daemon.sent.size();
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        assertThat(daemon.sent).hasSize(sent + 1);
        assertThat(submit(lrms(Api.REST, failing(Code.BUSY)))).isInstanceOf(SubmitResult.Unavailable.class);
    }

    @Test
    void aJobItCannotReadGoesByTheCommandAndTheNextOneIsTried() {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> recorded("06-submit-unknown-key"));
        SlurmLrms lrms = lrms(Api.AUTO, daemon);
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        assertThat(daemon.requests()).hasSize(2);
        assertThat(submit(lrms(Api.REST, new ScriptedDaemon(38, call -> recorded("06-submit-unknown-key")))))
                .isInstanceOf(SubmitResult.Refused.class);
    }

    @Test
    void whatAPolicyDeniesIsNamedByTheCommandAndWaitsWithoutIt() {
        String denied =
                "{\"errors\":[{\"error_code\":2050,\"error\":\"Job violates accounting/QOS policy (job submit limit,"
                        + " user's size and/or time limits)\"}]}";
        assertThat(submit(lrms(Api.AUTO, new ScriptedDaemon(38, call -> answer(500, denied)))))
                .isEqualTo(BY_COMMAND);
        assertThat(submit(lrms(Api.REST, new ScriptedDaemon(38, call -> answer(500, denied)))))
                .isInstanceOfSatisfying(
                        SubmitResult.Unavailable.class,
                        u -> assertThat(u.scope()).isEqualTo(SubmitResult.Scope.ACCOUNT_IN_QUEUE));
    }

    /** As slurmrestd 22.05 says of a job that job_submit.lua refused. */
    @Test
    void whatIsRefusedWithoutAReasonIsTriedByTheCommandNext() {
        String refused = "{\"errors\":[{\"error_code\":-1,\"error\":\"Unspecified error\"}]}";
        SlurmLrms lrms = lrms(Api.AUTO, new ScriptedDaemon(38, call -> answer(500, refused)));
        assertThat(submit(lrms)).as("it may have become a job").isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        SlurmLrms alone = lrms(Api.REST, new ScriptedDaemon(38, call -> answer(500, refused)));
        assertThat(submit(alone)).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(alone.handOverTrouble()).as("one user's job").isEqualTo(Optional.empty());
    }

    @Test
    void anotherAccountsDaemonIsNotUsed() {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> recorded("28-other-uid-401"));
        SlurmLrms lrms = lrms(Api.AUTO, daemon);
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        submit(lrms);
        assertThat(daemon.requests()).hasSize(1);
    }

    @Test
    void whatMayHaveBecomeAJobIsNeverHandedOverByACommandToo() {
        for (CompletableFuture<HttpResponse> lost : List.of(
                answer(0, "the daemon closed the connection"),
                recorded("27-submit-controller-hung"),
                answer(200, "{}"),
                CompletableFuture.<HttpResponse>failedFuture(new ChannelLostException("the worker died")))) {
            ScriptedDaemon daemon = new ScriptedDaemon(38, call -> lost);
            assertThat(submit(lrms(Api.AUTO, daemon))).isInstanceOf(SubmitResult.Unclear.class);
            assertThat(daemon.commands.calls).isEmpty();
        }
        ScriptedDaemon down = new ScriptedDaemon(38, call -> recorded("25-submit-controller-down"));
        assertThat(submit(lrms(Api.AUTO, down))).isInstanceOf(SubmitResult.Unavailable.class);
        ScriptedDaemon missing = new ScriptedDaemon(38, call -> recorded("08-submit-unknown-partition"));
        assertThat(submit(lrms(Api.AUTO, missing)))
                .isEqualTo(new SubmitResult.Unavailable("Invalid partition name specified", SubmitResult.Scope.QUEUE));
        assertThat(down.commands.calls).isEmpty();
        assertThat(missing.commands.calls).isEmpty();
    }

    @Test
    void oneThatLosesThreeRequestsInARowIsLeftAlone() {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> answer(0, "closed"));
        SlurmLrms lrms = lrms(Api.AUTO, daemon);
        for (int i = 0; i < 3; i++) {
            assertThat(submit(lrms)).isInstanceOf(SubmitResult.Unclear.class);
        }
        assertThat(submit(lrms)).isEqualTo(BY_COMMAND);
        ScriptedDaemon hung = new ScriptedDaemon(38, call -> recorded("27-submit-controller-hung"));
        SlurmLrms patient = lrms(Api.AUTO, hung);
        for (int i = 0; i < 5; i++) {
            assertThat(submit(patient))
                    .as("it answers: the controller is to blame")
                    .isInstanceOf(SubmitResult.Unclear.class);
        }
    }

    /** As 24.11.5 and 26.05.5 have it: a cancel of another's job is refused after 20 s, and slurmctld hangs from then on. */
    @Test
    void anothersJobIsNotCancelledThroughANewDaemon() {
        ScriptedDaemon daemon =
                new ScriptedDaemon(42, call -> answer(200, "{\"jobs\":[{\"user_name\":\"dteam002\"}]}"));
        assertThat(lrms(Api.REST, daemon).cancel("dteam001", List.of("5")).join())
                .containsEntry("5", "Access/permission denied");
        assertThat(daemon.requests()).noneMatch(request -> request.startsWith("DELETE"));
    }

    /** Two names of one account, or one with its domain: scancel knows it by its number, and is refused where it is another's. */
    @Test
    void anAccountWithAnotherNameThereIsCancelledByTheCommand() {
        ScriptedDaemon daemon =
                new ScriptedDaemon(42, call -> answer(200, "{\"jobs\":[{\"user_name\":\"dteam001@site\"}]}"));
        lrms(Api.AUTO, daemon).cancel("dteam001", List.of("5")).join();
        assertThat(daemon.requests()).noneMatch(request -> request.startsWith("DELETE"));
        assertThat(daemon.commands.calls).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 42, 45})
    void anAccountsOwnJobsAreCancelledAndThoseThatHaveGoneAreCancelled(int version) {
        ScriptedDaemon daemon = new ScriptedDaemon(version, call -> {
            if (call.method().equals("DELETE")) {
                return answer(200, call.target().endsWith("/7") ? COMPLETED : "{\"status\":[],\"errors\":[]}");
            }
            return call.target().endsWith("/8")
                    ? answer(
                            500,
                            "{\"jobs\":[],\"errors\":[{\"error_number\":2017,\"error\":\"Invalid job id specified\"}]}")
                    : answer(200, "{\"jobs\":[{\"user_name\":\"dteam001\"}],\"errors\":[]}");
        });
        assertThat(lrms(Api.REST, daemon)
                        .cancel("dteam001", List.of("5", "7", "8"))
                        .join())
                .containsEntry("5", null)
                .containsEntry("7", null)
                .containsEntry("8", null);
        assertThat(daemon.requests()).filteredOn(r -> r.startsWith("DELETE")).hasSize(2);
    }

    @Test
    void aCancelThatANewDaemonRefusesIsRefused() {
        ScriptedDaemon daemon = new ScriptedDaemon(
                42,
                call -> call.method().equals("DELETE")
                        ? answer(
                                200,
                                COMPLETED
                                        .replace("2021", "2009")
                                        .replace("Job/step already completing or completed", "Job locked"))
                        : answer(200, "{\"jobs\":[{\"user_name\":\"dteam001\"}],\"errors\":[]}"));
        assertThat(lrms(Api.REST, daemon).cancel("dteam001", List.of("5")).join())
                .containsEntry("5", "Job locked (HTTP status 200)");
    }

    /** From 24.11 on the status is that of a gateway. */
    @Test
    void aControllerThatANewDaemonCannotReachHasNoJob() {
        ScriptedDaemon daemon = new ScriptedDaemon(
                42,
                call -> answer(
                        502,
                        "{\"errors\":[{\"error_number\":1800,\"error\":\"Unable to contact slurm controller (connect failure)\"}]}"));
        assertThat(submit(lrms(Api.REST, daemon))).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(lrms(Api.REST, daemon).cancel("dteam001", List.of("5"))).isCompletedExceptionally();
    }

    @Test
    void anUnknownJobThatIsNotFoundIsNoMissingVersion() {
        ScriptedDaemon daemon = new ScriptedDaemon(
                42,
                call -> answer(404, "{\"errors\":[{\"error_number\":2017,\"error\":\"Invalid job id specified\"}]}"));
        SlurmLrms lrms = lrms(Api.REST, daemon);
        assertThat(lrms.hold("dteam001", List.of("5")).join()).containsEntry("5", "Invalid job id specified");
        int sent = daemon.sent.size();
        assertThat(lrms.hold("dteam001", List.of("5")).join()).containsEntry("5", "Invalid job id specified");
        assertThat(daemon.sent).as("its version is known").hasSize(sent + 1);
    }

    @Test
    void aJobWhoseOwnerADaemonDoesNotNameGoesByTheCommand() {
        ScriptedDaemon daemon = new ScriptedDaemon(42, call -> answer(200, "{\"jobs\":[],\"errors\":[]}"));
        assertThat(lrms(Api.AUTO, daemon).cancel("dteam001", List.of("5")).join())
                .containsKey("5");
        assertThat(daemon.requests()).noneMatch(request -> request.startsWith("DELETE"));
        assertThat(daemon.commands.calls).hasSize(1);
    }

    @Test
    void cancelHoldAndReleaseAreARequestForEachJobAndNoProcess() {
        ScriptedDaemon daemon = new ScriptedDaemon(
                38,
                call -> call.target().endsWith("/7")
                        ? recorded("17-delete-unknown")
                        : call.target().endsWith("/8") ? recorded("22-update-ended") : recorded("16-delete-ok"));
        SlurmLrms lrms = lrms(Api.AUTO, daemon);
        Map<String, String> cancelled =
                lrms.cancel("dteam001", List.of("5", "7", "8", "1 2")).join();
        assertThat(cancelled).containsEntry("5", null).containsEntry("7", null).containsEntry("8", null);
        assertThat(cancelled.get("1 2")).isNotNull();
        assertThat(daemon.requests())
                .containsExactlyInAnyOrder(
                        "DELETE /slurm/v0.0.38/job/5", "DELETE /slurm/v0.0.38/job/7", "DELETE /slurm/v0.0.38/job/8");
        assertThat(lrms.hold("dteam001", List.of("5", "7", "8")).join())
                .containsEntry("5", null)
                .containsEntry("7", "Invalid job id specified")
                .containsEntry("8", "Job has already finished");
        assertThat(lrms.release("dteam001", List.of("5")).join()).containsEntry("5", null);
        assertThat(daemon.sent).last().satisfies(call -> {
            assertThat(call.method()).isEqualTo("POST");
            assertThat(new String(call.body(), StandardCharsets.UTF_8)).isEqualTo("{\"hold\":false}");
        });
        assertThat(daemon.commands.calls).isEmpty();
        assertThat(lrms.cancel("dteam001", List.of()).join()).isEmpty();
    }

    @Test
    void manyAreSentInParts() {
        ScriptedDaemon daemon = new ScriptedDaemon(38, call -> recorded("16-delete-ok"));
        List<String> ids =
                IntStream.rangeClosed(1, 450).mapToObj(Integer::toString).toList();
        assertThat(lrms(Api.REST, daemon).cancel("dteam001", ids).join()).containsOnlyKeys(ids);
        assertThat(daemon.requests()).hasSize(450);
    }

    @Test
    void aChangeThatCannotBeSentGoesByTheCommandAndOneWithoutVerdictIsRepeatedByTheCaller() {
        ScriptedDaemon none = failing(Code.FAILED);
        assertThat(lrms(Api.AUTO, none).cancel("dteam001", List.of("5", "6")).join())
                .containsEntry("5", null);
        assertThat(none.commands.calls).hasSize(1);
        assertThat(lrms(Api.REST, failing(Code.FAILED)).cancel("dteam001", List.of("5")))
                .isCompletedExceptionally();
        ScriptedDaemon down = new ScriptedDaemon(38, call -> recorded("25-submit-controller-down"));
        assertThat(lrms(Api.AUTO, down).cancel("dteam001", List.of("5")))
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(LrmsException.class);
        assertThat(down.commands.calls).isEmpty();
    }

    private static String api(SlurmLrms lrms) {
        return lrms.status().join().api();
    }

    @Test
    void theVersionInUseIsReportedAndLoggedOncePerChange() {
        ScriptedDaemon daemon = new ScriptedDaemon(41, call -> recorded("02-submit-full"));
        SlurmLrms lrms = lrms(Api.AUTO, daemon);
        Logger logger = (Logger) LoggerFactory.getLogger(SlurmRest.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        Level level = logger.getLevel();
        logger.setLevel(Level.INFO);
        try {
            assertThat(api(lrms)).isNull();
            submit(lrms);
            assertThat(api(lrms)).isEqualTo("slurmrestd v0.0.41");
            submit(lrms);
            daemon.version = 40;
            submit(lrms);
            submit(lrms);
            assertThat(api(lrms)).isEqualTo("slurmrestd v0.0.40");
        } finally {
            logger.setLevel(level);
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "Slurm is used through slurmrestd with its API v0.0.41",
                        "Slurm is used through slurmrestd with its API v0.0.40");
        SlurmLrms without = lrms(Api.AUTO, failing(Code.FAILED));
        submit(without);
        assertThat(api(without)).isEqualTo("commands");
        assertThat(api(lrms(Api.COMMANDS, daemon))).isEqualTo("commands");
    }

    /** A 404 to a ping is what the probe asks for. */
    @Test
    void aProbeMayFindNothingAndARequestMayNot() {
        ScriptedDaemon daemon = new ScriptedDaemon(41, call -> recorded("02-submit-full"));
        submit(lrms(Api.AUTO, daemon));
        assertThat(daemon.sent)
                .allSatisfy(call ->
                        assertThat(call.mayBeMissing()).isEqualTo(call.target().endsWith("/ping")));
    }

    @Test
    void aSiteThatWantsItAloneHearsThatItCannotBeUsed(@TempDir Path directory) throws IOException {
        Path program = Files.createFile(
                directory.resolve("slurmrestd"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        ScriptedDaemon daemon = new ScriptedDaemon(35, call -> recorded("02-submit-full"));
        SlurmLrms lrms = new SlurmLrms(restOnly(program), daemon, Runnable::run);
        assertThat(lrms.handOverTrouble()).as("nobody needed it yet").isEmpty();
        submit(lrms);
        assertThat(lrms.handOverTrouble())
                .get()
                .asString()
                .contains("slurmrestd has no API from v0.0.36", "gelato.lrms.slurm.api = auto");
        daemon.version = 42;
        submit(lrms);
        assertThat(lrms.handOverTrouble()).isEmpty();
        Files.delete(program);
        assertThat(lrms.handOverTrouble()).get().asString().contains("there is no program " + program);
        assertThat(lrms(Api.AUTO, daemon).handOverTrouble())
                .as("the commands do")
                .isEmpty();
    }

    private static SlurmConfig restOnly(Path program) {
        return Records.with(SlurmConfig.DEFAULT, "api", Api.REST, "restDaemon", program);
    }

    @Test
    void oneAccountThatCannotUseItIsNoTroubleOfTheSite() {
        long[] now = {0};
        RestGate gate = new RestGate(() -> now[0], false);
        gate.unusable("a", new RestUnusableException("x", RestUnusableException.Scope.ACCOUNT));
        assertThat(gate.trouble()).contains("x");
        gate.works("b");
        assertThat(gate.trouble()).isEmpty();
        gate.unusable("b", new RestUnusableException("busy", RestUnusableException.Scope.NOW));
        assertThat(gate.trouble()).isEmpty();
        now[0] += Duration.ofMinutes(11).toNanos();
        gate.unusable("a", new RestUnusableException("x", RestUnusableException.Scope.ACCOUNT));
        assertThat(gate.trouble())
                .as("nobody else needed it for a while, and it worked then")
                .isEmpty();
        for (int i = 0; i < 3; i++) {
            gate.unanswered("b", "hung");
        }
        assertThat(gate.trouble()).isPresent();
        now[0] += Duration.ofMinutes(10).toNanos();
        assertThat(gate.trouble()).as("nobody tried again").isEmpty();
        assertThat(gate.isOpen("b")).as("there is no other way").isTrue();
    }

    @Test
    void accountsHaveTheirOwnWay() {
        long[] now = {0};
        RestGate gate = new RestGate(() -> now[0], true);
        gate.unusable("a", new RestUnusableException("x", RestUnusableException.Scope.ACCOUNT));
        assertThat(gate.isOpen("a")).isFalse();
        assertThat(gate.isOpen("b")).isTrue();
        now[0] += Duration.ofMinutes(10).toNanos();
        assertThat(gate.isOpen("a")).as("tried again").isTrue();
        gate.unanswered("b", "x");
        gate.unanswered("b", "x");
        gate.answered("b");
        gate.unanswered("b", "x");
        assertThat(gate.isOpen("b")).isTrue();
        gate.unanswered("b", "x");
        gate.unanswered("b", "x");
        assertThat(gate.isOpen("b")).isFalse();
        assertThat(gate.fallbacks()).isEqualTo(3);
    }
}
