package org.gelato.ce.core.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.NewSandboxes;
import org.gelato.ce.core.service.RegisterKeyStore.RequestKey;
import org.gelato.ce.core.service.RegisterKeyStore.Response;
import org.gelato.ce.core.service.RegisterKeyStore.Stored;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.jdbi.v3.core.Handle;

/**
 * Lets a request with a key register once (decision 0044). The key is stored in the transaction that stores the jobs: a
 * crash before its commit leaves neither, and after it the repetition finds both. A repetition that comes while the first
 * is at work waits at the key's row for its end. The directory a client uploads into is made after the commit, so a
 * repetition makes it again. Thread-safe; several nodes may share a database.
 */
public final class RegisterKeys {
    /** How long a key is kept. */
    public static final Duration LIFE = Duration.ofDays(1);

    private final RegisterKeyStore store = new RegisterKeyStore();
    private final Database database;
    private final NewSandboxes sandboxes;
    private final Clock clock;

    RegisterKeys(Database database, NewSandboxes sandboxes, Clock clock) {
        this.database = database;
        this.sandboxes = sandboxes;
        this.clock = clock;
    }

    /** The name of an owner's request; null when it has no key. */
    static RequestKey key(int owner, RegisterRequest request) {
        if (request.key() == null) {
            return null;
        }
        byte[] name = Sha256.begin().digest(request.key().getBytes(StandardCharsets.US_ASCII));
        return new RequestKey(owner, name, contentHash(request));
    }

    /**
     * Answers a request again, and makes directories again that a crash after the first commit left out.
     *
     * @param common properties that each job id carries, in front of its own
     * @return empty when the request is new
     * @throws ServiceException INVALID_ARGUMENT when the key belongs to another request
     * @throws ServiceException INTERNAL when a directory cannot be made; the jobs stay as they are
     */
    Optional<JobRegistration.Registered> answered(
            Caller caller, RegisterRequest request, RequestKey key, Map<String, String> common) {
        Stored stored = database.read(h -> store.find(h, key));
        if (stored == null || !stored.createdAt().isAfter(clock.instant().minus(LIFE))) {
            return Optional.empty();
        }
        if (!MessageDigest.isEqual(stored.request(), key.content())) {
            throw ServiceException.invalid(
                    "this Idempotency-Key was used for another JobRegister request; nothing was registered");
        }
        return Optional.of(repeat(caller, request, key, stored, common));
    }

    /** Takes the key; false when another request has it, which is committed then. */
    boolean claim(Handle h, RequestKey key, int account) {
        if (store.claim(h, key, account, clock.instant())) {
            return true;
        }
        store.forgetEnded(h, key, clock.instant().minus(LIFE));
        return store.claim(h, key, account, clock.instant());
    }

    /** Stores the results before they are returned, description by description. */
    void add(Handle h, RequestKey key, List<Response> responses) {
        store.add(h, key, responses);
    }

    /** Stores that a job was taken back; false when a repetition returns it, and it must stay. */
    boolean takeBack(Handle h, RequestKey key, int position, JobFault fault) {
        return store.takeBack(h, key, position, fault);
    }

    /**
     * Returns what was stored. Jobs that wait for their directories are kept from being taken back first: the request that stored them may
     * still be trying to make these.
     */
    private JobRegistration.Registered repeat(
            Caller caller, RegisterRequest request, RequestKey key, Stored found, Map<String, String> common) {
        List<Integer> unmade = unmade(request, found);
        Stored stored = found;
        if (!unmade.isEmpty() && !database.inTransaction(h -> store.repeat(h, key, unmade))) {
            stored = database.read(h -> store.find(h, key));
            if (stored == null) {
                throw ServiceException.internal(
                        "the key of this registration was forgotten while it was repeated; repeat the request", null);
            }
        }
        Path home = sandboxes.home(caller.identity().owner(), stored.account());
        List<RegisterResult> results = new ArrayList<>();
        List<JobId> waiting = new ArrayList<>();
        Map<Integer, Path> made = new LinkedHashMap<>();
        for (int i = 0; i < request.descriptions().size(); i++) {
            JobDescription description = request.descriptions().get(i);
            Response response = stored.responses().get(i);
            if (response.fault() != null) {
                results.add(RegisterResult.refused(description.clientRef(), response.fault()));
                continue;
            }
            JobId id = sandboxes.id(response.job());
            Path sandbox = sandboxes.of(home, id);
            if (unmade.contains(i)) {
                makeAgain(stored.account(), sandbox);
                made.put(i, sandbox);
                if (description.autoStart() && request.rules() != RegisterRequest.Rules.ARC) {
                    waiting.add(id);
                }
            }
            Map<String, String> properties = new LinkedHashMap<>(common);
            if (response.warning() != null) {
                properties.put(JobRegistration.WARNING, response.warning());
            }
            results.add(new RegisterResult(
                    description.clientRef(),
                    id,
                    sandbox,
                    properties,
                    description.autoStart(),
                    description.delegationId(),
                    null));
        }
        if (!made.isEmpty()) {
            removeOfPurged(key, stored.account(), made);
        }
        return new JobRegistration.Registered(results, waiting);
    }

    /** Places of jobs whose clients still have to upload, and whose directory may be absent. */
    private static List<Integer> unmade(RegisterRequest request, Stored stored) {
        List<Integer> unmade = new ArrayList<>();
        for (int i = 0; i < request.descriptions().size(); i++) {
            Response response = stored.responses().get(i);
            if (response.fault() == null
                    && response.state() == JobState.REGISTERED
                    && expectsUpload(request.descriptions().get(i))) {
                unmade.add(i);
            }
        }
        return unmade;
    }

    /** A job may have been purged while its directory was made, and nothing would remove that. */
    private void removeOfPurged(RequestKey key, String account, Map<Integer, Path> made) {
        Stored now = database.read(h -> store.find(h, key));
        made.forEach((position, sandbox) -> {
            if (now == null || now.responses().get(position).state() == null) {
                sandboxes.remove(account, sandbox);
            }
        });
    }

    private void makeAgain(String account, Path sandbox) {
        try {
            sandboxes.make(account, sandbox);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw noSandbox(e);
        } catch (ExecutionException | TimeoutException e) {
            throw noSandbox(e);
        }
    }

    private static ServiceException noSandbox(Exception e) {
        return ServiceException.internal(
                "the jobs are registered, but the sandbox of one cannot be made now; repeat the request", e);
    }

    private static boolean expectsUpload(JobDescription description) {
        try {
            JobRequest job = description.language().read(description.text(), ReadingBudget.UNBOUNDED);
            return !job.files().uploads().isEmpty();
        } catch (DescriptionException e) {
            throw new IllegalStateException("a description that was accepted once no longer is", e);
        }
    }

    private static byte[] contentHash(RegisterRequest request) {
        MessageDigest digest = Sha256.begin();
        text(digest, request.iceId());
        for (JobDescription d : request.descriptions()) {
            text(digest, d.clientRef());
            if (d.language().code() != 0) {
                // JDL is not named: the hashes of the version before are valid for a day.
                text(digest, Integer.toString(d.language().code()));
            }
            text(digest, d.text());
            text(digest, d.delegationId());
            text(digest, d.delegationProxy());
            text(digest, d.leaseId());
            digest.update((byte) (d.autoStart() ? 1 : 0));
        }
        return digest.digest();
    }

    /** With its length in front, so that no two lists of texts are equal. */
    private static void text(MessageDigest digest, String text) {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(text == null ? -1 : bytes.length)
                .array());
        digest.update(bytes);
    }
}
