package org.gelato.ce.cli.soap;

import java.util.Iterator;
import java.util.List;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.WireFault;

/** Turns faults of the wire into what the commands know. */
final class Faults {
    private static final String ENDING = "Fault";
    /** No name of XML. */
    private static final String CODE = "/code";

    private static final String OF_DELEGATION = "DelegationException";

    private Faults() {}

    /**
     * The failure of a whole call, from the element Fault of SOAP 1.1.
     *
     * @param code of what was refused; null for none
     */
    static CliException of(Endpoint endpoint, Element fault, String code) {
        String words = fault.text("faultstring");
        Element detail = fault.child("detail");
        if (detail != null) {
            Element delegation = detail.child(OF_DELEGATION);
            if (delegation != null) {
                String reason = delegation.text("msg");
                return new ServiceFault(
                        endpoint, new WireFault(OF_DELEGATION, null, reason == null ? words : reason, null, code));
            }
            name(fault, code == null ? List.of() : List.of(code));
            WireFault typed = of(detail);
            if (typed != null) {
                return new ServiceFault(endpoint, typed);
            }
        }
        return new ServiceFault(endpoint, new WireFault(ENDING, null, words, null, code));
    }

    /** Notes codes at the faults in a response, each of which is a grandchild of it, in their order. */
    static void name(Element response, List<String> codes) {
        Iterator<String> next = codes.iterator();
        for (Element result : response.children()) {
            for (Element child : result.children()) {
                if (child.name().endsWith(ENDING) && next.hasNext()) {
                    child.attribute(CODE, next.next());
                }
            }
        }
    }

    /** The fault of one job, in the element with its result; null when there is none. */
    static WireFault of(Element result) {
        for (Element child : result.children()) {
            if (child.name().endsWith(ENDING)) {
                return new WireFault(
                        child.name(),
                        child.text("ErrorCode"),
                        child.text("Description"),
                        child.text("FaultCause"),
                        child.attribute(CODE));
            }
        }
        return null;
    }
}
