package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.core.accounting.UsagePublisher;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.web.CallerResolver;

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

    @Override
    Object answer(HttpServletRequest request) {
        Interval interval = Interval.of(request);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("publish", accounting.settings().publish().name().toLowerCase(Locale.ROOT));
        if (accounting.publisher().failure() != null) {
            json.put("failure", accounting.publisher().failure());
        }
        json.put("standings", accounting.usage().standings(interval.from(), interval.to()));
        if ("true".equals(single(request, "preview"))) {
            json.put("preview", accounting.publisher().preview());
        }
        return json;
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
        Map<String, Object> json = new LinkedHashMap<>();
        if ("true".equals(single(request, "again"))) {
            Interval interval = Interval.of(request);
            int again = accounting.publisher().republish(interval.from(), interval.to());
            accounting.published().note(caller, "from " + interval.from() + " to " + interval.to(), again);
            json.put("again", again);
        }
        UsagePublisher.Result result = accounting.publisher().publish(true);
        accounting.published().note(caller, "what was due", result.records());
        json.put("elsewhere", result.elsewhere());
        json.put("messages", result.messages());
        json.put("records", result.records());
        return json;
    }
}
