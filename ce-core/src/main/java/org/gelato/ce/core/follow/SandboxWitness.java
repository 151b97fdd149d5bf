package org.gelato.ce.core.follow;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.NotPlainFileException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.SharedWork;
import org.gelato.ce.core.intake.FenceStore;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxClaim;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known about a job's end when the batch system reports its end and no event came: the exit record in the
 * sandbox, the last witness, and the claim, which names the hand-over that really ran. Wrappers that do not see the
 * sandbox leave no record, and their claim is in the database; both are always read, for a job keeps its wrapper when the
 * configuration changes. What can never be read counts as absent, so that no job is followed for ever. Blocks its caller,
 * the poller: an account whose files got no response is left alone for minutes, so that its jobs do not hold up everybody's; after one others are
 * waited for shortly.
 */
public final class SandboxWitness {
    private static final Logger log = LoggerFactory.getLogger(SandboxWitness.class);
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration LEFT_ALONE = Duration.ofMinutes(5);
    private static final Backoff BACKOFF = new Backoff(LEFT_ALONE, LEFT_ALONE);
    /** A second of half a minute. */
    private static final int LEAST_PART = 30;
    /** Most bytes that are read of a job's standard error. */
    private static final int ERRORS = 8192;

    private static final String RECORD = "exit";
    /** What a wrapper leaves that could start no process, not even to rename its record; the best first. */
    private static final List<String> RECORDS = List.of(RECORD, ".exit", ".exit.early");
    /** A record that has not got its own name yet may be half a record. */
    private static final String LAST_LINE = "\nwhole=yes\n";

    private static final Pattern LRMS_ID = Pattern.compile("[!-~]{1," + LrmsJob.LONGEST_ID + "}");

    private final Database database;
    private final AccountCommands accounts;
    private final WrapperTokens tokens;
    private final FenceStore claims = new FenceStore();
    private final SandboxClaim claim;
    private final Duration wait;
    private final LongSupplier ticker;
    /** Accounts whose files got no response. */
    private final SharedWork<String> silent;
    /** Nanoseconds that files without a response took since a time. */
    private long waited;

    private long waitedSince;

    public SandboxWitness(Database database, AccountCommands accounts, WrapperTokens tokens) {
        this(database, accounts, tokens, WAIT, System::nanoTime);
    }

    /**
     * @param wait for one file
     * @param ticker nanoseconds from any beginning
     */
    SandboxWitness(
            Database database, AccountCommands accounts, WrapperTokens tokens, Duration wait, LongSupplier ticker) {
        this.database = database;
        this.accounts = accounts;
        this.claim = new SandboxClaim(accounts);
        this.tokens = tokens;
        this.wait = wait;
        this.ticker = ticker;
        this.waitedSince = ticker.getAsLong();
        this.silent = new SharedWork<>(log, "files of", BACKOFF, new SharedWork.Bounds(1, 0, wait), e -> false, ticker);
    }

    /**
     * The file at the place of a wrapper's exit record. A job can write there: only what has the job's secret counts.
     *
     * @param event the record; null when there is none that counts
     * @param refusal why what is there does not count; null when it does, or nothing is there
     */
    record ExitRecord(WrapperEvent event, String refusal) {}

    /** A file's content; empty with the reason when the file can never be read. */
    private record Content(Optional<byte[]> bytes, String refusal) {}

    /**
     * The exit record of a job.
     *
     * @throws UndecidedException when it could not be looked for
     */
    ExitRecord exitRecord(SandboxStore.Place place) throws InterruptedException {
        ExitRecord refused = new ExitRecord(null, null);
        for (String name : RECORDS) {
            ExitRecord found = exitRecord(place, name);
            if (found.event() != null) {
                return found;
            }
            if (refused.refusal() == null) {
                refused = found;
            }
        }
        return refused;
    }

    private ExitRecord exitRecord(SandboxStore.Place place, String name) throws InterruptedException {
        Content file = read(place.account(), place.sandbox().resolve(name));
        if (file.bytes().isEmpty()) {
            return new ExitRecord(null, file.refusal());
        }
        byte[] bytes = file.bytes().get();
        if (bytes.length > WrapperEvent.MAX_BYTES) {
            return new ExitRecord(null, "longer than " + WrapperEvent.MAX_BYTES + " bytes");
        }
        if (!name.equals(RECORD) && !new String(bytes, StandardCharsets.UTF_8).endsWith(LAST_LINE)) {
            return new ExitRecord(null, "not written to its end");
        }
        WrapperEvent event = WrapperEvent.parse(bytes).orElse(null);
        if (event == null || event.kind() != WrapperEvent.Kind.DONE) {
            return new ExitRecord(null, "not what a wrapper writes at its end");
        }
        if (!event.job().equals(place.id())) {
            return new ExitRecord(null, "of another job");
        }
        return tokens.matches(event.job(), event.token())
                ? new ExitRecord(event, null)
                : new ExitRecord(null, "without the job's secret");
    }

    /**
     * The claim of a job.
     *
     * @param isOurs whether the CE has taken the job from its wrappers
     * @param lrmsId the batch job of the wrapper that has it; null where that is not known
     */
    record Claim(boolean isOurs, String lrmsId) {}

    /**
     * The claim of a job; empty when it is nobody's.
     *
     * @throws UndecidedException when it could not be looked for
     */
    Optional<Claim> claim(int row, SandboxStore.Place place) throws InterruptedException {
        Optional<String> stored =
                database.read(h -> claims.claimed(h, List.of(row)).get(row));
        return stored == null ? claimIn(place) : Optional.of(new Claim(false, stored.orElse(null)));
    }

    private Optional<Claim> claimIn(SandboxStore.Place place) throws InterruptedException {
        Content owner = read(place.account(), SandboxClaim.owner(place.sandbox()));
        if (owner.bytes().isPresent()) {
            String id = new String(owner.bytes().get(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> l.startsWith("lrmsid="))
                    .map(l -> l.substring("lrmsid=".length()).strip())
                    .filter(written -> LRMS_ID.matcher(written).matches())
                    .findFirst()
                    .orElse(null);
            return Optional.of(new Claim(false, id));
        }
        try { // a wrapper that dies just then has not written who it is
            return response(place.account(), () -> claim.holder(place.account(), place.sandbox()))
                    .map(holder -> new Claim(holder == SandboxClaim.Holder.CE, null));
        } catch (ExecutionException | CompletionException | TimeoutException e) {
            if (Causes.of(e.getCause()) instanceof AccountCommandException broken
                    && broken.code() != AccountCommandException.Code.BUSY) {
                return Optional.of(new Claim(false, null)); // its user has made it so
            }
            throw new UndecidedException("cannot look for the claim of " + place.id() + ": " + Messages.of(e), e);
        }
    }

    /** The end of what the job's wrapper, and the batch system around it, wrote as errors; empty where it can't be read. */
    String errorOutput(SandboxStore.Place place) throws InterruptedException {
        Path file = place.sandbox().resolve("StandardError");
        try {
            AccountCommands.FilePart part = part(place.account(), file, 0, ERRORS);
            if (part.size() > part.content().length) {
                part = part(place.account(), file, part.size() - ERRORS, ERRORS);
            }
            return new String(part.content(), StandardCharsets.UTF_8);
        } catch (ExecutionException | CompletionException | TimeoutException e) {
            return ""; // it only explains
        }
    }

    /**
     * Takes a job from all wrappers that do not run it yet.
     *
     * @return false where a wrapper has it
     * @throws UndecidedException when that is not known
     */
    boolean take(SandboxStore.Place place) throws InterruptedException {
        try {
            return response(place.account(), () -> claim.take(place.account(), place.sandbox()));
        } catch (ExecutionException | CompletionException | TimeoutException e) {
            throw new UndecidedException("cannot take " + place.id() + " from its wrappers: " + Messages.of(e), e);
        }
    }

    private AccountCommands.FilePart part(String account, Path file, long offset, int max)
            throws InterruptedException, ExecutionException, TimeoutException {
        return response(account, () -> accounts.get(account, file, offset, max));
    }

    private <T> T response(String account, Supplier<CompletableFuture<T>> call)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!silent.isDue(account)) {
            throw new TimeoutException("files of " + account + " got no response and are tried again later");
        }
        Duration patience = patience();
        try {
            T response = call.get().get(patience.toNanos(), TimeUnit.NANOSECONDS);
            silent.succeeded(account);
            return response;
        } catch (TimeoutException e) {
            silent.failed(account, e);
            waited(patience);
            throw e;
        }
    }

    /** For one file: the whole where nothing hung lately, and little where as much was waited for already, so that each further account costs a second. */
    synchronized Duration patience() {
        if (ticker.getAsLong() - waitedSince >= LEFT_ALONE.toNanos()) {
            waited = 0;
            waitedSince = ticker.getAsLong();
        }
        Duration left = wait.minusNanos(waited);
        Duration least = wait.dividedBy(LEAST_PART);
        return left.compareTo(least) > 0 ? left : least;
    }

    private synchronized void waited(Duration patience) {
        waited += patience.toNanos();
    }

    private Content read(String account, Path file) throws InterruptedException {
        try {
            return new Content(
                    Optional.of(
                            part(account, file, 0, WrapperEvent.MAX_BYTES + 1).content()),
                    null);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof NotPlainFileException refused) {
                return new Content(Optional.empty(), refused.getMessage());
            }
            if (e.getCause() instanceof AccountCommandException a
                    && a.code() == AccountCommandException.Code.NO_SUCH_FILE) {
                return new Content(Optional.empty(), null);
            }
            throw new UndecidedException("cannot read " + file + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new UndecidedException("no response about " + file, e);
        }
    }

    /** Nothing is known now; try again at the next poll. */
    static final class UndecidedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UndecidedException(String message, Throwable cause) {
            super(message, cause);
        }

        /** Whether the helper does not serve the account, or not any more: that is not so at a later time by itself. */
        boolean isRefused() {
            return Causes.of(getCause().getCause()) instanceof AccountCommandException e
                    && e.code() == AccountCommandException.Code.REFUSED;
        }
    }
}
