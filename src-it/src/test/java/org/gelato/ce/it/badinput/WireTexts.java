package org.gelato.ce.it.badinput;

import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.testkit.pki.GridCredential;

/** Texts of requests and names, as the wire and a list of DNs spell them. */
final class WireTexts {
    private WireTexts() {}

    /** A valid registration, except for the delegation's id. */
    static String register(String delegation) {
        return "<t:JobRegisterRequest xmlns:t=\"" + RawClient.TYPES + "\"><t:jobDescriptionList><t:JDL>"
                + "[ Executable = \"/bin/true\"; BatchSystem = \"fork\"; QueueName = \"long\"; ]</t:JDL><t:delegationId>"
                + delegation + "</t:delegationId><t:autoStart>true</t:autoStart></t:jobDescriptionList>"
                + "</t:JobRegisterRequest>";
    }

    static String event(String job, String token) {
        return "job=" + job + "\nattempt=1\nevent=DONE\ntime=" + System.currentTimeMillis() * 1000
                + "\nnode=here\nexit=0\nreason=\nlrmsid=\ntoken=" + token + "\n";
    }

    static String local(String id) {
        return id.substring(id.lastIndexOf('/') + 1);
    }

    static String slash(GridCredential user) {
        return DnForms.slash(user.subject());
    }
}
