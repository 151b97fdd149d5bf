package org.gelato.ce.core.identity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A ban that an administrator made; those of the ban file are apart from it.
 *
 * @param name of its kind's form, see {@link #name}
 * @param reason null for none
 * @param by who made it, RFC 2253
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Ban(Kind kind, String name, String reason, String by, Instant since) {
    private static final Pattern VO = Pattern.compile("[A-Za-z0-9_.-]{1,255}");
    private static final int MAX_DN = 2048;

    /** What can be banned. */
    public enum Kind {
        /** A user by DN, where upper and lower case do not count, or by a token's {@code ISSUER,SUBJECT}, where they do. */
        DN(1),
        /**
         * Whoever shows this attribute, wherever it stands in the proxy, with any capability unless one is named; or a token with this
         * group or entitlement.
         */
        FQAN(2),
        /** Whoever shows an attribute of this VO, or a token of it or with a group of it. */
        VO(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** The kind's number in the database. */
        public int code() {
            return code;
        }

        /** @throws IllegalArgumentException for a number that is no kind's */
        public static Kind ofCode(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no kind of ban has the number " + code);
        }
    }

    /**
     * A name in the form in which it is stored: a DN as RFC 2253, an FQAN without empty role, an entitlement in its normal form.
     *
     * @throws IllegalArgumentException when it is no name of this kind
     */
    public static String name(Kind kind, String text) {
        switch (kind) {
            case DN -> {
                String dn = TokenIdentity.isSubject(text) ? text : DnForms.rfc2253(text);
                if (dn.isEmpty() || dn.length() > MAX_DN) {
                    throw new IllegalArgumentException("a DN has 1 to " + MAX_DN + " characters");
                }
                return dn;
            }
            case FQAN -> {
                Optional<TokenGroup> entitlement = TokenGroup.entitlement(text);
                if (entitlement.isPresent()) {
                    return entitlement.get().toString();
                }
                if (!Fqans.isWellFormed(text)) {
                    throw new IllegalArgumentException(
                            "neither an FQAN such as /vo/group/Role=role nor an entitlement such as urn:mace:egi.eu:group:vo: "
                                    + text);
                }
                return Fqans.normalised(text);
            }
            default -> {
                if (!VO.matcher(text).matches()) {
                    throw new IllegalArgumentException("not the name of a VO: " + text);
                }
                return text;
            }
        }
    }

    /** Equal for names that are the same. */
    public static String key(Kind kind, String name) {
        return kind == Kind.DN && !TokenIdentity.isSubject(name)
                ? DnForms.comparable(name).toLowerCase(Locale.ROOT)
                : name;
    }

    /** What is banned, and since when: {@code VO dteam is banned on this CE since 2026-01-31T12:00:00Z}. */
    public String text() {
        return kind + " " + name + " is banned on this CE since " + since;
    }
}
