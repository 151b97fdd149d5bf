package org.gelato.ce.ws.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.UsagePublisher;
import org.gelato.ce.core.accounting.UsageQueries;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;

/**
 * {@code /ce-cream/admin/accounting}: {@code GET} shows where the records of jobs stand that ended between {@code from} and {@code to},
 * and with {@code preview=true} the first message that would be written; {@code PUT} publishes what is due, with {@code again=true}
 * also all records of the interval once more.
 */
final class AccountingServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;

    private final transient AdminEndpoints.Accounting accounting;

    AccountingServlet(CallerResolver callers, AdminEndpoints.Accounting accounting) {
        super(callers, "what is accounted");
        this.accounting = accounting;
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Answer(
            AccountingSettings.Publishing publish,
            String failure,
            List<UsageQueries.Standing> standings,
            UsagePublisher.Preview preview) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Turn(Integer again, @JsonUnwrapped UsagePublisher.Result result) {}

    @Override
    Object answer(HttpServletRequest request) {
        Interval interval = Interval.of(request);
        return new Answer(
                accounting.settings().publish(),
                accounting.publisher().failure(),
                accounting.usage().standings(interval.from(), interval.to()),
                "true".equals(Parameters.single(request, "preview"))
                        ? accounting.publisher().preview()
                        : null);
    }

    @Override
    List<String> methods() {
        return List.of("GET", "PUT");
    }

    @Override
    Object set(Caller caller, HttpServletRequest request) {
        if (!accounting.settings().publishes()) {
            throw new IllegalArgumentException("this CE publishes nothing: gelato.accounting.publish is off");
        }
        Integer again = null;
        if ("true".equals(Parameters.single(request, "again"))) {
            Interval interval = Interval.of(request);
            again = accounting.publisher().republish(interval.from(), interval.to());
            accounting.published().note(caller, "from " + interval.from() + " to " + interval.to(), again);
        }
        UsagePublisher.Result result = accounting.publisher().publish(true);
        accounting.published().note(caller, "what was due", result.records());
        return new Turn(again, result);
    }
}
