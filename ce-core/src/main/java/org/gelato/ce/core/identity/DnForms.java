package org.gelato.ce.core.identity;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;

/**
 * The two written forms of a distinguished name: RFC 2253 ({@code CN=a,O=b}, most specific part first), which the wire
 * and the database use, and OpenSSL's slash form ({@code /O=b/CN=a}), which grid-mapfiles, ban files and admin lists use
 * (docs/developer/protocol/behaviour.md section 3). Everywhere a DN is shown or compared it must have gone through this class, as
 * spellings differ between libraries ({@code E}, {@code EMAILADDRESS}, {@code 1.2.840.113549.1.9.1=#16…}).
 *
 * <p>RFC 2253 texts made here hold no control characters, so they are safe in logs and headers. Functions without state;
 * any thread. Malformed input is an {@link IllegalArgumentException}.
 */
public final class DnForms {
    /** Object identifier of each attribute that has a keyword, with the keyword of RFC 2253 and that of OpenSSL. */
    private enum Keyword {
        CN("2.5.4.3", "CN"),
        L("2.5.4.7", "L"),
        ST("2.5.4.8", "ST"),
        O("2.5.4.10", "O"),
        OU("2.5.4.11", "OU"),
        C("2.5.4.6", "C"),
        STREET("2.5.4.9", "street"),
        DC("0.9.2342.19200300.100.1.25", "DC"),
        UID("0.9.2342.19200300.100.1.1", "UID"),
        EMAILADDRESS("1.2.840.113549.1.9.1", "emailAddress"),
        SERIALNUMBER("2.5.4.5", "serialNumber"),
        GIVENNAME("2.5.4.42", "GN"),
        SURNAME("2.5.4.4", "SN"),
        T("2.5.4.12", "title"),
        DNQUALIFIER("2.5.4.46", "dnQualifier");

        private final String oid;
        private final String slash;

        Keyword(String oid, String slash) {
            this.oid = oid;
            this.slash = slash;
        }

        static Keyword of(String oid) {
            for (Keyword k : values()) {
                if (k.oid.equals(oid)) {
                    return k;
                }
            }
            return null;
        }
    }

    /** Every accepted spelling, upper case, to its object identifier. */
    private static final Map<String, String> SPELLINGS = Map.ofEntries(
            Map.entry("CN", Keyword.CN.oid),
            Map.entry("L", Keyword.L.oid),
            Map.entry("ST", Keyword.ST.oid),
            Map.entry("S", Keyword.ST.oid),
            Map.entry("O", Keyword.O.oid),
            Map.entry("OU", Keyword.OU.oid),
            Map.entry("C", Keyword.C.oid),
            Map.entry("STREET", Keyword.STREET.oid),
            Map.entry("DC", Keyword.DC.oid),
            Map.entry("UID", Keyword.UID.oid),
            Map.entry("USERID", Keyword.UID.oid),
            Map.entry("EMAILADDRESS", Keyword.EMAILADDRESS.oid),
            Map.entry("EMAIL", Keyword.EMAILADDRESS.oid),
            Map.entry("E", Keyword.EMAILADDRESS.oid),
            Map.entry("SERIALNUMBER", Keyword.SERIALNUMBER.oid),
            Map.entry("GIVENNAME", Keyword.GIVENNAME.oid),
            Map.entry("GN", Keyword.GIVENNAME.oid),
            Map.entry("SURNAME", Keyword.SURNAME.oid),
            Map.entry("SN", Keyword.SURNAME.oid),
            Map.entry("T", Keyword.T.oid),
            Map.entry("TITLE", Keyword.T.oid),
            Map.entry("DNQUALIFIER", Keyword.DNQUALIFIER.oid),
            Map.entry("DNQ", Keyword.DNQUALIFIER.oid));

    private static final Pattern ATTRIBUTE_START = Pattern.compile("([A-Za-z][A-Za-z0-9]*|[0-9]+(?:\\.[0-9]+)+)=");
    private static final Pattern HEX_ESCAPE = Pattern.compile("\\\\x([0-9A-Fa-f]{2})");

    /** One attribute; the DER encoding of the value is kept for types without keyword. */
    private record Attribute(String oid, String value, byte[] der) {}

    private static final Comparator<Attribute> MEMBERS = Comparator.comparingInt((Attribute a) -> a.oid.length())
            .thenComparing(Attribute::oid)
            .thenComparing(Attribute::value);

    private DnForms() {}

    /** RFC 2253 text of a certificate's subject or issuer; empty for an empty name. */
    public static String rfc2253(X500Principal name) {
        return rfc2253(parse(name));
    }

    /** RFC 2253 text of a DN in either form. */
    public static String rfc2253(String dn) {
        return rfc2253(parse(dn));
    }

    /** OpenSSL slash text of a DN in either form. */
    public static String slash(String dn) {
        StringBuilder text = new StringBuilder();
        for (List<Attribute> rdn : parse(dn)) {
            String separator = "/";
            for (Attribute a : rdn) {
                Keyword k = Keyword.of(a.oid);
                text.append(separator).append(k == null ? a.oid : k.slash).append('=');
                appendSlashValue(text, a.value);
                separator = "+";
            }
        }
        return text.toString();
    }

    /**
     * A key that is equal for equal names, whatever their form and spelling of keywords; values are compared exactly,
     * upper and lower case included.
     */
    public static String comparable(String dn) {
        return parse(dn).stream()
                .map(rdn ->
                        rdn.stream().map(a -> a.oid + "=" + a.value).sorted().collect(Collectors.joining("\u0001")))
                .collect(Collectors.joining("\u0000"));
    }

    /** Whether a text begins like a DN in slash form, so is not an FQAN. */
    public static boolean looksLikeSlash(String text) {
        int end = text.indexOf('/', 1);
        String first = end < 0 ? text : text.substring(0, end);
        return first.startsWith("/") && first.indexOf('=') > 0;
    }

    private static List<List<Attribute>> parse(String dn) {
        return ordered(dn.startsWith("/") ? parseSlash(dn) : parseRfc2253(dn));
    }

    /** The attributes of a multi-valued RDN are a set; in a fixed order, equal names have equal texts. */
    private static List<List<Attribute>> ordered(List<List<Attribute>> rdns) {
        rdns.forEach(rdn -> rdn.sort(MEMBERS));
        return rdns;
    }

    /** By LdapName: the parser of X500Principal fails on some of its own texts, such as {@code CN=\\+\\\\\\,}. */
    private static List<List<Attribute>> parseRfc2253(String dn) {
        try {
            List<List<Attribute>> rdns = new ArrayList<>();
            for (Rdn rdn : new LdapName(dn).getRdns()) {
                List<Attribute> attributes = new ArrayList<>();
                for (javax.naming.directory.Attribute type :
                        Collections.list(rdn.toAttributes().getAll())) {
                    for (Object value : Collections.list(type.getAll())) {
                        attributes.add(attribute(dn, type.getID(), value));
                    }
                }
                rdns.add(attributes);
            }
            return rdns;
        } catch (NamingException | IOException e) {
            throw new IllegalArgumentException("not a DN: " + dn, e);
        }
    }

    private static Attribute attribute(String dn, String type, Object value) throws IOException {
        String oid = oid(type);
        if (oid == null) {
            throw new IllegalArgumentException("not a DN: unknown attribute type " + type + " in " + dn);
        }
        return value instanceof byte[] der
                ? attribute(oid, ASN1Primitive.fromByteArray(der))
                : attribute(oid, new DERUTF8String((String) value));
    }

    private static Attribute attribute(String oid, ASN1Primitive value) {
        byte[] der = encode(value);
        String text = value instanceof ASN1String s
                ? s.getString()
                : "#" + HexFormat.of().formatHex(der);
        return new Attribute(oid, text, der);
    }

    private static List<List<Attribute>> parse(X500Principal name) {
        List<List<Attribute>> rdns = new ArrayList<>();
        for (RDN rdn : X500Name.getInstance(name.getEncoded()).getRDNs()) {
            List<Attribute> attributes = new ArrayList<>();
            for (AttributeTypeAndValue a : rdn.getTypesAndValues()) {
                attributes.add(attribute(a.getType().getId(), a.getValue().toASN1Primitive()));
            }
            rdns.add(attributes);
        }
        return ordered(rdns);
    }

    /**
     * Values may hold slashes ({@code /CN=host/node.example.org}), so a slash or plus only separates when a known keyword
     * and {@code =} follow.
     */
    private static List<List<Attribute>> parseSlash(String dn) {
        List<List<Attribute>> rdns = new ArrayList<>();
        int at = 0;
        while (at < dn.length()) {
            Matcher start = attributeAt(dn, at + 1);
            if (start == null) {
                throw new IllegalArgumentException(
                        "not a DN: no known attribute type after position " + at + " of " + dn);
            }
            int end = start.end();
            while (end < dn.length() && !separatesAt(dn, end)) {
                end++;
            }
            if (dn.charAt(at) == '/') {
                rdns.add(new ArrayList<>());
            }
            String value = unescape(dn.substring(start.end(), end));
            rdns.get(rdns.size() - 1).add(attribute(oid(start.group(1)), new DERUTF8String(value)));
            at = end;
        }
        return rdns;
    }

    private static boolean separatesAt(String dn, int at) {
        return (dn.charAt(at) == '/' || dn.charAt(at) == '+') && attributeAt(dn, at + 1) != null;
    }

    private static Matcher attributeAt(String dn, int at) {
        Matcher m = ATTRIBUTE_START.matcher(dn).region(at, dn.length());
        return m.lookingAt() && oid(m.group(1)) != null ? m : null;
    }

    private static String oid(String spelling) {
        return Character.isDigit(spelling.charAt(0)) ? spelling : SPELLINGS.get(spelling.toUpperCase(Locale.ROOT));
    }

    /** OpenSSL prints each byte outside printable ASCII as {@code \xHH}; the bytes are UTF-8, in old names Latin 1. */
    private static String unescape(String value) {
        if (!value.contains("\\x")) {
            return value;
        }
        ByteBuffer bytes = ByteBuffer.allocate(value.length() * 4);
        int at = 0;
        Matcher m = HEX_ESCAPE.matcher(value);
        while (m.find()) {
            bytes.put(value.substring(at, m.start()).getBytes(StandardCharsets.UTF_8));
            bytes.put((byte) HexFormat.fromHexDigits(m.group(1)));
            at = m.end();
        }
        bytes.put(value.substring(at).getBytes(StandardCharsets.UTF_8)).flip();
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
        } catch (CharacterCodingException notUtf8) {
            return StandardCharsets.ISO_8859_1.decode(bytes).toString();
        }
    }

    private static void appendSlashValue(StringBuilder text, String value) {
        for (int i = 0; i < value.length(); ) {
            int c = value.codePointAt(i);
            boolean misread = c < ' '
                    || c > '~'
                    || separatesAt(value, i)
                    || HEX_ESCAPE.matcher(value).region(i, value.length()).lookingAt();
            if (misread) {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    text.append("\\x").append(HexFormat.of().withUpperCase().toHexDigits(b));
                }
            } else {
                text.appendCodePoint(c);
            }
            i += Character.charCount(c);
        }
    }

    private static String rfc2253(List<List<Attribute>> rdns) {
        List<List<Attribute>> specificFirst = new ArrayList<>(rdns);
        Collections.reverse(specificFirst);
        return specificFirst.stream()
                .map(rdn -> rdn.stream().map(DnForms::rfc2253).collect(Collectors.joining("+")))
                .collect(Collectors.joining(","));
    }

    private static String rfc2253(Attribute a) {
        Keyword keyword = Keyword.of(a.oid);
        if (keyword == null) {
            return a.oid + "=#" + HexFormat.of().formatHex(a.der);
        }
        StringBuilder text = new StringBuilder(keyword.name()).append('=');
        String value = a.value;
        for (int i = 0; i < value.length(); ) {
            int c = value.codePointAt(i);
            boolean edge = (i == 0 && (c == '#' || c == ' ')) || (i == value.length() - 1 && c == ' ');
            if (edge || ",+\"\\<>;=".indexOf(c) >= 0) {
                text.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    text.append('\\').append(HexFormat.of().withUpperCase().toHexDigits(b));
                }
            } else {
                text.appendCodePoint(c);
            }
            i += Character.charCount(c);
        }
        return text.toString();
    }

    private static byte[] encode(ASN1Primitive value) {
        try {
            return value.getEncoded(ASN1Encoding.DER);
        } catch (IOException e) {
            throw new IllegalArgumentException("a value of the DN has no encoding", e);
        }
    }
}
