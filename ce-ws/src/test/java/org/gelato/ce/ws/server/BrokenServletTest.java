package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.Test;

/** A servlet that meets an Error which the container does not wrap: its call gives back what it held. */
class BrokenServletTest extends ServerFixture {
    private static final PerUserLimit ONE_PERMIT = PerUserLimit.waiting(1, 0);

    private static final class Broken extends HttpServlet implements ServletContextListener {
        private static final long serialVersionUID = 1L;

        @Override
        public void contextInitialized(ServletContextEvent event) {
            ServletRegistration.Dynamic broken = event.getServletContext().addServlet("broken", this);
            broken.addMapping("/broken");
            broken.setAsyncSupported(true);
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            assertThat(Exchange.of(request).enter(ONE_PERMIT, "alice", 1)).isTrue();
            throw new InternalError("a fault in memory that was mapped");
        }
    }

    @Override
    List<ServletContextListener> listeners(AsyncExchanges exchanges, TransferLimits limits) {
        List<ServletContextListener> listeners = new ArrayList<>(super.listeners(exchanges, limits));
        listeners.add(new Broken());
        return listeners;
    }

    @Test
    void anErrorOfOneCallKeepsNoPlaceFromTheNext() throws Exception {
        for (int call = 0; call < 3; call++) {
            assertThat(get("/broken").statusCode()).as("of call " + call).isEqualTo(500);
        }
        assertThat(ONE_PERMIT.acquire("alice", 1, () -> {}))
                .as("the place is free")
                .isTrue();
    }
}
