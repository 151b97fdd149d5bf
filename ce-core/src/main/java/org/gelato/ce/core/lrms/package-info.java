/** The port to the local batch system. No commands of a particular batch system. */
package org.gelato.ce.core.lrms;
