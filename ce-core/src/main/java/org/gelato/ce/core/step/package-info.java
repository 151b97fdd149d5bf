/** The steps of submit, events, cancel, renewal and purge, at which tests stop a CE to kill something. */
package org.gelato.ce.core.step;
