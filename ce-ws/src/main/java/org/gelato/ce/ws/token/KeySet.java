package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import java.math.BigInteger;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer that may verify signatures. Keys for other purposes, weak ones and secrets are left out. Two sets are
 * equal when they hold the same keys. Immutable.
 *
 * @param keys in the set's order
 */
record KeySet(List<Key> keys) {
    private static final Logger log = LoggerFactory.getLogger(KeySet.class);
    private static final int MAX_KEYS = 100;
    private static final int MIN_RSA = 2048;
    /** Longer ones cost a verification milliseconds. */
    private static final int MAX_RSA = 8192;

    private static final int MAX_EXPONENT = 32;
    /** Only these members are read; a certificate beside a key means nothing here. */
    private static final List<String> MEMBERS = List.of("kty", "n", "e", "crv", "x", "y", "kid", "use", "alg");

    private static final Map<String, Curve> CURVES =
            Map.of("ES256", Curve.P_256, "ES384", Curve.P_384, "ES512", Curve.P_521);

    /** A public key with its names. */
    record Key(String id, String algorithm, JWK jwk) {
        boolean fits(String wanted) {
            if (algorithm != null && !algorithm.equals(wanted)) {
                return false;
            }
            return jwk instanceof ECKey ec ? ec.getCurve().equals(CURVES.get(wanted)) : wanted.startsWith("RS");
        }
    }

    KeySet {
        keys = List.copyOf(keys);
    }

    /**
     * Reads a JWK set; RFC 7517 section 5.
     *
     * @param whose for the log
     * @throws IllegalArgumentException when it is none, or holds no key that can be used
     */
    static KeySet parse(byte[] json, String whose) {
        JsonNode all;
        try {
            all = StrictJson.object(json).get("keys");
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the key set " + e.getMessage(), e);
        }
        if (all == null || !all.isArray() || all.size() > MAX_KEYS) {
            throw new IllegalArgumentException("the key set has no array keys of at most " + MAX_KEYS);
        }
        List<Key> keys = new ArrayList<>();
        for (JsonNode node : all) {
            try {
                keys.add(key(node));
            } catch (IllegalArgumentException e) {
                log.info("a key of {} is not used: {}", whose, e.getMessage());
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("the key set holds no key that verifies signatures");
        }
        return new KeySet(keys);
    }

    private static Key key(JsonNode node) {
        Map<String, Object> members = new HashMap<>();
        for (String name : MEMBERS) {
            JsonNode value = node.get(name);
            if (value != null && !value.isTextual()) {
                throw new IllegalArgumentException(name + " is not a text");
            }
            if (value != null) {
                members.put(name, value.textValue());
            }
        }
        if ("enc".equals(members.get("use"))) {
            throw new IllegalArgumentException("it is for encryption");
        }
        JsonNode operations = node.get("key_ops");
        if (operations != null && !operations.toString().contains("\"verify\"")) {
            throw new IllegalArgumentException("it is not for verification");
        }
        if (node.has("d")) {
            throw new IllegalArgumentException("it is a private key: the issuer must replace it");
        }
        if (!"RSA".equals(members.get("kty")) && !"EC".equals(members.get("kty"))) {
            throw new IllegalArgumentException("it is neither RSA nor EC");
        }
        return new Key((String) members.get("kid"), (String) members.get("alg"), parsed(members));
    }

    private static JWK parsed(Map<String, Object> members) {
        try {
            JWK jwk = JWK.parse(members);
            if (jwk instanceof RSAKey rsa) {
                RSAPublicKey key = rsa.toRSAPublicKey();
                int bits = key.getModulus().bitLength();
                BigInteger exponent = key.getPublicExponent();
                if (bits < MIN_RSA || bits > MAX_RSA) {
                    throw new IllegalArgumentException(
                            "RSA keys have " + MIN_RSA + " to " + MAX_RSA + " bits, it has " + bits);
                }
                if (exponent.compareTo(BigInteger.TWO) <= 0
                        || !exponent.testBit(0)
                        || exponent.bitLength() > MAX_EXPONENT) {
                    throw new IllegalArgumentException("its RSA exponent is none");
                }
            } else if (!(jwk instanceof ECKey ec) || !CURVES.containsValue(ec.getCurve())) {
                throw new IllegalArgumentException("its curve is none of P-256, P-384, P-521");
            }
            return jwk;
        } catch (ParseException | JOSEException | IllegalStateException e) {
            throw new IllegalArgumentException("it can't be read", e);
        }
    }

    /** Whether a key has this id; null for a token without, which the only fitting key of a set must have signed. */
    boolean names(String keyId) {
        return keyId == null || keys.stream().anyMatch(k -> keyId.equals(k.id()));
    }

    /**
     * Verifies a signature.
     *
     * @throws TokenRefusal when there is not exactly one key for it, or the signature is not that key's
     */
    void verify(TokenHeader header, byte[] signed, byte[] signature) throws TokenRefusal {
        String id = header.keyId();
        if (!names(id)) {
            throw TokenRefusal.invalid("kid", "the issuer has no such key");
        }
        List<Key> fitting = keys.stream()
                .filter(k -> (id == null || id.equals(k.id())) && k.fits(header.algorithm()))
                .toList();
        if (fitting.isEmpty()) {
            throw TokenRefusal.invalid("alg", "the issuer's key is of another algorithm");
        }
        if (fitting.size() > 1) {
            throw TokenRefusal.invalid("kid", "does not say which of several keys of the issuer is meant");
        }
        try {
            JWK jwk = fitting.get(0).jwk();
            JWSVerifier verifier = jwk instanceof ECKey ec
                    ? new ECDSAVerifier(ec.toECPublicKey())
                    : new RSASSAVerifier(jwk.toRSAKey().toRSAPublicKey());
            JWSHeader plain = new JWSHeader(JWSAlgorithm.parse(header.algorithm()));
            if (verifier.verify(plain, signed, Base64URL.encode(signature))) {
                return;
            }
        } catch (JOSEException e) {
            log.debug("signature can't be verified", e);
        }
        throw TokenRefusal.invalid("signature", "is not that of the issuer");
    }
}
