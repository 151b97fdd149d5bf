package org.gelato.ce.core.accounting;

/**
 * The parts of an FQAN as APEL takes it apart (docs/developer/protocol/accounting.md section 3).
 *
 * @param vo null for a job without
 * @param group null for a job without a VO
 * @param role {@code Role=...}, or {@code None}
 */
record Fqan(String vo, String group, String role) {
    private static final String ROLE = "/Role=";

    /** @param text empty for none */
    static Fqan of(String text) {
        if (text.isEmpty()) {
            return new Fqan(null, null, null);
        }
        int role = text.indexOf(ROLE);
        String group = role < 0 ? text : text.substring(0, role);
        int end = group.indexOf('/', 1);
        String vo = group.startsWith("/") ? group.substring(1, end < 0 ? group.length() : end) : group;
        return new Fqan(vo, group, role < 0 ? "None" : role(text.substring(role + 1)));
    }

    private static String role(String rest) {
        int end = rest.indexOf('/');
        return end < 0 ? rest : rest.substring(0, end);
    }
}
