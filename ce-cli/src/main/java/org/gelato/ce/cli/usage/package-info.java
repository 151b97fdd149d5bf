/** {@code ce usage}: what jobs used, how it is published, and whether the batch system has the same. */
package org.gelato.ce.cli.usage;
