package org.gelato.ce.ws.soap;

import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;

/** Lets everybody in and shows the state it was given. */
public final class FakeAdmission implements Admission {
    public volatile State state = new State(true, null, "Threshold for Active Jobs: -1 => Detected value: 7");

    @Override
    public void admit(Caller caller, int jobs) {}

    @Override
    public Places reserve(int jobs) {
        return new Places() {
            @Override
            public void stored() {}

            @Override
            public void close() {}
        };
    }

    @Override
    public void open(Caller caller, boolean accepting) {
        if (!caller.admin()) {
            throw new ServiceException.NotAuthorized("for admins", "for admins");
        }
        state = new State(accepting, accepting ? null : "closed", state.thresholds());
    }

    @Override
    public Optional<String> refusal(String queue) {
        return Optional.empty();
    }

    @Override
    public List<String> drained() {
        return List.of();
    }

    @Override
    public State state() {
        return state;
    }
}
