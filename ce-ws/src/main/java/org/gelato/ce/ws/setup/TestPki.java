package org.gelato.ce.ws.setup;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.proxy.ProxyCertificate;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.AttributeCertificateHolder;
import org.bouncycastle.cert.AttributeCertificateIssuer;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2AttributeCertificateBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.italiangrid.voms.asn1.VOMSConstants;

/**
 * Certificates to try a CE with, on a host that has none: an authority, the host's certificate, a VOMS server's, a user's, and
 * a proxy with the VO's attribute. The keys of the authority and of the VOMS server are in no file, so that nobody can sign more
 * with them; all ends after the days that were wanted. Replaces nothing. Not for several threads.
 */
public final class TestPki {
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);
    private static final int BITS = 2048;
    private static final int SERIAL_BITS = 62;
    private static final int VOMS_PORT = 15000;
    private static final String SIGNATURE = "SHA256withRSA";

    private final Options options;
    private final Instant now;
    private final Instant end;
    private final Map<Path, PlannedFile> files = new LinkedHashMap<>();

    /**
     * @param gridSecurity where a CE has its certificates; {@code /etc/grid-security}
     * @param userDirectory gets the user's certificate, key and proxy
     * @param host canonical name
     * @param vo name of the VO, of letters, digits, dots and hyphens
     * @param user common name of the user
     * @param account owner of the host's key, who the CE runs as; root where there is no such account
     * @param days how long all is valid, from 1
     */
    public record Options(
            Path gridSecurity, Path userDirectory, String host, String vo, String user, String account, int days) {}

    /** A certificate and its key. */
    private record Signed(X509Certificate certificate, KeyPair keys) {}

    public TestPki(Options options, Instant now) {
        this.options = options;
        this.now = now;
        this.end = now.plus(Duration.ofDays(options.days()));
    }

    /**
     * Makes and writes all.
     *
     * @return what was done, a line for each file
     * @throws SetupException when one of them is there, or another account could change their directories; none was written
     *     then
     */
    public List<String> write() throws IOException {
        try {
            RootsPlace.directory(options.gridSecurity());
            RootsPlace.directory(options.userDirectory());
            plan();
            for (Path file : files.keySet()) {
                if (Files.exists(file)) {
                    throw new SetupException(
                            file + " is there, and nothing is replaced: test certificates are for a host"
                                    + " that has none; move it away, or name other directories");
                }
            }
            for (Path file : files.keySet()) {
                RootsPlace.make(file.getParent());
            }
            return new PlannedFiles(List.copyOf(files.values())).write();
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Subject of the user, in slash form, as a grid-mapfile has it. */
    public String subject() {
        return "/DC=test/DC=" + options.host() + "/CN=" + options.user();
    }

    /** The proxy's file. */
    public Path proxy() {
        return options.userDirectory().resolve("proxy.pem");
    }

    private void plan() throws GeneralSecurityException, OperatorCreationException, IOException {
        Path grid = options.gridSecurity();
        KeyPair authorityKeys = keys();
        X509Certificate authority = authority(authorityKeys);
        Signed server = issue("host", options.host(), authority, authorityKeys, true);
        Signed voms = issue("voms", options.host(), authority, authorityKeys, true);
        Signed user = issue(null, options.user(), authority, authorityKeys, false);

        String name = "/DC=test/DC=" + options.host() + "/CN=Test authority";
        for (boolean newer : new boolean[] {true, false}) {
            String hash = OpensslTruststoreHelper.getOpenSSLCAHash(authority.getSubjectX500Principal(), newer);
            Path anchor = grid.resolve("certificates").resolve(hash);
            add(anchor + ".0", pem(authority), false);
            add(anchor + ".signing_policy", policy(name), false);
            add(anchor + ".r0", revocationList(authority, authorityKeys), false);
        }
        add(
                grid.resolve("vomsdir").resolve(options.vo()).resolve(options.host() + ".lsc"),
                "/DC=test/DC=" + options.host() + "/OU=voms/CN=" + options.host() + "\n" + name + "\n",
                false);
        add(grid.resolve("hostcert.pem"), pem(server.certificate()), false);
        PlannedFile key = secret(grid.resolve("hostkey.pem"), pem(server.keys().getPrivate()), options.account());
        files.put(key.path(), key);
        Path own = options.userDirectory();
        add(own.resolve("usercert.pem"), pem(user.certificate()), false);
        add(own.resolve("userkey.pem"), pem(user.keys().getPrivate()), true);
        add(proxy(), proxy(user, voms), true);
    }

    private void add(Object path, String content, boolean secret) {
        Path file = Path.of(path.toString());
        files.put(
                file,
                secret
                        ? secret(file, content, Rights.root("rw-------").user())
                        : new PlannedFile(file, content, Rights.root("rw-r--r--")));
    }

    private static PlannedFile secret(Path file, String content, String owner) {
        boolean known = Rights.account(owner) != null && Rights.groupOf(owner) != null;
        return new PlannedFile(file, content, known ? new Rights(owner, owner, "rw-------") : Rights.root("rw-------"));
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(BITS);
        return generator.generateKeyPair();
    }

    private X509Certificate authority(KeyPair keys)
            throws GeneralSecurityException, OperatorCreationException, CertIOException {
        X500Name name = name(null, "Test authority");
        X509v3CertificateBuilder b = builder(name, name, keys);
        b.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        b.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        return signed(b, keys);
    }

    private Signed issue(String unit, String commonName, X509Certificate authority, KeyPair by, boolean host)
            throws GeneralSecurityException, OperatorCreationException, CertIOException {
        KeyPair keys = keys();
        X509v3CertificateBuilder b = builder(nameOf(authority.getSubjectX500Principal()), name(unit, commonName), keys);
        b.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        b.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        b.addExtension(
                Extension.extendedKeyUsage,
                false,
                new ExtendedKeyUsage(
                        host
                                ? new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}
                                : new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth}));
        if (host) {
            b.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, options.host())));
        }
        b.addExtension(
                Extension.authorityKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(authority));
        return new Signed(signed(b, by), keys);
    }

    private X500Name name(String unit, String commonName) {
        X500NameBuilder name =
                new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.DC, "test").addRDN(BCStyle.DC, options.host());
        if (unit != null) {
            name.addRDN(BCStyle.OU, unit);
        }
        return name.addRDN(BCStyle.CN, commonName).build();
    }

    private X509v3CertificateBuilder builder(X500Name issuer, X500Name subject, KeyPair keys)
            throws GeneralSecurityException, CertIOException {
        X509v3CertificateBuilder b = new JcaX509v3CertificateBuilder(
                issuer, serial(), Date.from(now.minus(CLOCK_SKEW)), Date.from(end), subject, keys.getPublic());
        b.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
        return b;
    }

    private static X509Certificate signed(X509v3CertificateBuilder b, KeyPair by)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter().getCertificate(b.build(signer(by)));
    }

    private static ContentSigner signer(KeyPair by) throws OperatorCreationException {
        return new JcaContentSignerBuilder(SIGNATURE).build(by.getPrivate());
    }

    private static BigInteger serial() {
        return new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS);
    }

    private String policy(String name) {
        return """
                access_id_CA   X509    '%s'
                pos_rights     globus  CA:sign
                cond_subjects  globus  '"/DC=test/DC=%s/*"'
                """.formatted(name, options.host());
    }

    private String revocationList(X509Certificate authority, KeyPair by)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        JcaX509v2CRLBuilder b =
                new JcaX509v2CRLBuilder(authority.getSubjectX500Principal(), Date.from(now.minus(CLOCK_SKEW)));
        b.setNextUpdate(Date.from(end));
        return pem(new JcaX509CRLConverter().getCRL(b.build(signer(by))));
    }

    private String proxy(Signed user, Signed voms)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        AttributeCertificate attributes = attributes(user.certificate(), voms);
        ProxyCertificateOptions wanted = new ProxyCertificateOptions(new X509Certificate[] {user.certificate()});
        wanted.setValidityBounds(Date.from(now.minus(CLOCK_SKEW)), Date.from(end));
        wanted.setAttributeCertificates(new AttributeCertificate[] {attributes});
        ProxyCertificate proxy = ProxyGenerator.generate(wanted, user.keys().getPrivate());
        List<Object> inOrder = new ArrayList<>(List.of(proxy.getCertificateChain()));
        // Where all clients look for it.
        inOrder.add(1, proxy.getPrivateKey());
        return pem(inOrder.toArray());
    }

    /**
     * As VOMS servers write it (OGF GFD.182). Not by the generator of voms-api-java, which leaves out the tag of
     * {@code policyAuthority}, so that programs on VOMS's own library cannot read it.
     */
    private AttributeCertificate attributes(X509Certificate holder, Signed voms)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        X509v2AttributeCertificateBuilder b = new X509v2AttributeCertificateBuilder(
                new AttributeCertificateHolder(nameOf(holder.getSubjectX500Principal()), holder.getSerialNumber()),
                new AttributeCertificateIssuer(nameOf(voms.certificate().getSubjectX500Principal())),
                serial(),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(end));
        GeneralName origin = new GeneralName(
                GeneralName.uniformResourceIdentifier, options.vo() + "://" + options.host() + ":" + VOMS_PORT);
        b.addAttribute(VOMSConstants.VOMS_FQANS_OID, new DERSequence(new ASN1Encodable[] {
            new DERTaggedObject(false, 0, new GeneralNames(origin)),
            new DERSequence(new DEROctetString(("/" + options.vo()).getBytes(StandardCharsets.UTF_8)))
        }));
        // A sequence of chains, and a chain is a sequence.
        b.addExtension(
                VOMSConstants.VOMS_CERTS_OID,
                false,
                new DERSequence(new DERSequence(new JcaX509CertificateHolder(voms.certificate()).toASN1Structure())));
        b.addExtension(Extension.noRevAvail, false, DERNull.INSTANCE);
        b.addExtension(
                Extension.authorityKeyIdentifier,
                false,
                new AuthorityKeyIdentifier(new JcaX509ExtensionUtils()
                        .createSubjectKeyIdentifier(voms.keys().getPublic())
                        .getKeyIdentifier()));
        return b.build(signer(voms.keys())).toASN1Structure();
    }

    private static X500Name nameOf(X500Principal principal) {
        return X500Name.getInstance(principal.getEncoded());
    }

    private static String pem(Object... all) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            for (Object one : all) {
                pem.writeObject(one);
            }
        }
        return text.toString();
    }
}
