/** Ports and settings for a CE that a test or the demo starts. */
package org.gelato.ce.testkit.site;
