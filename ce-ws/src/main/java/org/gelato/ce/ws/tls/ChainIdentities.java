package org.gelato.ce.ws.tls;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.GridIdentity;

/**
 * Makes a {@link GridIdentity} of a certificate chain. The validation of chain and VOMS attributes is remembered per
 * chain, by its SHA-256, until something in it, its CA or its CA's CRL ends, the trust directories change, or ten minutes have passed;
 * old clients make one connection per call, so the handshake and the request behind it share one validation. What is
 * remembered is bounded in bytes, the least used go first; refusals are not. What a caller may do is never
 * remembered here: a ban counts at once. Any thread.
 */
public final class ChainIdentities {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** What was found, and when it is to be found anew. */
    private record Remembered(GridIdentity identity, Instant until, long trust) {}

    private final GridTrust trust;
    private final Clock clock;
    private final Duration memory;
    private final ByteBoundedCache<ByteBuffer, Remembered> known =
            new ByteBoundedCache<>(CacheShare.CHAINS, (key, remembered) -> weight(remembered.identity));
    private final LongAdder hits = new LongAdder();
    private final LongAdder validations = new LongAdder();

    public ChainIdentities(GridTrust trust, Clock clock) {
        this.trust = trust;
        this.clock = clock;
        this.memory = trust.refresh().compareTo(LONGEST) < 0 ? trust.refresh() : LONGEST;
    }

    /**
     * @param chain as the client sent it, own certificate first
     * @throws RefusedChainException when the chain is empty or not trusted; invalid VOMS attributes alone only mean that
     *     the identity has none of them
     */
    public GridIdentity identify(X509Certificate[] chain) throws RefusedChainException {
        if (chain == null || chain.length == 0) {
            throw new RefusedChainException("", "there is no certificate");
        }
        ByteBuffer key = hash(chain);
        Instant now = clock.instant();
        // Read before the validation: what changes meanwhile is seen at the next call.
        long version = trust.version();
        Remembered remembered = known.get(key).orElse(null);
        if (remembered != null && now.isBefore(remembered.until) && remembered.trust == version) {
            hits.increment();
            return remembered.identity;
        }
        known.remove(key);
        validations.increment();
        Remembered judged = validate(chain, now, version);
        known.put(key, judged);
        return judged.identity;
    }

    private static long weight(GridIdentity identity) {
        return ByteBoundedCache.weight(identity.dn())
                + ByteBoundedCache.weight(identity.vo())
                + ByteBoundedCache.weight(identity.fqans())
                + ByteBoundedCache.weight(identity.vomsErrors());
    }

    /** Chains recognised without validation, since start. */
    public long hits() {
        return hits.sum();
    }

    /** Chains validated, since start. */
    public long validations() {
        return validations.sum();
    }

    private Remembered validate(X509Certificate[] chain, Instant now, long version) throws RefusedChainException {
        Instant notAfter = Instant.MAX;
        for (X509Certificate c : chain) {
            Instant end = c.getNotAfter().toInstant();
            if (!now.isBefore(end)) {
                String ended = DnForms.rfc2253(c.getSubjectX500Principal());
                throw new RefusedChainException(
                        DnForms.rfc2253(chain[0].getSubjectX500Principal()),
                        "certificate " + ended + " ended at " + end);
            }
            notAfter = first(end, notAfter);
        }
        GridTrust.Valid valid = trust.check(chain);
        VomsAttributes.Found voms = trust.voms().find(chain);
        notAfter = first(voms.notAfter(), notAfter);
        GridIdentity identity = new GridIdentity(
                GridTrust.user(chain), voms.fqans(), voms.vo(), valid.limited(), notAfter, voms.errors());
        return new Remembered(identity, first(now.plus(memory), first(notAfter, valid.until())), version);
    }

    private static Instant first(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static ByteBuffer hash(X509Certificate[] chain) throws RefusedChainException {
        try {
            MessageDigest digest = Sha256.begin();
            for (X509Certificate c : chain) {
                digest.update(c.getEncoded());
            }
            return ByteBuffer.wrap(digest.digest());
        } catch (CertificateEncodingException e) {
            throw new RefusedChainException("", "the chain can't be read: " + e.getMessage());
        }
    }
}
