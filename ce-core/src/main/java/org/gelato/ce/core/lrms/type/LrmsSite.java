package org.gelato.ce.core.lrms.type;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.Renderers;

/** A batch system as one site has configured it. Immutable. */
public interface LrmsSite {
    /** {@link Lrms#name()} of what {@link #open} returns. */
    String idName();

    /**
     * Opens it; the caller closes it.
     *
     * @throws IOException when it cannot be opened, with what to do about it
     */
    Lrms open(LrmsOpening opening) throws IOException;

    /**
     * Hand-overs without a result that suit it, where the site does not say; from 1 to 300. More for one that hands many jobs over by one
     * command, as what waits for a result can go with the next one.
     */
    default int handOversAtOnce() {
        return 50;
    }

    /** Lines that the helper's configuration needs for it. */
    default List<HelperLine> helperLines() {
        return List.of();
    }

    /** What it has for requests of jobs and settings of routes; nothing where the adapter has no table. */
    default Renderers<?> renderers() {
        return new Renderers<String>();
    }

    /** Programs, files and directories that must be there. */
    default List<SiteFile> files() {
        return List.of();
    }

    /** The commands by which {@link Lrms#status()} reads queues and nodes, in words; empty where it reads nothing. */
    default String statusCommands() {
        return "";
    }

    /** Whether it has queues of its own, so that a job's queue must be one of those that {@link Lrms#status()} shows. */
    default boolean hasQueues() {
        return !statusCommands().isEmpty();
    }

    /**
     * A set-up of the batch system that this CE does not work with.
     *
     * @param key the key of the CE's configuration that it is about
     * @param what it is
     * @param advice what to do
     * @param inPart whether jobs run all the same, where they come to the other nodes
     */
    record Unsupported(String key, String what, String advice, boolean inPart) {
        /** One with which no job runs. */
        public Unsupported(String key, String what, String advice) {
            this(key, what, advice, false);
        }
    }

    /**
     * What of the batch system's own set-up this CE does not work with, what holds in part last; empty for nothing. Fails where the batch system does not respond.
     *
     * @param account a local account that the helper serves
     */
    default CompletableFuture<Optional<Unsupported>> unsupported(AccountCommands accounts, String account) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /**
     * What keeps this batch system from taking anything of one account, by one cheap command that changes nothing; empty for nothing, and
     * where there is no such command. Part of {@link #unsupported}. Fails where the batch system does not respond.
     *
     * @param account a local account that the helper serves
     */
    default CompletableFuture<Optional<Unsupported>> refusal(AccountCommands accounts, String account) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /**
     * What this batch system has that no other of its kind has whose jobs are not seen in it: the same for each CE that sees them. Fails
     * where it has to be asked and does not respond.
     *
     * @param stateDirectory as of {@link LrmsOpening}; nothing is made in it
     * @return one line; empty where it cannot be told, or where all of the kind are one
     */
    default CompletableFuture<Optional<String>> identity(AccountCommands accounts, Path stateDirectory) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /**
     * How long the batch system's list shows a job that has ended.
     *
     * @param time zero for not at all
     * @param setting the name of the batch system's setting
     * @param history what has ended jobs later; null for nothing
     */
    record EndsShown(Duration time, String setting, String history) {}

    /**
     * How long the batch system's list shows ended jobs; empty where that is long enough for each poll, or there is no such setting. Fails where the
     * batch system does not respond.
     *
     * @param account a local account that the helper serves
     */
    default CompletableFuture<Optional<EndsShown>> endsShown(AccountCommands accounts, String account) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Whether the batch system itself writes the log of submissions that accounting by BLAH's parser reads. */
    default boolean writesBlahLog() {
        return false;
    }
}
