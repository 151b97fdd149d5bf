package org.gelato.ce.testkit.token;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A key pair that signs tokens.
 *
 * @param id its {@code kid}
 * @param algorithm such as {@code RS256}
 * @param pair RSA or EC
 */
public record TokenKey(String id, String algorithm, KeyPair pair) {
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
    private static final int BYTE = 8;

    /** An RSA key of so many bits, for {@code RS256}. */
    public static TokenKey rsa(String id, int bits) {
        return made(id, "RS256", "RSA", generator -> generator.initialize(bits));
    }

    /** A key on P-256, for {@code ES256}. */
    public static TokenKey ec(String id) {
        return ec(id, "ES256", "secp256r1");
    }

    /** @param curve as Java names it */
    public static TokenKey ec(String id, String algorithm, String curve) {
        return made(id, algorithm, "EC", generator -> generator.initialize(new ECGenParameterSpec(curve)));
    }

    private interface Size {
        void set(KeyPairGenerator generator) throws GeneralSecurityException;
    }

    private static TokenKey made(String id, String algorithm, String kind, Size size) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
            size.set(generator);
            return new TokenKey(id, algorithm, generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public half as a JWK, to be changed as one likes. */
    public Map<String, Object> jwk() {
        Map<String, Object> jwk = new LinkedHashMap<>();
        jwk.put("kid", id);
        jwk.put("use", "sig");
        jwk.put("alg", algorithm);
        if (pair.getPublic() instanceof RSAPublicKey rsa) {
            jwk.put("kty", "RSA");
            jwk.put("n", number(rsa.getModulus(), (rsa.getModulus().bitLength() + BYTE - 1) / BYTE));
            jwk.put("e", number(rsa.getPublicExponent(), 3));
        } else {
            ECPublicKey ec = (ECPublicKey) pair.getPublic();
            int bits = ec.getParams().getCurve().getField().getFieldSize();
            int bytes = (bits + BYTE - 1) / BYTE;
            jwk.put("kty", "EC");
            jwk.put("crv", "P-" + bits);
            jwk.put("x", number(ec.getW().getAffineX(), bytes));
            jwk.put("y", number(ec.getW().getAffineY(), bytes));
        }
        return jwk;
    }

    private static String number(BigInteger number, int length) {
        byte[] all = number.toByteArray();
        byte[] fixed = new byte[length];
        int count = Math.min(all.length, length);
        System.arraycopy(all, all.length - count, fixed, length - count, count);
        return BASE64URL.encodeToString(fixed);
    }

    /** Signs as the algorithm demands. */
    byte[] sign(byte[] bytes) {
        String hash = "SHA" + algorithm.substring(2);
        return sign(bytes, algorithm.startsWith("RS") ? hash + "withRSA" : hash + "withECDSAinP1363Format");
    }

    /** @param javaAlgorithm as Java names it */
    public byte[] sign(byte[] bytes, String javaAlgorithm) {
        try {
            Signature signature = Signature.getInstance(javaAlgorithm);
            signature.initSign(pair.getPrivate());
            signature.update(bytes);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "TokenKey[" + id + ", " + algorithm + "]";
    }
}
