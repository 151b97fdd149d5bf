/** What a site watches a CE by: the page of metrics, its description, the alerts and the dashboard. */
package org.gelato.ce.it.monitoring;
