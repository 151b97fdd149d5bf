/** A client of ARC REST (docs/developer/protocol/arc-rest.md): JSON over HTTPS, and files in a job's session directory. */
package org.gelato.ce.cli.arcrest;
