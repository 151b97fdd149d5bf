/** {@code ce glue2}: what a BDII runs to learn of the CE on its host. */
package org.gelato.ce.cli.glue2;
