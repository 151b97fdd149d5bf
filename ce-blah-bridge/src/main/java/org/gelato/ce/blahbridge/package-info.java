/** The helper's channel and the fork batch system. */
package org.gelato.ce.blahbridge;
