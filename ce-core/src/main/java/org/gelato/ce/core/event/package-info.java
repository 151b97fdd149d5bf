/** What job wrappers tell: parsing, authentication, and application of their events. */
package org.gelato.ce.core.event;
