/** Where a message says that more can be read. */
package org.gelato.ce.core.manual;
