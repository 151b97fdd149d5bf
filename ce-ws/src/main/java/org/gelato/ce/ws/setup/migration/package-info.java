/** What {@code ce server init} takes over of another CE's policies: readers of its files, which follow nothing and are bounded. */
package org.gelato.ce.ws.setup.migration;
